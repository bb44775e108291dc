"""Calico's objects: pools, filters, peers and the cluster-wide settings.

Defaults are those that Calico v3.32 and its operator fill in where a field is absent (libcalico-go clientv3,
operator pkg/controller/ippool/defaults.go).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Any

from anycastle.finding import NOWHERE, Place
from anycastle.network.addresses import IPNetwork, Pool, PoolUse, Reservation, Subnet
from anycastle.network.bgp import Filter, FilterRule
from anycastle.network.cluster import Calico
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.records import dataclass
from anycastle.schemas.shape import mapping, mappings, number, sequence, text
from anycastle.yamlio import Path as Keys

GROUPS = frozenset(("projectcalico.org", "crd.projectcalico.org"))
_INSTALLATION = ("operator.tigera.io", "Installation")
DEFAULT_BLOCK = {4: 26, 6: 122}
DEFAULT_ASN = 64512
_ASSIGN = ("spec", "controllers", "loadBalancer", "assignIPs")
ENDPOINT_CONFIG_MAP = "kubernetes-services-endpoint"
_PLAIN_RULE = frozenset(("action", "cidr", "matchOperator", "source"))


@dataclass(frozen=True, slots=True)
class Objects:
    """Calico's objects among all others, by kind."""

    installation: Object | None = None
    configuration: Object | None = None
    controllers: Object | None = None
    pools: tuple[Object, ...] = ()
    peers: tuple[Object, ...] = ()
    filters: tuple[Object, ...] = ()
    reservations: tuple[Object, ...] = ()
    agent_host: str = ""
    agent_where: Place = field(default=NOWHERE, compare=False)


def sort_out(objects: Iterable[Object]) -> Objects:
    """Calico's objects; of those that exist once the last one counts."""
    single: dict[str, Object] = {}
    many: dict[str, list[Object]] = {"IPPool": [], "BGPPeer": [], "BGPFilter": [], "IPReservation": []}
    for item in objects:
        if item.group in GROUPS and item.kind in many:
            many[item.kind].append(item)
        elif (item.group in GROUPS and item.name == "default") or (item.group, item.kind) == _INSTALLATION:
            single[item.kind] = item
        elif item.kind == "ConfigMap" and item.name == ENDPOINT_CONFIG_MAP:
            single[ENDPOINT_CONFIG_MAP] = item
    endpoint = single.get(ENDPOINT_CONFIG_MAP)
    return Objects(
        installation=single.get("Installation"),
        configuration=single.get("BGPConfiguration"),
        controllers=single.get("KubeControllersConfiguration"),
        pools=tuple(many["IPPool"]),
        peers=tuple(many["BGPPeer"]),
        filters=tuple(many["BGPFilter"]),
        reservations=tuple(many["IPReservation"]),
        agent_host=text(endpoint.value, "data", "KUBERNETES_SERVICE_HOST") if endpoint else "",
        agent_where=endpoint.place(("data", "KUBERNETES_SERVICE_HOST")) if endpoint else NOWHERE,
    )


def settings(objects: Objects, notes: Notes) -> Calico | None:
    """The cluster-wide settings, or None where nothing configures Calico."""
    configuration, installation = objects.configuration, objects.installation
    chosen = configuration or installation
    if chosen is None:
        return None
    spec = configuration.spec if configuration else {}
    network = mapping(installation.spec, "calicoNetwork") if installation else {}
    asn = notes.asn(spec.get("asNumber"), chosen.place(("spec", "asNumber")), "asNumber of BGPConfiguration default")
    return Calico(
        asn=asn or DEFAULT_ASN,
        mesh=spec.get("nodeToNodeMeshEnabled") is not False,
        aggregate=text(spec, "serviceLoadBalancerAggregation") != "Disabled",
        advertised=tuple(cidr for cidr, _where in advertised(objects, notes)),
        assign=_assign(objects.controllers),
        assign_where=objects.controllers.place(_ASSIGN) if objects.controllers else NOWHERE,
        cluster_ips=tuple(_cluster_ips(objects, notes)),
        cluster_ips_where=chosen.place(("spec", "serviceClusterIPs")),
        bgp=text(network, "bgp") != "Disabled",
        dataplane=(text(network, "linuxDataplane") or "Iptables") if installation else "",
        manages_proxy=text(network, "kubeProxyManagement") == "Enabled",
        where=chosen.place(("spec", "asNumber")),
    )


def _assign(item: Object | None) -> str:
    """Calico's own object has AllServices; one that stands here without a section for it switches nothing on."""
    if item is None or "loadBalancer" in mapping(item.spec, "controllers"):
        return (text(item.value, *_ASSIGN) if item else "") or "AllServices"
    return ""


def _cluster_ips(objects: Objects, notes: Notes) -> Iterator[IPNetwork]:
    item = objects.configuration
    for keys, entry in mappings(item.spec, "serviceClusterIPs", ("spec",)) if item else ():
        cidr = notes.network(entry.get("cidr"), item.place((*keys, "cidr")) if item else NOWHERE, "serviceClusterIPs")
        if cidr is not None:
            yield cidr


def advertised(objects: Objects, notes: Notes) -> Iterator[tuple[IPNetwork, Place]]:
    """The networks whose load-balancer addresses are announced, each with its place."""
    item = objects.configuration
    if item is None:
        return
    for keys, entry in mappings(item.spec, "serviceLoadBalancerIPs", ("spec",)):
        where = item.place((*keys, "cidr"))
        cidr = notes.network(entry.get("cidr"), where, "serviceLoadBalancerIPs")
        if cidr is not None:
            yield cidr, where


def subnets(objects: Objects, notes: Notes) -> Iterator[Subnet]:
    """The networks in which a node finds its address."""
    item = objects.installation
    if item is None:
        return
    for family in ("nodeAddressAutodetectionV4", "nodeAddressAutodetectionV6"):
        for index, cidr in enumerate(sequence(item.spec, "calicoNetwork", family, "cidrs")):
            where = item.place(("spec", "calicoNetwork", family, "cidrs", index))
            network = notes.network(cidr, where, family)
            if network is not None:
                yield Subnet(name="", cidr=network, where=where)


def pools(objects: Objects, notes: Notes) -> Iterator[Pool]:
    """Every pool: those of the Installation belong to the operator, the others are objects of their own."""
    installation = objects.installation
    if installation is not None:
        network = mapping(installation.spec, "calicoNetwork")
        for keys, entry in mappings(network, "ipPools", ("spec", "calicoNetwork")):
            pool = _managed(installation, keys, entry, notes)
            if pool is not None:
                yield pool
    for item in objects.pools:
        pool = _own(item, notes)
        if pool is not None:
            yield pool


def reservations(objects: Objects, notes: Notes) -> Iterator[Reservation]:
    """What Calico gives to nobody by itself."""
    for item in objects.reservations:
        where = item.place(("spec", "reservedCIDRs", 0))
        found = (
            notes.network(cidr, item.place(("spec", "reservedCIDRs", index)), f"IPReservation {item.name}")
            for index, cidr in enumerate(sequence(item.spec, "reservedCIDRs"))
        )
        yield Reservation(name=item.name, cidrs=tuple(cidr for cidr in found if cidr is not None), where=where)


def _managed(item: Object, keys: Keys, entry: dict[str, Any], notes: Notes) -> Pool | None:
    where = item.place((*keys, "cidr"))
    cidr = notes.network(entry.get("cidr"), where, f"cidr of the pool {text(entry, 'name')}")
    if cidr is None:
        return None
    return Pool(
        name=text(entry, "name") or f"default-ipv{cidr.version}-ippool",
        use=_use(entry),
        cidr=cidr,
        block_size=number(entry, "blockSize") or DEFAULT_BLOCK[cidr.version],
        encapsulation=text(entry, "encapsulation") or ("IPIP" if cidr.version == 4 else "None"),
        nat_outgoing=text(entry, "natOutgoing") != "Disabled",
        bgp_export=entry.get("disableBGPExport") is not True,
        automatic=text(entry, "assignmentMode") != "Manual",
        managed=True,
        where=where,
    )


def _own(item: Object, notes: Notes) -> Pool | None:
    spec, where = item.spec, item.place(("spec", "cidr"))
    cidr = notes.network(spec.get("cidr"), where, f"cidr of the pool {item.name}")
    if cidr is None:
        return None
    return Pool(
        name=item.name,
        use=_use(spec),
        cidr=cidr,
        block_size=number(spec, "blockSize") or DEFAULT_BLOCK[cidr.version],
        encapsulation=_encapsulation(spec),
        nat_outgoing=spec.get("natOutgoing") is True,
        bgp_export=spec.get("disableBGPExport") is not True,
        automatic=text(spec, "assignmentMode") != "Manual",
        where=where,
    )


def _use(spec: dict[str, Any]) -> PoolUse:
    return PoolUse.LOAD_BALANCER if "LoadBalancer" in sequence(spec, "allowedUses") else PoolUse.PODS


def _encapsulation(spec: dict[str, Any]) -> str:
    for key, name in (("vxlanMode", "VXLAN"), ("ipipMode", "IPIP")):
        mode = text(spec, key)
        if mode in ("Always", "CrossSubnet"):
            return name if mode == "Always" else f"{name}CrossSubnet"
    return "None"


def filters(items: Iterable[Object], notes: Notes) -> Iterator[Filter]:
    """BGPFilters with those of their rules that the model can carry."""
    for item in items:
        rules = (
            rule
            for direction in ("exportV4", "exportV6", "importV4", "importV6")
            for keys, entry in mappings(item.spec, direction, ("spec",))
            if (rule := _rule(item, keys, entry, notes)) is not None
        )
        yield Filter(name=item.name, rules=tuple(rules), where=item.place())


def _rule(item: Object, keys: Keys, entry: dict[str, Any], notes: Notes) -> FilterRule | None:
    if beyond := sorted(set(entry) - _PLAIN_RULE):
        notes.add(
            "READ009", item.place(keys), f"A rule of BGPFilter {item.name} depends on {', '.join(beyond)}; left out."
        )
        return None
    where = item.place((*keys, "cidr"))
    cidr = notes.network(entry.get("cidr"), where, f"cidr in BGPFilter {item.name}")
    if "cidr" in entry and cidr is None:
        return None
    return FilterRule(
        export=str(keys[1]).startswith("export"),
        action=text(entry, "action"),
        cidr=cidr,
        operator=text(entry, "matchOperator"),
        source=text(entry, "source"),
        family=6 if str(keys[1]).endswith("6") else 4,
    )
