"""Bringing upstream definitions into the cache: from the pinned releases, or from a folder.

Nothing is written before everything has been read. A folder may hold plain files, charts and packed charts; of a
chart's templates those can be read whose template directives stand on lines of their own.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from anycastle import yamlio
from anycastle.download import Unreachable, download
from anycastle.records import dataclass
from anycastle.schemas.crd import Definition, Name, UnusableError, definition, names
from anycastle.schemas.fetched import FROM_FOLDER, Source, refused, save

MAX_BYTES = yamlio.MAX_BYTES
PINNED: Mapping[str, str] = {"argo-cd": "v3.5.1", "calico": "v3.32.2", "flux": "v2.9.4", "traefik": "v41.3.0"}
"""Releases by source; for Traefik that of its chart, which brings the definitions."""

_RAW = "https://raw.githubusercontent.com"
_RELEASES = "https://github.com"
_TRAEFIK = (
    *("ingressroutes", "ingressroutetcps", "ingressrouteudps", "middlewares", "middlewaretcps", "serverstransports"),
    *("serverstransporttcps", "tlsoptions", "tlsstores", "traefikservices"),
)
_PLACES: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "argo-cd": (
        _RAW,
        "argoproj/argo-cd/{version}/manifests/crds",
        ("application-crd.yaml", "applicationset-crd.yaml", "appproject-crd.yaml"),
    ),
    "calico": (_RAW, "projectcalico/calico/{version}/manifests", ("v3_projectcalico_org.yaml",)),
    "flux": (_RELEASES, "fluxcd/flux2/releases/download/{version}", ("install.yaml",)),
    "traefik": (
        _RAW,
        "traefik/traefik-helm-chart/{version}/traefik/crds",
        tuple(f"traefik.io_{plural}.yaml" for plural in _TRAEFIK),
    ),
}
_KIND = b"CustomResourceDefinition"
_DIRECTIVE = re.compile(r"^[ \t]*\{\{.*\}\}[ \t]*$\n?", re.MULTILINE)
_FILES = (".yaml", ".yml", ".json")
_ARCHIVES = (".tgz", ".tar.gz")
_MAX_ARCHIVES = 3


@dataclass(frozen=True, slots=True)
class Gathered:
    """What one source gave. `notes` say which files were passed over, and why."""

    source: Source
    definitions: Mapping[Name, Definition]
    notes: tuple[str, ...]


def fetch(versions: Mapping[str, str], cache: Path, base: str = "") -> tuple[Gathered, ...]:
    """Download the definitions of releases (see `PINNED`) and save a pack for each.

    `base` takes the place of every host, for a mirror. Raises `Refused`; then the cache is as it was.
    """
    found = [_downloaded(name, version, base) for name, version in sorted(versions.items())]
    for gathered in found:
        save(gathered.source, gathered.definitions, cache)
    return tuple(found)


def fetch_from(directory: Path, cache: Path) -> tuple[Gathered, ...]:
    """Save a pack of every definition below a folder. Raises `Refused`; then the cache is as it was."""
    gathered = _gathered(FROM_FOLDER, "", str(directory), _below(directory))
    save(gathered.source, gathered.definitions, cache)
    return (gathered,)


def _downloaded(name: str, version: str, base: str) -> Gathered:
    host, folder, files = _PLACES[name]
    origin = f"{(base or host).rstrip('/')}/{folder.format(version=version)}"
    return _gathered(name, version, origin, ((file, _download(f"{origin}/{file}")) for file in files))


def _download(url: str) -> bytes:
    try:
        return download(url, MAX_BYTES)
    except Unreachable as error:
        raise refused(
            f"{url} {error}.",
            "Check network and version, or bring the files along and name their folder: --from DIR.",
        ) from error


def _below(directory: Path) -> Iterator[tuple[str, bytes]]:
    """Files below a folder that may hold definitions, those inside packed charts included, in a stable order."""
    for folder, inner, files in os.walk(directory):
        inner.sort()
        for file in sorted(files):
            path = Path(folder, file)
            name = path.relative_to(directory).as_posix()
            if file.endswith((*_FILES, *_ARCHIVES)) and path.is_file() and path.stat().st_size <= MAX_BYTES:
                yield from _opened(name, path.read_bytes(), _MAX_ARCHIVES)


def _opened(name: str, data: bytes, depth: int) -> Iterator[tuple[str, bytes]]:
    if name.endswith(_FILES):
        yield name, data
    elif depth:
        for inner, content in _members(data):
            yield from _opened(f"{name}/{inner}", content, depth - 1)


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Files of an archive, read in memory; a damaged one has none."""
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
            for member in archive:
                content = archive.extractfile(member) if member.isfile() and member.size <= MAX_BYTES else None
                if content is not None and member.name.endswith((*_FILES, *_ARCHIVES)):
                    yield member.name, content.read()
    except (tarfile.TarError, OSError, EOFError):
        return


def _gathered(name: str, version: str, origin: str, files: Iterator[tuple[str, bytes]]) -> Gathered:
    found: dict[Name, Definition] = {}
    inputs: dict[str, str] = {}
    notes: list[str] = []
    for file, data in files:
        if _KIND not in data:
            continue
        definitions = _definitions(file, data, notes)
        notes += (f"{file}: {' '.join(each)} is defined before, in another way" for each in _other(found, definitions))
        for each, stated in definitions.items():
            found.setdefault(each, stated)
        if definitions:
            inputs[file] = hashlib.sha256(data).hexdigest()
    if not found:
        raise refused(f"{origin} holds no CustomResourceDefinition.", "Name a folder with definitions or charts.")
    return Gathered(Source(name, version, origin, inputs), found, tuple(notes))


def _other(found: Mapping[Name, Definition], definitions: Mapping[Name, Definition]) -> Iterator[Name]:
    for name, stated in definitions.items():
        if name in found and (found[name].schema, found[name].rules) != (stated.schema, stated.rules):
            yield name


def _definitions(file: str, data: bytes, notes: list[str]) -> dict[Name, Definition]:
    """Every definition in a file; what cannot be read is noted."""
    text = data.decode("utf-8", "replace")
    loaded = yamlio.load(_DIRECTIVE.sub("", text) if "{{" in text else text, file)
    if loaded.findings:
        notes.append(f"{file}: {loaded.findings[0].message}")
    result: dict[Name, Definition] = {}
    for document in loaded.documents:
        for crd in _crds(document.value):
            for name in names(crd):
                try:
                    result[name] = definition(crd, name)
                except UnusableError as error:
                    notes.append(f"{file}: {' '.join(name)} cannot be used: {error}")
    return result


def _crds(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if value.get("kind") == "CustomResourceDefinition":
            yield value
        elif isinstance(value.get("items"), list):
            for entry in value["items"]:
                yield from _crds(entry)
