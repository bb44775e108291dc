"""Ranges that the sources state: of pods, of Services, and of others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from anycastle.fields import parse_range
from anycastle.importing.cells import Cell, cell, without_nothing
from anycastle.importing.merged import Merged

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


def service_pools(merged: Merged) -> list[dict[str, Any]]:
    """Pools of Services, and what Calico announces beside them."""
    made = [
        {
            "name": _label(name.partition(" ")[0]),
            **without_nothing({key: cell(entry.get(key)) for key in ("ranges", "block_size", "assignment")}),
        }
        for name, entry in merged.entries("pools").items()
        if "ranges" in entry
    ]
    covered = [network for pool in made for network in parse_range(list(pool["ranges"].value))]
    for entry in merged.entries("advertised").values():
        (network,) = parse_range(entry["cidr"].value)
        if not any(network.version == one.version and network.overlaps(one) for one in covered):
            made.append({"name": "loadbalancer-pool", "ranges": Cell([entry["cidr"].value], entry["cidr"].where)})
    told = [entry["cidr"].value for entry in merged.entries("advertised").values()]
    made.sort(key=lambda pool: told.index(pool["ranges"].value[0]) if pool["ranges"].value[0] in told else len(told))
    return _unique(_joined(made))


def _joined(pools: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """`name`, `name-2`, `name-3` that are alike are one pool of several ranges, as this program writes it."""
    found: dict[str, dict[str, Any]] = {}
    for pool in pools:
        base, _, number = str(pool["name"]).rpartition("-")
        first = found.get(base)
        if first is not None and number == str(len(first["ranges"].value) + 1) and _alike(first, pool):
            both = first["ranges"]
            found[base] = {**first, "ranges": Cell([*both.value, *pool["ranges"].value], both.where)}
        else:
            found[str(pool["name"]) if str(pool["name"]) not in found else f"{pool['name']} {len(found)}"] = dict(pool)
    return list(found.values())


def _alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(_value(one.get(key)) == _value(other.get(key)) for key in ("block_size", "assignment"))


def _value(leaf: Any) -> Any:
    return leaf.value if isinstance(leaf, Cell) else leaf


def reserved(merged: Merged) -> list[dict[str, Any]]:
    """Ranges of others."""
    return _unique(
        [
            {"name": _label(name.partition(" ")[0]), "range": cell(entry["range"])}
            for name, entry in merged.entries("reserved").items()
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
