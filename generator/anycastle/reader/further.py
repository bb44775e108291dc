"""Speakers on nodes that somebody else configures: the site file names them, and the routers' files say the rest.

No file of a repository has their own half. It is taken to match what a router expects of them, apart from the AS
number; a router of their node that expects nothing of them is dialled in vain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from anycastle.finding import Place
from anycastle.network import further
from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.network.bgp import Announcement, End, Router, Software
from anycastle.network.cluster import Node
from anycastle.reader.declared import Foreign


def of_nodes(foreign: Iterable[Foreign], nodes: Iterable[Node]) -> tuple[Foreign, ...]:
    """Those on a node that exists."""
    names = {node.name for node in nodes}
    return tuple(one for one in foreign if one.host in names)


def callers(foreign: Iterable[Foreign], others: Iterable[End]) -> Iterator[End]:
    """Their ends as far as the other speakers of their node say whom it dials."""
    dialled: dict[str, dict[IPAddress, End]] = defaultdict(dict)
    for end in others:
        dialled[end.host].setdefault(end.peer, end)
    for one in foreign:
        for target, end in dialled[one.host].items():
            if target.version == one.source.version:
                yield _end(one, target, end.peer_asn)


def ends(
    foreign: Collection[Foreign], dialling: Iterable[End], router_ends: Iterable[End], routers: Iterable[Router]
) -> Iterator[End]:
    """Their ends: towards every router that expects them, and towards those of their node that do not."""
    expecting: dict[IPAddress, list[End]] = defaultdict(list)
    if not foreign:
        return
    names: dict[IPAddress, str] = {address: router.name for router in routers for address in router.addresses}
    for end in router_ends:
        expecting[end.peer].append(end)
        names[end.address] = end.host
    for one in foreign:
        for end in expecting[one.source]:
            yield _end(one, end.address, end.asn, end.hops, end.password)
    for end in dialling:
        if names.get(end.peer) not in {other.host for other in expecting[end.address]}:
            yield end


def _end(one: Foreign, target: IPAddress, peer_asn: int, hops: int = 1, password: str = "") -> End:
    return End(
        host=one.host,
        software=Software.OTHER,
        address=one.source,
        asn=one.asn,
        peer=target,
        peer_asn=peer_asn,
        hops=hops,
        password=password,
        called=one.called,
        where=one.where,
    )


def announcements(foreign: Iterable[Foreign], own: Iterable[End]) -> Iterator[Announcement]:
    """What they may announce, with the nodes that hold a session for it."""
    speaking = {(end.host, end.address) for end in own}
    hosts: dict[IPNetwork, set[str]] = defaultdict(set)
    where: dict[IPNetwork, Place] = {}
    for one in foreign:
        for prefix, place in one.announces:
            if (one.host, one.source) in speaking:
                hosts[prefix].add(one.host)
                where.setdefault(prefix, place)
    return further.announcements(hosts, where)
