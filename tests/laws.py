"""The rules' own laws, told of a network without the rules: what must hold in every repository that was generated."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.network.bgp import Acceptance, Announcement, End, Router, Software
from anycastle.network.model import Network
from anycastle.network.questions import counterparts, on_router

Range = tuple[object, int, int]


def broken(network: Network) -> Iterator[str]:
    """One speaker for each source and peer; both ends of every session agree; accepted is what is announced."""
    nodes = [end for end in network.ends if not on_router(end)]
    if len({(end.address, end.peer) for end in nodes}) < len(nodes):
        yield "two speakers dial one router from one address"
    for end, others in counterparts(network).items():
        if len(others) != 1:
            yield f"{end.host} {end.address} speaks with {end.peer}, where {len(others)} ends answer"
        elif (others[0].asn, others[0].peer_asn) != (end.peer_asn, end.asn):
            yield f"{end.host} and {others[0].host} expect other AS numbers of each other"
        elif on_router(others[0]) is on_router(end):
            yield f"{end.host} speaks with {others[0].host}"
        elif others[0].password != end.password:
            yield f"{end.host} and {others[0].host} have two passwords"
    for router in network.routers:
        yield from _of_router(network, router, nodes)


def _of_router(network: Network, router: Router, nodes: list[End]) -> Iterator[str]:
    expected = {end.peer: end.address for end in network.ends if end.host == router.name}
    dialling = {end.address: end for end in nodes if expected.get(end.address) == end.peer}
    speaking = {(end.host, end.software, end.address.version) for end in dialling.values()}
    if any(software is Software.CALICO for _host, software, _family in speaking):  # a reflector speaks for them
        speaking |= {(end.host, end.software, end.address.version) for end in network.inside}
    mine = [item for item in network.acceptances if item.router == router.name]
    for announcement in network.announcements:
        family = announcement.prefix.version
        heard = any((host, announcement.software, family) in speaking for host in announcement.hosts)
        if heard and _range(announcement) not in {_range(item) for item in mine}:
            yield f"{router.name} does not let {announcement.prefix} in"
    for item in mine:
        for peer in item.peers:
            end = dialling.get(peer)
            if end is None:
                yield f"{router.name} lets {item.prefix} in from {peer}, whom it does not expect"
            elif not any(_may(end, other) and _range(other) == _range(item) for other in network.announcements):
                yield f"{router.name} lets {item.prefix} in from {end.host}, whose {end.software} does not announce it"


def _may(end: End, announcement: Announcement) -> bool:
    """Whether a speaker may announce it; Calico may from a node that is kept out of service today."""
    anywhere = end.software is Software.CALICO
    return announcement.software is end.software and (anywhere or end.host in announcement.hosts)


def _range(item: Announcement | Acceptance) -> Range:
    return item.prefix, item.shortest, item.longest
