"""Where Flux takes things from: the folder of a Kustomization, the chart of a HelmRelease, and what is not here."""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from anycastle.reader import kustomize, unread
from anycastle.reader.argocd import Form, Source
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.flux import is_kustomization, is_release
from anycastle.reader.flux_values import layers
from anycastle.reader.notes import Notes
from anycastle.schemas.placeholders import is_hole
from anycastle.schemas.shape import mapping, text
from anycastle.yamlio import Path as Keys

_CHART_AT: Keys = ("spec", "chart", "spec", "chart")
_REFERENCE_AT: Keys = ("spec", "chartRef", "name")
_SLIPS = 2
"""Kustomizations that name a source, up to which its name may be a slip of the pen."""


def _normal(item: Object) -> str:
    """The folder of a Kustomization; empty for the root."""
    folder = posixpath.normpath(text(item.spec, "path") or ".").lstrip("/")
    return "" if folder == "." else folder


class Sources:
    """Objects of Flux while their sources are looked up."""

    def __init__(
        self,
        items: Sequence[Object],
        manifests: Sequence[Object],
        tree: Tree,
        notes: Notes,
        seen: dict[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.seen: dict[str, tuple[str, ...]] = {} if seen is None else seen
        self.applied: tuple[Source, ...] = ()
        self.by_kind: dict[tuple[str, str], Object] = {(item.kind, item.name): item for item in items}
        self.kinds = {item.kind for item in items}
        self.spaces: dict[tuple[str, str], set[str]] = defaultdict(set)
        for item in items:
            self.spaces[item.kind, item.name].add(item.namespace)
        self.here = {text(item.spec, "sourceRef", "name") for item in items if self._is_here(item, tree)}
        self.manifests = manifests
        self.tree = tree
        self.notes = notes
        self.users = Counter(text(item.spec, "sourceRef", "name") for item in items if is_kustomization(item))
        named = Counter(text(item.spec, "sourceRef", "name") for item in items if self._is_here(item, tree))
        self.main = "flux-system" if "flux-system" in named else next((name for name, _n in named.most_common(1)), "")

    def of(self, item: Object) -> Iterator[Source]:
        """The folder of a Kustomization, or the chart of a HelmRelease."""
        if is_kustomization(item):
            yield from self._folder(item)
        else:
            yield from self._chart(item)

    @staticmethod
    def _is_here(item: Object, tree: Tree) -> bool:
        """Whether a Kustomization applies a folder of this repository: evidence of what its source is."""
        folder = _normal(item)
        return is_kustomization(item) and bool(folder) and tree.located(folder, item.folder) is not None

    def _folder(self, item: Object) -> Iterator[Source]:
        kind, name = text(item.spec, "sourceRef", "kind"), text(item.spec, "sourceRef", "name")
        folder = _normal(item)
        located = self.tree.located(folder, item.folder)
        slip = self.users[name] <= _SLIPS and name != "flux-system"  # the bootstrap's need not stand here
        if kind == "GitRepository" and kind in self.kinds and slip and self._missing(item, kind, name):
            self._no_source(item, kind, name, ("spec", "sourceRef", "name"))
        if located is None or not self._is_ours(kind, name, folder):
            self._elsewhere(item, kind, name, folder)
            return
        if located not in self.seen:
            self.seen[located] = tuple(kustomize.gathered(self.tree, located, self.notes).files)
        yield Source(
            app=item.name,
            form=Form.FOLDER,
            path=located,
            where=item.place(("spec", "path")),
            namespace=text(item.spec, "targetNamespace"),
            recurse=True,
            files=self.seen[located],
        )

    def _is_ours(self, kind: str, name: str, folder: str) -> bool:
        """Whether a source is this repository. Most sources with folders that are here tell which one that is."""
        if kind != "GitRepository":
            return folder.count("/") > 0  # an artifact that something makes of the repository
        if name == self.main or not folder:
            return name in (self.main, "flux-system")
        url, ours = (text(self._source_of(known), "url").removesuffix(".git") for known in (name, self.main))
        return not url or url == ours

    def _source_of(self, name: str) -> Mapping[str, object]:
        known = self.by_kind.get(("GitRepository", name))
        return known.spec if known is not None else {}

    def _elsewhere(self, item: Object, kind: str, name: str, folder: str) -> None:
        repositories = [known for known_kind, known in self.by_kind if known_kind == "GitRepository"]
        ours = name == "flux-system" or (repositories == [name] and name in self.here)
        if kind == "GitRepository" and ours and not item.unsettled and not is_hole(folder):
            self.notes.add(
                "FLUX006",
                item.place(("spec", "path")),
                f"There is no folder {folder} in this repository, so Kustomization {item.name} never becomes ready.",
                unread.cure_of_absence(folder, self.tree),
            )
            self.notes.unread(*unread.CLUSTER)
            return
        self.notes.add(
            "READ007",
            item.place(("spec", "sourceRef")),
            f"Kustomization {item.name} applies {folder} of {kind} {name}, which is not this repository; not checked.",
        )
        self.notes.unread(*unread.parts_elsewhere(f"{item.name}"))

    def files(self, sources: Iterable[Source]) -> Iterator[str]:
        """The files that a Kustomization applies."""
        for source in sources:
            base = f"{source.path}/" if source.path else ""
            yield from (
                source.files
                if source.files is not None
                else (path for path in self.tree.paths if path.startswith(base))
            )

    def _chart(self, item: Object) -> Iterator[Source]:
        with_values = layers(item, self.manifests, self.notes)
        template = mapping(item.spec, "chart", "spec")
        reference = mapping(template, "sourceRef") or mapping(item.spec, "chartRef")
        kind, name = text(reference, "kind"), text(reference, "name")
        chart, version, where = text(template, "chart"), text(template, "version"), _CHART_AT
        form = Form.UPSTREAM
        if kind == "GitRepository":
            folder = posixpath.normpath(chart.lstrip("/"))
            located = self.tree.located(folder, item.folder)
            if located is None or not self.tree.has_file(posixpath.join(located, "Chart.yaml")):
                self._elsewhere_chart(item, name, folder)
                return
            form, chart, version = Form.CHART, located, ""
        elif item.spec.get("chartRef"):
            origin = self.by_kind.get((kind, name))
            chart = posixpath.basename(text(origin.spec, "url").rstrip("/")) if origin else name
            version = text(origin.spec, "ref", "tag") if origin else ""
            where = _REFERENCE_AT
        self._known(item, kind, name)
        space = text(item.spec, "targetNamespace")
        yield Source(
            app=item.name,
            form=form,
            path=chart,
            where=item.place(where),
            version=version.removeprefix("v"),
            version_where=item.place((*where[:-1], "version")) if where == _CHART_AT else item.place(where),
            release=text(item.spec, "releaseName") or (f"{space}-{item.name}" if space else item.name),
            namespace=space or item.namespace,
            layers=with_values.documents,
            inline=with_values.extra,
            incomplete=with_values.incomplete,
        )

    def _known(self, item: Object, kind: str, name: str) -> None:
        """Where sources of a kind are defined here, one that is not is a misspelt name, or in another namespace."""
        at: Keys = ("spec", "chartRef") if "chartRef" in item.spec else ("spec", "chart", "spec", "sourceRef")
        if name and kind in self.kinds and self._missing(item, kind, name):
            self._no_source(item, kind, name, (*at, "name"))

    def _missing(self, item: Object, kind: str, name: str) -> bool:
        if (kind, name) in self.notes.aside or is_hole(name) or item.unsettled or self._left_out(item):
            return False
        spaces = self.spaces.get((kind, name), set())
        reference = mapping(item.spec, "chart", "spec", "sourceRef") or mapping(item.spec, "chartRef")
        reference = mapping(item.spec, "sourceRef") or reference
        space = text(reference, "namespace") or item.namespace
        moved = bool(item.release_namespace) and item.release_namespace != item.namespace
        return not spaces or not ("" in spaces or not space or moved or space in spaces)

    def _left_out(self, item: Object) -> bool:
        """Whether it lies below a folder that is applied, in a file that no list of resources there has."""
        above = [one for one in self.applied if not one.path or item.source.startswith(f"{one.path}/")]
        return bool(above) and not any(item.source in (one.files or (item.source,)) for one in self.applied)

    def _no_source(self, item: Object, kind: str, name: str, at: Keys) -> None:
        spaces = sorted(self.spaces.get((kind, name), set()))
        known = sorted(known for known_kind, known in self.by_kind if known_kind == kind)
        where = "where it is looked for" if spaces else "here"
        what = "its chart" if is_release(item) else "its files"
        self.notes.add(
            "FLUX006",
            item.place(at),
            f"There is no {kind} {name} {where}, so {item.kind} {item.name} never gets {what}.",
            f"Write namespace: {spaces[0]} beside the name." if spaces else f"Name one of: {', '.join(known)}.",
        )

    def _elsewhere_chart(self, item: Object, source: str, folder: str) -> None:
        if source not in (self.main, "flux-system"):
            self.notes.add(
                "READ007",
                item.place(_CHART_AT),
                f"HelmRelease {item.name} takes {folder} of GitRepository {source}, which is not this repository; "
                "not checked.",
            )
            self.notes.unread(*unread.parts_elsewhere(folder))
            return
        self.notes.add(
            "FLUX006",
            item.place(("spec", "chart", "spec", "chart")),
            f"There is no chart {folder} in this repository, so HelmRelease {item.name} never becomes ready.",
            unread.cure_of_absence(folder, self.tree),
        )
        self.notes.unread(*unread.parts_elsewhere(folder))
