"""Patches of Kustomize and Flux, as far as they are simple: a literal object that is merged, or JSON operations.

Maps merge key by key and a null takes a key away (strategic merge); lists of custom resources are replaced. What goes
beyond that (merge keys of core kinds, `$patch` directives, `move`) is not imitated: the object is then unsettled, and
nobody judges it.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from anycastle import yamlio
from anycastle.reader import patterns
from anycastle.reader.documents import Object
from anycastle.records import dataclass
from anycastle.schemas.core import GROUPS
from anycastle.schemas.shape import mapping, text

_OPERATIONS = frozenset(("add", "replace", "remove", "test"))
_REQUIREMENT = re.compile(r"(!?)\s*([\w./-]+)\s*(?:(==|=|!=)\s*([\w.-]*)|\s(in|notin)\s*\(([^()]*)\))?\s*\Z")
_INDEX = re.compile(r"(?:0|[1-9][0-9]{0,8})\Z")
_LONGEST = 2_000
"""Characters of a selector that is read."""
_DEEPEST = 50
"""Steps of a path that is followed; no resource nests like that."""
_PARTS = re.compile(r",(?![^()]*\))")


class UnclearError(Exception):
    """The patch cannot be imitated."""


@dataclass(frozen=True, slots=True)
class Patch:
    """One patch: `change` is an object to merge or a list of operations, None where it cannot be read."""

    target: Mapping[str, Any]
    change: dict[str, Any] | list[Any] | None


def patches(entries: Iterable[Any]) -> Iterator[Patch]:
    """`spec.patches` of Flux, or `patches` of a kustomization as far as they stand in it."""
    for entry in entries:
        given = text(entry, "patch")
        loaded = yamlio.load(given) if given else yamlio.Loaded((), ())
        value = loaded.documents[0].value if len(loaded.documents) == 1 and not loaded.findings else None
        target = mapping(entry, "target")
        change = value if isinstance(value, dict | list) else None
        if not target and isinstance(change, dict):
            group, _, _version = text(change, "apiVersion").rpartition("/")
            names = {key: re.escape(text(change, "metadata", key)) for key in ("name", "namespace")}
            target = {"group": re.escape(group), "kind": text(change, "kind"), **names}
        yield Patch(target, change)


def patched(item: Object, listed: Iterable[Patch]) -> Object:
    """An object after all patches that are meant for it; unsettled where one of them cannot be imitated."""
    for patch in listed:
        if not _selects(patch.target, item):
            continue
        try:
            item = replace(item, value=_changed(item, patch.change))
        except UnclearError:
            item = replace(item, unsettled=True)
    return item


def _selects(target: Mapping[str, Any], item: Object) -> bool:
    """Kustomize takes every word of a target for a whole regular expression."""
    version = text(item.value, "apiVersion").rpartition("/")[2]
    words = {"group": item.group, "version": version, "kind": item.kind, "name": item.name}
    if item.namespace:  # where it is unknown, it may be any
        words["namespace"] = item.namespace
    fits = all(_fits(text(target, key), word) for key, word in words.items())
    labels = mapping(item.value, "metadata", "labels")
    return (
        fits and _chosen(text(target, "labelSelector"), labels)
        and _chosen(text(target, "annotationSelector"), item.annotations)
    )  # fmt: skip


def _fits(expression: str, word: str) -> bool:
    """What cannot be judged fits."""
    return not expression or patterns.found(expression, word, whole=True) is not False


def _chosen(selector: str, labels: Mapping[str, Any]) -> bool:
    """A selector in the notation of kubectl; what cannot be read selects everything."""
    if len(selector) > _LONGEST:
        return True
    return all(_meets(part.strip(), labels) for part in _PARTS.split(selector) if part.strip())


def _meets(part: str, labels: Mapping[str, Any]) -> bool:
    match = _REQUIREMENT.match(part)
    if match is None:
        return True
    negated, key, sign, value, word, listed = match.groups()
    if sign:
        return (labels.get(key) == value) == (sign != "!=")
    if word:
        return (labels.get(key) in [one.strip() for one in listed.split(",")]) == (word == "in")
    return (key in labels) != bool(negated)


def _changed(item: Object, change: dict[str, Any] | list[Any] | None) -> dict[str, Any]:
    if isinstance(change, list):
        value = copy.deepcopy(item.value)
        for operation in change:
            _operate(value, operation)
        return value
    if change is None or any(key in change for key in ("$patch", "$setElementOrder")):
        raise UnclearError
    kept = {key: item.value[key] for key in ("apiVersion", "kind") if key in item.value}
    own = mapping(item.value, "metadata")
    names = {key: own[key] for key in ("name", "namespace") if key in own}
    result = _merged(item.value, change, core=item.group in GROUPS) | kept
    metadata = {key: value for key, value in mapping(result, "metadata").items() if key not in ("name", "namespace")}
    return result | {"metadata": names | metadata}


def _merged(under: Mapping[str, Any], over: Mapping[str, Any], *, core: bool) -> dict[str, Any]:
    result = dict(under)
    for key, value in over.items():
        below = result.get(key)
        if key.startswith("$") or (core and isinstance(value, list) and below):
            raise UnclearError
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict):
            result[key] = _merged(below if isinstance(below, dict) else {}, value, core=core)
        else:
            result[key] = value
    return result


def _operate(value: dict[str, Any], operation: Any) -> None:
    """One operation of RFC 6902."""
    name, path = text(operation, "op"), text(operation, "path")
    steps = [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]
    if name not in _OPERATIONS or not 1 <= len(steps) <= _DEEPEST:
        raise UnclearError
    inner: Any = value
    for step in steps[:-1]:
        inner = _inside(inner, step)
    if name != "test":
        _set(inner, steps[-1], copy.deepcopy(operation.get("value")), name)


def _inside(outer: Any, step: str) -> Any:
    if isinstance(outer, dict) and step in outer:
        return outer[step]
    if isinstance(outer, list) and _INDEX.match(step) and int(step) < len(outer):
        return outer[int(step)]
    raise UnclearError


def _set(inner: Any, step: str, new: Any, name: str) -> None:
    if isinstance(inner, list) and name == "add" and step == "-":
        inner.append(new)
    elif isinstance(inner, list) and name == "add" and _INDEX.match(step) and int(step) <= len(inner):
        inner.insert(int(step), new)
    elif name == "add" and isinstance(inner, dict):
        inner[step] = new
    else:
        _inside(inner, step)
        key = int(step) if isinstance(inner, list) else step
        if name == "remove":
            del inner[key]
        else:
            inner[key] = new


def all_unclear(items: Sequence[Object], listed: Sequence[Patch]) -> list[Object]:
    """Objects of which nobody knows whether patches reach them: those that they are meant for are unsettled."""
    return [
        replace(item, unsettled=True) if any(_selects(patch.target, item) for patch in listed) else item
        for item in items
    ]
