"""Walks through a value beside the schema of its kind: defaults, the `self` of a rule, values as CEL sees them."""

from __future__ import annotations

import base64
import copy
from collections.abc import Iterator
from typing import Any

from anycastle.schemas.crd import EACH_ENTRY, EACH_VALUE
from anycastle.schemas.fault import Path
from anycastle.schemas.notation import Schema

_NOTHING: Schema = {}
_RESERVED = frozenset(
    (
        *("as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop"),
        *("namespace", "null", "package", "return", "true", "var", "void", "while"),
    )
)
_ESCAPES = (("__", "__underscores__"), (".", "__dot__"), ("-", "__dash__"), ("/", "__slash__"))


def below(schema: Schema, key: str) -> Schema:
    """The schema of one field of a mapping; empty where nothing is said about it."""
    found = schema.get("properties", _NOTHING).get(key, schema.get("additionalProperties"))
    return found if isinstance(found, dict) else _NOTHING


def _entries(schema: Schema) -> Schema:
    found = schema.get("items")
    return found if isinstance(found, dict) else _NOTHING


def with_defaults(value: Any, schema: Schema) -> Any:
    """A copy in which absent fields have their defaults, as an API server fills them in before it judges.

    A field that is null and may not be is absent, too (Kubernetes documentation, "Defaulting and Nullable").
    """
    if isinstance(value, dict):
        fields = schema.get("properties", _NOTHING)
        given = {key: part for key, part in value.items() if part is not None or _nullable(fields.get(key, _NOTHING))}
        filled = {key: with_defaults(part, below(schema, key)) for key, part in given.items()}
        for key, part in fields.items():
            if key not in filled and "default" in part:
                filled[key] = with_defaults(copy.deepcopy(part["default"]), part)
        return filled
    if isinstance(value, list):
        entries = _entries(schema)
        return [with_defaults(entry, entries) for entry in value]
    return value


def _nullable(schema: Schema) -> bool:
    """Whether a null may stay; what nobody describes is left as it is."""
    return "type" not in schema or "null" in schema["type"]


def selected(
    value: Any, schema: Schema, place: tuple[str | int, ...], at: Path = ()
) -> Iterator[tuple[Path, Any, Schema]]:
    """Every value to which `place` leads, with its path and its schema; absent and null ones are passed over."""
    if not place:
        yield at, value, schema
        return
    step, rest = place[0], place[1:]
    if step == EACH_ENTRY and isinstance(value, list):
        for index, entry in enumerate(value):
            yield from selected(entry, _entries(schema), rest, (*at, index))
    elif step == EACH_VALUE and isinstance(value, dict):
        for key, part in value.items():
            if key not in schema.get("properties", _NOTHING):
                yield from selected(part, below(schema, key), rest, (*at, key))
    elif isinstance(step, str) and isinstance(value, dict) and value.get(step) is not None:
        yield from selected(value[step], below(schema, step), rest, (*at, step))


def as_cel(value: Any, schema: Schema) -> Any:
    """The value as a rule sees it: `number` is a double, `byte` is bytes, field names are CEL identifiers."""
    if isinstance(value, dict):
        fields = schema.get("properties", _NOTHING)
        return {escaped(key) if key in fields else key: as_cel(part, below(schema, key)) for key, part in value.items()}
    if isinstance(value, list):
        entries = _entries(schema)
        return [as_cel(entry, entries) for entry in value]
    if isinstance(value, int) and not isinstance(value, bool) and schema.get("type") == "number":
        return float(value)
    if isinstance(value, str) and schema.get("format") == "byte":
        return base64.b64decode(value)
    return value


def escaped(name: str) -> str:
    """The identifier by which a rule calls a field, as the documentation of x-kubernetes-validations lays down."""
    if name in _RESERVED:
        return f"__{name}__"
    for text, code in _ESCAPES:
        name = name.replace(text, code)
    return name
