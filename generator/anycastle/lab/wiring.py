"""Which machines there are, how they are cabled, and what the kernel of each is told: pure, from the plan.

One switch for each link of nodes and one behind the routers, where the client is. The switches are machines of their
own: a bridge inside a router's namespace would show answers to its connection tracking that a real router never sees.
A link of two addresses is a switch with two ports, so that both of its ends lose carrier when it is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from ipaddress import ip_interface, ip_network

from anycastle.lab.commands import LabError
from anycastle.lab.links import Interface, Link, links, on_link
from anycastle.lab.outside import Outside, outside
from anycastle.lab.router_files import DEFAULT_INTERFACE, Files, interfaces, lan_interface
from anycastle.lab.wires import Pair, Wire, wires
from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.network.bgp import Router
from anycastle.network.cluster import Node
from anycastle.network.model import Network
from anycastle.network.questions import host
from anycastle.records import dataclass

CLIENT, BACKBONE = "client", "switch-of-the-backbone"
UPLINK = "uplink0"
EVERYTHING: Mapping[int, IPNetwork] = {4: ip_network("0.0.0.0/0"), 6: ip_network("::/0")}

Route = tuple[IPNetwork, tuple[IPAddress, ...]]
"""A prefix and its next hops, several of which share the traffic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """A cable from an interface to a switch."""

    interface: str
    switch: str
    addresses: tuple[Interface, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A namespace with its ports and routes.

    `own` are addresses on lo, from which packets by `routes` come. `by_source` are default routes for packets from one
    address; `forwards` = a router whose files nobody has.
    """

    name: str
    ports: tuple[Port, ...]
    own: tuple[IPAddress, ...] = ()
    routes: tuple[Route, ...] = ()
    by_source: tuple[tuple[IPAddress, IPAddress], ...] = ()
    forwards: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Everything to build; `machines` are the routers, made-up gateways, the nodes and the client.

    `remote` are routers that are on no link of nodes. `gateways` are routers of which the site knows no more than that
    they lead out of a subnet: name -> the networks of that link. `wires` are switches that are no more than a cable.
    """

    switches: tuple[str, ...]
    wires: tuple[Wire, ...] = ()
    machines: tuple[Machine, ...]
    outside: Outside
    remote: tuple[str, ...] = ()
    gateways: Mapping[str, tuple[IPNetwork, ...]]

    def machine(self, name: str) -> Machine:
        """The machine of that name."""
        return next(one for one in self.machines if one.name == name)

    def plugs(self, name: str) -> tuple[tuple[str, str], ...]:
        """The far ends of a machine's cables: switch, and the name of the port there."""
        number = next(index for index, one in enumerate(self.machines) if one.name == name)
        return plugs(number, self.machines[number])

    def ends(self, switch: str) -> tuple[str, ...]:
        """The names of all ports of a switch."""
        named = (plug for number, one in enumerate(self.machines) for plug in plugs(number, one))
        return tuple(plug for where, plug in named if where == switch)

    def holder(self, address: IPAddress) -> str:
        """The machine with an address; empty where nobody has it."""
        held = (one.name for one in self.machines for port in one.ports for own in port.addresses if own.ip == address)
        return next(held, "")

    @property
    def on_lo(self) -> frozenset[IPNetwork]:
        """The addresses of nodes that no subnet connects."""
        return frozenset(host(address) for one in self.machines for address in one.own)

    def router_of(self, node: str) -> IPAddress:
        """The first gateway of a node."""
        return self.machine(node).routes[0][1][0]

    def wires_of(self, machine: str) -> tuple[Wire, ...]:
        """The links of two addresses that end at a node or a router."""
        return tuple(wire for wire in self.wires if machine in (wire.node, wire.router))


def plugs(number: int, machine: Machine) -> tuple[tuple[str, str], ...]:
    """The same, for the machine with this number."""
    return tuple((port.switch, f"port{number}-{index}") for index, port in enumerate(machine.ports))


def wiring(network: Network, files: Mapping[str, Files], told: Iterable[Pair] = ()) -> Wiring:
    """Raises `LabError` where the plan holds what a lab cannot build. `told` are links of which the owner tells."""
    if not network.routers or not network.nodes or not network.subnets:
        raise LabError("There is no router, no node or no node subnet in this repository: nothing to rehearse.")
    laid = wires(network, files, told)
    found = tuple(link for link in links(network) if not _on_lo(link, network, {wire.node for wire in laid}))
    gateways = {_gateway_name(link): link for link in found if link.lacks_router}
    routers = tuple(router.name for router in network.routers)
    behind = outside(network, (*routers, *gateways))
    leading = _Leading(network, found, behind, gateways, laid)
    switches = (*(link.switch for link in found), *(wire.cable for wire in laid), BACKBONE)
    machines = (
        *(_router(leading, router, files.get(router.name, {})) for router in network.routers),
        *(_gateway(leading, name, link) for name, link in gateways.items()),
        *_nodes(leading),
        _client(leading, routers),
    )
    _one_name_each(machines, switches)
    return Wiring(
        switches=switches,
        wires=laid,
        machines=machines,
        outside=behind,
        remote=tuple(router.name for router in network.routers if leading.is_remote(router)),
        gateways={name: tuple(one.cidr for one in link.subnets) for name, link in gateways.items()},
    )


def _on_lo(link: Link, network: Network, wired: set[str]) -> bool:
    """Whether the range is no link at all: every node with an address in it has that address on lo."""
    here = {node.name for node in network.nodes if any(link.subnet_of(address) for address in node.addresses)}
    return bool(here) and here <= wired


def _one_name_each(machines: tuple[Machine, ...], switches: tuple[str, ...]) -> None:
    names = [*(machine.name for machine in machines), *switches]
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) != len(names) else []
    if twice:
        raise LabError(f"Two machines of the lab would have one name: {', '.join(twice)}.")


@dataclass(frozen=True, slots=True)
class _Leading:
    """Who leads where."""

    network: Network
    links: tuple[Link, ...]
    outside: Outside
    gateways: Mapping[str, Link]
    wires: tuple[Wire, ...]

    def is_remote(self, router: Router) -> bool:
        return not self.links_of(router) and all(wire.router != router.name for wire in self.wires)

    def links_of(self, router: Router) -> tuple[Link, ...]:
        return tuple(link for link in self.links if router in link.routers)

    def routes(self, besides: tuple[Link, ...] = (), name: str = "") -> Iterator[Route]:
        """Subnets by the outer addresses of their routers, and remote routers by theirs."""
        for link in self.links:
            made_up = [gateway for gateway, other in self.gateways.items() if other == link]
            names = [*(router.name for router in link.routers), *made_up]
            for subnet in link.subnets:
                hops = tuple(self.outside.hop(one, subnet.cidr.version) for one in names)
                if link not in besides and hops:
                    yield subnet.cidr, hops
        for router in self.network.routers:
            if self.is_remote(router) and router.name != name:
                for address in router.addresses:
                    yield host(address), (self.outside.hop(router.name, address.version),)


def _gateway_name(link: Link) -> str:
    return f"gateway-{link.switch.removeprefix('switch-')}"


def _uplink(behind: Outside, name: str) -> Port:
    return Port(interface=UPLINK, switch=BACKBONE, addresses=behind.of(name))


def _router(leading: _Leading, router: Router, files: Files) -> Machine:
    """On its links as its files call the interface; where it is on none, that interface leads to the backbone."""
    own = leading.links_of(router)
    cables = tuple(wire for wire in leading.wires if wire.router == router.name)
    interface = _shared_interface(files, cables)
    routes = tuple(leading.routes(besides=own, name=router.name))
    if not own and not cables:
        addresses = (
            *(on_link(address, host(address)) for address in router.addresses),
            *leading.outside.of(router.name),
        )
        port = Port(interface=interface, switch=BACKBONE, addresses=addresses)
        return Machine(name=router.name, ports=(port,), routes=routes)
    ports = [
        Port(interface=interface if index == 0 else f"lan{index}", switch=link.switch, addresses=_held(router, link))
        for index, link in enumerate(own)
    ]
    ports += [
        Port(interface=wire.interface, switch=wire.cable, addresses=tuple(_half(pair.peer) for pair in wire.pairs))
        for wire in cables
    ]
    return Machine(name=router.name, ports=(*ports, _uplink(leading.outside, router.name)), routes=routes)


def _shared_interface(files: Files, cables: tuple[Wire, ...]) -> str:
    """The interface towards a subnet of nodes, which no link has."""
    taken = {wire.interface for wire in cables}
    return next((name for name in (lan_interface(files), *interfaces(files)) if name not in taken), DEFAULT_INTERFACE)


def _half(address: IPAddress) -> Interface:
    """An end of a link with the mask of the two."""
    return ip_interface(f"{address}/{address.max_prefixlen - 1}")


def _held(router: Router, link: Link) -> tuple[Interface, ...]:
    """A router's own addresses; a gateway address that several share is given to the first of them."""
    taken = {address for one in link.routers for address in one.addresses}
    first = link.routers[0] == router
    shared = [s.gateway for s in link.subnets if s.gateway and s.gateway not in taken] if first else []
    found = [(address, link.subnet_of(address)) for address in (*router.addresses, *shared)]
    return tuple(on_link(address, subnet.cidr) for address, subnet in found if subnet)


def _gateway(leading: _Leading, name: str, link: Link) -> Machine:
    addresses = tuple(on_link(subnet.gateway, subnet.cidr) for subnet in link.subnets if subnet.gateway)
    lan = Port(interface="lan0", switch=link.switch, addresses=addresses)
    routes = tuple(leading.routes(besides=(link,)))
    return Machine(name=name, ports=(lan, _uplink(leading.outside, name)), routes=routes, forwards=True)


def _nodes(leading: _Leading) -> Iterator[Machine]:
    network = leading.network
    spoken: dict[str, dict[IPAddress, None]] = {node.name: {} for node in network.nodes}
    for end in network.ends:
        spoken.get(end.host, {})[end.address] = None
    cables: dict[str, list[Wire]] = {}
    for wire in leading.wires:
        cables.setdefault(wire.node, []).append(wire)
    for node in network.nodes:
        if node.name in cables:
            yield _linked(node, cables[node.name])
        else:
            yield _node(node, leading.links, spoken[node.name])


def _linked(node: Node, cables: Sequence[Wire]) -> Machine:
    """A node that no subnet connects: its addresses stand on lo, and every link is a way out."""
    ports = tuple(
        Port(interface=f"eth{number}", switch=wire.cable, addresses=tuple(_half(pair.own) for pair in wire.pairs))
        for number, wire in enumerate(cables)
    )
    peers = [pair.peer for wire in cables for pair in wire.pairs]
    ways = {own.version: tuple(peer for peer in peers if peer.version == own.version) for own in node.addresses}
    routes = tuple((EVERYTHING[version], hops) for version, hops in ways.items() if hops)
    return Machine(name=node.name, ports=ports, own=node.addresses, routes=routes)


def _node(node: Node, found: tuple[Link, ...], spoken: Iterable[IPAddress]) -> Machine:
    """On its links, with the further addresses that it speaks from behind its own."""
    ports: list[Port] = []
    routes: dict[IPNetwork, tuple[IPAddress, ...]] = {}
    held = dict.fromkeys((*node.addresses, *spoken))
    for link in found:
        on = any(link.subnet_of(address) for address in node.addresses)
        here = [(address, subnet) for address in (held if on else ()) if (subnet := link.subnet_of(address))]
        if here:
            addresses = tuple(on_link(address, subnet.cidr) for address, subnet in here)
            ports.append(Port(interface=f"eth{len(ports)}", switch=link.switch, addresses=addresses))
        for address, subnet in here:
            if gateway := link.gateway(subnet):
                routes.setdefault(EVERYTHING[address.version], (gateway,))
    if not ports:
        raise LabError(f"Node {node.name} has no address in a node subnet, so there is no cable to lay.")
    return Machine(name=node.name, ports=tuple(ports), routes=tuple(routes.items()))


def _client(leading: _Leading, routers: tuple[str, ...]) -> Machine:
    behind = leading.outside
    addresses = (*behind.client, *(one for name in routers for one in behind.client_by(name)))
    everywhere = tuple(
        (EVERYTHING[one.version], tuple(behind.hop(name, one.version) for name in routers)) for one in behind.ranges
    )
    return Machine(
        name=CLIENT,
        ports=(Port(interface="eth0", switch=BACKBONE, addresses=addresses),),
        routes=(*everywhere, *leading.routes()),
        by_source=tuple((one.ip, behind.hop(name, one.version)) for name in routers for one in behind.client_by(name)),
    )
