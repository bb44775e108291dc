"""Who dials whom from which address: one session for each speaker, router and family that is announced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.network.bgp import Software
from anycastle.network.canonical import address_key
from anycastle.plan.inside import inner_pairs
from anycastle.plan.ranges import advertised
from anycastle.plan.who import calico_peers, families_of, node_addresses, of_family, router_addresses, vip_speakers
from anycastle.records import dataclass
from anycastle.site.model import Node, Router, Site
from anycastle.site.topology import Topology, topology

VIP_SPEAKER = "kube-vip"
"""Name under which a node's `speakers` give kube-vip a source address of its own."""


@dataclass(frozen=True, slots=True)
class Link:
    """A speaker's source address, and the router's address of the same family. `wired` = nobody else is on the wire."""

    source: IPAddress
    router: Router
    target: IPAddress
    wired: bool = False


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
    if node.links:
        yield from _by_wire(known, node, families)
        return
    own = sources(node, software)
    for router in known.routers(node):
        for family in families:
            source, target = of_family(own, family), of_family(router_addresses(router), family)
            if source is not None and target is not None:
                yield Link(source, router, target)


def _by_wire(known: Topology, node: Node, families: Sequence[int]) -> Iterator[Link]:
    """The same for a node with links of two addresses, whichever speaker it is: each has one address for the node."""
    for router in known.routers(node):
        for link in node.links:
            if link.router == router.name and link.address.version in families:
                yield Link(link.address, router, link.peer, wired=True)


def speaking(site: Site, software: Software, family: int) -> tuple[Node, ...]:
    """The nodes whose speaker has a session of a family."""
    nodes = vip_speakers(site) if software is Software.KUBE_VIP else calico_peers(site)
    known = topology(site)
    found = {node.name for node in nodes if any(links_of(known, node, software, (family,)))}
    if software is Software.CALICO:
        found |= {node.name for pair in inner_pairs(site) if pair.family == family for node in (pair.one, pair.other)}
    return tuple(node for node in site.nodes if node.name in found)


@dataclass(frozen=True, slots=True)
class Session:
    """A session as the site means it: whose, with which AS number, and by which link.

    `called`, `key` and `carries` are of a speaker that is configured elsewhere: its name, the answer that speaks of it,
    and what it may announce over the session.
    """

    node: Node
    software: Software
    asn: int
    link: Link
    called: str = ""
    key: str = ""
    carries: tuple[IPNetwork, ...] = ()


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
    return (*found, *_of_others(site, known))


def by_router(meant: Iterable[Session]) -> dict[str, list[Session]]:
    """The sessions of each router, by its name."""
    found: dict[str, list[Session]] = defaultdict(list)
    for session in meant:
        found[session.link.router.name].append(session)
    return found


def _of_others(site: Site, known: Topology) -> Iterator[Session]:
    """Those of speakers that are neither Calico nor kube-vip, with every router of their node."""
    for index, node in enumerate(site.nodes):
        for number, speaker in enumerate(node.speakers):
            family = speaker.source.version
            carries = tuple(cidr for cidr in speaker.announces if cidr.version == family)
            if speaker.name == VIP_SPEAKER or speaker.asn is None or not carries:
                continue
            for router in known.routers(node):
                if (target := of_family(router_addresses(router), family)) is not None:
                    link = Link(speaker.source, router, target)
                    key = f"nodes[{index}].speakers[{number}].source"
                    yield Session(node, Software.OTHER, speaker.asn, link, speaker.name, key, carries)


def addresses_in_use(router: Router, mine: Iterable[Session]) -> tuple[IPAddress, ...]:
    """The addresses of a router that its sessions use, IPv4 first; its first one where there is no session."""
    used = {session.link.target for session in mine}
    everything = sorted({*router_addresses(router), *used}, key=address_key)
    return tuple(address for address in everything if address in used) or (everything[0],)
