"""Who is in whose way: each conflict of owners belongs to exactly one rule, decided here."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from anycastle.finding import Place
from anycastle.network.addresses import IPAddress, IPNetwork, Owner, OwnerKind, Subnet
from anycastle.network.bgp import Software
from anycastle.network.model import Network
from anycastle.network.questions import address_owners as _address_owners
from anycastle.network.questions import host, range_owners, wired
from anycastle.records import dataclass
from anycastle.rules.memo import asked_again
from anycastle.rules.ranges import Ranges, overlapping

FIXED = frozenset((OwnerKind.SUBNET, OwnerKind.RESERVED))
"""What stands outside the cluster: where something overlaps it, the other one has to move."""

_PRECEDENCE = (OwnerKind.ROUTER, OwnerKind.GATEWAY, OwnerKind.NODE, OwnerKind.VIP, OwnerKind.SERVICE)


@asked_again
def address_owners(network: Network) -> tuple[Owner, ...]:
    """Owners of single addresses (`network.questions.address_owners`), for rules that ask one after the other."""
    return tuple(_address_owners(network))


@dataclass(frozen=True, slots=True)
class Overlap:
    """A range that has to move, and the ranges that it is in the way of."""

    blamed: Owner
    others: tuple[Owner, ...]


@asked_again
def _links(network: Network) -> tuple[Owner, ...]:
    """Networks of routers' interfaces, as far as nothing else here is known to be there."""
    known = [*(subnet.cidr for subnet in network.subnets), *(reserved.cidr for reserved in network.reserved)]
    found: dict[IPNetwork, Owner] = {}
    for router in network.routers:
        for cidr, where in router.links:
            if not any(overlapping(cidr, one) for one in known):
                found.setdefault(
                    cidr, Owner(kind=OwnerKind.SUBNET, name=f"behind {router.name}", prefix=cidr, where=where)
                )
    return tuple(found.values())


def all_ranges(network: Network) -> tuple[Owner, ...]:
    """Ranges with their owners, the links of routers included."""
    return (*range_owners(network), *_links(network))


@asked_again
def range_conflicts(network: Network) -> tuple[Overlap, ...]:
    """Overlapping ranges, one entry for each that has to move.

    One range that covers several others is one mistake. Otherwise what is fixed outside stays, then what is
    narrower stays. Load-balancer pools on a node subnet are left out: `pools_on_link` has them.
    """
    pairs = [pair for pair in Ranges(all_ranges(network)).overlaps() if _conflict(*pair)]
    covered = Counter(id(outer) for outer, _inner in pairs)
    blamed: dict[int, tuple[Owner, list[Owner]]] = {}
    for outer, inner in pairs:
        first, second = (outer, inner) if covered[id(outer)] > 1 or _moves(outer, inner) else (inner, outer)
        blamed.setdefault(id(first), (first, []))[1].append(second)
    return tuple(Overlap(owner, tuple(others)) for owner, others in blamed.values())


def _conflict(outer: Owner, inner: Owner) -> bool:
    if {outer.kind, inner.kind} in ({OwnerKind.RESERVED}, {OwnerKind.LOAD_BALANCER, OwnerKind.SUBNET}):
        return False
    dhcp_scope = outer.kind is OwnerKind.SUBNET and inner.kind is OwnerKind.RESERVED
    return not (dhcp_scope and outer.prefix != inner.prefix)


def _moves(outer: Owner, inner: Owner) -> bool:
    if (outer.kind in FIXED) != (inner.kind in FIXED):
        return inner.kind in FIXED
    return outer.prefix != inner.prefix


def pools_on_link(network: Network) -> Iterator[tuple[Owner, Owner]]:
    """Load-balancer pools that overlap a node subnet, with that subnet."""
    subnets = [owner for owner in all_ranges(network) if owner.kind is OwnerKind.SUBNET]
    for pool in range_owners(network):
        if pool.kind is OwnerKind.LOAD_BALANCER:
            yield from ((pool, subnet) for subnet in subnets if overlapping(pool.prefix, subnet.prefix))


@asked_again
def shared_addresses(network: Network) -> tuple[tuple[Owner, ...], ...]:
    """Addresses with several owners; the first of them keeps it: routers before nodes before addresses of services."""
    groups: dict[IPAddress, list[Owner]] = defaultdict(list)
    for owner in address_owners(network):
        groups[owner.prefix.network_address].append(owner)
    return tuple(tuple(sorted(owners, key=_precedence)) for owners in groups.values() if len(owners) > 1)


def _precedence(owner: Owner) -> tuple[int, tuple[str, int, list[tuple[int, str]]]]:
    return (_PRECEDENCE.index(owner.kind), natural(owner.where))


def natural(where: Place) -> tuple[str, int, list[tuple[int, str]]]:
    """A key by which `nodes[9]` comes before `nodes[10]`."""
    parts = where.key.replace("]", "").replace("[", ".").split(".")
    return (where.path, where.line, [(int(part), "") if part.isdigit() else (-1, part) for part in parts])


@asked_again
def wires(network: Network) -> frozenset[IPNetwork]:
    """Addresses of nodes on links of two, which need no subnet."""
    return frozenset(host(end.address) for end in wired(network))


@asked_again
def lost_nodes(network: Network) -> tuple[Owner, ...]:
    """Addresses of nodes in no subnet, in families that have one; what has two owners is left out."""
    families = {subnet.cidr.version for subnet in network.subnets}
    subnets = Ranges(owner for owner in range_owners(network) if owner.kind is OwnerKind.SUBNET)
    explained = {owners[0].prefix for owners in shared_addresses(network)}
    return tuple(
        owner
        for owner in address_owners(network)
        if owner.kind is OwnerKind.NODE
        and owner.prefix.version in families
        and owner.prefix not in explained
        and owner.prefix not in wires(network)
        and next(subnets.holding(owner.prefix), None) is None
    )


@asked_again
def empty_subnets(network: Network) -> tuple[Subnet, ...]:
    """Subnets without a node of theirs while several nodes have no subnet: the subnet is wrong, not each node."""
    lost = Counter(owner.prefix.version for owner in lost_nodes(network))
    addresses = [owner.prefix.network_address for owner in address_owners(network) if owner.kind is OwnerKind.NODE]
    return tuple(
        subnet
        for subnet in network.subnets
        if lost[subnet.cidr.version] > 1 and not any(address in subnet.cidr for address in addresses)
    )


def settled_vips(network: Network) -> tuple[IPAddress, ...]:
    """The API addresses on which all kube-vips agree; about the others there is a finding already."""
    vips = network.api.vips if network.api else ()
    return tuple(vip for vip in vips if all(vip in kube_vip.vips for kube_vip in network.kube_vips))


def vip_owner(network: Network, vip: IPAddress) -> Owner:
    """An API address as an owner, at the place that names just this one."""
    prefix = host(vip)
    api = network.api
    places = (a.where for a in network.announcements if a.software is Software.KUBE_VIP and a.prefix == prefix)
    where = next(places, api.where if api else Place())
    return Owner(kind=OwnerKind.VIP, name=api.name if api else "", prefix=prefix, where=where)


@dataclass(frozen=True, slots=True)
class Squatter:
    """An address inside a range that belongs to something else."""

    owner: Owner
    range: Owner


@asked_again
def squatters(network: Network) -> tuple[Squatter, ...]:
    """Addresses of nodes, routers and the API inside foreign ranges, as far as no other conflict explains it."""
    excused = _entangled(network)
    ranges = Ranges(owner for owner in all_ranges(network) if _key(owner) not in excused)
    explained = {owners[0].prefix for owners in shared_addresses(network)}
    explained |= {host(vip) for vip in (network.api.vips if network.api else ()) if vip not in settled_vips(network)}
    found = (
        (owner, foreign)
        for owner in address_owners(network)
        if owner.prefix not in explained and (foreign := _foreign(network, owner, ranges))
    )
    return tuple(
        Squatter(vip_owner(network, owner.prefix.network_address) if owner.kind is OwnerKind.VIP else owner, foreign)
        for owner, foreign in found
    )


def _key(owner: Owner) -> tuple[OwnerKind, str, str]:
    return (owner.kind, owner.name, str(owner.prefix))


def _entangled(network: Network) -> set[tuple[OwnerKind, str, str]]:
    found = {_key(owner) for overlap in range_conflicts(network) for owner in (overlap.blamed, *overlap.others)}
    found |= {_key(pool) for pool, _subnet in pools_on_link(network)}
    return {key for key in found if key[0] is not OwnerKind.SUBNET}


def _foreign(network: Network, owner: Owner, ranges: Ranges) -> Owner | None:
    if owner.kind is OwnerKind.SERVICE:
        return None
    held = {found.kind: found for found in ranges.holding(owner.prefix)}
    subnet = held.pop(OwnerKind.SUBNET, None)
    if owner.kind is OwnerKind.VIP:
        accepted = held.get(OwnerKind.RESERVED) if network.declared.vip_on_link else None
        return held.get(OwnerKind.LOAD_BALANCER) or accepted or subnet or next(iter(held.values()), None)
    if owner.kind is not OwnerKind.NODE:
        held.pop(OwnerKind.RESERVED, None)
    elif (
        subnet is None
        and owner.prefix not in wires(network)
        and any(item.cidr.version == owner.prefix.version for item in network.subnets)
    ):
        return None
    return next(iter(held.values()), None)


def misplaced_pools(network: Network) -> set[str]:
    """Names of load-balancer pools that have to move anyway: on a link, over the API address, over another range."""
    pools = [pool for pool, _subnet in pools_on_link(network)]
    pools += [found.range for found in squatters(network)]
    pools += [overlap.blamed for overlap in range_conflicts(network)]
    return {pool.name for pool in pools if pool.kind is OwnerKind.LOAD_BALANCER}
