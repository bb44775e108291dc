"""Speakers, both ends of their sessions, and what they announce."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from anycastle.finding import Place
from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import Announcement, Condition, End, Filter, FilterRule, Software, Speaker
from anycastle.network.canonical import address_key
from anycastle.network.further import speakers as speakers_of_others
from anycastle.network.questions import host
from anycastle.plan import further
from anycastle.plan.inside import CALICO_HOPS, inner_ends
from anycastle.plan.links import Session, addresses_in_use, by_router, carried, sessions, speaking
from anycastle.plan.ranges import advertised
from anycastle.plan.who import at, indexes, node_addresses, router_addresses, router_id
from anycastle.site import model as site_model
from anycastle.site.model import Site

VIP_HOPS = 50  # kube-vip's multihop has no other number (pkg/bgp)
FILTER = "services-only"


def speakers_and_ends(site: Site) -> tuple[tuple[Speaker, ...], tuple[End, ...], tuple[End, ...]]:
    """Every BGP daemon that holds a session, both ends of every session with a router, and of every one inside."""
    meant = sessions(site)
    ends: list[End] = []
    for session in meant:
        ends += [_node_end(site, session), _router_end(site, session)]
    inside = tuple(inner_ends(site))
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
