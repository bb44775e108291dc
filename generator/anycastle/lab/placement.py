"""What no file says and the lab makes up: which nodes have an endpoint of a Service, addresses that Calico picks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from anycastle.network.addresses import IPAddress, IPNetwork, PoolUse, Service, TrafficPolicy
from anycastle.network.bgp import Software
from anycastle.network.cluster import Role
from anycastle.network.model import Network
from anycastle.network.questions import host
from anycastle.records import dataclass

REPLICAS = 2


@dataclass(frozen=True, slots=True)
class Placement:
    """`endpoints`: Service as `namespace/name` -> its nodes. `blocks`: node -> its blocks of pod addresses."""

    endpoints: Mapping[str, tuple[str, ...]]
    blocks: Mapping[str, tuple[IPNetwork, ...]]

    def without(self, service: str, node: str) -> Placement:
        """The same after one endpoint is gone."""
        left = tuple(name for name in self.endpoints[service] if name != node)
        return Placement({**self.endpoints, service: left}, self.blocks)


def label(service: Service) -> str:
    """`namespace/name`."""
    return f"{service.namespace}/{service.name}"


def with_addresses(network: Network) -> Network:
    """The network with an address for every Service to which Calico gives one of its own choice."""
    if network.calico is None or network.calico.assign != "AllServices":
        return network
    taken = {address for service in network.services for address in service.addresses}
    given: list[Service] = []
    for service in network.services:
        free = _free(network, service, taken) if not service.addresses and not service.requested else None
        taken |= {free} if free else set()
        given.append(replace(service, addresses=(free,)) if free else service)
    return replace(network, services=tuple(given))


def of_the_site(network: Network) -> Network:
    """The network without speakers that somebody else configures: nobody here knows how they would behave."""
    foreign = {(end.address, end.peer) for end in network.ends if end.software is Software.OTHER}
    ends = (e for e in network.ends if not {(e.address, e.peer), (e.peer, e.address)} & foreign)
    return replace(
        network,
        ends=tuple(ends),
        speakers=tuple(speaker for speaker in network.speakers if speaker.software is not Software.OTHER),
        announcements=tuple(item for item in network.announcements if item.software is not Software.OTHER),
    )


def _free(network: Network, service: Service, taken: set[IPAddress]) -> IPAddress | None:
    """The first address that nobody has, of the pools that serve the Service."""
    for pool in network.pools:
        wanted = pool.name in service.pools if service.pools else pool.automatic
        if pool.use is PoolUse.LOAD_BALANCER and wanted:
            found = next((address for address in pool.cidr.hosts() if address not in taken), None)
            if found is not None:
                return found
    return None


def place(network: Network, replicas: int = REPLICAS) -> Placement:
    """Round robin over the workers (over all nodes where there are none), one Service after the other."""
    workers = [node.name for node in network.nodes if node.role is Role.WORKER] or [n.name for n in network.nodes]
    count = min(replicas, len(workers))
    endpoints: dict[str, tuple[str, ...]] = {}
    start = 0
    for service in network.services:
        if service.addresses:
            chosen = {workers[(start + index) % len(workers)] for index in range(count)}
            endpoints[label(service)] = tuple(name for name in workers if name in chosen)
            start += count
    return Placement(endpoints, _blocks(network))


def _blocks(network: Network) -> dict[str, tuple[IPNetwork, ...]]:
    """A block for each node from each pool of pods, the first ones in the order of nodes."""
    found: dict[str, list[IPNetwork]] = {node.name: [] for node in network.nodes}
    for pool in network.pools:
        if pool.use is PoolUse.PODS and pool.cidr.prefixlen <= pool.block_size <= pool.cidr.max_prefixlen:
            blocks: Iterator[IPNetwork] = iter(pool.cidr.subnets(new_prefix=pool.block_size))
            for node, block in zip(network.nodes, blocks, strict=False):
                found[node.name].append(block)
    return {name: tuple(blocks) for name, blocks in found.items()}


def served(network: Network, placement: Placement, node: str) -> tuple[IPAddress, ...]:
    """Service addresses that answer on a node: where an endpoint is; with policy Cluster on every node."""
    return tuple(
        address
        for service in network.services
        for address in service.addresses
        if service.policy is TrafficPolicy.CLUSTER or node in placement.endpoints[label(service)]
    )


def announced(network: Network, placement: Placement, node: str) -> tuple[IPNetwork, ...]:
    """Host routes that Calico makes on a node for Services, as confd does.

    Only addresses inside `serviceLoadBalancerIPs`; with aggregation no host route for policy Cluster.
    """
    calico = network.calico
    here = next((one for one in network.nodes if one.name == node), None)
    if calico is None or here is None or here.excluded:
        return ()
    found: list[IPNetwork] = []
    for service in network.services:
        nodes = placement.endpoints.get(label(service), ())
        local = service.policy is TrafficPolicy.LOCAL
        if not nodes or (node not in nodes if local else calico.aggregate):
            continue
        found += [host(a) for a in service.addresses if any(_within(a, cidr) for cidr in calico.advertised)]
    return tuple(found)


def _within(address: IPAddress, cidr: IPNetwork) -> bool:
    return address.version == cidr.version and address in cidr
