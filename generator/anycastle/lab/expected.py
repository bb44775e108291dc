"""What must follow from the plan: which sessions stand, and what each router's kernel holds.

The nodes' announcements decide, not what a router lets in: a router that refuses what it is sent is what the lab is to
find.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from anycastle.lab import bird, gobgp
from anycastle.lab.placement import Placement, announced
from anycastle.network.addresses import IPAddress, IPNetwork, PoolUse
from anycastle.network.bgp import Announcement, End, Router, Software
from anycastle.network.model import Network
from anycastle.network.questions import host, on_router
from anycastle.records import dataclass

Table = Mapping[IPNetwork, frozenset[IPAddress]]
"""Prefix -> its next hops."""
FRR_HOLD = 180


@dataclass(frozen=True, slots=True)
class Absent:
    """Hosts whose announcements do not count: `control` for API addresses, `services` for those of Services."""

    control: frozenset[str] = frozenset()
    services: frozenset[str] = frozenset()


EVERYBODY = Absent()


def tables(network: Network, placement: Placement, absent: Absent = EVERYBODY) -> dict[str, Table]:
    """Router -> what BGP must have put into its kernel."""
    return {router.name: table(network, placement, router, absent) for router in network.routers}


def table(network: Network, placement: Placement, router: Router, absent: Absent) -> Table:
    """The table of one router."""
    found: dict[IPNetwork, set[IPAddress]] = {}
    callers = callers_of(network, router, absent.services)
    for announcement in network.announcements:
        out = absent.control if announcement.software is Software.KUBE_VIP else absent.services
        for name in announcement.hosts:
            next_hops = callers.get((name, announcement.software, announcement.prefix.version), ())
            if next_hops and name not in out:
                for prefix in _prefixes(network, placement, announcement, name):
                    found.setdefault(prefix, set()).update(next_hops)
    return {prefix: frozenset(hops) for prefix, hops in found.items()}


def callers_of(
    network: Network, router: Router, silent: Set[str] = frozenset()
) -> Mapping[tuple[str, Software, int], Set[IPAddress]]:
    """(host, software, family) -> next hops of its announcements: its own address, behind a route reflector as well.

    Calico's BIRD offers every path that it knows (`add paths on`), and the reflectors keep the next hop; `silent` ones
    pass nothing on. There are several with two links to the router, and on a reflector behind a link: the other one
    passes on its address on lo. A router that has no link to that address has a longer way to it than to others.
    """
    callers: dict[tuple[str, Software, int], set[IPAddress]] = {}
    for end in node_ends(network, router):
        callers.setdefault((end.host, end.software, end.address.version), set()).add(end.address)
    keeping = {(end.host, end.address.version) for end in node_ends(network, router) if end.keeps_next_hop}
    owner = {address: node.name for node in network.nodes for address in node.addresses}
    linked = {prefix for one in network.routers for prefix, _via in one.reaches}
    far = linked - {prefix for prefix, _via in router.reaches}
    for end in network.inside:
        passed_on = owner.get(end.peer) not in silent and (owner.get(end.peer), end.address.version) in keeping
        if passed_on and host(end.address) not in far:
            callers.setdefault((end.host, end.software, end.address.version), set()).add(end.address)
    return callers


def _prefixes(network: Network, placement: Placement, announcement: Announcement, node: str) -> Iterator[IPNetwork]:
    whole = announcement.prefix
    if announcement.software is Software.KUBE_VIP:
        yield whole
    elif any(pool.use is PoolUse.PODS and pool.cidr == whole for pool in network.pools):
        yield from (block for block in placement.blocks.get(node, ()) if _inside(block, whole))
    else:
        if whole in bird.aggregates(network, node):
            yield whole
        yield from (prefix for prefix in announced(network, placement, node) if _inside(prefix, whole))


def _inside(prefix: IPNetwork, whole: IPNetwork) -> bool:
    return prefix.version == whole.version and prefix.subnet_of(whole)  # type: ignore[arg-type]


def addresses(network: Network, router: Router) -> frozenset[IPAddress]:
    """Every address by which nodes may know a router."""
    return frozenset(
        (*router.addresses, *(end.address for end in network.ends if on_router(end) and end.host == router.name))
    )


def node_ends(network: Network, router: Router) -> Iterator[End]:
    """The nodes' ends that point at a router."""
    known = addresses(network, router)
    return (end for end in network.ends if not on_router(end) and end.peer in known)


def peers(network: Network, router: Router) -> Mapping[IPAddress, tuple[End, ...]]:
    """Neighbour address -> the speakers of that node that dial the router, one if the plan is sound.

    A neighbour of whom only the router knows has none.
    """
    found: dict[IPAddress, tuple[End, ...]] = {
        end.peer: () for end in network.ends if on_router(end) and end.host == router.name
    }
    for end in node_ends(network, router):
        found[end.address] = (*found.get(end.address, ()), end)
    return found


def hold(network: Network) -> int:
    """The longest hold time in seconds that two ends agree on: the lower one of both counts."""
    offered = {(end.address, end.peer): _offer(end) for end in network.ends}
    agreed = [
        min(seconds, offered.get((peer, own), seconds))
        for (own, peer), seconds in offered.items()
        if (peer, own) in offered
    ]
    return max(agreed, default=FRR_HOLD)


def _offer(end: End) -> int:
    default = {Software.KUBE_VIP: gobgp.HOLD, Software.CALICO: bird.HOLD, Software.BIRD: bird.HOLD}
    return end.hold or default.get(end.software, FRR_HOLD)
