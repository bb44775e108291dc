"""Which files show something and are no part of a cluster.

By evidence: a file below a folder that is called examples, docs, tests, or that belongs to a forge, is a sample, unless
an object of the GitOps engine or a kustomization outside of such folders names the folder that it lies in. Where
nothing but such files describes a cluster, they are what is meant.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from anycastle.finding import Place
from anycastle.reader import kustomize
from anycastle.reader.documents import Family, Object
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, mappings, text

_FOLDERS = frozenset(
    (
        *("example", "examples", "sample", "samples", "demo", "demos", "doc", "docs", "documentation"),
        *("test", "tests", "testdata", "testing", "fixtures", "e2e", "molecule", "experiments", "experimental"),
        *("archive", "_archive", "archived", "deprecated", "disabled", "boilerplate", "playground", "hack"),
        *(".github", ".gitlab", ".forgejo", ".gitea", ".woodpecker", ".circleci"),
    )
)


_ASIDE = frozenset(("bak", "old", "orig", "disabled"))
_ENDINGS = frozenset(("example", "sample", "template", "tmpl")) | _ASIDE
"""The last word of a name, as in `secret.example.yaml` and `apps.bak/`, of what is kept beside the real thing."""


def folder_of(path: str) -> str:
    """The outermost folder above a file that holds samples, or the file that is one; empty where there is none."""
    parts = path.split("/")
    for index, part in enumerate(parts[:-1]):
        if part.lower() in _FOLDERS or ("." in part and part.lower().rpartition(".")[2] in _ASIDE):
            return "/".join(parts[: index + 1])
    stem, _, ending = parts[-1].lower().rpartition(".")
    word = stem.rpartition(".")[2]
    shown = word == "template" or (word in _ENDINGS and "." in stem)
    return path if ending in ("yaml", "yml") and shown else ""


def paths(tree: Tree, items: Iterable[Object], notes: Notes) -> frozenset[str]:
    """The samples among the files of a repository."""
    doubtful = [path for path in tree.paths if folder_of(path)]
    if not doubtful:
        return frozenset()
    listed = list(items)
    if not any(not folder_of(item.source) for item in listed):
        return frozenset()
    named = {posixpath.normpath(name) for name in _named(tree, listed, notes)}
    return frozenset(path for path in doubtful if not any(_inside(path, name) for name in named))


def _inside(path: str, name: str) -> bool:
    return name in (".", path) or path.startswith(f"{name}/")


def _named(tree: Tree, items: Iterable[Object], notes: Notes) -> Iterator[str]:
    """Folders and files that engine objects and kustomizations outside of samples name, where they lie in samples."""
    for folder in kustomize.folders(tree):
        if not folder_of(f"{folder}/x"):
            yield from (path for path in kustomize.built(tree, folder, notes).files if folder_of(path))
    for item in items:
        if item.family is Family.ENGINE and not folder_of(item.source):
            yield from (path for path in _paths_of(item) if folder_of(f"{path}/x"))


def _paths_of(item: Object) -> Iterator[str]:
    spec = item.spec
    if item.kind == "ApplicationSet":
        spec = mapping(spec, "template", "spec")
    entries = [spec, mapping(spec, "source"), *(entry for _keys, entry in mappings(spec, "sources"))]
    yield from (path for entry in entries if (path := text(entry, "path").removeprefix("./").rstrip("/")))
    if chart := text(item.spec, "chart", "spec", "chart"):
        yield chart.removeprefix("./")


def say(found: Iterable[Object], notes: Notes) -> None:
    """One note for each folder of samples that holds objects."""
    counts: dict[str, int] = {}
    for item in found:
        folder = folder_of(item.source)
        counts[folder] = counts.get(folder, 0) + 1
    for folder, count in sorted(counts.items()):
        what = "an object" if count == 1 else f"{count} objects"
        notes.add(
            "READ015",
            Place(folder),
            f"Taken for samples: {what} that nothing here applies; what they say was not checked.",
        )
