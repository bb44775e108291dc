"""Who dials whom from which address: one session for each speaker, router and family that is announced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from anycastle.network.canonical import address_key
from anycastle.network.model import IPAddress, Software
from anycastle.plan.ranges import advertised
from anycastle.plan.who import calico_peers, families_of, of_family, vip_speakers
from anycastle.site.model import Node, Router, Site
from anycastle.site.topology import Topology, topology

VIP_SPEAKER = "kube-vip"
"""Name under which a node's `speakers` give kube-vip a source address of its own."""


@dataclass(frozen=True, slots=True)
class Link:
    """A speaker's source address, and the router's address of the same family."""

    source: IPAddress
    router: Router
    target: IPAddress


def node_addresses(node: Node) -> tuple[IPAddress, ...]:
    """The addresses of a node, the primary one first."""
    return (node.address, *node.addresses)


def router_addresses(router: Router) -> tuple[IPAddress, ...]:
    """The addresses of a router towards the nodes."""
    return (router.address, *router.addresses)


def sources(node: Node, software: Software) -> tuple[IPAddress, ...]:
    """The addresses from which a speaker dials: the node's, unless kube-vip has one of its own.

    kube-vip takes a single source address (`bgp_sourceip`), and with it every session has that one.
    """
    own = own_source(node) if software is Software.KUBE_VIP else None
    return node_addresses(node) if own is None else (own,)


def own_source(node: Node) -> IPAddress | None:
    """The source address that kube-vip is told on a node."""
    return next((speaker.source for speaker in node.speakers if speaker.name == VIP_SPEAKER), None)


def carried(site: Site, software: Software) -> frozenset[int]:
    """Families in which a speaker has something to announce.

    Neither kube-vip's GoBGP nor Calico's BIRD carries one family over a session of the other, unless told so.
    """
    if software is Software.KUBE_VIP:
        return families_of(site.kubernetes.api.vips)
    exported = {pods.cidr.version for pods in site.networks.pods if pods.export}
    return frozenset(exported | {cidr.version for cidr in advertised(site)})


def links_of(known: Topology, node: Node, software: Software, families: Sequence[int]) -> Iterator[Link]:
    """The sessions of one speaker, by router and family; `families` are those it carries."""
    own = sources(node, software)
    for router in known.routers(node):
        for family in families:
            source, target = of_family(own, family), of_family(router_addresses(router), family)
            if source is not None and target is not None:
                yield Link(source, router, target)


def speaking(site: Site, software: Software, family: int) -> tuple[Node, ...]:
    """The nodes whose speaker has a session of a family."""
    nodes = vip_speakers(site) if software is Software.KUBE_VIP else calico_peers(site)
    known = topology(site)
    return tuple(
        node
        for node in nodes
        if of_family(sources(node, software), family)
        and any(of_family(router_addresses(router), family) for router in known.routers(node))
    )


@dataclass(frozen=True, slots=True)
class Session:
    """A session as the site means it: whose, with which AS number, and by which link."""

    node: Node
    software: Software
    asn: int
    link: Link


def sessions(site: Site) -> tuple[Session, ...]:
    """Every session of the site, Calico's first; linear in their number."""
    known = topology(site)
    found: list[Session] = []
    for software, nodes in ((Software.CALICO, calico_peers(site)), (Software.KUBE_VIP, vip_speakers(site))):
        families = sorted(carried(site, software))
        for node in nodes:
            asn = known.worker_asn(node) if software is Software.CALICO else known.control_plane_asn(node)
            if asn is not None:
                links = links_of(known, node, software, families)
                found += [Session(node, software, asn, link) for link in links]
    return tuple(found)


def addresses_in_use(router: Router, mine: Iterable[Session]) -> tuple[IPAddress, ...]:
    """The addresses of a router that its sessions use, IPv4 first; its first one where there is no session."""
    used = {session.link.target for session in mine}
    everything = sorted(router_addresses(router), key=address_key)
    return tuple(address for address in everything if address in used) or (everything[0],)
