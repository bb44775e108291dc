"""Variables of an inventory that say something of the cluster as a whole; everything else is passed over unread."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from anycastle import fields
from anycastle.finding import Place
from anycastle.importing.facts import Key, Notes, is_template
from anycastle.importing.inventory import Variable
from anycastle.importing.words import parse_block_size, parse_release

Variables = Mapping[str, Variable]
Peer = tuple[str, object, Place]
"""Address, AS number as it is written, place."""

POD_POOL = "default-pool"
"""Kubespray's name of the first pool."""

_TRUE = frozenset(("true", "yes", "on", "1"))

_SIMPLE: tuple[tuple[Key, Callable[[object], Any], tuple[str, ...]], ...] = (
    (("kubernetes", "version"), parse_release, ("kube_version", "kubernetes_version", "k8s_version", "k3s_version")),
    (("kubernetes", "api", "port"), fields.parse_port, ("kube_apiserver_port", "api_port")),
    (("kubernetes", "api", "name"), fields.parse_dns_name, ("apiserver_loadbalancer_domain_name",)),
    (("kubernetes", "dns_domain"), fields.parse_dns_name, ("dns_domain", "cluster_name")),
    (("bgp", "worker_asn"), fields.parse_asn, ("global_as_num", "calico_asn")),
    (("bgp", "control_plane_asn"), fields.parse_asn, ("kube_vip_local_as",)),
)

_SERVICES = ("kube_service_addresses", "kube_service_subnets", "service_cidr", "service_subnet", "cluster_service_cidr")
_PODS = ("calico_pool_cidr", "kube_pods_subnet", "kube_pods_subnets", "pod_network_cidr", "pod_cidr", "pod_subnet",
         "cluster_cidr")  # fmt: skip
_MODES = {"always": "", "crosssubnet": "CrossSubnet"}


def cluster(variables: Variables, notes: Notes) -> None:
    """What the variables of the first control plane say of all."""
    for key, parser, names in _SIMPLE:
        if found := _first(variables, names):
            notes.parse(key, parser, found.value, found.where)
    _services(variables, notes)
    _pods(variables, notes)
    _api_addresses(variables, notes)
    _load_balancer(variables, notes)
    _routers(variables, notes)


def _first(variables: Variables, names: Sequence[str]) -> Variable | None:
    """The first of several names that is set; one that is computed serves only where no other is there."""
    found = [variables[name] for name in names if name in variables and variables[name].value not in (None, "")]
    return next((one for one in found if not is_template(one.value)), found[0] if found else None)


def _is_true(variables: Variables, *names: str) -> bool:
    return any(str(variables[name].value).lower() in _TRUE for name in names if name in variables)


def _dual(variables: Variables) -> bool:
    return _is_true(variables, "enable_dual_stack_networks", "ipv6_stack")


def _services(variables: Variables, notes: Notes) -> None:
    found = _first(variables, _SERVICES)
    if found is None:
        return
    texts = [part.strip() for part in str(found.value).split(",")]
    second = variables.get("kube_service_addresses_ipv6")
    if _dual(variables) and second is not None:
        texts.append(str(second.value))
    notes.parse(("kubernetes", "service_cidrs"), _cidrs, texts if not _templated(texts) else texts[0], found.where)


def _templated(texts: Sequence[str]) -> bool:
    return any("{{" in text for text in texts)


def _cidrs(value: object) -> tuple[fields.IPNetwork, ...]:
    """Networks, as Kubespray's own defaults write them: `::1000/116` has host bits."""
    texts = value if isinstance(value, list) else [value]
    return tuple(fields.parse_cidr(text) for text in texts)


def _pods(variables: Variables, notes: Notes) -> None:
    found = _first(variables, _PODS)
    if found is None:
        return
    pool = variables.get("calico_pool_name")
    name = str(pool.value) if pool is not None else POD_POOL
    at = ("pods", name)
    for text in str(found.value).split(","):
        notes.parse((*at, "cidr"), fields.parse_cidr, text.strip(), found.where)
    if size := variables.get("calico_pool_blocksize"):
        notes.parse((*at, "block_size"), parse_block_size, size.value, size.where)
    if "nat_outgoing" in variables:
        notes.say((*at, "nat_outgoing"), _is_true(variables, "nat_outgoing"), variables["nat_outgoing"].where)
    for name, word in (("calico_vxlan_mode", "VXLAN"), ("calico_ipip_mode", "IPIP")):
        mode = variables.get(name)
        suffix = _MODES.get(str(mode.value).lower()) if mode is not None else None
        if mode is not None and suffix is not None:
            notes.say((*at, "encapsulation"), word + suffix, mode.where)
    second = variables.get("kube_pods_subnet_ipv6")
    if _dual(variables) and second is not None:
        notes.parse(("pods", f"{at[1]}-ipv6", "cidr"), fields.parse_cidr, second.value, second.where)


def _api_addresses(variables: Variables, notes: Notes) -> None:
    """kube-vip's address, or that of a load balancer in front."""
    balancer = variables.get("loadbalancer_apiserver")
    if found := _first(variables, ("kube_vip_address", "apiserver_endpoint", "apiserver_vip", "api_vip")):
        notes.parse(("kubernetes", "api", "vips"), _addresses, found.value, found.where)
    elif balancer is not None and isinstance(balancer.value, Mapping):
        notes.parse(("kubernetes", "api", "vips"), _addresses, balancer.value.get("address"), balancer.where)
        notes.parse(("kubernetes", "api", "port"), fields.parse_port, balancer.value.get("port"), balancer.where)
    names = variables.get("supplementary_addresses_in_ssl_keys")
    if names is not None and isinstance(names.value, list):
        listed = tuple(str(name) for name in names.value)
        notes.parse(("kubernetes", "api", "certificate_names"), lambda _raw: listed, " ".join(listed), names.where)


def _addresses(value: object) -> tuple[fields.IPAddress, ...]:
    return tuple(fields.parse_address(part.strip()) for part in str(value).split(","))


def _load_balancer(variables: Variables, notes: Notes) -> None:
    found = variables.get("calico_advertise_service_loadbalancer_ips")
    if found is not None and isinstance(found.value, list) and found.value:
        notes.parse(("pools", "loadbalancer-pool", "ranges"), _cidrs, found.value, found.where)


def _routers(variables: Variables, notes: Notes) -> None:
    """Calico's `peers` in Kubespray (`router_id` is the peer's address there), or those of kube-vip."""
    found = [*_of_calico(variables), *_of_kube_vip(variables)]
    seen: dict[str, str] = {}
    several = len({str(address) for address, _asn, _where in found}) > 1
    for address, asn, where in found:
        name = seen.setdefault(str(address), f"router-{len(seen) + 1}" if several else "router")
        notes.parse(("routers", name, "address"), fields.parse_address, address, where)
        notes.parse(("routers", name, "asn"), fields.parse_asn, asn, where)


def _of_calico(variables: Variables) -> Iterator[Peer]:
    peers = variables.get("peers")
    if peers is not None and isinstance(peers.value, list):
        for peer in peers.value:
            if isinstance(peer, Mapping) and peer.get("router_id"):
                yield str(peer["router_id"]), peer.get("as"), peers.where


def _of_kube_vip(variables: Variables) -> Iterator[Peer]:
    """`ADDRESS:AS:PASSWORD:MULTIHOP`: the first two parts only."""
    one, listed = variables.get("kube_vip_bgp_peeraddress"), variables.get("kube_vip_bgppeers")
    if one is not None and one.value:
        asn = variables.get("kube_vip_bgp_peeras")
        yield str(one.value), asn.value if asn is not None else None, one.where
    if listed is not None and isinstance(listed.value, list):
        for text in listed.value:
            address, _, rest = str(text).partition(":")
            yield address, rest.partition(":")[0], listed.where
