"""Many networks at once: which of them contain or touch another one, without asking each.

Rules compare every pool with every filter, route and announcement; with thousands of pools only an index can.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network, collapse_addresses
from typing import Generic, TypeVar

from anycastle.network.addresses import IPNetwork

Item = TypeVar("Item")


class Prefixes(Generic[Item]):
    """Things that belong to networks, in the order given; a look-up costs one step for each length in use."""

    def __init__(self, items: Iterable[tuple[IPNetwork, Item]]) -> None:
        self._at: dict[tuple[int, int, int], list[tuple[int, Item]]] = defaultdict(list)
        starts: dict[int, list[tuple[int, int, Item]]] = {4: [], 6: []}
        for order, (prefix, item) in enumerate(items):
            first = int(prefix.network_address)
            self._at[prefix.version, prefix.prefixlen, first].append((order, item))
            starts[prefix.version].append((first, order, item))
        self._lengths = sorted({(version, length) for version, length, _first in self._at})
        self._sorted = {version: sorted(found, key=lambda entry: entry[:2]) for version, found in starts.items()}
        self._starts = {version: [first for first, _order, _item in found] for version, found in self._sorted.items()}

    def around(self, prefix: IPNetwork) -> list[Item]:
        """What belongs to networks that contain all of `prefix`."""
        return _listed(self._around(prefix))

    def touching(self, prefix: IPNetwork) -> list[Item]:
        """What belongs to networks that have an address in common with `prefix`."""
        low, high = self._between(prefix)
        inside = ((order, item) for _first, order, item in self._sorted[prefix.version][low:high])
        return _listed({**self._around(prefix), **dict(inside)})

    def hold(self, prefix: IPNetwork) -> bool:
        """Whether one of the networks contains all of `prefix`."""
        return bool(self._around(prefix))

    def touch(self, prefix: IPNetwork) -> bool:
        """Whether one of the networks has an address in common with `prefix`."""
        low, high = self._between(prefix)
        return low < high or self.hold(prefix)

    def _around(self, prefix: IPNetwork) -> dict[int, Item]:
        found: dict[int, Item] = {}
        first, bits = int(prefix.network_address), prefix.max_prefixlen
        for version, length in self._lengths:
            if version == prefix.version and length <= prefix.prefixlen:
                start = first >> (bits - length) << (bits - length)
                found.update(self._at.get((version, length, start), ()))
        return found

    def _between(self, prefix: IPNetwork) -> tuple[int, int]:
        """The stored networks that begin inside of `prefix`."""
        starts = self._starts[prefix.version]
        low = bisect_left(starts, int(prefix.network_address))
        return low, bisect_right(starts, int(prefix.broadcast_address))


def _listed(found: dict[int, Item]) -> list[Item]:
    return [found[order] for order in sorted(found)]


def indexed(networks: Iterable[IPNetwork]) -> Prefixes[IPNetwork]:
    """Networks that belong to themselves."""
    return Prefixes((network, network) for network in networks)


def merged(networks: Iterable[IPNetwork]) -> tuple[IPNetwork, ...]:
    """The smallest list of networks that holds all of these and nothing else, IPv4 first."""
    found = set(networks)
    four = (one for one in found if isinstance(one, IPv4Network))
    six = (one for one in found if isinstance(one, IPv6Network))
    return (*collapse_addresses(four), *collapse_addresses(six))
