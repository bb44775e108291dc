"""Links of two addresses: which node's cable ends at which router. Pure, from the plan and what the owner says.

The files have the addresses of a link, and only the site file says which interface of the router it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from anycastle.lab.links import subnet_among
from anycastle.lab.router_files import Files, interfaces
from anycastle.network.addresses import IPAddress, Subnet
from anycastle.network.cluster import Node
from anycastle.network.model import Network
from anycastle.network.questions import host, on_router, wired
from anycastle.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The two addresses of a link: the node's end, and the router's; `interface` of the router, where it is known."""

    node: str
    router: str
    own: IPAddress
    peer: IPAddress
    interface: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """A cable from a node to an interface of a router, with a pair of each family, or several."""

    node: str
    router: str
    interface: str
    pairs: tuple[Pair, ...]

    @property
    def cable(self) -> str:
        """Its name."""
        return f"cable-{self.router}-{self.interface}"


def wires(network: Network, files: Mapping[str, Files], told: Iterable[Pair] = ()) -> tuple[Wire, ...]:
    """Every cable, in the order of routers and nodes. `told` is what the owner says; the files add what he does not."""
    found: dict[IPAddress, Pair] = {}
    known = {node.name for node in network.nodes}, {router.name for router in network.routers}
    for pair in (*told, *_of_sessions(network)):
        if pair.node in known[0] and pair.router in known[1]:
            found.setdefault(pair.own, pair)
    for pair in _of_ways(network, {pair.node for pair in found.values()}):
        found.setdefault(pair.own, pair)
    nodes = {node.name: number for number, node in enumerate(network.nodes)}
    laid: list[Wire] = []
    for router in network.routers:
        own = sorted((pair for pair in found.values() if pair.router == router.name), key=lambda pair: nodes[pair.node])
        laid += _named(router.name, own, interfaces(files.get(router.name, {})))
    return tuple(laid)


def _of_sessions(network: Network) -> Iterator[Pair]:
    router_at = {address: router.name for router in network.routers for address in router.addresses}
    router_at |= {end.address: end.host for end in network.ends if on_router(end)}
    for end in wired(network):
        if end.peer in router_at:
            yield Pair(node=end.host, router=router_at[end.peer], own=end.address, peer=end.peer)


def _of_ways(network: Network, linked: set[str]) -> Iterator[Pair]:
    """Links without a session: routers have a static route over each, to a node that no subnet connects."""
    nodes = {host(address): node.name for node in network.nodes for address in node.addresses}
    ranges = _ranges(network, (node for node in network.nodes if node.name in linked))
    unconnected = linked | {node.name for node in network.nodes if ranges & _ranges(network, [node])}
    for router in network.routers:
        for prefix, via in router.reaches:
            if nodes.get(prefix) in unconnected:
                peer = type(via)(int(via) ^ 1)
                yield Pair(node=nodes[prefix], router=router.name, own=via, peer=peer)


def _ranges(network: Network, nodes: Iterable[Node]) -> set[Subnet]:
    """The ranges of nodes' own addresses: where one has it on lo, the others of that range do."""
    found = {subnet_among(network.subnets, address) for node in nodes for address in node.addresses}
    return {subnet for subnet in found if subnet is not None}


def _named(router: str, pairs: Sequence[Pair], names: Sequence[str]) -> Iterator[Wire]:
    """Cables by the interface that is told; the others get names that the router's files use and nobody has."""
    told: dict[str, list[Pair]] = defaultdict(list)
    others: dict[str, dict[int, list[Pair]]] = defaultdict(lambda: {4: [], 6: []})
    for pair in pairs:
        if pair.interface:
            told[pair.interface].append(pair)
        else:
            others[pair.node][pair.own.version].append(pair)
    for interface, listed in told.items():
        yield Wire(node=listed[0].node, router=router, interface=interface, pairs=tuple(listed))
    free = [name for name in names if name not in told]
    free += [f"link{number}" for number in range(len(pairs))]
    for node, families in others.items():
        for both in zip_longest(families[4], families[6]):
            here = tuple(pair for pair in both if pair is not None)
            yield Wire(node=node, router=router, interface=free.pop(0), pairs=here)
