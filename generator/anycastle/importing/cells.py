"""A site file in the making: plain data whose leaves say whether a source stated them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anycastle.finding import Place
from anycastle.importing.facts import Fact
from anycastle.records import dataclass
from anycastle.yamlio import Path, dotted


@dataclass(frozen=True, slots=True)
class Cell:
    """A value that a source stated."""

    value: Any
    where: Place


def cell(fact: Fact | None) -> Cell | None:
    """The value of a fact with its place; None where nobody said it."""
    return Cell(_lists(fact.value), fact.where) if fact is not None else None


def _lists(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def without_nothing(values: Mapping[str, Any]) -> dict[str, Any]:
    """Only what there is a value for."""
    return {key: value for key, value in values.items() if value is not None}


def settled(tree: Any, at: Path = ()) -> tuple[Any, dict[str, Place]]:
    """The plain data, and the places of what was stated by dotted key."""
    if isinstance(tree, Cell):
        return tree.value, {dotted(at): tree.where}
    places: dict[str, Place] = {}
    if isinstance(tree, Mapping):
        made: dict[str, Any] = {}
        for key, item in tree.items():
            made[key], found = settled(item, (*at, key))
            places |= found
        return made, places
    if isinstance(tree, list):
        items = []
        for index, item in enumerate(tree):
            value, found = settled(item, (*at, index))
            items.append(value)
            places.update(found)
        return items, places
    return tree, places
