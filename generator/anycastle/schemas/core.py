"""Schemas of Kubernetes' own kinds, one set for each release, as the package kubernetes-validate installs them.

Only its data files are used: importing that package costs 80 ms and its checks read 1.6 MB each time. The
shared definitions are parsed once, made stricter where the published ones are silent, and each kind is
compiled on first use.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from anycastle.records import dataclass
from anycastle.schemas.fault import Fault, Subject
from anycastle.schemas.formats import acceptors
from anycastle.schemas.strict import tighten
from anycastle.schemas.wording import faults

_URL = "https://kubernetes.io/api/_definitions.json"
_FOLDER = re.compile(r"v1\.(\d+)\.\d+-local-strict")
_VERSION = re.compile(r"v?1\.(\d+)")
GROUPS = frozenset(
    (
        "",
        "admissionregistration.k8s.io",
        "apiextensions.k8s.io",
        "apiregistration.k8s.io",
        "apps",
        "authentication.k8s.io",
        "authorization.k8s.io",
        "autoscaling",
        "batch",
        "certificates.k8s.io",
        "coordination.k8s.io",
        "discovery.k8s.io",
        "events.k8s.io",
        "extensions",
        "flowcontrol.apiserver.k8s.io",
        "networking.k8s.io",
        "node.k8s.io",
        "policy",
        "rbac.authorization.k8s.io",
        "resource.k8s.io",
        "scheduling.k8s.io",
        "storage.k8s.io",
        "storagemigration.k8s.io",
    )
)


@dataclass(frozen=True, slots=True)
class Release:
    """The schemas in use. `minor` is that of the files, `asked` what was wanted (None if unreadable)."""

    folder: FilePath
    minor: int
    asked: int | None

    @property
    def exact(self) -> bool:
        """Whether the release that was asked for has its own files."""
        return self.minor == self.asked


def release(kube_version: str) -> Release | None:
    """The newest shipped release not above `kube_version` (`v1.36.4`), else the oldest; None without files."""
    shipped = _shipped()
    if not shipped:
        return None
    match = _VERSION.match(kube_version)
    asked = int(match[1]) if match else None
    fitting = [minor for minor in shipped if asked is None or minor <= asked]
    minor = max(fitting) if fitting else min(shipped)
    return Release(shipped[minor], minor, asked)


_NAME = re.compile(r"[A-Za-z0-9-]{1,100}\Z")
"""What a kind, a version and the first part of a group are made of; other words would be patterns or paths of files."""


def knows(subject: Subject, used: Release) -> bool:
    """Whether the release serves this kind."""
    return _kind(used.folder, subject.group, subject.version, subject.kind) is not None


def served(kind: str, used: Release) -> tuple[str, ...]:
    """The apiVersions under which the release serves a kind of this name."""
    if not _NAME.match(kind):
        return ()
    found = {
        api_version
        for path in used.folder.glob(f"{kind.lower()}-*.json")
        for api_version, name in _identities(path)
        if name == kind
    }
    return tuple(sorted(found))


def kinds(api_version: str, used: Release) -> tuple[str, ...]:
    """The kinds of an apiVersion; reads every file, so only for a message."""
    group, _, version = api_version.rpartition("/")
    short = group.split(".", 1)[0]
    if not _NAME.match(version) or not _NAME.match(short or "core"):
        return ()
    pattern = f"*-{short}-{version}.json" if short else f"*-{version}.json"
    identities = (identity for path in used.folder.glob(pattern) for identity in _identities(path))
    return tuple(sorted({name for found, name in identities if found == api_version}))


def check(subject: Subject, used: Release) -> Iterator[Fault]:
    """Faults of an object whose kind `knows` affirms."""
    kind = _kind(used.folder, subject.group, subject.version, subject.kind)
    validator = _validator(used.folder, subject.group, subject.version, subject.kind)

    def around(path: list[Any]) -> dict[str, Any]:
        found: Any = _definitions(used.folder) if path[:1] == ["$defs"] else kind
        for key in path:
            found = found[key]
        return found if isinstance(found, dict) else {}

    return faults(validator.iter_errors(subject.value), around, secret=subject.kind == "Secret")


@cache
def _shipped() -> dict[int, FilePath]:
    found = importlib.util.find_spec("kubernetes_validate")
    if found is None or not found.submodule_search_locations:
        return {}
    root = FilePath(found.submodule_search_locations[0]) / "kubernetes-json-schema"
    folders = [(path, _FOLDER.fullmatch(path.name)) for path in root.iterdir()] if root.is_dir() else []
    return {int(match[1]): path for path, match in folders if match}


def _identities(path: FilePath) -> list[tuple[str, str]]:
    """The (apiVersion, kind) pairs a file describes; parts of kinds have none."""
    described = json.loads(path.read_bytes()).get("x-kubernetes-group-version-kind") or []
    return [
        (f"{each['group']}/{each['version']}" if each["group"] else each["version"], each["kind"]) for each in described
    ]


@cache
def _kind(folder: FilePath, group: str, version: str, kind: str) -> dict[str, Any] | None:
    """The schema of a kind; its file bears the first part of the group only, so the whole is compared."""
    short = group.split(".", 1)[0]
    if not all(map(_NAME.match, (kind, version, short or "core"))):
        return None
    path = folder / f"{'-'.join(part for part in (kind.lower(), short, version) if part)}.json"
    if not path.is_file():
        return None
    schema: dict[str, Any] = json.loads(path.read_bytes())
    wanted = {"group": group, "version": version, "kind": kind}
    return schema if wanted in (schema.get("x-kubernetes-group-version-kind") or []) else None


@cache
def _definitions(folder: FilePath) -> dict[str, Any]:
    definitions: dict[str, Any] = json.loads((folder / "_definitions.json").read_bytes())
    tighten(definitions["$defs"])
    return definitions


def _reached(schema: dict[str, Any], folder: FilePath) -> dict[str, Any]:
    """The shared definitions that a kind leads to: compiling all of them for each run would cost 30 ms."""
    shared = _definitions(folder)["$defs"]
    found: dict[str, Any] = {}
    names = list(_references(schema))
    while names:
        name = names.pop()
        if name not in found:
            found[name] = shared[name]
            names += _onward(folder, name)
    return {"$defs": found}


@cache
def _onward(folder: FilePath, name: str) -> tuple[str, ...]:
    return tuple(_references(_definitions(folder)["$defs"][name]))


def _references(schema: Any) -> Iterator[str]:
    """Names of the shared definitions that a schema mentions itself; a property may be called `$ref`, too."""
    if isinstance(schema, dict):
        if isinstance(reference := schema.get("$ref"), str):
            yield reference.rpartition("/")[2]
        schema = list(schema.values())
    if isinstance(schema, list):
        for inside in schema:
            yield from _references(inside)


@cache
def _validator(folder: FilePath, group: str, version: str, kind: str) -> Any:
    import jsonschema_rs

    schema = _kind(folder, group, version, kind)
    return jsonschema_rs.Draft202012Validator(
        schema or False,
        registry=jsonschema_rs.Registry([(_URL, _reached(schema, folder))] if schema else []),
        formats=acceptors(),
        validate_formats=True,
    )
