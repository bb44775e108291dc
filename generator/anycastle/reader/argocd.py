"""Argo CD's Applications: which folders and charts they name, with which values, in which wave."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from anycastle.finding import NOWHERE, Place
from anycastle.reader import kustomize, unread
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.merging import Values
from anycastle.reader.notes import Notes
from anycastle.reader.value_files import ValueFiles, folder_of, ours, sources, spelled
from anycastle.records import dataclass
from anycastle.schemas.shape import mapping, sequence, text
from anycastle.yamlio import Document
from anycastle.yamlio import Path as Keys

_LOST = frozenset(("ARGO002", "ARGO003", "ARGO005", "ARGO007"))
"""Findings after which the values of a source are not all there."""
_IN_CLUSTER = frozenset(("https://kubernetes.default.svc", "in-cluster"))
WAVE = "argocd.argoproj.io/sync-wave"
OPTIONS = "argocd.argoproj.io/sync-options"


class Form(StrEnum):
    """What a source is."""

    CHART = "chart"  # a chart of this repository
    UPSTREAM = "upstream"  # a chart of a Helm repository or registry
    FOLDER = "folder"  # manifests of this repository


@dataclass(frozen=True, slots=True)
class Source:
    """One source of an Application, with its value files as paths of this repository, in their order.

    `layers` are further documents with values, over the files and under `inline`. `files` are those that a
    kustomization lists, None where all of a folder are meant. `incomplete` = a value file could not be found.
    """

    app: str
    form: Form
    path: str
    where: Place = field(compare=False)
    version: str = ""
    version_where: Place = field(default=NOWHERE, compare=False)
    release: str = ""
    namespace: str = ""
    value_files: tuple[str, ...] = ()
    inline: tuple[Values, ...] = ()
    recurse: bool = False
    layers: tuple[Document, ...] = field(default=(), compare=False)
    files: tuple[str, ...] | None = None
    incomplete: bool = False


@dataclass(frozen=True, slots=True)
class Application:
    """One Application; `protected` = it is neither pruned nor does its deletion cascade.

    `server` is the cluster that it goes to, empty for the one that the engine runs in.
    """

    name: str
    wave: int
    protected: bool
    sources: tuple[Source, ...]
    where: Place = field(compare=False)
    server: str = ""

    @property
    def key(self) -> str:
        """Tells units apart that have the same name."""
        return f"{self.where.path}:{self.where.line} {self.name}"


def is_application(item: Object) -> bool:
    """Whether Argo CD syncs it as a unit."""
    return item.group == "argoproj.io" and item.kind == "Application"


def applications(items: Iterable[Object], tree: Tree, repository: str, notes: Notes) -> tuple[Application, ...]:
    """Every Application in the order of waves, then names."""
    found = [item for item in items if is_application(item)]
    urls = ours(found, tree, repository)
    read = (_Reader(item, tree, repository, urls, notes).application() for item in found)
    return tuple(sorted(read, key=lambda app: (app.wave, app.name)))


class _Reader:
    """One Application while it is read."""

    def __init__(self, item: Object, tree: Tree, declared: str, urls: frozenset[str], notes: Notes) -> None:
        self.item = item
        self.tree = tree
        self.declared = declared
        self.urls = urls
        self.notes = notes
        refs = {text(entry, "ref"): self._is_ours(entry) for _keys, entry in sources(item) if text(entry, "ref")}
        self.values = ValueFiles(item, tree, refs, notes)

    def application(self) -> Application:
        """The Application with those of its sources that can be followed."""
        return Application(
            name=self.item.name,
            wave=self._wave(),
            protected=self._protected(),
            sources=tuple(source for keys, entry in sources(self.item) for source in self._source(keys, entry)),
            where=self.item.place(("metadata", "name")),
            server=self._server(),
        )

    def _server(self) -> str:
        destination = mapping(self.item.spec, "destination")
        server = text(destination, "server") or text(destination, "name")
        return "" if server in _IN_CLUSTER else server

    def _wave(self) -> int:
        value = self.item.annotations.get(WAVE, "0")
        if isinstance(value, (str, int)) and re.fullmatch(r"[+-]?\d{1,18}", str(value)):
            return int(value)
        self.notes.add(
            "ARGO004",
            self.item.place(("metadata", "annotations", WAVE)),
            f"The sync wave of {self.item.name} is {value!r}; Argo CD reads it as 0 in silence.",
            'Write a whole number in quotes, such as "-20".',
        )
        return 0

    def _protected(self) -> bool:
        options = {part.strip() for part in str(self.item.annotations.get(OPTIONS, "")).split(",")}
        if mapping(self.item.spec, "syncPolicy", "automated").get("prune") is True:
            return False
        kept = not self.declared and not sequence(self.item.value, "metadata", "finalizers")  # of another hand
        return kept or {"Prune=false", "Delete=false"} <= options

    def _is_ours(self, entry: Mapping[str, Any]) -> bool:
        return spelled(text(entry, "repoURL")) in self.urls

    def _source(self, keys: Keys, entry: dict[str, Any]) -> Iterator[Source]:
        path, chart = text(entry, "path"), text(entry, "chart")
        if chart:
            yield self._chart(keys, entry, Form.UPSTREAM, chart)
            return
        if self._is_ours(entry):
            self._check_url(keys, entry)
        if path and not self._is_ours(entry):
            self.notes.add(
                "ARGO005",
                self.item.place((*keys, "path")),
                f"{self.item.name} takes {path} from {text(entry, 'repoURL')}, which is not this repository; "
                "what it brings was not checked.",
            )
            self.notes.unread(*unread.parts_elsewhere(path))
        elif path:
            yield from self._ours_at(keys, entry, path)

    def _check_url(self, keys: Keys, entry: dict[str, Any]) -> None:
        url = text(entry, "repoURL")
        if self.declared and spelled(url) != spelled(self.declared):
            self.notes.add(
                "ARGO008",
                self.item.place((*keys, "repoURL")),
                f"{self.item.name} reads {url}, but the site file names {self.declared}: what is changed here reaches "
                "the cluster only if both hold the same.",
                f"Write {self.declared}, or change gitops.repository in site.yaml.",
            )

    def _ours_at(self, keys: Keys, entry: dict[str, Any], path: str) -> Iterator[Source]:
        named = folder_of(path)
        place = self.item.place((*keys, "path"))
        leads_out = named.startswith(("..", "/"))
        folder = None if leads_out else self.tree.located(named, self.item.folder)
        if leads_out:
            self.notes.add(
                "ARGO007",
                place,
                f"{path} leads out of the repository; Argo CD refuses it.",
                "Write a path from the repository's root, without `..` and a leading slash.",
            )
        elif folder is None or not self.tree.has_folder(folder):
            self.notes.add(
                "ARGO001",
                place,
                f"There is no folder {named} in this repository, so {self.item.name} never syncs.",
                unread.cure_of_absence(named, self.tree),
            )
            self.notes.unread(*unread.CLUSTER)
        elif self.tree.has_file(posixpath.join(folder, "Chart.yaml")):
            yield self._chart(keys, entry, Form.CHART, folder)
        else:
            yield from self._folder(keys, entry, folder)

    def _folder(self, keys: Keys, entry: dict[str, Any], folder: str) -> Iterator[Source]:
        built = kustomize.built(self.tree, folder, self.notes) if kustomize.file_of(self.tree, folder) else None
        yield Source(
            app=self.item.name,
            form=Form.FOLDER,
            path=folder,
            where=self.item.place((*keys, "path")),
            namespace=self._namespace(entry),
            recurse=mapping(entry, "directory").get("recurse") is True,
            files=tuple(built.files) if built is not None else None,
        )

    def _namespace(self, entry: dict[str, Any]) -> str:
        return text(entry, "helm", "namespace") or text(self.item.spec, "destination", "namespace")

    def _chart(self, keys: Keys, entry: dict[str, Any], form: Form, path: str) -> Source:
        before = len(self.notes.findings)
        value_files = tuple(self.values.paths(keys, entry, path if form is Form.CHART else None))
        incomplete = any(finding.code in _LOST for finding in self.notes.findings[before:])
        return Source(
            app=self.item.name,
            form=form,
            path=path,
            where=self.item.place((*keys, "chart" if form is Form.UPSTREAM else "path")),
            version=text(entry, "targetRevision").removeprefix("v") if form is Form.UPSTREAM else "",
            version_where=self.item.place((*keys, "targetRevision")),
            release=text(entry, "helm", "releaseName") or self.item.name,
            namespace=self._namespace(entry),
            value_files=value_files,
            incomplete=incomplete,
            inline=tuple(self.values.inline(keys, entry)),
        )
