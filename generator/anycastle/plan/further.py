"""Speakers on nodes that their owner configures himself: what they may announce, and what routers let in from them.

Of such a speaker only the routers' half is generated, and the site file is all that anybody knows of the other half.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from anycastle.network import further
from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.network.bgp import Acceptance, Announcement, End, Software
from anycastle.network.canonical import address_key
from anycastle.network.prefixes import merged
from anycastle.plan.links import Session
from anycastle.plan.who import at
from anycastle.site.model import Site


def node_end(session: Session) -> End:
    """The end of which only the site file knows; it is taken to match the router's."""
    router = session.link.router
    return End(
        host=session.node.name,
        software=Software.OTHER,
        address=session.link.source,
        asn=session.asn,
        peer=session.link.target,
        peer_asn=router.asn,
        hops=1 if router.asn == session.asn else router.multihop or 1,
        password=router.password or "",
        called=session.called,
        where=at(session.key),
    )


def prefixes(meant: Iterable[Session]) -> tuple[IPNetwork, ...]:
    """All that they may announce, as the smallest list of networks."""
    return merged(prefix for session in meant for prefix in session.carries)


def announcements(site: Site, meant: Iterable[Session]) -> Iterator[Announcement]:
    """What these speakers may announce, with the nodes that hold a session for it."""
    hosts: dict[IPNetwork, set[str]] = defaultdict(set)
    for session in meant:
        for prefix in session.carries:
            hosts[prefix].add(session.node.name)
    places = {
        prefix: at(f"nodes[{index}].speakers[{number}].announces[{position}]")
        for index, node in reversed(tuple(enumerate(site.nodes)))
        for number, speaker in enumerate(node.speakers)
        for position, prefix in enumerate(speaker.announces)
    }
    return further.announcements(hosts, places)


def acceptances(router: str, mine: Iterable[Session]) -> Iterator[Acceptance]:
    """What a router lets in from them: of each what it may announce, by one list for those that may the same."""
    sources: dict[tuple[int, tuple[IPNetwork, ...]], list[IPAddress]] = defaultdict(list)
    places: dict[IPNetwork, str] = {}
    for session in mine:
        if session.carries:
            sources[session.asn, session.carries].append(session.link.source)
            places |= dict.fromkeys(session.carries, session.key)
    for (_asn, prefixes), peers in sources.items():
        for prefix in prefixes:
            yield Acceptance(
                router=router,
                prefix=prefix,
                shortest=prefix.prefixlen,
                longest=prefix.max_prefixlen,
                peers=tuple(sorted(peers, key=address_key)),
                where=at(places[prefix]),
            )
