"""Files that say the same for different clusters or stages: they never meet, so neither overwrites the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from anycastle.reader.argocd import Application, Form
from anycastle.reader.delivery import below
from anycastle.reader.documents import CLUSTER, Object


def elsewhere(units: Iterable[Application], manifests: Sequence[Object]) -> dict[str, str]:
    """Files that only units for another cluster apply, each with that cluster."""
    servers: dict[str, set[str]] = defaultdict(set)
    for unit in units:
        for source in unit.sources:
            for item in below(source, manifests) if source.form is Form.FOLDER else ():
                servers[item.source].add(unit.server)
    return {path: min(found) for path, found in servers.items() if len(found) == 1 and min(found)}


def apart(
    manifests: Sequence[Object], reached: frozenset[str], abroad: Mapping[str, str], *, governed: bool = False
) -> list[Object]:
    """The same objects, in which those that never meet have a scope each.

    Besides those for another cluster: nobody applies the files here, and they bear one name in folders side by side,
    such as `dev/web.yaml` and `prod/web.yaml`; or an engine applies the repository (`governed`), and not these files;
    or of two files in a folder one can stand for the other, and a person applies one of them.
    """
    found = [replace(item, scope=f"{CLUSTER} {abroad[item.source]}") if item.source in abroad else item
             for item in manifests]  # fmt: skip
    described: dict[tuple[str, str, str, str], set[str]] = defaultdict(set)
    for item in found:
        if item.source not in reached:
            described[_identity(item)].add(item.source)
    twins = {path for paths in described.values() for path in paths if any(_side_by_side(path, one) for one in paths)}
    twins |= {path for paths in described.values() for path in paths if governed}
    choices = _choices([item for item in found if item.source not in reached])
    scopes = {item.source: f"{CLUSTER} {item.source if item.source in choices else item.folder}" for item in found}
    return [replace(item, scope=scopes[item.source]) if item.source in twins | choices else item for item in found]


def _choices(items: Iterable[Object]) -> set[str]:
    """Files of one folder of which one describes all that the other does, which is more than one object.

    A single object that two files describe is a slip: somebody copied the file and forgot the name.
    """
    described: dict[str, set[tuple[str, str, str, str]]] = defaultdict(set)
    beside: dict[tuple[object, ...], set[str]] = defaultdict(set)
    for item in items:
        described[item.source].add(_identity(item))
        beside[item.folder, *_identity(item)].add(item.source)
    pairs = {pair for paths in beside.values() for pair in permutations(sorted(paths), 2)}
    return {path for pair in pairs if _covers(*(described[one] for one in pair)) for path in pair}


def _covers(more: set[tuple[str, str, str, str]], less: set[tuple[str, str, str, str]]) -> bool:
    return len(more) > 1 and less <= more


def _identity(item: Object) -> tuple[str, str, str, str]:
    return item.group, item.kind, item.namespace, item.name


def _side_by_side(path: str, other: str) -> bool:
    """Whether two paths differ in the name of one folder."""
    ours, theirs = path.split("/"), other.split("/")
    differing = [at for at, (one, two) in enumerate(zip(ours, theirs, strict=False)) if one != two]
    return len(ours) == len(theirs) and len(differing) == 1 and differing[0] < len(ours) - 1
