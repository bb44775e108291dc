"""Questions about ranges that several rules ask: who holds an address, what overlaps, what is still free."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from ipaddress import ip_address, ip_network

from anycastle.network.addresses import IPAddress, IPNetwork, Owner, OwnerKind
from anycastle.network.model import Network
from anycastle.network.prefixes import Prefixes, indexed
from anycastle.network.questions import address_owners, host, range_owners
from anycastle.rules.memo import asked_again

_ORDER = tuple(OwnerKind)

MOST_BLOCKS = 64
"""Blocks that are tried before no proposal is made."""

_PRIVATE = {4: ip_network("10.0.0.0/8"), 6: ip_network("fd00::/8")}


class Ranges:
    """Ranges sorted by their first address, each with the one around it.

    Two networks nest or are apart, so one pass with a stack finds every overlap in O(n log n + overlaps), and
    a look-up is one bisection.
    """

    def __init__(self, owners: Iterable[Owner]) -> None:
        self._owners = sorted(owners, key=lambda owner: (*_start(owner.prefix), owner.prefix.prefixlen, _rank(owner)))
        self._starts = [_start(owner.prefix) for owner in self._owners]
        self._around: list[int] = []
        stack: list[int] = []
        for index, owner in enumerate(self._owners):
            while stack and not _inside(owner.prefix, self._owners[stack[-1]].prefix):
                stack.pop()
            self._around.append(stack[-1] if stack else -1)
            stack.append(index)

    def holding(self, prefix: IPNetwork) -> Iterator[Owner]:
        """The ranges that contain a prefix, the narrowest first."""
        index = bisect_right(self._starts, _start(prefix)) - 1
        while index >= 0:
            if _inside(prefix, self._owners[index].prefix):
                yield self._owners[index]
            index = self._around[index]

    def overlaps(self) -> Iterator[tuple[Owner, Owner]]:
        """Every pair of overlapping ranges, the wider first."""
        for index, inner in enumerate(self._owners):
            around = self._around[index]
            while around >= 0:
                yield self._owners[around], inner
                around = self._around[around]


def _start(prefix: IPNetwork) -> tuple[int, int]:
    return (prefix.version, int(prefix.network_address))


def _rank(owner: Owner) -> tuple[int, str]:
    return (_ORDER.index(owner.kind), owner.name)


def _inside(inner: IPNetwork, outer: IPNetwork) -> bool:
    return (
        inner.version == outer.version
        and inner.prefixlen >= outer.prefixlen
        and int(inner.network_address) >> (inner.max_prefixlen - outer.prefixlen)
        == int(outer.network_address) >> (outer.max_prefixlen - outer.prefixlen)
    )


def within(inner: IPNetwork, outers: Iterable[IPNetwork]) -> bool:
    """Whether one of the networks contains all of `inner`."""
    return any(_inside(inner, outer) for outer in outers)


def overlapping(one: IPNetwork, other: IPNetwork) -> bool:
    """Whether two networks, of any family, have an address in common."""
    return _inside(one, other) or _inside(other, one)


def named(owner: Owner) -> str:
    """An owner with its range or address and its place."""
    single = owner.prefix.prefixlen == owner.prefix.max_prefixlen
    value = owner.prefix.network_address if single else owner.prefix
    place = f" ({owner.where})" if str(owner.where) else ""
    return f"{owner} {value}{place}"


def free_addresses(network: Network, cidr: IPNetwork) -> Iterator[IPAddress]:
    """Host addresses of a network that nobody owns and that lie in no narrower range, lowest first."""
    taken, ranges = _taken(network), _ranges(network)
    small = cidr.prefixlen >= cidr.max_prefixlen - 1
    first, last = int(cidr.network_address), int(cidr.broadcast_address)
    for value in range(first, last + 1) if small else range(first + 1, last):
        address = _address(cidr, value)
        narrowest = next(ranges.holding(host(address)), None)
        if address not in taken and (narrowest is None or narrowest.prefix.prefixlen <= cidr.prefixlen):
            yield address


@asked_again
def _taken(network: Network) -> frozenset[IPAddress]:
    return frozenset(owner.prefix.network_address for owner in address_owners(network))


@asked_again
def _ranges(network: Network) -> Ranges:
    return Ranges(range_owners(network))


@asked_again
def _owned(network: Network) -> Prefixes[IPNetwork]:
    return indexed(owner.prefix for owner in (*range_owners(network), *address_owners(network)))


def free_network(network: Network, near: IPNetwork, length: int) -> IPNetwork | None:
    """A network of that length that touches nothing: in the blocks behind `near`, or else in a private range."""
    step = 1 << (near.max_prefixlen - min(length, 24 if near.version == 4 else 64))
    owned = _owned(network)
    behind = (int(near.broadcast_address) // step + 1) * step
    private = int(_PRIVATE[near.version].network_address)
    for start in (behind, private) if private % step == 0 else (behind,):  # none is as wide as some mistakes are
        for value in range(start, min(start + MOST_BLOCKS * step, 1 << near.max_prefixlen), step):
            block = ip_network((_address(near, value), near.max_prefixlen - step.bit_length() + 1))
            if block.is_private and not owned.touch(block):
                return ip_network((block.network_address, length))
    return None


def _address(like: IPNetwork, value: int) -> IPAddress:
    address = type(like.network_address)(value)
    return ip_address(address)
