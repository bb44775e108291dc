"""Which machines there are, how they are cabled, and what the kernel of each is told: pure, from the plan.

One switch for each link of nodes and one behind the routers, where the client is. The switches are machines of their
own: a bridge inside a router's namespace would show answers to its connection tracking that a real router never sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_network

from anycastle.lab.commands import LabError
from anycastle.lab.links import Interface, Link, links, on_link
from anycastle.lab.outside import Outside, outside
from anycastle.lab.router_files import Files, lan_interface
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

    `by_source` are default routes for packets from one address; `forwards` = a router whose files nobody has.
    """

    name: str
    ports: tuple[Port, ...]
    routes: tuple[Route, ...] = ()
    by_source: tuple[tuple[IPAddress, IPAddress], ...] = ()
    forwards: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Everything to build; `machines` are the routers, made-up gateways, the nodes and the client.

    `remote` are routers that are on no link of nodes. `gateways` are routers of which the site knows no more than that
    they lead out of a subnet: name -> the networks of that link.
    """

    switches: tuple[str, ...]
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

    def router_of(self, node: str) -> IPAddress:
        """The first gateway of a node."""
        return self.machine(node).routes[0][1][0]


def plugs(number: int, machine: Machine) -> tuple[tuple[str, str], ...]:
    """The same, for the machine with this number."""
    return tuple((port.switch, f"port{number}-{index}") for index, port in enumerate(machine.ports))


def wiring(network: Network, files: Mapping[str, Files]) -> Wiring:
    """Raises `LabError` where the plan holds what a lab cannot build."""
    if not network.routers or not network.nodes or not network.subnets:
        raise LabError("There is no router, no node or no node subnet in this repository: nothing to rehearse.")
    found = links(network)
    gateways = {_gateway_name(link): link for link in found if link.lacks_router}
    routers = tuple(router.name for router in network.routers)
    behind = outside(network, (*routers, *gateways))
    leading = _Leading(network, found, behind, gateways)
    spoken: dict[str, dict[IPAddress, None]] = {node.name: {} for node in network.nodes}
    for end in network.ends:
        spoken.get(end.host, {})[end.address] = None
    machines = (
        *(_router(leading, router, files.get(router.name, {})) for router in network.routers),
        *(_gateway(leading, name, link) for name, link in gateways.items()),
        *(_node(node, found, spoken[node.name]) for node in network.nodes),
        _client(leading, routers),
    )
    switches = (*(link.switch for link in found), BACKBONE)
    _one_name_each(machines, switches)
    return Wiring(
        switches=switches,
        machines=machines,
        outside=behind,
        remote=tuple(router.name for router in network.routers if not leading.links_of(router)),
        gateways={name: tuple(one.cidr for one in link.subnets) for name, link in gateways.items()},
    )


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
            if not self.links_of(router) and router.name != name:
                for address in router.addresses:
                    yield host(address), (self.outside.hop(router.name, address.version),)


def _gateway_name(link: Link) -> str:
    return f"gateway-{link.switch.removeprefix('switch-')}"


def _uplink(behind: Outside, name: str) -> Port:
    return Port(interface=UPLINK, switch=BACKBONE, addresses=behind.of(name))


def _router(leading: _Leading, router: Router, files: Files) -> Machine:
    """On its links as its files call the interface; where it is on none, that interface leads to the backbone."""
    own = leading.links_of(router)
    interface = lan_interface(files)
    routes = tuple(leading.routes(besides=own, name=router.name))
    if not own:
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
    return Machine(name=router.name, ports=(*ports, _uplink(leading.outside, router.name)), routes=routes)


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
