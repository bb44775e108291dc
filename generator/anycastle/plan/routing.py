"""Speakers, sessions, announcements and what routers accept."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Place
from anycastle.network.canonical import address_key
from anycastle.network.model import (
    Acceptance,
    Announcement,
    Condition,
    End,
    Filter,
    FilterRule,
    IPNetwork,
    Router,
    Software,
    Speaker,
)
from anycastle.network.questions import host
from anycastle.plan.ranges import advertised
from anycastle.plan.who import at, calico_peers, indexes, router_id, vip_speakers
from anycastle.site import model as site_model
from anycastle.site.model import Site

CALICO_HOPS = 255  # Calico's BIRD template says `multihop` (confd bird.cfg.template)
MULTIPATH_LIMIT = 256  # Debian's and most vendors' builds of FRR
FILTER = "services-only"


def speakers_and_ends(site: Site) -> tuple[tuple[Speaker, ...], tuple[End, ...]]:
    """Every BGP daemon that holds a session, and both ends of every session."""
    position = indexes(site)
    speakers: list[Speaker] = []
    ends: list[End] = []
    roles: list[tuple[Software, int, tuple[site_model.Node, ...]]] = [
        (Software.CALICO, site.bgp.worker_asn, calico_peers(site))
    ]
    if site.bgp.control_plane_asn is not None:
        roles.append((Software.KUBE_VIP, site.bgp.control_plane_asn, vip_speakers(site)))
    for software, asn, nodes in roles:
        for node in nodes:
            where = at(f"nodes[{position[node.name]}].address")
            speakers.append(_speaker(node, software, asn, where))
            for router in site.routers:
                ends.append(_node_end(site, node, software, asn, router))
                ends.append(_router_end(site, router, node, asn))
    for index, router in enumerate(site.routers):
        speakers.append(
            Speaker(
                host=router.name,
                software=Software(router.software),
                address=router.address,
                asn=router.asn,
                router_id=router_id(router.address, router.router_id),
                where=at(f"routers[{index}].asn"),
            )
        )
    return tuple(speakers), tuple(ends)


def _speaker(node: site_model.Node, software: Software, asn: int, where: Place) -> Speaker:
    return Speaker(
        host=node.name,
        software=software,
        address=node.address,
        asn=asn,
        # Calico takes the node's IPv4 address; only kube-vip can be told another
        router_id=router_id(node.address, node.router_id if software is Software.KUBE_VIP else None),
        where=where,
    )


def _node_end(site: Site, node: site_model.Node, software: Software, asn: int, router: site_model.Router) -> End:
    calico = software is Software.CALICO
    return End(
        host=node.name,
        software=software,
        address=node.address,
        asn=asn,
        peer=router.address,
        peer_asn=router.asn,
        hops=CALICO_HOPS if calico else 1,
        restart=site.bgp.restart_time if calico else 0,
        filters=(FILTER,) if calico else (),
        where=at("bgp.peering" if calico else "bgp.control_plane_asn"),
    )


def _router_end(site: Site, router: site_model.Router, node: site_model.Node, asn: int) -> End:
    return End(
        host=router.name,
        software=Software(router.software),
        address=router.address,
        asn=router.asn,
        peer=node.address,
        peer_asn=asn,
        hops=1,
        hold=site.bgp.timers.hold,
        keepalive=site.bgp.timers.keepalive,
        silent=True,
        where=at("bgp.timers.hold"),
    )


def router_of(site: Site, router: site_model.Router, index: int) -> Router:
    """A router with what it must do for the addresses."""
    announced = _announced_prefixes(site)
    return Router(
        name=router.name,
        software=Software(router.software),
        address=router.address,
        asn=router.asn,
        router_id=router_id(router.address, router.router_id),
        multipath=multipath(site),
        graceful_restart=site.bgp.graceful_restart,
        discards=announced,
        hairpin=announced,
        hash_ports=True,
        redirects=False,
        where=at(f"routers[{index}].address"),
    )


def _announced_prefixes(site: Site) -> tuple[IPNetwork, ...]:
    vips = tuple(host(vip) for vip in site.kubernetes.api.vips)
    return (*vips, *advertised(site))


def multipath(site: Site) -> int:
    """Next hops that a router may use at once: every speaker of one prefix, at least 8, at most 256."""
    return min(MULTIPATH_LIMIT, max(8, len(vip_speakers(site)), len(calico_peers(site))))


def announcements(site: Site) -> Iterator[Announcement]:
    """What kube-vip and Calico announce."""
    speakers = tuple(sorted(node.name for node in vip_speakers(site)))
    for index, vip in enumerate(site.kubernetes.api.vips):
        prefix = host(vip)
        yield Announcement(
            prefix=prefix,
            shortest=prefix.prefixlen,
            longest=prefix.prefixlen,
            software=Software.KUBE_VIP,
            hosts=speakers,
            when=Condition.API_HEALTHY,
            where=at(f"kubernetes.api.vips[{index}]"),
        )
    aggregate = site.bgp.advertise == "aggregate"
    hosts = tuple(sorted(node.name for node in calico_peers(site) if node.announce_services))
    for cidr in advertised(site):
        yield Announcement(
            prefix=cidr,
            shortest=cidr.prefixlen if aggregate else cidr.max_prefixlen,
            longest=cidr.max_prefixlen,
            software=Software.CALICO,
            hosts=hosts,
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
                hosts=tuple(sorted(node.name for node in calico_peers(site))),
                when=Condition.ALWAYS,
                where=at(f"networks.pods[{index}].export"),
            )


def acceptances(site: Site) -> Iterator[Acceptance]:
    """What each router lets in: exactly what is announced."""
    peers = {
        Software.KUBE_VIP: tuple(sorted((node.address for node in vip_speakers(site)), key=address_key)),
        Software.CALICO: tuple(sorted((node.address for node in calico_peers(site)), key=address_key)),
    }
    for index, router in enumerate(site.routers):
        for announcement in announcements(site):
            if not peers[announcement.software]:
                continue  # nobody to take it from: the router's file has no such list
            yield Acceptance(
                router=router.name,
                prefix=announcement.prefix,
                shortest=announcement.shortest,
                longest=announcement.longest,
                peers=peers[announcement.software],
                where=at(f"routers[{index}].address"),
            )


def filter_of(site: Site) -> Filter:
    """What Calico may send to a router (services, exported pods) and take from it (nothing).

    With the mesh on, routes learnt from other nodes are kept back first: over eBGP a node would pass them on
    with itself as next hop (calico#3810), and the exclude label of a node would mean nothing.
    """
    allowed = [*advertised(site), *(pods.cidr for pods in site.networks.pods if pods.export)]
    rules = [FilterRule(export=True, action="Reject", source="RemotePeers")] if site.bgp.node_to_node_mesh else []
    rules += [FilterRule(export=True, action="Accept", cidr=cidr, operator="In") for cidr in allowed]
    rules += [FilterRule(export=True, action="Reject"), FilterRule(export=False, action="Reject")]
    return Filter(name=FILTER, rules=tuple(rules), where=at("load_balancer.pools"))
