"""Schemas of custom resources and of node documents, from the files under `data/`.

A file is read when one of its kinds occurs; a kind is translated and compiled on first use.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from anycastle.schemas.fault import Fault, Subject
from anycastle.schemas.formats import acceptors
from anycastle.schemas.notation import Schema, kind_schema
from anycastle.schemas.wording import faults

_DATA = FilePath(__file__).parent / "data"
FILES = {
    "argoproj.io/v1alpha1": "argocd.json",
    "helm.toolkit.fluxcd.io/v2": "flux-helm.json",
    "kubeadm.k8s.io/v1beta4": "kubeadm.json",
    "kubelet.config.k8s.io/v1beta1": "kubelet.json",
    "kubeproxy.config.k8s.io/v1alpha1": "kube-proxy.json",
    "kustomize.toolkit.fluxcd.io/v1": "flux-kustomize.json",
    "operator.tigera.io/v1": "tigera.json",
    "projectcalico.org/v3": "calico.json",
    "source.toolkit.fluxcd.io/v1": "flux-source.json",
    "traefik.io/v1alpha1": "traefik.json",
}


def kinds(api_version: str) -> tuple[str, ...]:
    """The kinds of a group and version that have a schema here."""
    return tuple(sorted(_file(api_version)["kinds"])) if api_version in FILES else ()


def schema(api_version: str, kind: str) -> Schema:
    """The JSON Schema of a kind; KeyError where `kinds` does not name it."""
    data = _file(api_version)
    return kind_schema(data["kinds"][kind], data["types"], named=data.get("named", True))


def check(subject: Subject, *, forms_only: bool = False) -> Iterator[Fault]:
    """Faults of an object whose kind has a schema here; with `forms_only` those in the forms of texts."""
    compiled, validator = _compiled(subject.api_version, subject.kind)

    def around(path: list[Any]) -> Schema:
        found: Any = compiled
        for key in path:
            found = found[key]
        return found if isinstance(found, dict) else {}

    named = _file(subject.api_version).get("named", True)
    errors = list(validator.iter_errors(subject.value if named else _without_nulls(subject.value)))
    if any(error.instance is None for error in errors):
        errors = validator.iter_errors(_pruned(subject.value, compiled))
    wanted = (error for error in errors if not forms_only or error.kind.name == "format")
    return faults(wanted, around, secret=False)


def _without_nulls(value: Any) -> Any:
    """A document as Go decodes it, where a null leaves a field as if nobody had written it."""
    if isinstance(value, dict):
        return {key: _without_nulls(inner) for key, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value


def _pruned(value: Any, described: Schema) -> Any:
    """A custom resource as the API server judges it: fields that are null and may not be are gone before.

    Source: Kubernetes documentation, CustomResourceDefinitions, "Defaulting and Nullable".
    """
    if isinstance(value, list):
        return [_pruned(entry, described.get("items", {})) for entry in value]
    if not isinstance(value, dict):
        return value
    fields, free = described.get("properties", {}), described.get("additionalProperties")
    others = free if isinstance(free, dict) else {}
    kept = {key: part for key, part in value.items() if part is not None or "null" in _types(fields.get(key, {}))}
    return {key: _pruned(part, fields.get(key, others)) for key, part in kept.items()}


def _types(described: Schema) -> Sequence[str]:
    """What a value may be; a null where nothing is said."""
    found = described.get("type", "null")
    return [found] if isinstance(found, str) else found


@cache
def _file(api_version: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((_DATA / FILES[api_version]).read_bytes())
    return data


@cache
def _compiled(api_version: str, kind: str) -> tuple[Schema, Any]:
    import jsonschema_rs

    compiled = schema(api_version, kind)
    return compiled, jsonschema_rs.Draft202012Validator(
        compiled, formats=acceptors(), validate_formats=True, ignore_unknown_formats=False
    )
