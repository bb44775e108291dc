"""Sessions between nodes: those of every node with the route reflectors. The mesh is none of them."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.network.bgp import End, Software
from anycastle.plan.who import at, families_of, node_addresses, of_family
from anycastle.records import dataclass
from anycastle.site.model import Node, Site
from anycastle.site.topology import topology

CALICO_HOPS = 255  # Calico's BIRD template says `multihop` (confd bird.cfg.template)


def insiders(site: Site) -> tuple[Node, ...]:
    """The nodes whose Calico holds sessions with route reflectors; empty where there are none."""
    known = topology(site)
    return tuple(node for node in site.nodes if known.inside(node))


@dataclass(frozen=True, slots=True)
class InnerPair:
    """Two nodes whose Calico holds a session of a family; `other` is a route reflector."""

    one: Node
    other: Node
    family: int


def inner_pairs(site: Site) -> Iterator[InnerPair]:
    """Every node with every route reflector, by family; each pair stands once."""
    known, inside = topology(site), insiders(site)
    reflectors = [node for node in inside if known.reflects(node)]
    for node in inside:
        for other in reflectors:
            if known.reflects(node) and node.name >= other.name:
                continue
            for family in sorted(families_of(node_addresses(node)) & families_of(node_addresses(other))):
                yield InnerPair(node, other, family)


def inner_ends(site: Site) -> Iterator[End]:
    """Both ends of each such session: Calico makes the second one of each BGPPeer with a peerSelector."""
    for pair in inner_pairs(site):
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
