"""Parts of load-balancer pools: what is reserved in them, and what was written of them."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import collapse_addresses
from itertools import pairwise

from anycastle.finding import Severity
from anycastle.network.addresses import IPNetwork, PoolUse
from anycastle.network.model import Network
from anycastle.network.prefixes import indexed
from anycastle.network.questions import host
from anycastle.rules.pools import of_use
from anycastle.rules.registry import Fault, rule


@rule("POOL011", "Reservations lie inside pools and leave addresses", Severity.WARNING)
def reservations(network: Network) -> Iterator[Fault]:
    """A reservation keeps Calico from choosing an address.

    Outside of all pools nothing is kept from anybody. Over a whole pool, no Service gets an address of it unless it
    names one; that is an error.

    Source: libcalico-go/lib/ipam (reservations are asked in autoAssign); Calico documentation, IPReservation.
    """
    pools = indexed(pool.cidr for pool in network.pools)
    for item in network.reservations:
        outside = [cidr for cidr in item.cidrs if not pools.touch(cidr)]
        if outside:
            yield Fault(
                item.where,
                f"The reservation {item.name} holds {outside[0]}, which is in no pool: it keeps nothing from anybody.",
                "Write a part of a pool, or take it out.",
            )
    merged = indexed(_merged(cidr for item in network.reservations for cidr in item.cidrs))
    for pool in of_use(network, PoolUse.LOAD_BALANCER):
        if pool.automatic and merged.hold(pool.cidr):
            yield Fault(
                pool.where,
                f"All of the load-balancer pool {pool.name} ({pool.cidr}) is reserved: no Service is given an address.",
                "Reserve less, or add a pool.",
                Severity.ERROR,
            )


def _merged(cidrs: Iterator[IPNetwork]) -> Iterator[IPNetwork]:
    listed = list(cidrs)
    for version in (4, 6):
        yield from collapse_addresses(cidr for cidr in listed if cidr.version == version)  # type: ignore[type-var]


@rule("SVC007", "No Service asks for a reserved address", Severity.WARNING)
def reserved_wish(network: Network) -> Iterator[Fault]:
    """A reservation binds Calico's own choice only: whoever names the address gets it.

    So the Service and whatever the address was reserved for may end up with the same one.

    Source: libcalico-go/lib/ipam/ipam.go (assignIP asks no reservation).
    """
    index = {item.name: indexed(item.cidrs) for item in network.reservations}
    for service in network.services:
        for address in service.addresses:
            name = next((name for name, cidrs in index.items() if cidrs.hold(host(address))), None)
            if name is not None:
                yield Fault(
                    service.where,
                    f"Service {service.namespace}/{service.name} asks for {address}, which is reserved ({name}), and "
                    "gets it all the same.",
                    "Ask for another address, or end the reservation before it.",
                )


@rule("POOL012", "Ranges of one pool are written without contradiction", Severity.WARNING)
def ranges_agree(network: Network) -> Iterator[Fault]:
    """Where a network and a range of one pool overlap, one of them was meant and the other is left over.

    The wider one counts, since Calico refuses a pool inside another: more addresses are given away and announced than
    the narrower one says.

    Source: libcalico-go clientv3/ippool.go (overlapping pools); field case of a /24 beside a range of five.
    """
    by_pool = {item.pool: [one for one in network.declared.ranges if one.pool == item.pool]
               for item in network.declared.ranges}  # fmt: skip
    for pool, ranges in by_pool.items():
        spans = sorted(ranges, key=lambda one: (one.first.version, int(one.first), -int(one.last)))
        for one, other in pairwise(spans):
            if one.first.version == other.first.version and int(other.first) <= int(one.last):
                yield Fault(
                    other.where,
                    f"Two ranges of the pool {pool} overlap, {one.first} to {one.last} and {other.first} to "
                    f"{other.last}: the wider counts, and all of it is announced.",
                    "Write each address once.",
                )
