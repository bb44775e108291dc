"""Which ends make sessions, and which are left over.

An address is all that a router knows of a speaker, so ends are matched by their two addresses. Where several
speakers share both, nothing can be said of one session: such ends are *crowded* and belong to one rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import End, Session
from anycastle.network.model import Network
from anycastle.network.questions import on_router
from anycastle.records import dataclass
from anycastle.rules.memo import asked_again


@dataclass(frozen=True, slots=True)
class Pairs:
    """The ends of a network, sorted out.

    `crossed` are ends that were meant for each other and whose addresses don't meet. `strangers` are ends of
    nodes whose peer is no router of this network. `waiting` are neighbours that a router lists and that don't
    dial it; `unheard` are ends of nodes that their router doesn't list.
    """

    sessions: tuple[Session, ...] = ()
    crowded: tuple[tuple[End, ...], ...] = ()
    crossed: tuple[Session, ...] = ()
    strangers: tuple[End, ...] = ()
    waiting: tuple[End, ...] = ()
    unheard: tuple[End, ...] = ()


Item = TypeVar("Item")

_Both = tuple[list[End], list[End]]


@asked_again
def pair(network: Network) -> Pairs:
    """Sort out the ends of a network; linear in their number."""
    both: dict[tuple[IPAddress, IPAddress], _Both] = defaultdict(lambda: ([], []))
    for end in network.ends:
        if on_router(end):
            both[end.peer, end.address][1].append(end)
        else:
            both[end.address, end.peer][0].append(end)
    sessions: list[Session] = []
    crowded: list[tuple[End, ...]] = []
    alone: _Both = ([], [])
    for nodes, routers in both.values():
        if len(nodes) == len(routers) == 1:
            sessions.append(Session(node=nodes[0], router=routers[0]))
        elif len(nodes) > 1:
            crowded.append(tuple(nodes))
        elif not (nodes and routers):
            alone[0].extend(nodes)
            alone[1].extend(routers)
    crossed = tuple(_crossed(network, alone))
    met = {id(end) for session in crossed for end in (session.node, session.router)}
    known = {router.address for router in network.routers} | {end.address for end in network.ends if on_router(end)}
    left = [end for end in alone[0] if id(end) not in met]
    return Pairs(
        sessions=tuple(sessions),
        crowded=tuple(crowded),
        crossed=crossed,
        strangers=tuple(end for end in left if end.peer not in known),
        waiting=tuple(end for end in alone[1] if id(end) not in met),
        unheard=tuple(end for end in left if end.peer in known),
    )


def _crossed(network: Network, alone: _Both) -> Iterator[Session]:
    """Left-over ends that belong together: same node, or same router and a neighbour that is no node."""
    owner = {address: node.name for node in network.nodes for address in node.addresses}
    by_peer: dict[IPAddress, list[End]] = defaultdict(list)
    by_router: dict[tuple[IPAddress, int, str | None], list[End]] = defaultdict(list)
    for end in alone[1]:
        by_peer[end.peer].append(end)
    taken: set[int] = set()
    rest: list[End] = []
    for node in alone[0]:
        others = by_peer.get(node.address, [])
        if others:
            other = others.pop()
            taken.add(id(other))
            yield Session(node=node, router=other)
        else:
            rest.append(node)
    for end in alone[1]:
        if id(end) not in taken:
            by_router[end.address, end.peer_asn, owner.get(end.peer)].append(end)
    for node in rest:
        for name in (node.host, None):
            others = by_router.get((node.peer, node.asn, name), [])
            if others:
                yield Session(node=node, router=others.pop(0))
                break


def alike(items: Iterable[Item], key: Callable[[Item], Hashable]) -> Iterator[tuple[Item, ...]]:
    """Items that agree in a key, together: one mistake is one finding, though it stands in many files."""
    groups: dict[Hashable, list[Item]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    yield from map(tuple, groups.values())


def several(names: Iterable[str], most: int = 3) -> str:
    """Names for a message: the first few, and how many more there are."""
    known = sorted(set(names))
    shown = ", ".join(known[:most])
    return shown if len(known) <= most else f"{shown} and {len(known) - most} more"
