"""The links of a site: which subnets lie on one cable, who is on it, and who leads out of it. Pure, from the plan."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Interface, IPv6Interface, ip_interface

from anycastle.network.addresses import IPAddress, IPNetwork, Subnet
from anycastle.network.bgp import Router
from anycastle.network.model import Network
from anycastle.records import dataclass

Interface = IPv4Interface | IPv6Interface


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One switch: the subnets on it, of one family or of both, and the routers with an address there."""

    switch: str
    subnets: tuple[Subnet, ...]
    routers: tuple[Router, ...] = ()

    def subnet_of(self, address: IPAddress) -> Subnet | None:
        """The subnet of the link that holds an address."""
        return subnet_among(self.subnets, address)

    def gateway(self, subnet: Subnet) -> IPAddress | None:
        """The way out of a subnet: what the site says, or else its first router."""
        own = (address for router in self.routers for address in router.addresses if address in subnet.cidr)
        return subnet.gateway or next(own, None)

    @property
    def lacks_router(self) -> bool:
        """Whether only a router of which the site tells nothing but its address leads out of it."""
        return not self.routers and any(subnet.gateway for subnet in self.subnets)


def subnet_among(subnets: tuple[Subnet, ...], address: IPAddress) -> Subnet | None:
    """The subnet that holds an address."""
    return next((one for one in subnets if address.version == one.cidr.version and address in one.cidr), None)


def links(network: Network) -> tuple[Link, ...]:
    """Subnets of both families are one link where a machine has an address in each; else each is its own."""
    found: list[list[Subnet]] = []
    for subnet in network.subnets:
        joined = next((group for group in found if _together(network, group, subnet)), None)
        if joined is None:
            found.append([subnet])
        else:
            joined.append(subnet)
    return tuple(
        Link(switch=switch(group[0]), subnets=tuple(group), routers=tuple(_routers(network, tuple(group))))
        for group in found
    )


def switch(subnet: Subnet) -> str:
    """The name of the switch of a subnet."""
    return f"switch-{subnet.name or subnet.cidr.network_address}"


def _together(network: Network, group: list[Subnet], subnet: Subnet) -> bool:
    if any(one.cidr.version == subnet.cidr.version for one in group):
        return False
    machines = [*(node.addresses for node in network.nodes), *(router.addresses for router in network.routers)]
    return any(
        subnet_among((subnet,), first) and subnet_among(tuple(group), second)
        for addresses in machines
        for first in addresses
        for second in addresses
    )


def _routers(network: Network, subnets: tuple[Subnet, ...]) -> Iterator[Router]:
    for router in network.routers:
        if any(subnet_among(subnets, address) for address in router.addresses):
            yield router


def on_link(address: IPAddress, prefix: IPNetwork) -> Interface:
    """An address with the mask of its subnet."""
    return ip_interface(f"{address}/{prefix.prefixlen}")
