"""Pure questions about a network."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from ipaddress import ip_network

from anycastle.network.addresses import IPAddress, IPNetwork, Owner, OwnerKind, PoolUse
from anycastle.network.bgp import End, Session, Software
from anycastle.network.cluster import Node
from anycastle.network.model import Network
from anycastle.network.platforms import PLATFORMS

ROUTER_SOFTWARE = frozenset(PLATFORMS)


@lru_cache(maxsize=65536)
def host(address: IPAddress) -> IPNetwork:
    """The /32 or /128 of an address."""
    return ip_network(address)


def owners(network: Network) -> Iterator[Owner]:
    """Every address and range of the network with its owner, ranges first."""
    yield from range_owners(network)
    yield from address_owners(network)


def range_owners(network: Network) -> Iterator[Owner]:
    """Owners of ranges: subnets, pools, service ranges, reserved ranges."""
    for subnet in network.subnets:
        yield Owner(kind=OwnerKind.SUBNET, name=subnet.name, prefix=subnet.cidr, where=subnet.where)
    for pool in network.pools:
        kind = OwnerKind.PODS if pool.use is PoolUse.PODS else OwnerKind.LOAD_BALANCER
        yield Owner(kind=kind, name=pool.name, prefix=pool.cidr, where=pool.where)
    for services in network.service_ranges:
        yield Owner(kind=OwnerKind.SERVICES, name="", prefix=services.cidr, where=services.where)
    for reserved in network.reserved:
        yield Owner(kind=OwnerKind.RESERVED, name=reserved.name, prefix=reserved.cidr, where=reserved.where)
    yield from _of_others(network)


def _of_others(network: Network) -> Iterator[Owner]:
    """What speakers that are configured elsewhere announce, as far as it is not reserved by name."""
    announced = [item for item in network.announcements if item.software is Software.OTHER and item.hosts]
    if not announced:
        return
    called = {end.host: end.called for end in network.ends if end.called}
    known = {reserved.cidr for reserved in network.reserved}
    for item in announced:
        if item.prefix not in known:
            yield Owner(
                kind=OwnerKind.RESERVED, name=called.get(item.hosts[0], ""), prefix=item.prefix, where=item.where
            )


def address_owners(network: Network) -> Iterator[Owner]:
    """Owners of single addresses: nodes, routers, gateways, API addresses, service addresses."""
    yield from _machines(network)
    routers = {address for router in network.routers for address in router.addresses}
    for subnet in network.subnets:
        if subnet.gateway is not None and subnet.gateway not in routers:
            yield Owner(kind=OwnerKind.GATEWAY, name=subnet.name, prefix=host(subnet.gateway), where=subnet.where)
    if network.api is not None:
        for vip in network.api.vips:
            yield Owner(kind=OwnerKind.VIP, name=network.api.name, prefix=host(vip), where=network.api.where)
    for service in network.services:
        for address in service.addresses:
            yield Owner(
                kind=OwnerKind.SERVICE,
                name=f"{service.namespace}/{service.name}",
                prefix=host(address),
                where=service.where,
            )


def _machines(network: Network) -> Iterator[Owner]:
    """Addresses of nodes and routers; a speaker's own source address is its node's, too."""
    for node in network.nodes:
        for address in node.addresses:
            yield Owner(kind=OwnerKind.NODE, name=node.name, prefix=host(address), where=node.where)
    known = {(node.name, address) for node in network.nodes for address in node.addresses}
    names = {node.name for node in network.nodes}
    for speaker in network.speakers:
        on_node = speaker.host in names and speaker.software not in ROUTER_SOFTWARE  # a router may be called so, too
        if on_node and (speaker.host, speaker.address) not in known:
            known.add((speaker.host, speaker.address))
            yield Owner(kind=OwnerKind.NODE, name=speaker.host, prefix=host(speaker.address), where=speaker.where)
    for end in network.ends:
        if end.host in names and not on_router(end) and (end.host, end.address) not in known:
            known.add((end.host, end.address))
            yield Owner(kind=OwnerKind.NODE, name=end.host, prefix=host(end.address), where=end.where)
    for router in network.routers:
        for address in router.addresses:
            yield Owner(kind=OwnerKind.ROUTER, name=router.name, prefix=host(address), where=router.where)


def paired(one: IPAddress, other: IPAddress) -> bool:
    """Whether two addresses are those of one /31 or /127, as on a link of two (RFC 3021, RFC 6164)."""
    return one.version == other.version and int(one) ^ int(other) == 1


def wired(network: Network) -> Iterator[End]:
    """Ends of nodes on links of two addresses: they come from none of the addresses that kubelet knows."""
    own = {node.name: node.addresses for node in network.nodes}
    for end in network.ends:
        if (
            not on_router(end)
            and paired(end.address, end.peer)
            and end.address not in own.get(end.host, (end.address,))
        ):
            yield end


def on_router(end: End) -> bool:
    """Whether the end is a router's."""
    return end.software in ROUTER_SOFTWARE


def counterparts(network: Network) -> Mapping[End, tuple[End, ...]]:
    """For each end, the ends that point back at it: their addresses are crosswise equal.

    Linear in the number of ends.
    """
    by_pair: dict[tuple[IPAddress, IPAddress], list[End]] = defaultdict(list)
    for end in network.ends:
        by_pair[end.address, end.peer].append(end)
    return {end: tuple(by_pair.get((end.peer, end.address), ())) for end in network.ends}


def sessions(network: Network) -> Iterator[Session]:
    """Every session between a node and a router of which both ends know."""
    for end, others in counterparts(network).items():
        if on_router(end):
            continue
        for other in others:
            if on_router(other):
                yield Session(node=end, router=other)


def sessions_of(network: Network, node: str) -> tuple[Session, ...]:
    """The sessions that a node holds."""
    return tuple(session for session in sessions(network) if session.node.host == node)


def node_named(network: Network, name: str) -> Node | None:
    """The node of that name."""
    return next((node for node in network.nodes if node.name == name), None)


def subnet_of(network: Network, address: IPAddress) -> IPNetwork | None:
    """The connected subnet that holds an address."""
    return next(
        (
            subnet.cidr
            for subnet in network.subnets
            if subnet.cidr.version == address.version and address in subnet.cidr
        ),
        None,
    )
