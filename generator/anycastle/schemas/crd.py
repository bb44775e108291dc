"""Definitions of custom resources, turned into closed JSON Schema and a list of their CEL rules.

What an API server would prune or refuse is closed: a mapping that names its fields has no others, and one
that names none is empty unless the definition keeps unknown fields. Value checks inside allOf, anyOf, oneOf
and not never close anything. Defaults stay in the schema, for `walk.with_defaults`.

Sources: the structural schema rules of apiextensions.k8s.io/v1 and measurements on Calico's, Argo CD's, Flux's
and Traefik's definitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from anycastle.schemas.definition_formats import DEFINITION_FORMATS
from anycastle.schemas.notation import METADATA, Schema
from anycastle.schemas.patterns import engine_pattern
from anycastle.schemas.unique import LIST_KEYS

Name = tuple[str, str]
"""(apiVersion, kind)."""
EACH_ENTRY = 0
EACH_VALUE = 1

_VALUE_KEYWORDS = (
    *("enum", "multipleOf", "maximum", "minimum", "maxLength", "minLength"),
    *("maxItems", "minItems", "maxProperties", "minProperties", "required", "uniqueItems"),
)
_SIZES = {"int32": 31, "int64": 63}
_INT_OR_TEXT = ({"type": "integer"}, {"type": "string"})
_TRANSITION = re.compile(r"\boldSelf\b")
_FIELD_STEP = re.compile(r"\.([A-Za-z_][A-Za-z0-9_]*)|\['([^']+)'\]")


class UnusableError(ValueError):
    """A definition that no API server would take; the text says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A CEL rule. `place` leads to the values that are its `self`, by names, `EACH_ENTRY` and `EACH_VALUE`.

    `expression` makes the message where it is given; `blamed` is the path below `self` to which it points.
    """

    place: tuple[str | int, ...]
    text: str
    message: str = ""
    expression: str = ""
    blamed: tuple[str, ...] = ()

    @property
    def transition(self) -> bool:
        """Whether it compares with the stored object, so that a file alone cannot break it."""
        return _TRANSITION.search(self.text) is not None


@dataclass(frozen=True, eq=False)
class Definition:
    """What is known of one kind in one version; each is itself only, so that what is compiled from it can be kept."""

    schema: Schema
    rules: tuple[Rule, ...] = ()


def names(crd: dict[str, Any]) -> tuple[Name, ...]:
    """The kinds and versions that a CustomResourceDefinition serves; nothing where it cannot be read."""
    spec = crd.get("spec")
    naming = spec.get("names") if isinstance(spec, dict) else None
    kind = naming.get("kind") if isinstance(naming, dict) else None
    if not isinstance(spec, dict) or not (isinstance(kind, str) and isinstance(spec.get("group"), str)):
        return ()
    return tuple((f"{spec['group']}/{version['name']}", kind) for version in _served(spec))


def _served(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    versions = spec.get("versions")
    for version in versions if isinstance(versions, list) else ():
        if isinstance(version, dict) and isinstance(version.get("name"), str) and version.get("served") is not False:
            yield version


def definition(crd: dict[str, Any], name: Name) -> Definition:
    """The definition of one of the `names` of a CustomResourceDefinition. Raises `UnusableError`."""
    api_version, kind = name
    version = next(each for each in _served(crd["spec"]) if each["name"] == api_version.rpartition("/")[2])
    structural = _mapping(_mapping(version.get("schema"), "schema").get("openAPIV3Schema"), "openAPIV3Schema")
    rules: list[Rule] = []
    schema = _closed(structural, (), rules, root=True)
    schema["properties"]["apiVersion"] = {"const": api_version}
    schema["properties"]["kind"] = {"const": kind}
    schema["required"] = sorted({*schema.get("required", ()), "apiVersion", "kind", "metadata"})
    return Definition(schema, tuple(rules))


def _mapping(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UnusableError(f"{what} is no mapping")
    return value


def _closed(schema: Any, place: tuple[str | int, ...], rules: list[Rule], *, root: bool = False) -> Schema:
    """One level of a structural schema; the rules found on the way are appended."""
    found = _mapping(schema, ".".join(map(str, place)) or "openAPIV3Schema")
    result = _values(found)
    for keyword in ("allOf", "anyOf", "oneOf"):
        if keyword in found and not (keyword == "anyOf" and _is_int_or_text(found)):
            result[keyword] = [_open(option) for option in _listed(found[keyword], keyword)]
    if "not" in found:
        result["not"] = _open(found["not"])
    if "default" in found:
        result["default"] = found["default"]
    rules += _rules(found, place)
    if "properties" in found or found.get("type") == "object" or root:
        _fields(found, place, rules, result, root=root)
    if isinstance(found.get("items"), dict):
        result["items"] = _closed(found["items"], (*place, EACH_ENTRY), rules)
    _list_type(found, result)
    _nullable(found, result)
    return result


def _values(found: dict[str, Any]) -> Schema:
    """The keywords that speak of the value itself."""
    result: Schema = {key: found[key] for key in _VALUE_KEYWORDS if key in found}
    if isinstance(found.get("type"), str):
        result["type"] = found["type"]
    if found.get("x-kubernetes-int-or-string") is True:
        result["type"] = ["integer", "string"]
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if found.get(exclusive) is True and bound in result:
            result[exclusive] = result.pop(bound)
    if isinstance(found.get("pattern"), str):
        result.update(engine_pattern(found["pattern"]))
    name = found.get("format")
    if name in _SIZES and result.get("type") == "integer":
        bits = _SIZES[name]
        result.setdefault("minimum", -(2**bits))
        result.setdefault("maximum", 2**bits - 1)
    elif isinstance(name, str) and name in DEFINITION_FORMATS and result.get("type") == "string":
        result["format"] = name
    return result


def _is_int_or_text(found: dict[str, Any]) -> bool:
    """Whether anyOf only repeats what x-kubernetes-int-or-string says."""
    return found.get("x-kubernetes-int-or-string") is True and found.get("anyOf") == list(_INT_OR_TEXT)


def _listed(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise UnusableError(f"{what} is no list")
    return value


def _open(schema: Any) -> Schema:
    """Value checks inside a junction, which never close a mapping."""
    found = _mapping(schema, "an option")
    result = _values(found)
    if "properties" in found:
        properties = _mapping(found["properties"], "properties")
        result["properties"] = {key: _open(part) for key, part in properties.items()}
    for keyword in ("items", "additionalProperties", "not"):
        if isinstance(found.get(keyword), dict):
            result[keyword] = _open(found[keyword])
    for keyword in ("allOf", "anyOf", "oneOf"):
        if keyword in found:
            result[keyword] = [_open(option) for option in _listed(found[keyword], keyword)]
    return result


def _fields(
    found: dict[str, Any], place: tuple[str | int, ...], rules: list[Rule], result: Schema, *, root: bool
) -> None:
    """What a mapping may hold."""
    properties = _mapping(found.get("properties", {}), "properties")
    embedded = found.get("x-kubernetes-embedded-resource") is True
    fields = {
        key: _closed(part, (*place, key), rules)
        for key, part in properties.items()
        if not (key == "metadata" and (root or embedded))
    }
    if root or embedded:
        fields.setdefault("apiVersion", {"type": "string"})
        fields.setdefault("kind", {"type": "string"})
        fields["metadata"] = _metadata(properties.get("metadata"))
        result["required"] = sorted({*result.get("required", ()), "apiVersion", "kind"})
    result["properties"] = fields
    free = found.get("additionalProperties")
    if isinstance(free, dict):
        result["additionalProperties"] = _closed(free, (*place, EACH_VALUE), rules)
    elif free is not True and found.get("x-kubernetes-preserve-unknown-fields") is not True:
        result["additionalProperties"] = False


def _metadata(stated: Any) -> Schema:
    """Metadata as every object has it; a definition may narrow the name."""
    properties = stated.get("properties") if isinstance(stated, dict) else None
    name = properties.get("name") if isinstance(properties, dict) else None
    if not isinstance(name, dict):
        return METADATA
    narrowed = {"type": "string", **_values(name)}
    return {**METADATA, "properties": {**METADATA["properties"], "name": narrowed}}


def _list_type(found: dict[str, Any], result: Schema) -> None:
    kind, keys = found.get("x-kubernetes-list-type"), found.get(LIST_KEYS)
    if kind == "set":
        result["uniqueItems"] = True
    elif kind == "map" and isinstance(keys, list) and all(isinstance(key, str) for key in keys):
        result[LIST_KEYS] = keys


def _nullable(found: dict[str, Any], result: Schema) -> None:
    if found.get("nullable") is True and "type" in result:
        types = result["type"]
        result["type"] = [*(types if isinstance(types, list) else [types]), "null"]
        if "enum" in result:
            result["enum"] = [*result["enum"], None]


def _rules(found: dict[str, Any], place: tuple[str | int, ...]) -> Iterator[Rule]:
    stated = found.get("x-kubernetes-validations", [])
    for each in _listed(stated, "x-kubernetes-validations"):
        if not isinstance(each, dict) or not isinstance(each.get("rule"), str):
            raise UnusableError("a rule has no text")
        path = "".join(str(each.get("fieldPath", "")).split())
        yield Rule(
            place,
            each["rule"],
            str(each.get("message", "")),
            str(each.get("messageExpression", "")),
            tuple(plain or quoted for plain, quoted in _FIELD_STEP.findall(path)),
        )
