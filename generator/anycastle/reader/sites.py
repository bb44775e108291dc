"""Several clusters in one folder: each is judged alone, since two of them may say the same thing in different ways.

Recognised by evidence: a folder with `.anycastle/` is a repository of its own; two or more folders below `clusters/`
(at the root or one or two folders deep; at the root also `environments/`, `envs/`, `overlays/`) are clusters that share
what lies elsewhere, except what bears another cluster's name in its path, or what only another cluster applies. So are
folders side by side that each hold `flux/` and `apps/`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from anycastle.finding import Finding
from anycastle.reader import files
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes
from anycastle.reader.repository import Repository, read, read_tree
from anycastle.records import dataclass

MARK = ".anycastle"
CLUSTERS = ("clusters", "environments", "envs", "overlays")
_ROOM = 10_000
"""Files that are read for all clusters together, where they lie deeper than the root: each is read once for each."""
_SHARED_BY_NOBODY = "READ006"
"""A chart is unused only where no cluster uses it."""


@dataclass(frozen=True, slots=True)
class Part:
    """A cluster, and the folder to which its paths are relative; empty for the folder that was given."""

    folder: str
    repository: Repository


def parts(root: Path, cache: Path | None = None, meanwhile: Callable[[], None] = lambda: None) -> tuple[Part, ...]:
    """Everything at `root`, one cluster after the other; a single one where nothing tells several apart.

    `meanwhile` may be called once, while Helm renders the charts of a single one: the other processor is idle then.
    """
    notes = Notes()
    tree = files.tree(root, notes)
    marked = _marked(tree)
    if marked:
        return tuple(_repositories(root, tree, marked, notes, cache))
    above, names = _clusters(tree)
    if len(names) > 1:
        return tuple(_views(tree, above, names, notes, cache))
    return (Part("", read_tree(tree, notes, cache, meanwhile)),)


def _marked(tree: Tree) -> tuple[str, ...]:
    """The outermost folders that hold a repository of their own; none where the root is one."""
    found = {path.partition(f"/{MARK}/")[0] for path in tree.paths if f"/{MARK}/" in path}
    if any(path.startswith(f"{MARK}/") for path in tree.paths):
        return ()
    return tuple(sorted(one for one in found if not any(one.startswith(f"{other}/") for other in found)))


def _repositories(root: Path, tree: Tree, marked: tuple[str, ...], notes: Notes, cache: Path | None) -> Iterator[Part]:
    inside = frozenset(path for path in tree.paths if any(path.startswith(f"{folder}/") for folder in marked))
    rest = read_tree(tree.without(inside), notes, cache)
    if rest.objects or rest.network.routers:
        yield Part("", rest)
    for folder in marked:
        yield Part(folder, read(root / folder, cache))


def _clusters(tree: Tree) -> tuple[str, tuple[str, ...]]:
    """Names of the folders below `clusters/` and its like that hold manifests; the first with two or more counts."""
    for above in (*CLUSTERS, *sorted({base for path in tree.paths for base in _deeper(path)})):
        found = {path.removeprefix(f"{above}/").split("/")[0] for path in tree.paths if _below(path, above)}
        names = tuple(sorted(name for name in found if _holds_yaml(tree, f"{above}/{name}/")))
        if len(names) > 1 and (above in CLUSTERS or len(names) * len(tree.paths) < _ROOM):
            return above, names
    return _engines(tree)


def _engines(tree: Tree) -> tuple[str, tuple[str, ...]]:
    """Folders side by side, each with what Flux is told (`flux/`) and what it brings (`apps/`)."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in tree.paths:
        parts = path.split("/")
        for depth in (1, 2):
            told = parts[depth : depth + 1] == ["flux"] and path.endswith((".yaml", ".yml"))
            if told and tree.has_folder("/".join((*parts[:depth], "apps"))):
                found["/".join(parts[: depth - 1])].add(parts[depth - 1])
    most = len(tree.paths)
    above = next((above for above, names in sorted(found.items()) if 1 < len(names) < _ROOM / most), "")
    return above, tuple(sorted(found[above]))


def _below(path: str, above: str) -> bool:
    """Whether a path lies in a folder below `above`."""
    return path.startswith(f"{above}/") and path.count("/") > above.count("/") + 1


def _deeper(path: str) -> Iterator[str]:
    """`kubernetes/clusters` and its like: one or two folders above those of the clusters."""
    parts = path.split("/")[:-2]
    yield from ("/".join(parts[: at + 1]) for at in (1, 2) if parts[at : at + 1] == [CLUSTERS[0]])


def _holds_yaml(tree: Tree, base: str) -> bool:
    return any(path.startswith(base) and path.endswith((".yaml", ".yml")) for path in tree.paths)


def _views(tree: Tree, above: str, names: tuple[str, ...], notes: Notes, cache: Path | None) -> Iterator[Part]:
    seen = {name: tree.without(_of_others(tree, above, name, names)) for name in names}
    first = {name: read_tree(view, _copied(notes), cache) for name, view in seen.items()}
    result: list[Repository] = []
    for name in names:
        own = first[name].reached
        foreign = frozenset(path for other in names if other != name for path in first[other].reached - own)
        foreign &= frozenset(seen[name].paths)
        result.append(read_tree(seen[name].without(foreign), _copied(notes), cache) if foreign else first[name])
    unused = [frozenset(f for f in one.findings if f.code == _SHARED_BY_NOBODY) for one in result]
    everywhere = frozenset.intersection(*unused)
    for one in result:
        kept = tuple(f for f in one.findings if f.code != _SHARED_BY_NOBODY or f in everywhere)
        yield Part("", replace(one, findings=kept))


def _of_others(tree: Tree, above: str, name: str, names: tuple[str, ...]) -> frozenset[str]:
    """Files in another cluster's folder. Elsewhere those with its name as a folder, or as the file's own.

    Not so where nothing but the folders beside each other told them apart: they may be called `main` and `network`.
    """
    base = f"{above}/" if above else ""
    others = set(names) - {name}
    named = above.rpartition("/")[2] in CLUSTERS

    def is_others(path: str) -> bool:
        parts = path.split("/")
        owner = (
            path[len(base) :].split("/", maxsplit=1)[0]
            if path.startswith(base) and path.count("/") > base.count("/")
            else ""
        )
        if owner in names:
            return owner != name
        return bool(named and others & {*parts[:-1], parts[-1].partition(".")[0]} and name not in parts)

    return frozenset(path for path in tree.paths if is_others(path))


def _copied(notes: Notes) -> Notes:
    """What was noted of the tree belongs to each of its views."""
    result = Notes()
    result.findings = list[Finding](notes.findings)
    return result
