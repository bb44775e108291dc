"""Which machines there are, how they are cabled, and what the kernel of each is told: pure, from the plan.

One switch for each node subnet and one behind the routers, where the client is. The switches are machines of their
own: a bridge inside a router's namespace would show answers to its connection tracking that a real router never sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, ip_interface

from anycastle.lab.commands import LabError
from anycastle.lab.router_files import Files, lan_interface
from anycastle.network.model import IPAddress, IPNetwork, Network, Node, Router, Subnet
from anycastle.network.questions import range_owners

CLIENT, CORE = "client", "core"
UPLINK = "uplink0"
_OUTSIDE = [IPv4Network(text) for text in ("198.18.0.0/24", "198.19.255.0/24", "203.0.113.0/24", "100.127.255.0/24")]
"""Candidates for the network of the client; the first one that nothing of the plan overlaps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Port:
    """A cable from an interface to a switch."""

    interface: str
    switch: str
    addresses: tuple[IPv4Interface, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A namespace with its ports; `routes` are prefix and next hops, several of which share the traffic."""

    name: str
    ports: tuple[Port, ...]
    routes: tuple[tuple[IPNetwork, tuple[IPAddress, ...]], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Everything to build; `machines` are the nodes, the routers and the client."""

    switches: tuple[str, ...]
    machines: tuple[Machine, ...]
    client: IPv4Address

    def machine(self, name: str) -> Machine:
        """The machine of that name."""
        return next(one for one in self.machines if one.name == name)

    def plugs(self, name: str) -> tuple[tuple[str, str], ...]:
        """The far ends of a machine's cables: switch, and the name of the port there."""
        number, machine = next((i, one) for i, one in enumerate(self.machines) if one.name == name)
        return tuple((port.switch, f"port{number}-{index}") for index, port in enumerate(machine.ports))

    def router_of(self, node: str) -> IPAddress:
        """The first gateway of a node."""
        return self.machine(node).routes[0][1][0]


def wiring(network: Network, files: Mapping[str, Files]) -> Wiring:
    """Raises `LabError` where the plan holds what a lab cannot build."""
    _possible(network)
    outside = _outside(network)
    hosts = list(outside.hosts())
    behind = {router.name: hosts[index] for index, router in enumerate(network.routers)}
    client = hosts[len(network.routers) + 8]
    machines = [
        *(_router(network, router, files.get(router.name, {}), (outside, behind)) for router in network.routers),
        *(_node(network, node) for node in network.nodes),
        _client(network, IPv4Interface((client, outside.prefixlen)), behind),
    ]
    return Wiring(
        switches=(*(switch(subnet) for subnet in network.subnets), CORE), machines=tuple(machines), client=client
    )


def switch(subnet: Subnet) -> str:
    """The switch of a subnet."""
    return f"switch-{subnet.name or subnet.cidr.network_address}"


def _possible(network: Network) -> None:
    names = [*(node.name for node in network.nodes), *(router.name for router in network.routers)]
    taken = {CLIENT, CORE, *(switch(subnet) for subnet in network.subnets)}
    if not network.routers or not network.nodes or not network.subnets:
        raise LabError("There is no router, no node or no node subnet in this repository: nothing to rehearse.")
    if len({*names, *taken}) != len(names) + len(taken):
        raise LabError(f"Two machines of the lab would have one name; the lab itself uses {', '.join(sorted(taken))}.")
    if any(end.address.version == 6 for end in network.ends):
        raise LabError("A BGP session of this site runs over IPv6, which the lab cannot build yet.")


def _outside(network: Network) -> IPv4Network:
    taken = [owner.prefix for owner in range_owners(network)]
    for candidate in _OUTSIDE:
        if not any(isinstance(prefix, IPv4Network) and prefix.overlaps(candidate) for prefix in taken):
            return candidate
    raise LabError("No range is left for the network of the lab's client.")


def subnet_of(network: Network, address: IPAddress) -> Subnet | None:
    """The subnet that an address is on."""
    return next((one for one in network.subnets if address.version == one.cidr.version and address in one.cidr), None)


def _on_link(address: IPAddress, subnet: Subnet) -> IPv4Interface:
    interface = ip_interface(f"{address}/{subnet.cidr.prefixlen}")
    if not isinstance(interface, IPv4Interface):
        raise LabError(f"{address} is an IPv6 address; the lab builds IPv4 only so far.")
    return interface


def routers_of(network: Network, subnet: Subnet) -> tuple[Router, ...]:
    """The routers with an address in a subnet."""
    return tuple(router for router in network.routers if subnet_of(network, router.address) == subnet)


def _gateway(network: Network, subnet: Subnet) -> IPAddress | None:
    """The way out of a subnet: what the site says, or else its first router."""
    routers = routers_of(network, subnet)
    return subnet.gateway or (routers[0].address if routers else None)


def _router(
    network: Network, router: Router, files: Files, core: tuple[IPv4Network, Mapping[str, IPv4Address]]
) -> Machine:
    outside, behind = core
    subnet = subnet_of(network, router.address)
    if subnet is None:
        raise LabError(f"Router {router.name} ({router.address}) is in no node subnet; the lab cannot build that yet.")
    own = [router.address]
    gateway = _gateway(network, subnet)
    if gateway not in [one.address for one in network.routers] and routers_of(network, subnet)[0] == router:
        own += [gateway] if gateway else []  # a virtual address of the pair, which the lab gives to one of them
    lan = Port(
        interface=lan_interface(files),
        switch=switch(subnet),
        addresses=tuple(_on_link(address, subnet) for address in own),
    )
    up = Port(interface=UPLINK, switch=CORE, addresses=(IPv4Interface((behind[router.name], outside.prefixlen)),))
    others = tuple(_behind(network, behind, besides=subnet))
    return Machine(name=router.name, ports=(lan, up), routes=others)


def _behind(
    network: Network, behind: Mapping[str, IPv4Address], besides: Subnet | None = None
) -> Iterator[tuple[IPNetwork, tuple[IPAddress, ...]]]:
    """Subnets, each by the outer addresses of its routers."""
    for subnet in network.subnets:
        hops = tuple(behind[router.name] for router in routers_of(network, subnet))
        if subnet != besides and hops:
            yield subnet.cidr, hops


def _node(network: Network, node: Node) -> Machine:
    ports: dict[str, list[IPv4Interface]] = {}
    routes: list[tuple[IPNetwork, tuple[IPAddress, ...]]] = []
    for address in node.addresses:
        subnet = subnet_of(network, address)
        if subnet is None or address.version == 6:
            continue
        ports.setdefault(switch(subnet), []).append(_on_link(address, subnet))
        gateway = _gateway(network, subnet)
        if gateway is not None and not routes:
            routes.append((IPv4Network("0.0.0.0/0"), (gateway,)))
    if not ports:
        raise LabError(f"Node {node.name} has no IPv4 address in a node subnet, so there is no cable to lay.")
    return Machine(
        name=node.name,
        ports=tuple(
            Port(interface=f"eth{index}", switch=name, addresses=tuple(addresses))
            for index, (name, addresses) in enumerate(ports.items())
        ),
        routes=tuple(routes),
    )


def _client(network: Network, address: IPv4Interface, behind: Mapping[str, IPv4Address]) -> Machine:
    everywhere: Sequence[IPAddress] = tuple(behind.values())
    return Machine(
        name=CLIENT,
        ports=(Port(interface="eth0", switch=CORE, addresses=(address,)),),
        routes=((IPv4Network("0.0.0.0/0"), tuple(everywhere)), *_behind(network, behind)),
    )
