"""Speakers, sessions, announcements and what routers accept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ipaddress import ip_network

from anycastle.finding import Place
from anycastle.network.canonical import address_key
from anycastle.network.further import speakers as speakers_of_others
from anycastle.network.model import (
    Acceptance,
    Announcement,
    Condition,
    End,
    Filter,
    FilterRule,
    IPAddress,
    IPNetwork,
    Router,
    Software,
    Speaker,
)
from anycastle.network.platforms import PLATFORMS
from anycastle.network.prefixes import Prefixes
from anycastle.network.questions import host
from anycastle.plan import further
from anycastle.plan.links import (
    InnerPair,
    Session,
    addresses_in_use,
    carried,
    inner_pairs,
    node_addresses,
    router_addresses,
    sessions,
    speaking,
)
from anycastle.plan.ranges import advertised
from anycastle.plan.who import at, indexes, insiders, of_family, router_id
from anycastle.site import model as site_model
from anycastle.site.model import Site
from anycastle.site.topology import Topology, topology

CALICO_HOPS = 255  # Calico's BIRD template says `multihop` (confd bird.cfg.template)
VIP_HOPS = 50  # kube-vip's multihop has no other number (pkg/bgp)
MULTIPATH_LIMIT = 256  # Debian's and most vendors' builds of FRR
FILTER = "services-only"
EVERYTHING: tuple[IPNetwork, ...] = (ip_network("0.0.0.0/0"), ip_network("::/0"))


def speakers_and_ends(site: Site) -> tuple[tuple[Speaker, ...], tuple[End, ...], tuple[End, ...]]:
    """Every BGP daemon that holds a session, both ends of every session with a router, and of every one inside."""
    meant = sessions(site)
    ends: list[End] = []
    for session in meant:
        ends += [_node_end(site, session), _router_end(site, session)]
    inside = tuple(end for pair in inner_pairs(site) for end in inner_ends(site, pair))
    nodes = {node.name: node for node in site.nodes}
    position = indexes(site)
    mine: dict[tuple[str, Software], list[End]] = defaultdict(list)
    for end in (*ends, *inside):
        if end.host in nodes and end.software in (Software.CALICO, Software.KUBE_VIP):
            mine[end.host, end.software].append(end)
    speakers = [_speaker(nodes[host], own, at(f"nodes[{position[host]}].address")) for (host, _), own in mine.items()]
    speakers += speakers_of_others(end for end in ends if end.software is Software.OTHER)
    mine_of = by_router(meant)
    for index, router in enumerate(site.routers):
        speakers.append(
            Speaker(
                host=router.name,
                software=Software(router.software),
                address=addresses_in_use(router, mine_of[router.name])[0],
                asn=router.asn,
                router_id=router_id(router_addresses(router), router.router_id),
                where=at(f"routers[{index}].asn"),
            )
        )
    return tuple(speakers), tuple(ends), inside


def by_router(meant: Iterable[Session]) -> dict[str, list[Session]]:
    """The sessions of each router, by its name."""
    found: dict[str, list[Session]] = defaultdict(list)
    for session in meant:
        found[session.link.router.name].append(session)
    return found


def _speaker(node: site_model.Node, mine: Sequence[End], where: Place) -> Speaker:
    software = mine[0].software
    return Speaker(
        host=node.name,
        software=software,
        address=min((end.address for end in mine), key=address_key),
        asn=mine[0].asn,
        # Calico takes the node's IPv4 address; only kube-vip can be told another
        router_id=router_id(node_addresses(node), node.router_id if software is Software.KUBE_VIP else None),
        where=where,
    )


def _node_end(site: Site, session: Session) -> End:
    if session.software is Software.OTHER:
        return further.node_end(session)
    calico = session.software is Software.CALICO
    router = session.link.router
    far = router.multihop is not None and router.asn != session.asn  # iBGP has no limit of hops
    return End(
        host=session.node.name,
        software=session.software,
        address=session.link.source,
        asn=session.asn,
        peer=session.link.target,
        peer_asn=router.asn,
        hops=CALICO_HOPS if calico else VIP_HOPS if far else 1,
        restart=site.bgp.restart_time if calico else 0,
        filters=(FILTER,) if calico else (),
        gateway=gateway_to(router, session.link.target) if calico else None,
        password=router.password or "",
        keeps_next_hop=calico and site.bgp.route_reflectors is not None,
        where=at("bgp.peering" if calico else "bgp.control_plane_asn"),
    )


def inner_ends(site: Site, pair: InnerPair) -> Iterator[End]:
    """Both ends of a session between two nodes: Calico makes the second one of each BGPPeer with a peerSelector."""
    for mine, theirs in ((pair.one, pair.other), (pair.other, pair.one)):
        own, peer = (of_family(node_addresses(node), pair.family) for node in (mine, theirs))
        if own is not None and peer is not None:
            yield End(
                host=mine.name,
                software=Software.CALICO,
                address=own,
                asn=site.bgp.worker_asn,
                peer=peer,
                peer_asn=site.bgp.worker_asn,
                hops=CALICO_HOPS,
                restart=site.bgp.restart_time,
                where=at("bgp.route_reflectors"),
            )


def gateway_to(router: site_model.Router, target: IPAddress) -> IPAddress | None:
    """The gateway to a far router, as far as it is of the address's family."""
    gateway = router.reachable_by
    return gateway if gateway is not None and gateway.version == target.version else None


def _router_end(site: Site, session: Session) -> End:
    router = session.link.router
    internal = router.asn == session.asn
    return End(
        host=router.name,
        software=Software(router.software),
        address=session.link.target,
        asn=router.asn,
        peer=session.link.source,
        peer_asn=session.asn,
        hops=1 if internal else router.multihop or 1,
        hold=site.bgp.timers.hold,
        keepalive=site.bgp.timers.keepalive,
        silent=True,
        password=router.password or "",
        reflected=internal,
        next_hop_self=internal,
        where=at("bgp.timers.hold"),
    )


def routers(site: Site) -> Iterator[Router]:
    """The routers with what they must do for the addresses."""
    meant = sessions(site)
    mine_of = by_router(meant)
    prefixes = frozenset(_announced_prefixes(site))
    turning = (*_announced_prefixes(site), *further.prefixes(meant))
    known, reached = topology(site), ways(site)
    gateways = Prefixes((subnet.cidr, subnet.gateway) for subnet in site.networks.nodes)
    announced = tuple(a for a in announcements(site) if a.prefix in prefixes)
    for index, router in enumerate(site.routers):
        mine = mine_of[router.name]
        address, *others = addresses_in_use(router, mine)
        platform = PLATFORMS[Software(router.software)]
        unruled = not platform.turns or _sees_half(known, router, mine, gateways)
        most = platform.width(multipath(site, mine))
        yield Router(
            name=router.name,
            software=Software(router.software),
            address=address,
            further=tuple(others),
            asn=router.asn,
            router_id=router_id(router_addresses(router), router.router_id),
            multipath=most,
            multipath_internal=most if platform.shares or any(session.asn == router.asn for session in mine) else 0,
            relaxed=platform.relaxes or (_several_origins(mine) and platform.limit > 1),
            graceful_restart=site.bgp.graceful_restart,
            discards=tuple(_discards(site, mine, announced)),
            hairpin=EVERYTHING if unruled else turning,
            one_way=EVERYTHING if unruled else (),
            hash_ports=True,
            redirects=False,
            reaches=tuple(reached[router.name]),
            where=at(f"routers[{index}].address"),
        )


def ways(site: Site) -> Mapping[str, list[tuple[IPNetwork, IPAddress]]]:
    """By router, the address of each node behind a link of it, and the node's end of that link."""
    found: dict[str, list[tuple[IPNetwork, IPAddress]]] = defaultdict(list)
    for node in site.nodes:
        for link in node.links:
            own = of_family(node_addresses(node), link.address.version)
            if own is not None:
                found[link.router].append((host(own), link.address))
    return found


def _sees_half(
    known: Topology, router: site_model.Router, mine: Iterable[Session], gateways: Prefixes[IPAddress | None]
) -> bool:
    """Whether a router may see one direction of a connection only: the other one goes by another router.

    So it is where a node has several routers, where another machine is the gateway of a node's subnet, and where the
    router is not on that subnet at all. Nodes behind links turn around in no subnet, so nothing is held back there.
    """
    if router.multihop is not None:
        return True
    own = {None, *router_addresses(router)}
    return any(
        session.link.wired
        or len(known.routers(session.node)) > 1
        or not own.issuperset(gateways.around(host(session.link.source)))
        for session in mine
    )


def _several_origins(mine: Iterable[Session]) -> bool:
    """Whether one prefix may come from several AS numbers, as paths that are otherwise equal."""
    numbers: dict[Software, set[int]] = defaultdict(set)
    for session in mine:
        numbers[session.software].add(session.asn)
    return any(len(found) > 1 for found in numbers.values())


def _discards(site: Site, mine: Iterable[Session], announced: Iterable[Announcement]) -> Iterator[IPNetwork]:
    """Prefixes that end at a router where no node announces them: those of which it hears every announcer.

    A router that hears some of them only, as in a rack, finds the others by way of its uplink. Pods are no such prefix:
    a node has a route of its own for its block. Behind a route reflector every node is heard.
    """
    heard = _heard(site, mine)
    for announcement in announced:
        mine_too = heard[announcement.software]
        if len(mine_too) >= len(announcement.hosts) and mine_too.issuperset(announcement.hosts):
            yield announcement.prefix


def _heard(site: Site, mine: Iterable[Session]) -> dict[Software, set[str]]:
    """The nodes whose routes come over some sessions; over one with a route reflector those of every node inside."""
    heard: dict[Software, set[str]] = defaultdict(set)
    for session in mine:
        heard[session.software].add(session.node.name)
    if heard[Software.CALICO]:
        heard[Software.CALICO] |= {node.name for node in insiders(site)}
    return heard


def _announced_prefixes(site: Site) -> tuple[IPNetwork, ...]:
    vips = tuple(host(vip) for vip in site.kubernetes.api.vips)
    return (*vips, *advertised(site))


def multipath(site: Site, mine: Iterable[Session]) -> int:
    """Next hops that a router may use at once: every speaker of one prefix, at least 8, at most 256."""
    nodes = _heard(site, mine)
    return min(MULTIPATH_LIMIT, max([8, *(len(names) for names in nodes.values())]))


def announcements(site: Site) -> Iterator[Announcement]:
    """What kube-vip and Calico announce."""
    for index, vip in enumerate(site.kubernetes.api.vips):
        prefix = host(vip)
        yield Announcement(
            prefix=prefix,
            shortest=prefix.prefixlen,
            longest=prefix.prefixlen,
            software=Software.KUBE_VIP,
            hosts=_names(speaking(site, Software.KUBE_VIP, vip.version)),
            when=Condition.API_HEALTHY,
            where=at(f"kubernetes.api.vips[{index}]"),
        )
    aggregate = site.bgp.advertise == "aggregate"
    for cidr in advertised(site):
        serving = (node for node in speaking(site, Software.CALICO, cidr.version) if node.announce_services)
        yield Announcement(
            prefix=cidr,
            shortest=cidr.prefixlen if aggregate else cidr.max_prefixlen,
            longest=cidr.max_prefixlen,
            software=Software.CALICO,
            hosts=_names(serving),
            when=Condition.ALWAYS if aggregate else Condition.ENDPOINT,
            where=at("bgp.advertise"),
        )
    for index, pods in enumerate(site.networks.pods):
        if pods.export:
            yield Announcement(
                prefix=pods.cidr,
                shortest=pods.block_size,
                longest=pods.block_size,
                software=Software.CALICO,
                hosts=_names(speaking(site, Software.CALICO, pods.cidr.version)),
                when=Condition.ALWAYS,
                where=at(f"networks.pods[{index}].export"),
            )


def _names(nodes: Iterable[site_model.Node]) -> tuple[str, ...]:
    return tuple(sorted(node.name for node in nodes))


def acceptances(site: Site) -> Iterator[Acceptance]:
    """What each router lets in: exactly what is announced, from each AS by a list of its own."""
    mine_of = by_router(sessions(site))
    announced = tuple(announcements(site))
    for index, router in enumerate(site.routers):
        peers: dict[tuple[Software, int], dict[int, list[IPAddress]]] = defaultdict(lambda: defaultdict(list))
        for session in mine_of[router.name]:
            source = session.link.source
            peers[session.software, source.version][session.asn].append(source)
        for announcement in announced:
            for sources in peers[announcement.software, announcement.prefix.version].values():
                yield Acceptance(
                    router=router.name,
                    prefix=announcement.prefix,
                    shortest=announcement.shortest,
                    longest=announcement.longest,
                    peers=tuple(sorted(sources, key=address_key)),
                    where=at(f"routers[{index}].address"),
                )
        yield from further.acceptances(router.name, mine_of[router.name])


def filter_of(site: Site) -> Filter:
    """What Calico may send to a router (services, exported pods) and take from it (nothing).

    With the mesh on, routes learnt from other nodes are kept back first: over eBGP a node would pass them on
    with itself as next hop (calico#3810), and the exclude label of a node would mean nothing.
    """
    allowed = [*advertised(site), *(pods.cidr for pods in site.networks.pods if pods.export)]
    families = sorted(carried(site, Software.CALICO))
    rules: list[FilterRule] = []
    for family in families:
        if site.bgp.node_to_node_mesh:
            rules.append(FilterRule(export=True, action="Reject", source="RemotePeers", family=family))
        rules += [
            FilterRule(export=True, action="Accept", cidr=cidr, operator="In", family=family)
            for cidr in allowed
            if cidr.version == family
        ]
        rules.append(FilterRule(export=True, action="Reject", family=family))
    rules += [FilterRule(export=False, action="Reject", family=family) for family in families]
    return Filter(name=FILTER, rules=tuple(rules), where=at("load_balancer.pools"))
