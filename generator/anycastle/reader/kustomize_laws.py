"""What must hold of a `kustomization.yaml` by itself: Kustomize knows it, and the files that it names are there."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Any

from anycastle.reader import documents, kustomize
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes
from anycastle.schemas.placeholders import is_hole
from anycastle.schemas.shape import mapping, mappings, sequence, text
from anycastle.yamlio import Document, Path

GROUP = "kustomize.config.k8s.io"
_KINDS = ("Kustomization", "Component")
_VERSIONS = ("v1beta1", "v1", "v1alpha1")
_GENERATORS = ("configMapGenerator", "secretGenerator")
_FOLLOWED = ("spec/valuesFrom/name", "HelmRelease")


def check(tree: Tree, folder: str, notes: Notes) -> None:
    """Every law of the kustomization of a folder."""
    document = _document(tree, folder, notes)
    if document is None:
        return
    _known(document, notes)
    for keys, name in _named(document.value):
        path = posixpath.normpath(posixpath.join(folder, name))
        outside = path.startswith("..") or "://" in name or is_hole(name)
        if not outside and not tree.has_file(path) and not kustomize.kept_out(tree, path, notes):
            notes.add(
                "READ024",
                document.place(*keys),
                f"There is no {name} here: Kustomize stops, and nothing of the folder is applied.",
                "Correct the path, or add the file.",
            )


def _document(tree: Tree, folder: str, notes: Notes) -> Document | None:
    path = kustomize.file_of(tree, folder)
    data = tree.data(path, notes) if path else None
    found = documents.load(data, path).documents if data is not None else ()
    return found[0] if found and isinstance(found[0].value, dict) else None


def _known(document: Document, notes: Notes) -> None:
    """Both may be left out (kustomize api/types, Kustomization.EnforceFields)."""
    group, _, version = text(document.value, "apiVersion").rpartition("/")
    wrong = "kind" if (text(document.value, "kind") or _KINDS[0]) not in _KINDS else ""
    if (group or version) and (group != GROUP or version not in _VERSIONS):
        wrong = "apiVersion"
    if wrong:
        notes.add(
            "READ026",
            document.place(wrong),
            f"The {wrong} {text(document.value, wrong)} is none that Kustomize knows: it stops, and nothing of the "
            "folder is applied.",
            f"Write apiVersion: {GROUP}/v1beta1 and kind: Kustomization.",
        )


def _named(value: Any) -> Iterator[tuple[Path, str]]:
    """Files besides resources: those of generators, of patches, and Kustomize's own configuration."""
    for generator in _GENERATORS:
        for keys, entry in mappings(value, generator):
            for index, one in enumerate(sequence(entry, "files")):
                yield (*keys, "files", index), str(one).rpartition("=")[2]
            for index, one in enumerate(sequence(entry, "envs")):
                yield (*keys, "envs", index), str(one)
    for index, one in enumerate(sequence(value, "configurations")):
        yield ("configurations", index), str(one)
    for keys, entry in mappings(value, "patches"):
        if text(entry, "path"):
            yield (*keys, "path"), text(entry, "path")


def unfollowed(tree: Tree, release: Object, notes: Notes) -> str:
    """The name of a generated ConfigMap that gets a hash, and that the release beside it goes on naming without one.

    Kustomize replaces such names where it knows of them; of a HelmRelease it has to be told (nameReference).
    """
    document = _document(tree, release.folder, notes)
    if document is None or mapping(document.value, "generatorOptions").get("disableNameSuffixHash") is True:
        return ""
    hashed = {
        text(entry, "name")
        for _keys, entry in mappings(document.value, "configMapGenerator")
        if mapping(entry, "options").get("disableNameSuffixHash") is not True
    }
    names = [text(entry, "name") for _keys, entry in mappings(release.spec, "valuesFrom")]
    wanted = next((name for name in names if name in hashed), "")
    told = any(_tells(tree, release.folder, str(one), notes) for one in sequence(document.value, "configurations"))
    return "" if told else wanted


def _tells(tree: Tree, folder: str, name: str, notes: Notes) -> bool:
    path = posixpath.normpath(posixpath.join(folder, name))
    data = tree.data(path, notes) if tree.has_file(path) else None
    found = documents.load(data, path).documents if data is not None else ()
    return data is None or any(
        text(entry, "kind") == "ConfigMap"
        and text(entry, "version") in ("", "v1")
        and (text(spec, "path"), text(spec, "kind") or _FOLLOWED[1]) == _FOLLOWED
        for one in found
        for _keys, entry in mappings(one.value, "nameReference")
        for _at, spec in mappings(entry, "fieldSpecs")
    )
