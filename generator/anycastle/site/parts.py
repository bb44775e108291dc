"""Load-balancer pools in parts: Calico knows pools of one network each, a person writes ranges.

`first-last` becomes the smallest list of networks. Nothing is rounded, and whoever shows a part says what it came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anycastle.fields import IPNetwork, parse_range
from anycastle.records import dataclass
from anycastle.site.model import LoadBalancerPool, Site


@dataclass(frozen=True, slots=True)
class Part:
    """One network of a pool. `name` is that of its IPPool: `pool`, `pool-2`, `pool-3`; `written` the range it is of."""

    name: str
    cidr: IPNetwork
    written: str

    @property
    def as_written(self) -> bool:
        """Whether the range was written as this very network."""
        return "-" not in self.written

    @property
    def span(self) -> str:
        """First and last address."""
        return f"{self.cidr[0]} to {self.cidr[-1]}"


def parts_of(pool: LoadBalancerPool) -> tuple[Part, ...]:
    """The parts of a pool, in the order of its ranges.

    Where ranges of one pool overlap, the wider network counts: Calico refuses a pool inside another one.
    """
    written: dict[IPNetwork, str] = {}
    for text in pool.ranges:
        for cidr in parse_range(text):
            written.setdefault(cidr, text)
    widest = _widest(written)
    kept = [cidr for cidr in written if cidr in widest]
    names = [pool.name if number == 1 else f"{pool.name}-{number}" for number in range(1, len(kept) + 1)]
    return tuple(Part(name, cidr, written[cidr]) for name, cidr in zip(names, kept, strict=True))


def parts(site: Site) -> Iterator[Part]:
    """The parts of all pools."""
    for pool in site.load_balancer.pools:
        yield from parts_of(pool)


def _widest(networks: Iterable[IPNetwork]) -> frozenset[IPNetwork]:
    """The networks that lie in no other one; two networks are either apart, or one holds the other."""
    kept: list[IPNetwork] = []
    for cidr in sorted(networks, key=lambda one: (one.version, int(one.network_address), one.prefixlen)):
        last = kept[-1] if kept else None
        if last is None or last.version != cidr.version or cidr.network_address not in last:
            kept.append(cidr)
    return frozenset(kept)
