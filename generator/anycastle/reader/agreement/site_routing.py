"""Ranges, routers and BGP in the site file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from ipaddress import collapse_addresses, ip_network

from anycastle.finding import NOWHERE, Place
from anycastle.network.addresses import IPNetwork, PoolUse
from anycastle.network.bgp import End, Router, Software
from anycastle.network.cluster import Role
from anycastle.network.model import Network
from anycastle.network.prefixes import Prefixes
from anycastle.reader.agreement import site_links
from anycastle.reader.agreement.difference import Difference, Keys, Site, address, network, texts
from anycastle.reader.agreement.racks import Racks, racks
from anycastle.reader.declared import parse_range
from anycastle.reader.notes import Notes, as_number
from anycastle.schemas.shape import text

_POD_DEFAULTS: dict[str, object] = {
    "block_size": 26,
    "encapsulation": "VXLANCrossSubnet",
    "nat_outgoing": True,
    "export": False,
}


def differences(site: Site) -> Iterator[Difference]:
    """All of them."""
    yield from _subnets(site)
    yield from _pods(site)
    yield from _pod_subnet(site)
    yield from _services(site)
    yield from _routers(site)
    yield from site_links.differences(site)
    yield from _bgp(site)


def _subnets(site: Site) -> Iterator[Difference]:
    says = {network(entry.get("cidr")) for _keys, entry in site.entries("networks", "nodes")} - {None}
    subnets = site.subject.network.subnets
    found = {subnet.cidr for subnet in subnets}
    if says and found and says != found:
        where = next((subnet.where for subnet in subnets if subnet.cidr not in says), subnets[0].where)
        yield Difference(("networks", "nodes"), says, found, where)


def _pods(site: Site) -> Iterator[Difference]:
    pools = {pool.name: pool for pool in site.subject.network.pools if pool.use is PoolUse.PODS and pool.managed}
    said = {str(entry.get("name")): (keys, entry) for keys, entry in site.entries("networks", "pods")}
    if not pools or not said:
        return
    for name, (keys, entry) in said.items():
        pool = pools.get(name)
        if pool is None:
            yield Difference((*keys, "name"), name, pools.keys(), NOWHERE)
            continue
        if network(entry.get("cidr")) not in (None, pool.cidr):
            yield Difference((*keys, "cidr"), entry.get("cidr"), pool.cidr, pool.where)
        found = {
            "block_size": pool.block_size,
            "encapsulation": pool.encapsulation,
            "nat_outgoing": pool.nat_outgoing,
            "export": pool.bgp_export,
        }
        for key, value in found.items():
            yield from site.same((*keys, key), value, pool.where, _POD_DEFAULTS[key])
    for name, pool in pools.items():
        if name not in said:
            yield Difference(("networks", "pods"), said.keys(), name, pool.where)


def _pod_subnet(site: Site) -> Iterator[Difference]:
    """Kubeadm's podSubnet is the smallest range of a family that holds the pools of it."""
    says = [network(entry.get("cidr")) for _keys, entry in site.entries("networks", "pods")]
    pools = [cidr for cidr in says if cidr is not None]
    for item in site.subject.machine:
        written = text(item.value, "networking", "podSubnet")
        if item.kind != "ClusterConfiguration" or not written or not pools:
            continue
        found = {network(part.strip()) for part in written.split(",")}
        wanted = {_span([cidr for cidr in pools if cidr.version == v]) for v in {cidr.version for cidr in pools}}
        if found != wanted:
            yield Difference(("networks", "pods"), wanted, found, item.place(("networking", "podSubnet")))


def _span(pools: list[IPNetwork]) -> IPNetwork:
    first = min(int(pool.network_address) for pool in pools)
    last = max(int(pool.broadcast_address) for pool in pools)
    return ip_network(
        (pools[0].network_address.__class__(first), pools[0].max_prefixlen - (first ^ last).bit_length()), strict=False
    )


def _services(site: Site) -> Iterator[Difference]:
    calico = site.subject.network.calico
    pools = [pool for pool in site.subject.network.pools if pool.use is PoolUse.LOAD_BALANCER]
    said = list(site.entries("load_balancer", "pools"))
    if calico is not None and said:
        says = site.value("load_balancer", "assign") or "requested"
        found = "all" if calico.assign == "AllServices" else "requested"
        if says != found:
            yield Difference(("load_balancer", "assign"), says, found, calico.where)
    inside: list[IPNetwork] = []
    index = Prefixes((pool.cidr, pool) for pool in pools)
    for keys, entry in said if pools else ():
        ranges = [cidr for item in texts(entry.get("ranges")) for cidr in parse_range(item, Place(), Notes())]
        inside += ranges
        if not ranges and texts(entry.get("ranges")):
            yield Difference((*keys, "ranges"), entry.get("ranges"), "no range that can be read", NOWHERE)
        name, mine = str(entry.get("name")), dict.fromkeys(pool for cidr in ranges for pool in index.touching(cidr))
        for pool in mine:
            if not _called(pool.name, name):
                yield Difference((*keys, "name"), name, pool.name, pool.where)
            automatic = (entry.get("assignment") or "automatic") == "automatic"
            if automatic is not pool.automatic:
                yield Difference((*keys, "assignment"), entry.get("assignment"), "the other", pool.where)
            yield from site.same((*keys, "block_size"), pool.block_size, pool.where)
    if inside and pools and _merged(inside) != _merged([pool.cidr for pool in pools]):
        known = {*inside}
        where = next((pool.where for pool in pools if pool.cidr not in known), pools[0].where)
        yield Difference(("load_balancer", "pools"), _merged(inside), _merged([p.cidr for p in pools]), where)


def _called(pool: str, name: str) -> bool:
    rest = pool.removeprefix(name)
    return pool == name or (rest != pool and rest.removeprefix("-").isdigit())


def _merged(cidrs: list[IPNetwork]) -> list[IPNetwork]:
    return [
        item
        for version in (4, 6)
        for item in collapse_addresses([cidr for cidr in cidrs if cidr.version == version])  # type: ignore[type-var]
    ]


def _routers(site: Site) -> Iterator[Difference]:
    routers = {router.name: router for router in site.subject.network.routers}
    links = site_links.by_router(site)
    for keys, entry in site.entries("routers") if routers else ():
        router = routers.get(str(entry.get("name")))
        if router is None:
            yield Difference((*keys, "name"), entry.get("name"), routers.keys(), NOWHERE)
            continue
        own = [address(item) for item in (entry.get("address"), *texts(entry.get("addresses")))]
        mine = links.get(router.name, ())
        says = {*own, *(address(link.get("peer")) for _keys, link in mine)}
        if None not in says and not says >= set(router.addresses):  # one that no session uses stands nowhere else
            yield Difference((*keys, "address"), says, router.addresses, router.where)
        yield from site.same((*keys, "asn"), router.asn, router.where)
        yield from site.same((*keys, "software"), str(router.software), router.where, "frr")
        wanted = address(entry.get("router_id")) or next((a for a in own if a and a.version == 4), router.address)
        if router.router_id is not None and wanted != router.router_id:
            yield Difference((*keys, "router_id"), wanted, router.router_id, router.where)
        yield from _name(site, keys, router)
        if site_links.on_a_subnet(site, links, router.name):
            yield from _interface(site, (*keys, "interface"), entry.get("interface"), router)
        for at, link in mine:
            yield from _interface(site, (*at, "interface"), link.get("interface"), router)
        yield from _peers(site, keys, router)


def _name(site: Site, keys: Keys, router: Router) -> Iterator[Difference]:
    """The router's own name for itself."""
    content = site.subject.tree.text(router.where.path, Notes()) or ""
    for number, line in enumerate(content.splitlines(), start=1):
        if line.startswith("hostname ") and line.split()[1] != router.name:
            yield Difference((*keys, "name"), router.name, line.split()[1], Place(router.where.path, number))


def _interface(site: Site, keys: Keys, interface: object, router: Router) -> Iterator[Difference]:
    """An interface in the firewall and in the kernel's settings."""
    folder = router.where.path.rpartition("/")[0]
    for file, form in (("nftables.conf", '"{}"'), ("sysctl.conf", "conf.{}.")):
        path = f"{folder}/{file}"
        content = site.subject.tree.text(path, Notes()) if site.subject.tree.has_file(path) else None
        spellings = {form.format(interface), form.format(str(interface).replace(".", "/"))}
        if content and isinstance(interface, str) and not any(word in content for word in spellings):
            yield Difference(keys, interface, "another", Place(path, 1))


def _peers(site: Site, keys: Keys, router: Router) -> Iterator[Difference]:
    """A BGPPeer is called like its router."""
    for item in site.subject.objects:
        towards = item.kind == "BGPPeer" and text(item.spec, "peerIP") == str(router.address)
        if towards and not item.name.startswith(router.name):
            yield Difference((*keys, "name"), router.name, f"the BGPPeer {item.name}", item.place())


def _bgp(site: Site) -> Iterator[Difference]:
    found = site.subject.network
    if not isinstance(site.value("bgp"), dict):
        return
    calico = found.calico
    if calico is not None:
        yield from site.same(("bgp", "worker_asn"), calico.asn, calico.where)
        says = site.value("bgp", "advertise") or "host-routes"
        if (says == "aggregate") is not calico.aggregate:
            found_word = "aggregate" if calico.aggregate else "host-routes"
            yield Difference(("bgp", "advertise"), says, found_word, calico.where)
        yield from site.same(("bgp", "node_to_node_mesh"), calico.mesh, calico.where, False)
    known = racks(site)
    for end in found.ends:
        if end.software is Software.CALICO:
            yield from site.same(("bgp", "restart_time"), end.restart, end.where, 15)
        if end.software in (Software.CALICO, Software.KUBE_VIP):
            yield from _own_number(known, end)
        elif end.software is not Software.OTHER:
            yield from site.same(("bgp", "timers", "hold"), end.hold, end.where, 9)
            yield from site.same(("bgp", "timers", "keepalive"), end.keepalive, end.where, 3)
    for router in found.routers:
        yield from site.same(("bgp", "graceful_restart"), router.graceful_restart, router.where, False)
    yield from _peering(site, known, found)
    yield from _reflectors(site, known, found)
    yield from _spoken_with(known, found)


def _own_number(known: Racks, end: End) -> Iterator[Difference]:
    """The AS number of a node's end; Calico's own is compared with its settings."""
    said = known.number(end)
    if said is None:
        return
    keys, says = said
    calico = known.site.subject.network.calico
    settled = calico is not None and keys == ("bgp", "worker_asn") and end.asn == calico.asn
    if as_number(says) != end.asn and not settled:
        yield Difference(keys, says, end.asn, end.where)


def _peering(site: Site, known: Racks, found: Network) -> Iterator[Difference]:
    ends = [end for end in (*found.ends, *found.inside) if end.software is Software.CALICO]
    peering = {end.host for end in ends}
    says = site.value("bgp", "peering") or "workers"
    wanted = {n.name for n in found.nodes if (says == "all" or n.role is Role.WORKER) and known.peers(n.name)}
    if ends and wanted != peering:
        yield Difference(("bgp", "peering"), says, peering, ends[0].where)


def _reflectors(site: Site, known: Racks, found: Network) -> Iterator[Difference]:
    """The nodes that an annotation makes reflect, those that speak with routers beside them, and their cluster ID."""
    named, at = known.reflectors, ("bgp", "route_reflectors", "nodes")
    made = [node for node in found.nodes if node.cluster_id is not None]
    names = {node.name for node in made}
    if names != named:
        odd = next((node for node in made if node.name not in named), made[0] if made else None)
        yield Difference(at, named or None, names, odd.where if odd else NOWHERE)
    for node in made:
        yield from site.same(("bgp", "route_reflectors", "cluster_id"), str(node.cluster_id), node.where)
    others = [end for end in found.ends if end.software is Software.CALICO and named and end.host not in named]
    if others:
        yield Difference(at, named, {end.host for end in others} | named, others[0].where)


def _spoken_with(known: Racks, found: Network) -> Iterator[Difference]:
    """Each machine speaks with the routers of its rack, and with all of them."""
    names = {address: router.name for router in found.routers for address in router.addresses}
    spoken: dict[tuple[str, Software], dict[str, End]] = defaultdict(dict)
    for end in found.ends:
        if end.peer in names:
            spoken[end.host, end.software].setdefault(names[end.peer], end)
    for (host, _software), ends in spoken.items():
        keys, says = known.routers(host)
        if says and says != ends.keys():
            where = next((end.where for name, end in ends.items() if name not in says), next(iter(ends.values())).where)
            yield Difference(keys, says, ends.keys(), where)
