"""Errors of the schema engine in words a person can act on.

The engine says where it stopped (`instance_path`) and which keyword of which schema refused
(`schema_path`). The schema around that keyword knows more than the message: which fields there are, which
format was meant, which code the mistake has.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from anycastle.schemas.fault import Fault, Path
from anycastle.schemas.formats import FORMATS, Format
from anycastle.schemas.notation import ANY_CASE, CODE, PARTIAL

Around = dict[str, Any]

_TYPES = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "a boolean",
    "object": "a mapping",
    "array": "a list",
    "null": "empty",
}
_HIDDEN = "the value"
_FULL = 12


def faults(
    errors: Iterable[Any],
    around: Callable[[list[Any]], Around],
    *,
    secret: bool,
    forms: Mapping[str, Format] = FORMATS,
) -> Iterator[Fault]:
    """What the engine's errors mean; `around` finds a schema by its path, `secret` hides values.

    A value of the wrong type fails other keywords as well; only the type is reported.
    """
    listed = [(tuple(error.instance_path), error) for error in errors]
    mistyped = {at for at, error in listed if error.kind.name == "type"}
    for at, error in listed:
        if at in mistyped and error.kind.name != "type":
            continue
        keywords = list(error.schema_path)
        shown = _HIDDEN if secret and at[:1] in (("data",), ("stringData",)) else _shown(error.instance)
        schema = around(keywords[:-1])
        if error.kind.name == "format":
            yield _malformed(at, error.instance, forms[schema["format"]])
        else:
            yield from _fault(error, at, schema, shown)


def _fault(error: Any, at: Path, schema: Around, shown: str) -> Iterator[Fault]:
    kind = error.kind
    words = _WORDS.get(kind.name) or _rarer(kind.name)
    if kind.name == "additionalProperties":
        yield from (_unknown(at, name, schema) for name in kind.unexpected)
    elif kind.name == "required":
        yield _missing(at, kind.property)
    elif words is not None:
        yield words(error, at, schema, shown)
    else:
        yield Fault("OBJ008", at, f"{shown} does not fit: {error.message}", "Write a value of another form.")


def _rarer(keyword: str) -> Callable[[Any, Path, Around, str], Fault] | None:
    from anycastle.schemas.constraints import WORDS  # only needed once something is wrong

    return WORDS.get(keyword)


def _unknown(at: Path, name: str, schema: Around) -> Fault:
    keys = (*at, name)
    if schema.get(PARTIAL):
        return Fault("OBJ012", keys, name)
    known = sorted(schema.get("properties", {}))
    return Fault(
        "OBJ003",
        keys,
        f"unknown field `{name}`: the API server drops it or refuses the object, so it never takes effect",
        suggestion(name, known) or "Remove it, or move it to the level where it belongs.",
    )


def suggestion(name: str, known: list[str]) -> str:
    """`Did you mean ...?` for a misspelt name, or the few names there are, or nothing."""
    if close := closest(name, known):
        return f"Did you mean `{close}`?"
    if 0 < len(known) <= _FULL:
        return f"The fields here are {', '.join(known)}."
    return ""


def closest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The known name that resembles `name` most, or nothing."""
    import difflib  # only needed once something is wrong

    folded = {each.lower(): each for each in known}
    found = difflib.get_close_matches(name.lower(), folded, n=1, cutoff=cutoff)
    return folded[found[0]] if found else ""


def _missing(at: Path, name: str) -> Fault:
    return Fault(
        "OBJ005",
        (*at, name),
        f"required field `{name}` is missing, so the object is refused",
        f"Add `{name}`.",
    )


def _malformed(at: Path, value: str, form: Format) -> Fault:
    complaint = form.explain(value)
    if complaint is None:
        return Fault("OBJ008", at, f"{_shown(value)} is malformed", "Write a value of another form.")
    return Fault(complaint.code, at, complaint.what, complaint.fix)


def _type(error: Any, at: Path, _schema: Around, shown: str) -> Fault:
    wanted = [name for name in error.kind.types if name != "null"]
    words = " or ".join(_TYPES[name] for name in wanted)
    value = error.instance
    return Fault("OBJ004", at, f"{shown} is {_type_of(value)}, must be {words}", _retype(value, wanted, shown))


def _type_of(value: Any) -> str:
    names = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object", list: "array"}
    return _TYPES[names.get(type(value), "null")]


def _retype(value: Any, wanted: list[str], shown: str) -> str:
    if value is None:
        return "Give it a value or leave the key out."
    if "string" in wanted and isinstance(value, (bool, int, float)):
        return "Put it in quotes." if shown == _HIDDEN else f'Put it in quotes: "{shown}".'
    if "array" in wanted:
        return "Write a list: each entry on a line of its own behind `- `."
    if "object" in wanted:
        return "Write a mapping of keys and values."
    if isinstance(value, str) and set(wanted) & {"integer", "number", "boolean"}:
        return "Write it without quotes."
    return "Write true or false." if wanted == ["boolean"] else f"Write {_TYPES[wanted[0]]}."


def _choice(error: Any, at: Path, schema: Around, shown: str) -> Fault:
    options = [option for option in schema.get("enum", ()) if option not in (None, "")]
    return _one_of(at, error.instance, options, shown)


def _one_of(at: Path, value: Any, options: list[Any], shown: str) -> Fault:
    listed = ", ".join(map(str, options))
    close = closest(str(value), map(str, options))
    hint = f"Did you mean `{close}`?" if close else f"Write one of {listed}."
    return Fault("OBJ006", at, f"{shown} is none of {listed}", hint)


def _pattern(error: Any, at: Path, schema: Around, shown: str) -> Fault:
    if choices := schema.get(ANY_CASE):
        return _one_of(at, error.instance, [choice for choice in choices if choice], shown)
    return Fault("OBJ008", at, f"{shown} does not have the form {error.kind.pattern}", "Write it in that form.")


def _bound(error: Any, at: Path, schema: Around, shown: str) -> Fault:
    low, high = schema.get("minimum"), schema.get("maximum")
    if schema.get(CODE) == "CAL015" and error.kind.name == "maximum":
        return Fault(
            "CAL015",
            at,
            f"AS number {shown} is above {high}: Calico v3.32 declares AS numbers as signed 32-bit integers, so "
            "the API server refuses the object (projectcalico/calico#13494)",
            "Use a number up to 2147483647 for Calico, such as 64512 to 65534; kube-vip and routers take all 4 bytes.",
        )
    limits = [f"at least {low}"] if low is not None else []
    limits += [f"at most {high}"] if high is not None else []
    words = " and ".join(limits)
    return Fault("OBJ007", at, f"{shown} is out of range, must be {words}", f"Write a number of {words}.")


def _size(error: Any, at: Path, schema: Around, _shown: str) -> Fault:
    unit = "characters" if isinstance(error.instance, str) else "entries"
    least = schema.get("minLength", schema.get("minItems"))
    most = schema.get("maxLength", schema.get("maxItems"))
    limits = [f"at least {least}"] if least is not None else []
    limits += [f"at most {most}"] if most is not None else []
    words = " and ".join(limits)
    found = len(error.instance)
    return Fault("OBJ007", at, f"there are {found} {unit}, must be {words}", f"Keep {words} {unit}.")


def _twice(error: Any, at: Path, _schema: Around, _shown_value: str) -> Fault:
    seen: list[Any] = []
    for index, entry in enumerate(error.instance):
        if entry in seen:
            return Fault(
                "OBJ014", (*at, index), f"{_shown(entry)} is listed twice, so the object is refused", "Keep one."
            )
        seen.append(entry)
    return Fault("OBJ014", at, "an entry is listed twice, so the object is refused", "Keep one of the two.")


def _alternatives(error: Any, at: Path, schema: Around, shown: str) -> Fault:
    """`oneOf` and `anyOf` stand in Kubernetes' schemas for a choice of types, in definitions also of fields."""
    options = schema.get("oneOf") or schema.get("anyOf") or ()
    required = [option.get("required") or [] for option in options if isinstance(option, dict)]
    if required and all(required):
        from anycastle.schemas.constraints import required_options

        return required_options(at, required, one=error.kind.name == "oneOf")
    types = [name for option in options if isinstance(option, dict) for name in _listed(option.get("type"))]
    words = " or ".join(dict.fromkeys(_TYPES[name] for name in types if name != "null")) or "another type"
    return Fault("OBJ004", at, f"{shown} is {_type_of(error.instance)}, must be {words}", f"Write {words}.")


def _listed(types: Any) -> list[str]:
    return [types] if isinstance(types, str) else list(types or ())


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)
    text = text if len(text) <= 60 else f"{text[:57]}..."
    return f"`{text}`" if isinstance(value, str) else text


_WORDS: dict[str, Callable[[Any, Path, Around, str], Fault]] = {
    "type": _type,
    "enum": _choice,
    "pattern": _pattern,
    "minimum": _bound,
    "maximum": _bound,
    "minLength": _size,
    "maxLength": _size,
    "minItems": _size,
    "maxItems": _size,
    "uniqueItems": _twice,
    "oneOf": _alternatives,
    "anyOf": _alternatives,
}
