"""Where the GitOps engine's own pods are told of the way out: values of its chart, patches of Flux, Deployments."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from anycastle.finding import Place
from anycastle.reader import documents, kustomize
from anycastle.reader.argocd import Source
from anycastle.reader.charts import Answered
from anycastle.reader.documents import Object
from anycastle.reader.egress import Pods
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, mappings, sequence, text

_FETCHING = {"repo-server": "argo-cd", "source-controller": "flux"}
"""End of a Deployment's name -> the engine that it fetches for."""


def pods(
    brought: Iterable[tuple[Source, Answered]], objects: Iterable[Object], tree: Tree, notes: Notes
) -> Iterator[Pods]:
    """All of them."""
    yield from _of_values(brought)
    yield from _of_objects(tuple(objects))
    yield from _of_flux(tree, notes)


def _of_values(brought: Iterable[tuple[Source, Answered]]) -> Iterator[Pods]:
    """Values of the chart argo-cd, where the chart is not here."""
    for source, given in brought:
        if source.path == "argo-cd":
            server, common = mapping(given.values, "repoServer"), mapping(given.values, "global")
            yield Pods(
                program="argo-cd",
                env=[*sequence(common, "env"), *sequence(server, "env")],
                volumes=[*sequence(common, "extraVolumes"), *sequence(server, "volumes")],
                texts=dict(_texts(sequence(given.values, "extraObjects"))),
                where=given.answers.at(("repoServer", "env")) or given.answers.at(("repoServer",)) or source.where,
            )


def _of_objects(objects: tuple[Object, ...]) -> Iterator[Pods]:
    """Deployments that a chart in the repository renders, or that a person wrote."""
    for item in objects:
        program = next((name for end, name in _FETCHING.items() if item.name.endswith(end)), "")
        if item.kind == "Deployment" and program:
            pod = mapping(item.spec, "template", "spec")
            yield Pods(
                program=program,
                env=list(_env(pod)),
                volumes=sequence(pod, "volumes"),
                texts=dict(_texts(one.value for one in objects if one.kind == "ConfigMap")),
                where=item.place(("spec", "template", "spec", "containers")),
            )


def _of_flux(tree: Tree, notes: Notes) -> Iterator[Pods]:
    """Patches beside `gotk-components.yaml`, by which `flux bootstrap` is told how to change what it writes."""
    for folder in kustomize.folders(tree):
        path = kustomize.file_of(tree, folder)
        data = tree.data(path, notes) if path else None
        if data is None or b"gotk-components.yaml" not in data or b"patches" not in data:
            continue
        found = documents.load(data, path).documents
        value = found[0].value if found else None
        texts = dict(_generated(value, folder, tree, notes))
        for keys, entry in mappings(value, "patches"):
            yield from _patch(text(entry, "patch"), path, found[0].place(*keys), texts)


def _patch(patch: str, path: str, where: Place, texts: Mapping[str, str]) -> Iterator[Pods]:
    for document in documents.load(patch.encode(), path).documents if patch else ():
        pod = mapping(document.value, "spec", "template", "spec")
        if pod:
            yield Pods(program="flux", env=list(_env(pod)), volumes=sequence(pod, "volumes"), texts=texts, where=where)


def _env(pod: dict[str, Any]) -> Iterator[Any]:
    for _keys, container in mappings(pod, "containers"):
        yield from sequence(container, "env")


def _texts(values: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Name and whole text of each ConfigMap."""
    for value in values:
        if text(value, "kind") == "ConfigMap":
            yield text(value, "metadata", "name"), "".join(map(str, mapping(value, "data").values()))


def _generated(value: object, folder: str, tree: Tree, notes: Notes) -> Iterator[tuple[str, str]]:
    for _keys, entry in mappings(value, "configMapGenerator"):
        paths = (posixpath.join(folder, str(name).rpartition("=")[2]) for name in sequence(entry, "files"))
        yield text(entry, "name"), "".join(tree.text(path, notes) or "" for path in paths if tree.has_file(path))
