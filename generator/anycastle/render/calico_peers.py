"""BGPPeers: one for each router, family, rack and AS number, each with a selector of exactly the nodes that have it.

With route reflectors these are the reflectors, and one more BGPPeer ties every node to them.

Selectors go by the rack's label and by the names of nodes, so that a BGPPeer alone decides who dials: a label that a
kubelet says is taken once, when the node joins, and not when the site file changes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import Router, Software
from anycastle.network.model import Network
from anycastle.network.questions import wired
from anycastle.records import dataclass
from anycastle.site.model import Node, Rack, Site
from anycastle.site.topology import REFLECTOR_LABEL, Topology, has_local_asn, topology

WORKERS = "!has(node-role.kubernetes.io/control-plane)"
EVERY_NODE = "all()"
_NAME = "kubernetes.io/hostname"
_REFLECTORS = f"{REFLECTOR_LABEL} == 'true'"


@dataclass(frozen=True, slots=True)
class Peer:
    """A BGPPeer. `asn` is the AS of its nodes, 0 where that is Calico's own. `wired` = over a link of two addresses."""

    name: str
    router: Router
    address: IPAddress
    selector: str
    asn: int = 0
    wired: bool = False


@dataclass(frozen=True, slots=True)
class _Group:
    """Nodes that speak with the same routers from the same AS."""

    suffix: str
    selector: str
    asn: int
    routers: tuple[str, ...]


def peers(site: Site, network: Network) -> Iterator[Peer]:
    """Every BGPPeer, router by router."""
    families = {rule.family for item in network.filters for rule in item.rules}
    by_router: dict[str, list[_Group]] = defaultdict(list)
    for group in _groups(site):
        for name in group.routers:
            by_router[name].append(group)
    taken: Counter[str] = Counter()
    wires = _wires(site, network)
    for router in network.routers:
        over = wires.get(router.name, {})
        for address in (a for a in router.addresses if a.version in families and a not in over):
            for group in by_router[router.name]:
                suffix = f"-{group.suffix}" if len(by_router[router.name]) > 1 and group.suffix else ""
                name = peer_name(router, address) + suffix
                taken[name] += 1
                last = f"-{taken[name]}" if taken[name] > 1 else ""
                yield Peer(name + last, router, address, group.selector, group.asn)
        yield from _over_wires(site, router, {a: over[a] for a in over if a.version in families}, taken)


def _wires(site: Site, network: Network) -> Mapping[str, Mapping[IPAddress, Node | None]]:
    """Of each router its ends of links, with the node at the other end where Calico speaks there."""
    nodes = {node.name: node for node in site.nodes if node.links}
    speaking = {end.host for end in wired(network) if end.software is Software.CALICO} if nodes else set()
    found: dict[str, dict[IPAddress, Node | None]] = defaultdict(dict)
    for node in nodes.values():
        for link in node.links:
            found[link.router][link.peer] = node if node.name in speaking else None
    return found


def _over_wires(
    site: Site, router: Router, over: Mapping[IPAddress, Node | None], taken: Counter[str]
) -> Iterator[Peer]:
    """One BGPPeer for each link: the router has another address on each, and the kernel knows the node's."""
    known, told = topology(site), has_local_asn(site)
    for address, node in over.items():
        if node is None:
            continue
        name = f"{router.name}-{node.name}"
        taken[name] += 1
        last = f"-{taken[name]}" if taken[name] > 1 else ""
        asn = known.worker_asn(node) if told else site.bgp.worker_asn
        own = 0 if asn == site.bgp.worker_asn else asn
        yield Peer(name + last, router, address, f"{_NAME} == '{node.name}'", own, wired=True)


def peer_name(router: Router, address: IPAddress) -> str:
    """Name of the BGPPeer: one for each family, since Calico carries each over sessions of its own."""
    return router.name if address == router.address else f"{router.name}-ipv{address.version}"


def _groups(site: Site) -> Iterator[_Group]:
    """The racks, then what is in none, each followed by its nodes with an AS of their own."""
    known = topology(site)
    told = has_local_asn(site)
    places: list[Rack | None] = [*site.racks, *([None] if known.others else [])]
    inside: dict[str | None, list[Node]] = defaultdict(list)
    for node in site.nodes:
        if site.bgp.peering == "all" or node.role == "worker":
            inside[node.rack].append(node)
    for rack in places:
        nodes = [n for n in inside[rack.name if rack else None] if known.reflects(n) or not known.reflectors]
        if known.reflectors and not nodes:
            continue
        usual = (rack.worker_asn if rack else None) or site.bgp.worker_asn
        odd = [n for n in nodes if not n.peer or n.links or (told and known.worker_asn(n) != usual)]
        routers = tuple(router.name for router in (known.named[rack.name] if rack else known.others))
        suffix = rack.name if rack else ""
        own = usual if told and usual != site.bgp.worker_asn else 0
        yield _Group(suffix, _selector(site, rack, odd), own, routers)  # also for nodes that are still to come
        yield from _own_numbers(known, odd, suffix, routers)


def _own_numbers(known: Topology, odd: Iterable[Node], suffix: str, routers: tuple[str, ...]) -> Iterator[_Group]:
    """Nodes with an AS number of their own, by that number."""
    numbers: dict[int, list[Node]] = defaultdict(list)
    for node in odd:
        if node.peer and not node.links:
            numbers[known.worker_asn(node)].append(node)
    for asn, nodes in sorted(numbers.items()):
        own = 0 if asn == known.site.bgp.worker_asn else asn
        yield _Group(f"{suffix}-as{asn}".lstrip("-"), f"{_NAME} in {_set(nodes)}", own, routers)


def _selector(site: Site, rack: Rack | None, odd: Sequence[Node]) -> str:
    """The nodes of a rack, or of none, without some."""
    chosen = _REFLECTORS if site.bgp.route_reflectors is not None else WORKERS if site.bgp.peering == "workers" else ""
    parts = [chosen] if chosen else []
    if rack is not None:
        parts.append(f"{rack.label} == '{rack.name}'")
    else:
        parts += [f"!has({label})" for label in sorted({rack.label for rack in site.racks})]
    if odd:
        parts.append(f"{_NAME} not in {_set(odd)}")
    return " && ".join(parts) or EVERY_NODE


def _set(nodes: Iterable[Node]) -> str:
    return "{" + ", ".join(sorted(f"'{node.name}'" for node in nodes)) + "}"


@dataclass(frozen=True, slots=True)
class Inner:
    """The BGPPeer between nodes: those of `selector` with the route reflectors, `peers`."""

    name: str
    selector: str
    peers: str


def inner(site: Site, taken: Iterable[str]) -> Inner | None:
    """The BGPPeer of the route reflectors; Calico makes the far end of each of its sessions by itself.

    `taken` are the names of the others.
    """
    if site.bgp.route_reflectors is None:
        return None
    everybody = site.bgp.peering == "all"
    parts = [] if everybody else [WORKERS]
    if mute := [node for node in site.nodes if not node.peer and (everybody or node.role == "worker")]:
        parts.append(f"{_NAME} not in {_set(mute)}")
    name, others = "route-reflectors", set(taken)
    while name in others:
        name += "-inside"
    return Inner(name, " && ".join(parts) or EVERY_NODE, _REFLECTORS)
