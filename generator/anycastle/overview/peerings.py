"""Sessions with both ends, what is announced over each, and what the far end lets in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import Acceptance, Announcement, End, Software
from anycastle.network.canonical import address_key
from anycastle.network.model import Network
from anycastle.network.questions import counterparts, on_router
from anycastle.records import dataclass

CALICO_HOPS = 255
"""Of every Calico end: its BIRD template says `multihop` without a number (confd bird.cfg.template)."""


@dataclass(frozen=True, slots=True)
class Peering:
    """A session: `near` is the node's end wherever the other is a router's, or a route reflector's.

    `reflects` = the far end, of a node, tells the other nodes what it hears. `announced` is what the near speaker
    announces to its peers, `accepted` what the far end lets in from it.
    """

    near: End
    far: End
    announced: tuple[Announcement, ...]
    accepted: tuple[Acceptance, ...]
    reflects: bool = False

    @property
    def inside(self) -> bool:
        """Whether both ends are nodes'."""
        return not on_router(self.far)

    @property
    def kind(self) -> str:
        """`iBGP` between equal AS numbers, else `eBGP`."""
        return "iBGP" if self.near.asn == self.far.asn else "eBGP"

    @property
    def hold(self) -> int:
        """Seconds: the lower hold time of both ends counts (RFC 4271, 4.2); 0 where neither says one."""
        return lower(self.near.hold, self.far.hold)

    @property
    def keepalive(self) -> int:
        """Seconds between signs of life, as the end that says fewer wants it; 0 where neither says."""
        return lower(self.near.keepalive, self.far.keepalive)

    @property
    def multihop(self) -> bool:
        """Whether the session may cross a router: both ends must allow it. Calico's end always does."""
        return min(self.near.hops, self.far.hops) > 1

    @property
    def likeness(self) -> tuple[object, ...]:
        """Equal for sessions that differ in nothing but the machine."""
        near, far = self.near, self.far
        return (
            *(far.host, far.software, address_key(far.address), far.asn, far.hops, far.silent, far.restart),
            *(near.software, near.called, near.asn, near.hops, near.restart, near.silent, near.filters),
            *(self.hold, self.keepalive, near.password, far.password, self.reflects),
            *(tuple(map(id, self.announced)), tuple(map(id, self.accepted))),  # each stands once in a network
        )


def lower(*seconds: int) -> int:
    """The least of those that say anything; 0 says nothing."""
    return min((number for number in seconds if number), default=0)


def peerings(network: Network) -> tuple[Peering, ...]:
    """Every session of which both ends know, by far end, software and address; linear in their number."""
    announced, accepted = _announced(network), _accepted(network)
    reflectors = {node.name for node in network.nodes if node.cluster_id is not None}
    found = [
        Peering(
            near,
            far,
            announced.get((near.host, near.software), ()),
            accepted.get((far.host, near.address), ()),
            far.host in reflectors,
        )
        for near, far in (*_pairs(network), *_inner(network, reflectors))
    ]
    return tuple(sorted(found, key=_order))


def _order(item: Peering) -> tuple[object, ...]:
    far, near = item.far, item.near
    return far.host, far.software, address_key(far.address), near.software, address_key(near.address), near.host


def _pairs(network: Network) -> Iterator[tuple[End, End]]:
    """Nodes before routers; between two of a kind, the lower address first."""
    for near, others in counterparts(network).items():
        for far in others:
            mine, other = (on_router(near), address_key(near.address)), (on_router(far), address_key(far.address))
            if mine < other:
                yield near, far


def _inner(network: Network, reflectors: Collection[str]) -> Iterator[tuple[End, End]]:
    """Between two nodes the reflector's end is the far one; else the lower address comes first."""
    answers = {(end.address, end.peer): end for end in network.inside}
    for near in network.inside:
        far = answers.get((near.peer, near.address))
        if far is not None:
            mine, other = ((end.host in reflectors, address_key(end.address)) for end in (near, far))
            if mine < other:
                yield near, far


def one_sided(network: Network) -> tuple[End, ...]:
    """Ends that point at an address from which nobody points back: a session that never comes up."""
    answers = {(end.address, end.peer) for end in network.inside}
    inner = (end for end in network.inside if (end.peer, end.address) not in answers)
    return (*(end for end, others in counterparts(network).items() if not others), *inner)


def _announced(network: Network) -> Mapping[tuple[str, Software], tuple[Announcement, ...]]:
    found: dict[tuple[str, Software], list[Announcement]] = defaultdict(list)
    for item in network.announcements:
        for name in item.hosts:
            found[name, item.software].append(item)
    return {key: tuple(items) for key, items in found.items()}


def _accepted(network: Network) -> Mapping[tuple[str, IPAddress], tuple[Acceptance, ...]]:
    found: dict[tuple[str, IPAddress], list[Acceptance]] = defaultdict(list)
    for item in network.acceptances:
        for peer in item.peers:
            found[item.router, peer].append(item)
    return {key: tuple(items) for key, items in found.items()}


def alike(items: Iterable[Peering]) -> tuple[tuple[Peering, ...], ...]:
    """Sessions that differ in nothing but the machine, together."""
    groups: dict[tuple[object, ...], list[Peering]] = defaultdict(list)
    for item in items:
        groups[item.likeness].append(item)
    return tuple(map(tuple, groups.values()))
