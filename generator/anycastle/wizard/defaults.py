"""What pressing Enter answers: each default is a pure function of the answers before it.

The last resort is the site of the reference article, which pressing Enter everywhere reproduces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from ipaddress import IPv4Address, IPv4Network

from anycastle.fields import parse_range
from anycastle.site.interfaces import usual
from anycastle.wizard.nodes import NONE, compact, expand

Earlier = Mapping[str, str]

_PRIVATE = tuple(IPv4Network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"))
_PODS = ("172.20.0.0/16", "10.244.0.0/16", "172.28.0.0/16", "192.168.128.0/17")
_SERVICES = ("10.96.0.0/12", "172.24.0.0/14", "10.32.0.0/12", "192.168.64.0/18")
_FRONTS = ("192.168.20.0/24", "172.31.20.0/24", "10.255.20.0/24")
_PRIVATE_ASNS = range(64512, 65535)  # RFC 6996, the 16-bit range


def constant(text: str) -> Callable[[Earlier], str]:
    """A default that follows from nothing."""
    return lambda _earlier: text


def api_name(earlier: Earlier) -> str:
    """A name below the domain."""
    return f"control.k8s.{earlier['domain']}"


def router_address(earlier: Earlier) -> str:
    """The first host of the node subnet."""
    return str(_subnet(earlier)[1])


def router_interface(earlier: Earlier) -> str:
    """As the router's software names one."""
    return usual(earlier["router_software"])


def control_planes(earlier: Earlier) -> str:
    """Three nodes, or as many as a small subnet has room for."""
    subnet = _subnet(earlier)
    start = subnet[17] if subnet.num_addresses >= 32 else subnet[2]
    addresses = _free_run(subnet, start, 3, {IPv4Address(earlier["router_address"])})
    return compact((f"k8s-master-{number}", address) for number, address in enumerate(addresses, start=1))


def workers(earlier: Earlier) -> str:
    """Five nodes behind the control planes, or as many as there is room for."""
    subnet = _subnet(earlier)
    planes = expand(earlier["control_planes"])
    taken = {IPv4Address(earlier["router_address"]), *(IPv4Address(int(address)) for _, address in planes)}
    behind = max(taken.intersection(subnet), default=subnet[0])
    addresses = max((_free_run(subnet, start, 5, taken) for start in (behind + 1, subnet[1])), key=len)
    names = {name for name, _ in planes}
    stem = next(stem for stem in ("k8s-node", "k8s-worker", "worker") if f"{stem}-1" not in names or stem == "worker")
    return compact((f"{stem}-{number}", address) for number, address in enumerate(addresses, start=1))


def _free_run(subnet: IPv4Network, start: IPv4Address, count: int, taken: set[IPv4Address]) -> list[IPv4Address]:
    """The first `count` consecutive free hosts from `start` on, else the longest run of fewer."""
    best: list[IPv4Address] = []
    run: list[IPv4Address] = []
    stop = min(int(subnet.broadcast_address), int(start) + count + 2 * len(taken) + count * len(taken))
    for address in map(IPv4Address, range(max(int(start), int(subnet[1])), stop)):
        run = [] if address in taken else [*run, address]
        best = max(best, run, key=len)
        if len(best) == count:
            break
    return best


def api_vip(earlier: Earlier) -> str:
    """The first host of a /24 that is not on the nodes' link; none where control planes carry the pods."""
    return NONE if earlier["workers"] == NONE else str(_front(earlier)[1])


def _front(earlier: Earlier) -> IPv4Network:
    """A private /24 for addresses that only BGP leads to: ten subnets further, or the first usual one that is free."""
    subnet = _subnet(earlier)
    near = (int(subnet.network_address) & ~0xFF) + 10 * max(256, subnet.num_addresses)
    usual = [*map(IPv4Network, _FRONTS)]
    if near < 2**32 - 256:
        usual.insert(0, IPv4Network((near, 24)))
    avoided = (subnet, IPv4Network(_PODS[0]), IPv4Network(_SERVICES[0]))
    private = (net for net in usual if any(net.subnet_of(block) for block in _PRIVATE))
    return next((net for net in private if not _overlaps(net, avoided)), usual[-1])


def control_plane_asn(earlier: Earlier) -> str:
    """A private AS number that is not the router's; none without an API address."""
    if earlier["api_vip"] == NONE:
        return NONE
    return _private_asn(int(earlier["router_asn"]), {earlier["router_asn"]})


def worker_asn(earlier: Earlier) -> str:
    """A private AS number that neither the router nor kube-vip has."""
    asns = [earlier["router_asn"], earlier["control_plane_asn"]]
    used = [asn for asn in asns if asn != NONE]
    return _private_asn(int(used[-1]), set(used))


def _private_asn(base: int, used: set[str]) -> str:
    candidates = (base + 10, 65020, 65030, 65040)
    return next(str(asn) for asn in candidates if asn in _PRIVATE_ASNS and str(asn) not in used)


def pod_range(earlier: Earlier) -> str:
    """A large private range that touches nothing answered before."""
    return _first_clear(_PODS, _networks(earlier, "node_subnet", "api_vip"))


def service_range(earlier: Earlier) -> str:
    """The range that kubeadm takes by default, or another one where that is taken."""
    return _first_clear(_SERVICES, _networks(earlier, "node_subnet", "api_vip", "pod_range"))


def load_balancer_pool(earlier: Earlier) -> str:
    """A /26 beside the API address that does not contain it."""
    vip = earlier["api_vip"]
    front = _front(earlier) if vip == NONE else IPv4Network((vip, 24), strict=False)
    quarters = [*front.subnets(new_prefix=26)]
    choices = [*quarters[1:], quarters[0], *map(IPv4Network, _FRONTS)]
    taken = _networks(earlier, "node_subnet", "api_vip", "pod_range", "service_range")
    return _first_clear(map(str, choices), taken)


def ingress_address(earlier: Earlier) -> str:
    """The address .100 where it lies inside the pool, else one in its middle."""
    networks = [net for part in earlier["load_balancer_pool"].split(",") for net in parse_range(part.strip())]
    first = networks[0]
    wanted = IPv4Address((int(first.network_address) & ~0xFF) + 100)
    inside = any(wanted in net and (net.prefixlen > 30 or wanted not in (net[0], net[-1])) for net in networks)
    return str(wanted if inside else first[first.num_addresses // 2])


def ingress_replicas(earlier: Earlier) -> str:
    """Two, on different workers; one where there is only one."""
    return "1" if len(expand(earlier["workers"])) < 2 else "2"


def repository(earlier: Earlier) -> str:
    """A URL at the site's domain."""
    return f"https://git.{earlier['domain']}/platform/{earlier['site_name']}.git"


def _subnet(earlier: Earlier) -> IPv4Network:
    return IPv4Network(earlier["node_subnet"])


def _networks(earlier: Earlier, *keys: str) -> tuple[IPv4Network, ...]:
    return tuple(IPv4Network(earlier[key]) for key in keys if earlier[key] != NONE)


def _overlaps(network: IPv4Network, others: Iterable[IPv4Network]) -> bool:
    return any(network.overlaps(other) for other in others)


def _first_clear(choices: Iterable[str], taken: tuple[IPv4Network, ...]) -> str:
    texts = [*choices]
    return next((text for text in texts if not _overlaps(IPv4Network(text), taken)), texts[-1])
