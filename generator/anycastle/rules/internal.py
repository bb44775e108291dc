"""Sessions inside one AS (iBGP): what a router has to do for them that eBGP does not need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from anycastle.finding import Severity
from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import Session, Software
from anycastle.network.model import Network
from anycastle.rules.memo import asked_again
from anycastle.rules.pairs import alike, pair, several
from anycastle.rules.registry import Fault, rule


def is_internal(session: Session) -> bool:
    """Whether both ends have one AS number."""
    return session.node.asn == session.router.asn


@asked_again
def meant_internal(network: Network) -> frozenset[str]:
    """Routers whose configuration says something of neighbours of their own AS, so that it is no slip."""
    by_end = {end.host for end in network.ends if end.reflected or end.next_hop_self}
    by_limit = {r.name for r in network.routers if r.multipath_internal and r.software is not Software.BIRD}
    return frozenset(by_end | by_limit)


@asked_again
def internal_sources(network: Network) -> Mapping[str, set[IPAddress]]:
    """Addresses of nodes with which each router has sessions inside its AS."""
    found: dict[str, set[IPAddress]] = defaultdict(set)
    for session in pair(network).sessions:
        if is_internal(session):
            found[session.router.host].add(session.node.address)
    return found


@rule("SESS013", "A router reflects routes to nodes of its own AS, with itself as next hop", Severity.WARNING)
def reflects(network: Network) -> Iterator[Fault]:
    """What a router hears from one iBGP neighbour it tells no other one, unless that is its client.

    And what it hears from another AS it passes on with the next hop it came with. Calico's BIRD looks that address
    up in its own table, finds nothing but the default route, and shows the route as unreachable: nodes reach their own
    rack and no other. A router that sends nothing to its nodes needs neither.

    Source: RFC 4456, RFC 4271 section 5.1.3; projectcalico/calico#1515.
    """
    meant = meant_internal(network)
    lacking = [
        session
        for session in pair(network).sessions
        if is_internal(session)
        and session.router.host in meant
        and not session.router.silent
        and not (session.router.reflected and session.router.next_hop_self)
    ]
    for group in alike(lacking, lambda s: (s.router.host, s.router.reflected, s.router.next_hop_self)):
        router = group[0].router
        words = [
            word
            for word, said in (("route-reflector-client", router.reflected), ("next-hop-self", router.next_hop_self))
            if not said
        ]
        yield Fault(
            router.where,
            f"Router {router.host} sends routes to {several(s.node.host for s in group)} inside AS {router.asn} "
            f"without {' and '.join(words)}: the nodes lack routes of one another, or cannot resolve their next hop.",
            f"Add {' and '.join(f'`neighbor ... {word}`' for word in words)}, or let the router send nothing.",
        )
