"""Lists whose entries are told apart by some of their fields, as x-kubernetes-list-type `map` demands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LIST_KEYS = "x-kubernetes-list-map-keys"


class UniqueByKeys:
    """The keyword `LIST_KEYS` as the schema engine wants it."""

    def __init__(self, _parent: dict[str, Any], keys: list[str], _path: object) -> None:
        self._keys = keys

    def validate(self, entries: Any) -> None:
        """Raise ValueError where two entries share their keys."""
        if repeated_entry(entries, self._keys) is not None:
            raise ValueError(", ".join(self._keys))


def repeated_entry(entries: Any, keys: Sequence[str]) -> int | None:
    """The index of the first entry whose keys an earlier one has as well."""
    seen: set[str] = set()
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        identity = repr([entry.get(key) for key in keys]) if isinstance(entry, dict) else None
        if identity in seen:
            return index
        if identity is not None:
            seen.add(identity)
    return None
