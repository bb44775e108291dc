"""Many addresses and many names in few words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.network.bgp import Announcement
from anycastle.network.canonical import address_key
from anycastle.network.cluster import Node

FEW = 8
"""So many names are written out."""


def in_address_order(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Nodes as a person counts them: by address, since `n10` comes before `n2` by name."""
    return tuple(sorted(nodes, key=lambda node: (address_key(node.addresses[0]), node.name)))


def addresses(items: Iterable[IPAddress]) -> str:
    """`192.168.10.17-192.168.10.19, 192.168.10.24`: neighbouring addresses as one span."""
    return ", ".join(_span(first, last) for first, last in runs(items))


def runs(items: Iterable[IPAddress]) -> list[tuple[IPAddress, IPAddress]]:
    """First and last of every run of neighbouring addresses, in order."""
    result: list[tuple[IPAddress, IPAddress]] = []
    for address in sorted(set(items), key=address_key):
        last = result[-1][1] if result else None
        if last is not None and last.version == address.version and int(address) == int(last) + 1:
            result[-1] = (result[-1][0], address)
        else:
            result.append((address, address))
    return result


def _span(first: IPAddress, last: IPAddress) -> str:
    return str(first) if first == last else f"{first}-{last}"


def names(items: Sequence[str]) -> str:
    """All names of a few, else the first, the last and how many."""
    if len(items) <= FEW:
        return ", ".join(items) or "nobody"
    return f"{items[0]} to {items[-1]} ({len(items)} nodes)"


def prefixes(prefix: IPNetwork, shortest: int, longest: int) -> str:
    """Which prefixes are meant: `192.168.20.1/32`, `/32s of 192.168.20.64/26`, `... and parts down to /32`."""
    if prefix.prefixlen == shortest == longest:
        return str(prefix)
    if shortest == longest:
        return f"/{shortest}s of {prefix}"
    if prefix.prefixlen == shortest:
        return f"{prefix} and parts down to /{longest}"
    return f"/{shortest} to /{longest} of {prefix}"


def announced(item: Announcement) -> str:
    """The prefixes of an announcement in words."""
    return prefixes(item.prefix, item.shortest, item.longest)


def count(number: int, one: str, many: str = "") -> str:
    """`1 worker`, `5 workers`."""
    return f"{number} {one if number == 1 else many or one + 's'}"
