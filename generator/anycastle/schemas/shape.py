"""Reading inside objects whose shape nobody has vouched for.

A value of the wrong type is the schema's business; the laws that come after it read it as absent, so that
one mistake is reported once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from anycastle.schemas.fault import Path


def mapping(value: Any, *keys: str) -> dict[str, Any]:
    """The mapping at `keys` below `value`; empty where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def at(value: Any, keys: Sequence[str | int]) -> Any:
    """What stands at `keys`, which go through lists, too; None where nothing does."""
    for key in keys:
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and isinstance(key, int) and key < len(value):
            value = value[key]
        else:
            return None
    return value


def sequence(value: Any, *keys: str) -> list[Any]:
    """The list at `keys` below `value`; empty where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []


def text(value: Any, *keys: str) -> str:
    """The text at `keys` below `value`; empty where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def number(value: Any, *keys: str) -> int | None:
    """The whole number at `keys` below `value`."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def mappings(value: Any, key: str, at: Path = ()) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The mappings of the list under `key`, each with its path below `at`."""
    for index, entry in enumerate(sequence(value, key)):
        if isinstance(entry, dict):
            yield (*at, key, index), entry


def texts(value: Any, key: str, at: Path = ()) -> Iterator[tuple[Path, str]]:
    """The texts of the list under `key`, each with its path below `at`."""
    for index, entry in enumerate(sequence(value, key)):
        if isinstance(entry, str):
            yield (*at, key, index), entry


def repeated(entries: Iterator[tuple[Path, Any]]) -> Iterator[tuple[Path, Any]]:
    """Those entries whose value has been seen before; absent values (None, empty) do not count."""
    seen: set[Any] = set()
    for at, value in entries:
        if value in (None, ""):
            continue
        if value in seen:
            yield at, value
        seen.add(value)
