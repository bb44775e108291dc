"""Words for constraints that hardly a schema but a definition of a custom resource uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anycastle.schemas.fault import Fault, Path
from anycastle.schemas.unique import LIST_KEYS, repeated_entry

Around = dict[str, Any]


def _above(_error: Any, at: Path, schema: Around, shown: str) -> Fault:
    limit = schema["exclusiveMinimum"]
    return Fault("OBJ007", at, f"{shown} is out of range, must be above {limit}", f"Write a number above {limit}.")


def _below(_error: Any, at: Path, schema: Around, shown: str) -> Fault:
    limit = schema["exclusiveMaximum"]
    return Fault("OBJ007", at, f"{shown} is out of range, must be below {limit}", f"Write a number below {limit}.")


def _multiple(_error: Any, at: Path, schema: Around, shown: str) -> Fault:
    factor = schema["multipleOf"]
    return Fault("OBJ007", at, f"{shown} is no multiple of {factor}", f"Write a multiple of {factor}.")


def _fields(error: Any, at: Path, schema: Around, _shown: str) -> Fault:
    least, most = schema.get("minProperties"), schema.get("maxProperties")
    limits = [f"at least {least}"] if least is not None else []
    limits += [f"at most {most}"] if most is not None else []
    words = f"exactly {least}" if least == most else " and ".join(limits)
    found = len(error.instance)
    return Fault("OBJ007", at, f"there are {found} keys, must be {words}", f"Keep {words} keys.")


def _forbidden(_error: Any, at: Path, schema: Around, shown: str) -> Fault:
    fields = schema["not"].get("required") if isinstance(schema.get("not"), dict) else None
    if fields:
        words = " and ".join(fields)
        return Fault("OBJ008", at, f"{words} must not be set here, so the object is refused", f"Remove {words}.")
    return Fault("OBJ008", at, f"{shown} is a value that is excluded here", "Write another value.")


def _told_apart(error: Any, at: Path, schema: Around, _shown: str) -> Fault:
    keys = schema[LIST_KEYS]
    index = repeated_entry(error.instance, keys) or 0
    entry = error.instance[index]
    words = ", ".join(f"{key} {entry.get(key)}" for key in keys)
    return Fault(
        "OBJ014",
        (*at, index),
        f"an earlier entry of the list has {words} as well, so the object is refused",
        f"Give each entry its own {' and '.join(keys)}.",
    )


def required_options(at: Path, options: list[list[str]], *, one: bool) -> Fault:
    """A choice between fields, of which none or too many are there."""
    words = ", ".join(" with ".join(option) for option in options)
    count = "exactly one" if one else "at least one"
    return Fault("OBJ005", at, f"of {words} {count} must be set, so the object is refused", f"Keep {count} of {words}.")


WORDS: dict[str, Callable[[Any, Path, Around, str], Fault]] = {
    LIST_KEYS: _told_apart,
    "exclusiveMaximum": _below,
    "exclusiveMinimum": _above,
    "maxProperties": _fields,
    "minProperties": _fields,
    "multipleOf": _multiple,
    "not": _forbidden,
}
