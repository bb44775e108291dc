"""`kustomization.yaml` as far as it only gathers: which files a folder brings.

Lists of `resources` are followed. What changes objects on the way (patches, prefixes, components) is not imitated: the
files that go through it are left out of every check, and that is said.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from anycastle.finding import Place
from anycastle.reader import documents, ignored
from anycastle.reader.documents import CLUSTER, InFile, Object
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes
from anycastle.records import dataclass
from anycastle.schemas.shape import mappings, sequence, text

FILES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_GATHERS = frozenset(
    (
        *("apiVersion", "kind", "metadata", "resources", "bases", "namespace", "generatorOptions", "buildMetadata"),
        *("sortOptions", "openapi", "crds", "configurations", "configMapGenerator", "secretGenerator"),
        *("labels", "commonLabels", "commonAnnotations", "images", "replicas"),
    )
)
"""Keys that leave alone what the network depends on."""
_BESIDE = ("patches", "patchesStrategicMerge", "patchesJson6902", "components", "transformers", "generators")
"""Keys that name files which are no objects of their own."""
MAX_DEPTH = 20
MAX_FOLDERS = 500


@dataclass(slots=True)
class Built:
    """What a folder brings: `files` as they stand, `changed` are those that something changes on the way."""

    files: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    namespaces: dict[str, str] = field(default_factory=dict)
    missing: list[tuple[str, Place]] = field(default_factory=list)
    remote: list[tuple[str, Place]] = field(default_factory=list)
    changing: list[tuple[str, Place]] = field(default_factory=list)
    generated: list[Object] = field(default_factory=list)


def file_of(tree: Tree, folder: str) -> str:
    """The kustomization of a folder; empty where there is none."""
    paths = (posixpath.join(folder, name) for name in FILES)
    return next((path for path in paths if tree.has_file(path)), "")


def built(tree: Tree, folder: str, notes: Notes) -> Built:
    """What `kustomize build FOLDER` starts from."""
    result = Built()
    _gather(_Folder(tree, folder, notes), result)
    return result


def gathered(tree: Tree, folder: str, notes: Notes) -> Built:
    """What Flux makes of a folder: every manifest below it, and what the kustomizations below it bring.

    Source: fluxcd/pkg, kustomize, scanManifests.
    """
    if file_of(tree, folder):
        return built(tree, folder, notes)
    result = Built()
    base = f"{folder}/" if folder else ""
    below = sorted(name for name in folders(tree) if name.startswith(base))
    known = frozenset(below)
    outermost = [name for name in below if not _above(name) & known]
    for name in outermost:
        _gather(_Folder(tree, name, notes), result)
    inside = tuple(f"{name}/" for name in outermost)
    result.files += [
        path
        for path in tree.paths
        if path.startswith(base) and path.endswith((".yaml", ".yml")) and not path.startswith(inside)
    ]
    return result


def _above(folder: str) -> set[str]:
    """The folders that hold a folder."""
    parts = folder.split("/")
    return {"/".join(parts[:count]) for count in range(1, len(parts))}


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder with a kustomization, and the namespace that those around it set.

    `above` are the folders that led here; `gathered` are all that were looked at, those that came twice included.
    """

    tree: Tree
    path: str
    notes: Notes
    namespace: str = ""
    above: tuple[str, ...] = ()
    gathered: list[str] = field(default_factory=list)


def _gather(here: _Folder, result: Built) -> None:
    tree, folder, notes = here.tree, here.path, here.notes
    path = file_of(tree, folder)
    data = tree.data(path, notes) if path else None
    found = documents.load(data, path).documents if data is not None else ()
    if data is None or not found or not isinstance(found[0].value, dict) or _enough(here):
        return
    here.gathered.append(folder)
    value, place = found[0].value, found[0].place
    namespace = here.namespace or text(value, "namespace")
    inner = Built()
    for key in ("resources", "bases"):
        for index, entry in enumerate(sequence(value, key)):
            if isinstance(entry, str):
                _resource(replace(here, namespace=namespace), entry, place(key, index), inner)
    changing = sorted(set(value) - _GATHERS - _meant_for_others(value, inner, here))
    result.changing += [(key, place(key)) for key in changing] + inner.changing
    result.missing += inner.missing
    result.remote += inner.remote
    result.namespaces |= inner.namespaces
    made = _generated(replace(here, namespace=namespace), value, InFile(data, path, 0))
    result.generated += [*inner.generated, *made]
    result.changed += inner.changed + (inner.files if changing else [])
    result.files += [] if changing else inner.files


def _meant_for_others(value: Mapping[str, Any], inner: Built, here: _Folder) -> set[str]:
    """`patches`, where each is for a kind that none of the files has: for what `flux bootstrap` will write."""
    patches = sequence(value, "patches")
    kinds = {text(entry, "target", "kind") for entry in patches}
    if not patches or "" in kinds or inner.remote or not any(_by_flux(name) for name in sequence(value, "resources")):
        return set()
    known: set[str] = set()
    for path in (*inner.files, *inner.changed):
        data = here.tree.data(path, here.notes)
        known |= {item.kind for item in documents.objects(data, path)} if data is not None else set()
    return set() if kinds & known else {"patches"}


def _by_flux(entry: object) -> bool:
    """Whether `flux bootstrap` writes a resource: it stands in no repository that was only just made."""
    return isinstance(entry, str) and posixpath.basename(entry) == "gotk-components.yaml"


def _enough(here: _Folder) -> bool:
    """Whether Kustomize would have stopped: a folder that leads to itself, or more of them than anybody means."""
    return here.path in here.above or len(here.above) > MAX_DEPTH or len(here.gathered) > MAX_FOLDERS


def _resource(here: _Folder, entry: str, place: Place, result: Built) -> None:
    tree = here.tree
    path = posixpath.normpath(posixpath.join(here.path, entry))
    path = "" if path == "." else path
    if "://" in entry or entry.startswith(("git@", "github.com/")) or "?ref=" in entry:
        result.remote.append((entry, place))
    elif tree.has_file(path):
        result.files.append(path)
        if here.namespace:
            result.namespaces[path] = here.namespace
    elif tree.has_folder(path) and file_of(tree, path):
        _gather(replace(here, path=path, above=(*here.above, here.path)), result)
    elif not _by_flux(entry) and not kept_out(tree, path, here.notes):
        result.missing.append((entry, place))


def kept_out(tree: Tree, path: str, notes: Notes) -> bool:
    """Whether git ignores a file: it is made on somebody's machine, and belongs to no repository."""
    parts = path.split("/")
    patterns: list[ignored.Run] = []
    for count in range(len(parts)):
        base = "/".join(parts[:count])
        own = f"{base}/.gitignore".lstrip("/")
        if count and ignored.ignored(base, patterns, directory=True):
            return True
        if tree.has_file(own):
            patterns += ignored.parse(tree.text(own, notes) or "", f"{base}/" if base else "")
    return any(ignored.ignored(path, patterns, directory=folder) for folder in (False, True))


def _generated(here: _Folder, value: Mapping[str, Any], locator: InFile) -> Iterator[Object]:
    """ConfigMaps that are made of files and literals; the suffix of their names is left out, as references have it."""
    for keys, entry in mappings(value, "configMapGenerator"):
        data: dict[str, str] = {}
        for literal in sequence(entry, "literals"):
            key, _, words = str(literal).partition("=")
            data[key] = words.strip("\"'")
        for name in sequence(entry, "files"):
            key, equals, file = str(name).partition("=")
            path = posixpath.normpath(posixpath.join(here.path, file if equals else key))
            content = here.tree.text(path, here.notes) if here.tree.has_file(path) else None
            if content is not None:
                data[key if equals else posixpath.basename(key)] = content
        metadata = {"name": text(entry, "name"), "namespace": text(entry, "namespace") or here.namespace}
        made = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
        yield Object(made, locator.path, CLUSTER, documents.Within(locator, keys))


def files_named(tree: Tree, folder: str, notes: Notes) -> set[str]:
    """Files that a kustomization names and that are no objects of their own: patches, components, values."""
    path = file_of(tree, folder)
    data = tree.data(path, notes) if path else None
    found = documents.load(data, path).documents if data is not None else ()
    value = found[0].value if found else None
    names = [name for key in _BESIDE for name in _names(sequence(value, key))]
    names += [text(entry, "valuesFile") for _keys, entry in mappings(value, "helmCharts")]
    paths = {posixpath.normpath(posixpath.join(folder, name)) for name in names if name and "\n" not in name}
    bases = tuple(f"{name}/" for name in paths if tree.has_folder(name))
    return paths.union(path for path in tree.paths if path.startswith(bases)) if bases else paths


def _names(entries: Iterable[Any]) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        elif isinstance(entry, dict) and isinstance(entry.get("path"), str):
            yield entry["path"]


def folders(tree: Tree) -> tuple[str, ...]:
    """Every folder with a kustomization, outer ones first."""
    named = (path.rpartition("/") for path in tree.paths if path.endswith(FILES))
    return tuple(folder for folder, _slash, name in named if name in FILES)
