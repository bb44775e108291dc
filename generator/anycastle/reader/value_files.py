"""Which sources of an Application are this repository, and where its value files lie.

A source is *ours* where its repository is the one being read: the one that the site file names, else any whose
path or value files are found here.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from anycastle.finding import Place
from anycastle.reader import unread
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.merging import Values, parameter
from anycastle.reader.notes import Notes
from anycastle.records import dataclass
from anycastle.schemas.shape import mapping, sequence, text
from anycastle.yamlio import Path as Keys


def sources(item: Object) -> Iterator[tuple[Keys, dict[str, Any]]]:
    """With `sources` Argo CD ignores `source`."""
    several = sequence(item.spec, "sources")
    for index, entry in enumerate(several):
        if isinstance(entry, dict):
            yield ("spec", "sources", index), entry
    if not several and isinstance(item.spec.get("source"), dict):
        yield ("spec", "source"), item.spec["source"]


def ours(items: Iterable[Object], tree: Tree, repository: str) -> frozenset[str]:
    """URLs, in one spelling, that mean this repository: the one that is declared, and those of what is found here."""
    urls = {spelled(repository)} if repository else set[str]()
    for item in items:
        entries = [entry for _keys, entry in sources(item)]
        files = [name for entry in entries for name in sequence(entry, "helm", "valueFiles") if isinstance(name, str)]
        for entry in entries:
            path, ref = text(entry, "path"), text(entry, "ref")
            here = bool(path) and tree.located(folder_of(path), item.folder) is not None
            named = (name.removeprefix(f"${ref}/") for name in files if name.startswith(f"${ref}/")) if ref else ()
            if here or any(tree.located(name, item.folder) is not None for name in named):
                urls.add(spelled(text(entry, "repoURL")))
    return frozenset(urls)


def folder_of(path: str) -> str:
    """A path of a source as a folder of the tree; the empty path is its root."""
    folder = posixpath.normpath(path)
    return "" if folder == "." else folder


def spelled(url: str) -> str:
    """One spelling for https, ssh and scp-like URLs of a repository."""
    plain = re.sub(r"^[a-z+]+://", "", url.strip())
    host, separator, path = plain.partition("/")
    if ":" in host and not separator:
        host, _, path = plain.partition(":")
    elif ":" in host:
        host, _, rest = host.partition(":")
        path = path if rest.isdigit() else f"{rest}/{path}"
    host = host.rpartition("@")[2].lower()
    return f"{host}/{path.strip('/').removesuffix('.git')}"


@dataclass(frozen=True, slots=True)
class ValueFiles:
    """The value files of one Application. `refs` says of each named source whether it is this repository."""

    item: Object
    tree: Tree
    refs: Mapping[str, bool]
    notes: Notes

    def paths(self, keys: Keys, entry: dict[str, Any], chart: str | None) -> Iterator[str]:
        """Paths in this repository, in their order; `chart` is the folder of a chart that lies here."""
        for index, name in enumerate(sequence(entry, "helm", "valueFiles")):
            place = self.item.place((*keys, "helm", "valueFiles", index))
            path = self._resolved(name, chart, place) if isinstance(name, str) else None
            if path is None:
                continue
            located = self.tree.located(path, self.item.folder)
            if located is not None and self.tree.has_file(located):
                yield located
            elif mapping(entry, "helm").get("ignoreMissingValueFiles") is not True:
                self.notes.add(
                    "ARGO002",
                    place,
                    f"There is no file {path} in this repository, so Argo CD cannot render {self.item.name}.",
                    unread.cure_of_absence(path, self.tree, "add the file (it may be empty)"),
                )

    def _resolved(self, name: str, chart: str | None, place: Place) -> str | None:
        """Path in this repository of a value file, or None where it is elsewhere or nowhere."""
        if name.startswith("$"):
            ref, _, path = name[1:].partition("/")
            if ref not in self.refs:
                self._unknown_ref(ref, place)
                return None
            if not self.refs[ref]:
                self._elsewhere(name, place)
                return None
        elif "://" in name or chart is None:
            self._beside_the_chart(name, place)
            return None
        else:
            path = name[1:] if name.startswith("/") else posixpath.join(self.tree.folder, chart, name)
        normal = posixpath.normpath(path)
        if normal.startswith(".."):
            self.notes.add(
                "ARGO007",
                place,
                f"{name} leads out of the repository; Argo CD refuses it.",
                "Count the `../` from the chart's folder.",
            )
            return None
        return normal

    def _unknown_ref(self, ref: str, place: Place) -> None:
        known = ", ".join(f"${name}" for name in sorted(self.refs)) or "none"
        self.notes.add(
            "ARGO003",
            place,
            f"No source of {self.item.name} has ref: {ref} (known: {known}), so Argo CD cannot find the value file.",
            f"Add `ref: {ref}` to the source of the Git repository, or correct the name.",
        )

    def _beside_the_chart(self, name: str, place: Place) -> None:
        """A plain name means a file inside the upstream chart, which is seldom meant where such a file lies here."""
        here = [path for path in (name, name.partition("/")[2]) if path and self.tree.has_file(path)]
        if not here:
            self._elsewhere(name, place)
            return
        ref = next((ref for ref, mine in self.refs.items() if mine), "values")
        self.notes.add(
            "ARGO003",
            place,
            f"{name} does not begin with `$` and the name of a source: Argo CD looks for it inside the chart, in vain.",
            f"Write ${ref}/{here[0]}.",
        )

    def _elsewhere(self, name: str, place: Place) -> None:
        self.notes.add("ARGO005", place, f"The value file {name} is not in this repository; it was not read.")

    def inline(self, keys: Keys, entry: dict[str, Any]) -> Iterator[Values]:
        """Layers over the value files: `valuesObject`, else `values`, then the parameters."""
        from anycastle import yamlio

        helm = mapping(entry, "helm")
        if isinstance(helm.get("valuesObject"), dict):
            yield helm["valuesObject"]
        elif text(helm, "values"):
            place = self.item.place((*keys, "helm", "values"))
            loaded = yamlio.load(text(helm, "values"), place.path, place.line)
            self.notes.findings += loaded.findings
            yield from (document.value for document in loaded.documents[:1] if isinstance(document.value, dict))
        for index, given in enumerate(sequence(helm, "parameters")):
            layer = parameter(
                text(given, "name"),
                str(mapping(given).get("value", "")),
                text=mapping(given).get("forceString") is True,
            )
            if layer is None:
                place = self.item.place((*keys, "helm", "parameters", index))
                self.notes.add("READ007", place, "This parameter sets an entry of a list, which was not followed.")
            else:
                yield layer
