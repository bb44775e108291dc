"""What Flux applies: its units in their order, and the files of each Kustomization.

A Kustomization is a unit of its manifests, a HelmRelease one of its chart. Flux has no waves; a unit's number is its
level in the graph of `dependsOn`, so that the laws of order can be asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from anycastle.reader import substitution
from anycastle.reader.argocd import Application
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.flux import after, identity, is_kustomization, is_release
from anycastle.reader.flux_sources import Sources
from anycastle.reader.levels import levels
from anycastle.reader.notes import Notes
from anycastle.records import dataclass
from anycastle.schemas.shape import text

_DISABLED = ("kustomize.toolkit.fluxcd.io/prune", "disabled")


@dataclass(frozen=True, slots=True)
class Units:
    """What Flux is told, and which files each Kustomization applies."""

    applications: tuple[Application, ...]
    files: Mapping[str, frozenset[str]]


def units(items: Sequence[Object], manifests: Sequence[Object], tree: Tree, notes: Notes) -> Units:
    """Every Kustomization and HelmRelease in the order of levels, then names."""
    own = [item for item in items if is_kustomization(item) or is_release(item)]
    if not own:
        return Units((), {})
    reader = Sources(items, manifests, tree, notes)
    sources = {identity(item): tuple(reader.of(item)) for item in own if is_kustomization(item)}
    reader.applied = tuple(source for found in sources.values() for source in found)
    sources |= {identity(item): tuple(reader.of(item)) for item in own if is_release(item)}
    files = {
        name: frozenset(reader.files(found)) for name, found in sources.items() if name.startswith("Kustomization")
    }
    inside = dict(_inside(own, files))
    waves = levels({identity(item): after(item) for item in own}, inside)
    pruned = {identity(item): item.spec.get("prune") is True for item in own if is_kustomization(item)}
    found = [
        Application(
            name=item.name,
            wave=waves[identity(item)],
            protected=_protected(item, pruned, inside),
            sources=sources[identity(item)],
            where=item.place(("metadata", "name")),
        )
        for item in own
    ]
    return Units(tuple(sorted(found, key=lambda unit: (unit.wave, unit.name, unit.where))), files)


def folders(
    items: Sequence[Object], manifests: Sequence[Object], tree: Tree, seen: dict[str, tuple[str, ...]] | None = None
) -> dict[str, frozenset[str] | None]:
    """The files that each Kustomization applies, those included that others change; None where that is unknown.

    `seen` remembers the files of folders, for who asks more than once.
    """
    reader = Sources(items, manifests, tree, Notes(), seen)
    found: dict[str, frozenset[str] | None] = {}
    for item in items:
        if is_kustomization(item):
            sources = tuple(reader.of(item))
            found[identity(item)] = frozenset(reader.files(sources)) if sources else None
    return found


def inside(items: Sequence[Object], files: Mapping[str, frozenset[str] | None]) -> Iterator[tuple[str, str]]:
    """Which Kustomization applies which object of Flux."""
    own = [item for item in items if is_kustomization(item) or is_release(item)]
    return _inside(own, {name: paths for name, paths in files.items() if paths is not None})


def variables(items: Sequence[Object], manifests: Sequence[Object], tree: Tree) -> dict[str, dict[str, str]]:
    """What each file's manifests are filled in with."""
    reader = Sources(items, manifests, tree, Notes())
    found: dict[str, dict[str, str]] = {}
    for item in items:
        known = substitution.variables(item, manifests) if is_kustomization(item) else None
        if known is not None:
            found |= dict.fromkeys(reader.files(reader.of(item)), known)
    return found


def _inside(own: Iterable[Object], files: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """Which Kustomization applies an object of Flux: the one with the fewest files that has its file."""
    own = tuple(own)
    asked = {item.source for item in own}
    holding: defaultdict[str, list[str]] = defaultdict(list)
    for one in sorted(files, key=lambda name: (len(files[name]), name)):
        for path in asked & files[one]:
            holding[path].append(one)
    for item in own:
        name = identity(item)
        holder = next((one for one in holding[item.source] if one != name), None)
        if holder is not None:
            yield name, holder


def _protected(item: Object, pruned: Mapping[str, bool], inside: Mapping[str, str]) -> bool:
    """A Kustomization that does not prune leaves everything behind; a release stays where nobody prunes it."""
    if item.annotations.get(_DISABLED[0]) == _DISABLED[1]:
        return True
    if is_kustomization(item):
        return not pruned[identity(item)] or text(item.spec, "deletionPolicy") == "Orphan"
    return not pruned.get(inside.get(identity(item), ""), False)
