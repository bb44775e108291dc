"""Flux's `postBuild`: `${NAME}` in the manifests of a Kustomization, filled in from what stands in this repository.

What nobody here defines comes from elsewhere: such an object stays as it is, and its values count as placeholders.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from anycastle import yamlio
from anycastle.reader.documents import Object
from anycastle.schemas.shape import mapping, mappings, text

_VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)(?::?[=-]((?:\$\{[^{}]{0,256}\}|[^}]){0,4096}))?\}")
"""A default may hold variables itself, as in `${CLAIM:-${APP}}`."""
_OFF = "kustomize.toolkit.fluxcd.io/substitute"


def variables(item: Object, manifests: Sequence[Object]) -> dict[str, str] | None:
    """What a Kustomization fills in; None where it fills in nothing. Its own words outweigh those of ConfigMaps."""
    block = mapping(item.spec, "postBuild")
    if not block:
        return None
    found: dict[str, str] = {}
    for _keys, entry in mappings(block, "substituteFrom"):
        for config in manifests:
            if config.kind == text(entry, "kind") == "ConfigMap" and config.name == text(entry, "name"):
                found |= {key: str(value) for key, value in mapping(config.value, "data").items()}
    return found | {key: str(value) for key, value in mapping(block, "substitute").items()}


def substituted(item: Object, known: Mapping[str, str]) -> Object:
    """The same object with variables filled in."""
    labels = mapping(item.value, "metadata", "labels") | item.annotations
    if labels.get(_OFF) == "disabled" or not _has_variables(item.value):
        return item
    return replace(item, value=_filled(item.value, known))


def _has_variables(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_variables(inner) for inner in value.values())
    if isinstance(value, list):
        return any(_has_variables(inner) for inner in value)
    return isinstance(value, str) and _VARIABLE.search(value) is not None


def _filled(value: Any, known: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(inner, known) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, known) for inner in value]
    if not isinstance(value, str):
        return value
    whole = _VARIABLE.fullmatch(value)
    filled = _VARIABLE.sub(lambda match: _value(match, known), value)
    return yamlio.plain_scalar(filled) if whole is not None and filled != value and filled else filled


def _value(match: re.Match[str], known: Mapping[str, str]) -> str:
    if match[1] in known or match[2] is None:
        return known.get(match[1], match[0])
    return _VARIABLE.sub(lambda inner: known.get(inner[1], inner[0]), match[2])


def apply(items: Iterable[Object], by_file: Mapping[str, Mapping[str, str]]) -> list[Object]:
    """Objects, each with the variables of its file."""
    return [substituted(item, by_file[item.source]) if item.source in by_file else item for item in items]


_PLACEHOLDER = re.compile(r"\$\{\w+\}|\{\{.*\}\}|<[A-Z][A-Z0-9_ -]*>")
_GROUPS = ("projectcalico.org", "crd.projectcalico.org", "operator.tigera.io")


def is_template(item: Object) -> bool:
    """Whether an object of the network waits for something to fill in its values, so that no schema can judge it."""
    network = item.group in _GROUPS or (item.kind == "Pod" and item.group == "")
    loads = item.kind == "Service" and item.group == "" and _placeholder(mapping(item.value, "metadata"))
    return bool(loads) or (network and _placeholder(item.value))


def _placeholder(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_placeholder(inner) for inner in value.values())
    if isinstance(value, list):
        return any(_placeholder(inner) for inner in value)
    return isinstance(value, str) and _PLACEHOLDER.search(value) is not None
