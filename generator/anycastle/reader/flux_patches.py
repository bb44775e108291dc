"""What a Kustomization of Flux does to the objects of its folder: its patches, and the namespace that it puts them in.

The outer ones come first: they may write the patches, the path and the source of those that they apply.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from anycastle.reader import flux, flux_units
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.patching import Patch, all_unclear, patched, patches
from anycastle.schemas.shape import sequence, text


def applied(engine: Sequence[Object], manifests: Sequence[Object], tree: Tree) -> tuple[list[Object], list[Object]]:
    """The objects of the engine and the others, as they reach the cluster."""
    items = list(engine), list(manifests)
    done: set[str] = set()
    told: list[Any] = []
    seen: dict[str, tuple[str, ...]] = {}
    files: dict[str, frozenset[str] | None] = {}
    holders: dict[str, str] = {}
    while any(_acts(item) for item in items[0] if flux.identity(item) not in done):
        before, told = told, [_told(item) for item in items[0]]
        if told != before:
            files = flux_units.folders(items[0], items[1], tree, seen)
            holders = dict(flux_units.inside(items[0], files))
        turn = [name for name in sorted(files) if name not in done and _free(name, holders, done)]
        if not turn:
            break
        done.update(turn)
        now = {flux.identity(item): item for item in items[0]}
        for name in turn:
            items = _through(now[name], files[name], items[0]), _through(now[name], files[name], items[1])
    return _unreached(*items, tree, seen)


def _told(item: Object) -> object:
    """What the files of Kustomizations follow from. Most patches leave it alone."""
    name = flux.identity(item)
    if flux.is_kustomization(item):
        return name, item.spec.get("path"), item.spec.get("sourceRef")
    return name if flux.is_release(item) else (name, item.value)


def _unreached(
    engine: list[Object], manifests: list[Object], tree: Tree, seen: dict[str, tuple[str, ...]]
) -> tuple[list[Object], list[Object]]:
    """Objects that nothing here seems to apply, and that patches here are meant for, may be patched all the same."""
    listed = [patch for item in engine if flux.is_kustomization(item) for patch in patches(_patches(item))]
    if not listed:
        return engine, manifests
    paths = [one for one in flux_units.folders(engine, manifests, tree, seen).values() if one is not None]
    known = frozenset[str]().union(*paths)
    return _doubted(engine, known, listed), _doubted(manifests, known, listed)


def _doubted(items: list[Object], known: frozenset[str], listed: list[Patch]) -> list[Object]:
    doubtful = iter(all_unclear([item for item in items if item.source not in known], listed))
    return [item if item.source in known else next(doubtful) for item in items]


def _patches(item: Object) -> list[Any]:
    return sequence(item.spec, "patches")


def _acts(item: Object) -> bool:
    spec = item.spec
    return flux.is_kustomization(item) and bool(_patches(item) or text(spec, "targetNamespace"))


def _free(name: str, holders: Mapping[str, str], done: set[str]) -> bool:
    """Whether everything that applies a Kustomization has had its turn; a circle has none."""
    seen: set[str] = set()
    while name in holders and name not in seen:
        seen.add(name)
        name = holders[name]
        if name not in done:
            return name in seen
    return True


def _through(by: Object, files: frozenset[str] | None, items: Sequence[Object]) -> list[Object]:
    listed = list(patches(_patches(by)))
    if files is None:  # it applies something, and nobody knows which folder that is
        return all_unclear(items, listed)
    space = text(by.spec, "targetNamespace")
    return [_placed(patched(item, listed), space) if item.source in files else item for item in items]


def _placed(item: Object, space: str) -> Object:
    return replace(item, release_namespace=space) if space else item
