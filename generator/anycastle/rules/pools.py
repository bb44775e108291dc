"""Calico's pools: their blocks, what Calico refuses, and who is told of them."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Severity
from anycastle.network.addresses import OwnerKind, Pool, PoolUse
from anycastle.network.bgp import Software
from anycastle.network.model import Network
from anycastle.network.prefixes import Prefixes, indexed
from anycastle.network.questions import range_owners
from anycastle.rules.owners import misplaced_pools
from anycastle.rules.ranges import named
from anycastle.rules.registry import Fault, rule
from anycastle.rules.releases import older, release_of

BLOCKS = {4: range(20, 33), 6: range(116, 129)}
ASSIGN = ("AllServices", "RequestedServicesOnly")


def of_use(network: Network, use: PoolUse) -> tuple[Pool, ...]:
    """The pools of one use."""
    return tuple(pool for pool in network.pools if pool.use is use)


def _block_fits(pool: Pool) -> bool:
    return pool.block_size in BLOCKS[pool.cidr.version] and pool.block_size >= pool.cidr.prefixlen


@rule("POOL001", "A pool holds at least one block of a size that Calico knows")
def block_sizes(network: Network) -> Iterator[Fault]:
    """Calico hands addresses out in blocks, and refuses a pool that is smaller than one.

    The default block is a /26, so a small load-balancer pool needs a block size of its own. Nothing tells the
    Services but the pending state.

    Source: libcalico-go clientv3/ippool.go (20 to 32, 116 to 128; pool size).
    """
    for pool in network.pools:
        if _block_fits(pool):
            continue
        allowed = BLOCKS[pool.cidr.version]
        best = min(max(pool.cidr.prefixlen, 26 if pool.cidr.version == 4 else 122), allowed[-1])
        yield Fault(
            pool.where,
            f"Pool {pool.name} ({pool.cidr}) has blocks of /{pool.block_size}: Calico takes /{allowed[0]} to "
            f"/{allowed[-1]}, and no block that is larger than its pool. It refuses the pool, so nothing gets an "
            "address.",
            f"Write a block size of {best}.",
        )


@rule("POOL002", "The pod pools have a block for every node")
def blocks_for_nodes(network: Network) -> Iterator[Fault]:
    """A node without a block of its own gets no pod addresses, or borrows them one by one.

    Borrowed addresses are /32 routes on every node. A node with more pods than a block holds takes a second
    one, and a new node needs one, too, so there should be twice as many as nodes.

    Source: projectcalico/calico#3878; Calico IPAM documentation.
    """
    pods = of_use(network, PoolUse.PODS)
    for version in (4, 6):
        pools = [pool for pool in pods if pool.cidr.version == version and _block_fits(pool)]
        blocks = sum(1 << (pool.block_size - pool.cidr.prefixlen) for pool in pools)
        if not pools or blocks >= 2 * len(network.nodes):
            continue
        largest = min(pools, key=lambda pool: pool.cidr.prefixlen)
        missing = blocks < len(network.nodes)
        wanted = (2 * len(network.nodes) - 1).bit_length()
        yield Fault(
            largest.where,
            f"The pod pools hold {blocks} blocks (pool {largest.name}: /{largest.block_size} in {largest.cidr}) for "
            f"{len(network.nodes)} nodes: "
            + ("some nodes get no pod addresses." if missing else "nodes with many pods and new nodes get none."),
            f"Write a pool of /{max(1, largest.block_size - wanted)} or wider, or smaller blocks.",
            Severity.ERROR if missing else Severity.WARNING,
        )


@rule("POOL003", "Load-balancer pools are advertised")
def pools_advertised(network: Network) -> Iterator[Fault]:
    """Calico gives addresses away from pools, and announces what `serviceLoadBalancerIPs` lists.

    The two know nothing of each other: a pool that is not listed gives its Services addresses that nobody can
    reach.

    Source: confd pkg/backends/calico/routes.go ("Cannot advertise LoadBalancer IP - not in allow list").
    """
    if network.calico is None:
        return
    advertised = network.calico.advertised
    listed = ", ".join(map(str, advertised)) or "nothing"
    elsewhere, index = misplaced_pools(network), indexed(advertised)
    for pool in of_use(network, PoolUse.LOAD_BALANCER):
        if not index.hold(pool.cidr) and pool.name not in elsewhere:
            yield Fault(
                pool.where,
                f"Pool {pool.name} ({pool.cidr}) is not advertised ({network.calico.where or 'BGPConfiguration'} "
                f"lists {listed}): its Services get addresses that nobody announces.",
                f"Add {pool.cidr} to serviceLoadBalancerIPs of the BGPConfiguration `default`.",
            )


@rule("POOL004", "Advertised ranges hold pools and nothing else", Severity.WARNING)
def advertised_ranges(network: Network) -> Iterator[Fault]:
    """Felix drops forwarded packets to every advertised address that is no Service.

    That ends loops inside a pool. A real host inside such a range becomes unreachable through the nodes, and
    with aggregation the nodes attract the traffic of the whole range.

    Source: felix dataplane/linux/service_loop_mgr.go (serviceLoopPrevention).
    """
    if network.calico is None:
        return
    advertised = indexed(network.calico.advertised)
    pools = indexed(pool.cidr for pool in of_use(network, PoolUse.LOAD_BALANCER))
    if not all(advertised.hold(pool.cidr) for pool in of_use(network, PoolUse.LOAD_BALANCER)):
        return
    places = {a.prefix: a.where for a in network.announcements if a.software is Software.CALICO}
    foreign = Prefixes((o.prefix, o) for o in range_owners(network) if o.kind is not OwnerKind.LOAD_BALANCER)
    for cidr in network.calico.advertised:
        if pools.hold(cidr):
            continue
        others = foreign.touching(cidr)
        vips = [vip for vip in (network.api.vips if network.api else ()) if vip in cidr]
        if others or vips or not pools.touch(cidr):
            inside = named(others[0]) if others else f"the API address {vips[0]}" if vips else "no pool"
            yield Fault(
                places.get(cidr, network.calico.where),
                f"The advertised range {cidr} holds {inside}: nodes drop what they forward to it, and no Service gets "
                "an address of it.",
                "List exactly the load-balancer pools in serviceLoadBalancerIPs.",
                Severity.ERROR if others else None,
            )


@rule("POOL005", "Load-balancer pools are plain pools outside the Installation")
def plain_pools(network: Network) -> Iterator[Fault]:
    """Calico refuses a load-balancer pool with an overlay or without export.

    Where it does not refuse (native v3 definitions), `disableBGPExport` puts a reject at the top of the export
    filter: addresses are given away and never announced. Inside the Installation the operator compares every
    pool with kubeadm's pod range and stops reconciling anything.

    Source: libcalico-go validator/v3; projectcalico/calico#13704; tigera/operator ippool/validation.go.
    """
    for pool in of_use(network, PoolUse.LOAD_BALANCER):
        faults = [
            text
            for wrong, text in (
                (not pool.bgp_export, "disableBGPExport is set"),
                (pool.encapsulation not in ("None", "", "Never"), f"it has the encapsulation {pool.encapsulation}"),
                (pool.managed, "it stands in the Installation"),
            )
            if wrong
        ]
        if faults:
            yield Fault(
                pool.where,
                f"Load-balancer pool {pool.name} ({pool.cidr}) is unusable: {' and '.join(faults)}. Calico or its "
                "operator refuses it, or never announces its addresses.",
                "Write an IPPool of projectcalico.org/v3 with allowedUses: [LoadBalancer] and nothing but a cidr, a "
                "blockSize and an assignmentMode.",
            )


@rule("POOL006", "A load-balancer pool has a family that pods have, too")
def pool_family(network: Network) -> Iterator[Fault]:
    """The operator counts load-balancer pools when it decides which families pods get.

    With an IPv6 load-balancer pool and IPv4 pods it asks for an IPv6 address for every pod, and no pod starts.

    Source: tigera/operator#5377 (fixed in the operator of Calico 3.32.4).
    """
    families = {pool.cidr.version for pool in of_use(network, PoolUse.PODS)}
    calico = release_of(network, "calico")
    if not families or (calico and not older(calico, (3, 32, 4))):
        return
    for pool in of_use(network, PoolUse.LOAD_BALANCER):
        if pool.cidr.version not in families:
            yield Fault(
                pool.where,
                f"Load-balancer pool {pool.name} ({pool.cidr}) is IPv{pool.cidr.version} and no pod pool is: before "
                "3.32.4 the operator then asks for such an address for every pod, and none starts.",
                f"Add an IPv{pool.cidr.version} pod pool, or use Calico 3.32.4.",
            )


@rule("POOL009", "Calico's address management for Services is switched on")
def assignment_on(network: Network) -> Iterator[Fault]:
    """A pool alone gives no address away.

    Where the object KubeControllersConfiguration `default` exists without a loadBalancer section (older
    clusters have it), every Service stays pending, and only a log says why.

    Source: projectcalico/calico#10476, projectcalico/calico#11249.
    """
    calico = network.calico
    pools = of_use(network, PoolUse.LOAD_BALANCER)
    if calico is not None and pools and calico.assign not in ASSIGN:
        given = f"assignIPs is {calico.assign!r}" if calico.assign else "no assignIPs is written"
        yield Fault(
            calico.assign_where if calico.assign_where.path else pools[0].where,
            f"There is the load-balancer pool {pools[0].name}, but {given}: Services may stay without an address for "
            "ever.",
            "Write controllers.loadBalancer.assignIPs: RequestedServicesOnly (or AllServices) into the "
            "KubeControllersConfiguration `default`.",
        )


@rule("POOL010", "Every family of the pools has sessions")
def family_has_sessions(network: Network) -> Iterator[Fault]:
    """Calico carries each family over sessions of that family.

    There is no IPv6 over an IPv4 session as other speakers have it, so a pool without a peer of its family gets
    addresses and no announcement.

    Source: confd bird6.cfg.template; projectcalico/calico#10112.
    """
    families = {end.peer.version for end in network.ends if end.software is Software.CALICO}
    for pool in of_use(network, PoolUse.LOAD_BALANCER):
        if families and pool.cidr.version not in families:
            yield Fault(
                pool.where,
                f"Load-balancer pool {pool.name} ({pool.cidr}) is IPv{pool.cidr.version}, and Calico has no peer of "
                "that family: its addresses are never announced.",
                f"Add a BGPPeer with the router's IPv{pool.cidr.version} address.",
            )
