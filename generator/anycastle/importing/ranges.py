"""Ranges that the sources state: of pods, of Services, and of others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from anycastle.fields import parse_range
from anycastle.importing.cells import Cell, cell, without_nothing
from anycastle.importing.facts import Fact
from anycastle.importing.merged import Merged
from anycastle.records import dataclass

_DEFAULT_BLOCK = {4: 26, 6: 122}
_POOL_NAMES = {4: "default-ipv4-ippool", 6: "default-ipv6-ippool"}


def service_ranges(merged: Merged) -> Cell | list[Cell] | None:
    """Ranges inside the cluster: as the cluster has them, else from a list of prefixes."""
    if (fact := merged.get("kubernetes", "service_cidrs")) is not None:
        return cell(fact)
    listed = [entry["cidr"] for entry in merged.entries("service_ranges").values() if "cidr" in entry]
    return [Cell(fact.value, fact.where) for fact in listed] or None


def pod_pools(merged: Merged) -> list[dict[str, Any]]:
    """Pools of pods; where no pool is stated, the ranges that kubeadm was given."""
    keys = ("cidr", "block_size", "encapsulation", "nat_outgoing", "export")
    made = [
        {"name": _label(name), **without_nothing({key: cell(entry.get(key)) for key in keys})}
        for name, entry in merged.entries("pods").items()
        if "cidr" in entry
    ]
    if made:
        return _unique(made)
    subnets = [entry["cidr"] for entry in merged.entries("pod_subnets").values() if "cidr" in entry]
    return [
        {"name": _POOL_NAMES[6 if ":" in fact.value else 4], "cidr": cell(fact)} for fact in subnets[: len(_POOL_NAMES)]
    ]


@dataclass(frozen=True, slots=True)
class _Pool:
    """A pool of Services as an IPPool or a prefix states it; `size` is its block size, where that is stated."""

    name: str
    ranges: Cell
    size: Fact | None = None
    assignment: Fact | None = None

    @property
    def own_size(self) -> bool:
        """Whether the block size is not Calico's default for such a range (libcalico-go clientv3/ippool.go)."""
        if self.size is None:
            return False
        (first, *_rest) = parse_range(self.ranges.value)
        return bool(self.size.value != max(_DEFAULT_BLOCK[first.version], first.prefixlen))


def service_pools(merged: Merged) -> list[dict[str, Any]]:
    """Pools of Services, and what Calico announces beside them."""
    told = [entry["cidr"] for entry in merged.entries("advertised").values()]
    pools = [
        _Pool(
            _label(name.partition(" ")[0]),
            Cell(list(e["ranges"].value), e["ranges"].where),
            e.get("size"),
            e.get("assignment"),
        )
        for name, e in merged.entries("pools").items()
        if "ranges" in e
    ]
    covered = [network for pool in pools for network in parse_range(pool.ranges.value)]
    for fact in told:
        (network,) = parse_range(fact.value)
        if not any(network.version == one.version and network.overlaps(one) for one in covered):
            pools.append(_Pool("loadbalancer-pool", Cell([fact.value], fact.where)))
    order = [fact.value for fact in told]
    pools.sort(key=lambda pool: order.index(pool.ranges.value[0]) if pool.ranges.value[0] in order else len(order))
    return _unique([_entry(parts) for parts in _joined(pools)])


def _joined(pools: Iterable[_Pool]) -> list[list[_Pool]]:
    """`name`, `name-2`, `name-3` that are alike are one pool of several ranges, as this program writes it."""
    found: list[list[_Pool]] = []
    first: dict[str, list[_Pool]] = {}
    for pool in pools:
        base, _, number = pool.name.rpartition("-")
        parts = first.get(base)
        if parts is not None and number == str(len(parts) + 1) and _alike(parts, pool):
            parts.append(pool)
        else:
            found.append([pool])
            first.setdefault(pool.name, found[-1])
    return found


def _alike(parts: Sequence[_Pool], pool: _Pool) -> bool:
    own = {part.size.value for part in parts if part.size is not None and part.own_size}
    same = not pool.own_size or not own or (pool.size is not None and pool.size.value in own)
    return same and _said(parts[0].assignment) == _said(pool.assignment)


def _said(fact: Fact | None) -> Any:
    return fact.value if fact is not None else None


def _entry(parts: Sequence[_Pool]) -> dict[str, Any]:
    first = parts[0]
    size = next((part.size for part in parts if part.own_size), None)
    ranges = Cell([text for part in parts for text in part.ranges.value], first.ranges.where)
    made = {"name": first.name, "ranges": ranges, "block_size": cell(size), "assignment": cell(first.assignment)}
    return without_nothing(made)


def reserved(merged: Merged, kind: str = "reserved") -> list[dict[str, Any]]:
    """Ranges of others; with `kept` those inside of pools that no Service gets by itself."""
    return _unique(
        [
            {"name": _label(name.partition(" ")[0]), "range": cell(entry["range"])}
            for name, entry in merged.entries(kind).items()
            if "range" in entry
        ]
    )


def _label(name: str) -> str:
    """One DNS label of a name that may hold dots."""
    return re.sub(r"[^a-z0-9-]+", "-", name.lower()).strip("-")[:63] or "pool"


def _unique(entries: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Names told apart by a number."""
    seen: Counter[str] = Counter()
    made = []
    for entry in entries:
        name = str(entry["name"])
        seen[name] += 1
        made.append({**entry, "name": name if seen[name] == 1 else f"{name}-{seen[name]}"})
    return made
