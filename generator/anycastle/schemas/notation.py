"""A short notation for closed schemas of custom resources, and its translation into JSON Schema.

The files under `data/` are JSON in this notation:

    {"cidr!": "net", "allowedUses": ["=Workload|Tunnel", "0..10 set"], "labels": {"*": "text"}}

- A mapping is a closed object; `!` behind a key makes it required. `"...": "unchecked"` says that the list of
  keys is knowingly partial: further keys are reported as unchecked. `{"*": type}` is a map with free keys.
- A list is a list: the type of its entries, then perhaps bounds of its length and `set` for unique entries.
- `=A|B` is one of these texts, `~A|B` the same in any case. `@name` is an entry of the file's `types`.
- `text`, `int`, `int32`, `int64`, `bool`, `number`, `int-or-text`, `any`, `object` (a mapping with anything
  in it), `asn`, `port`, or a format of `formats.py`. Bounds follow behind a blank: `int 1..10`, `text ..253`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anycastle.schemas.formats import FORMATS

Schema = dict[str, Any]
PARTIAL = "x-anycastle-partial"
CODE = "x-anycastle-code"
ANY_CASE = "x-anycastle-any-case"

_MORE = "..."
_INT32 = {"minimum": -(2**31), "maximum": 2**31 - 1}
_BASIC: dict[str, Schema] = {
    "text": {"type": "string"},
    "int": {"type": "integer"},
    "int32": {"type": "integer", **_INT32},
    "int64": {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1},
    "asn": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1, CODE: "CAL015"},
    "port": {"type": "integer", "minimum": 1, "maximum": 65535},
    "bool": {"type": "boolean"},
    "number": {"type": "number"},
    "int-or-text": {"type": ["integer", "string"]},
    "any": {},
    "object": {"type": "object"},
}
_SIZES = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}
_ANYTHING: Schema = {}
_TEXT_MAP: Schema = {"type": ["object", "null"], "additionalProperties": {"type": "string"}}
METADATA: Schema = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "generateName": {"type": "string"},
        "namespace": {"type": "string"},
        "labels": _TEXT_MAP,
        "annotations": _TEXT_MAP,
        "finalizers": {"type": "array", "items": {"type": "string"}},
        "ownerReferences": {"type": "array", "items": {"type": "object"}},
        **dict.fromkeys(
            ("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation"), _ANYTHING
        ),
        **dict.fromkeys(("managedFields", "resourceVersion", "selfLink", "uid"), _ANYTHING),
    },
    "additionalProperties": False,
}


def kind_schema(body: Any, types: Mapping[str, Any], *, named: bool) -> Schema:
    """The schema of a whole object; `body` holds what stands beside apiVersion, kind and metadata.

    A document that is not `named` is a configuration file: it has no metadata and no status.
    """
    schema = translate(body, types)
    properties: Schema = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}}
    if named:
        properties["metadata"] = METADATA
        properties["status"] = {
            "type": "object",
            "properties": {},
            "additionalProperties": False,
            PARTIAL: True,
        }
    schema["properties"] = {**properties, **schema["properties"]}
    return schema


def translate(notation: Any, types: Mapping[str, Any]) -> Schema:
    """One type of the notation as JSON Schema; names of `types` are put in place."""
    if isinstance(notation, list):
        return _list(notation, types)
    if isinstance(notation, dict):
        if set(notation) == {"*"}:
            return {"type": "object", "additionalProperties": translate(notation["*"], types)}
        return _object(notation, types)
    return _scalar(str(notation), types)


def _object(notation: dict[str, Any], types: Mapping[str, Any]) -> Schema:
    keys = [key for key in notation if key != _MORE]
    schema: Schema = {
        "type": "object",
        "properties": {key.removesuffix("!"): translate(notation[key], types) for key in keys},
        "additionalProperties": False,
    }
    if required := [key.removesuffix("!") for key in keys if key.endswith("!")]:
        schema["required"] = required
    if _MORE in notation:
        schema[PARTIAL] = True
    return schema


def _list(notation: list[Any], types: Mapping[str, Any]) -> Schema:
    schema: Schema = {"type": "array", "items": translate(notation[0], types)}
    for word in notation[1].split() if len(notation) > 1 else ():
        if word == "set":
            schema["uniqueItems"] = True
        else:
            schema.update(_bounds(word, *_SIZES["array"]))
    return schema


def _scalar(notation: str, types: Mapping[str, Any]) -> Schema:
    if notation.startswith("@"):
        return translate(types[notation[1:]], types)
    if notation.startswith("="):
        return {"type": "string", "enum": notation[1:].split("|")}
    if notation.startswith("~"):
        choices = notation[1:].split("|")
        return {"type": "string", "pattern": f"^(?i:{'|'.join(choices)})$", ANY_CASE: choices}
    name, _, bounds = notation.partition(" ")
    if name in FORMATS:
        schema: Schema = {"type": FORMATS[name].types, "format": name}
    else:
        schema = dict(_BASIC[name])
    if bounds:
        low, high = _SIZES.get(str(schema.get("type")), ("minimum", "maximum"))
        schema.update(_bounds(bounds, low, high))
    return schema


def _bounds(words: str, low: str, high: str) -> Schema:
    least, _, most = words.partition("..")
    return {name: int(value) for name, value in ((low, least), (high, most)) if value}
