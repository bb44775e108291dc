"""From a rendered object back to the line that a person can edit.

Helm keeps no positions. A guess that costs nothing: a scalar of the object is looked for in the value files of its app
(the last file first), where the same key with the same value under the object's name counts most; failing that, the
template that made the object, at the line that writes the key. Where a finding needs the place, `reader.tracing`
makes sure of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Any

import yaml

from anycastle import yamlio
from anycastle.finding import Place
from anycastle.reader.tracing import Tracer
from anycastle.records import dataclass
from anycastle.yamlio import Path as Keys

_Index = dict[tuple[Any, ...], Place]

_TOO_COMMON = 3
"""Texts up to this length, small numbers and booleans say nothing about where they come from."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The value files of one app, the last first."""

    documents: tuple[yamlio.Document, ...]
    _index: _Index = field(default_factory=dict, compare=False, repr=False)

    def place(self, name: str, keys: Keys, value: object) -> Place | None:
        """Where a scalar at `keys` of the object `name` was answered."""
        index = self._filled()
        words = [key for key in reversed(keys) if isinstance(key, str)]
        shown = _shown(value)
        for owner in (name, None):
            for word in words:
                if found := index.get((owner, word, shown)):
                    return found
        if isinstance(value, bool) or len(shown) <= _TOO_COMMON:
            return None
        return index.get((None, None, shown))

    def named(self, name: str) -> Place | None:
        """Where a key of that name stands."""
        return self._filled().get((name,)) if name else None

    def at(self, keys: Sequence[str]) -> Place | None:
        """Where the value at exactly these keys stands."""
        for document in self.documents:
            value: Any = document.value
            for key in keys:
                value = value.get(key) if isinstance(value, dict) else None
            if value is not None:
                return document.place(*keys)
        return None

    def _filled(self) -> _Index:
        if not self._index:
            for document in self.documents:
                for scalar in _scalars(document.node, document.value, (), document.offset + 1):
                    self._enter(document.path, scalar)
        return self._index

    def _enter(self, path: str, scalar: _Scalar) -> None:
        shown = _shown(scalar.value)
        place = Place(path, scalar.line)
        self._index.setdefault((None, None, shown), place)
        for word, _line in scalar.owners[-1:]:
            self._index.setdefault((None, word, shown), place)
            for owner, line in scalar.owners[:-1]:
                self._index.setdefault((owner, word, shown), place)
                self._index.setdefault((owner,), Place(path, line))


@dataclass(frozen=True, slots=True)
class _Scalar:
    """A scalar with its line, and the keys above it with theirs."""

    value: object
    line: int
    owners: tuple[tuple[str, int], ...]


def _scalars(node: Any, value: object, owners: tuple[tuple[str, int], ...], first: int) -> Iterator[_Scalar]:
    if isinstance(node, yaml.MappingNode) and isinstance(value, dict):
        for name, item in node.value:
            if isinstance(name, yaml.ScalarNode) and name.value in value:
                line = name.start_mark.line + first
                yield from _scalars(item, value[name.value], (*owners, (name.value, line)), first)
    elif isinstance(node, yaml.SequenceNode) and isinstance(value, list):
        for item, inside in zip(node.value, value, strict=False):
            yield from _scalars(item, inside, owners, first)
    elif node is not None and not isinstance(value, (dict, list)):
        yield _Scalar(value, node.start_mark.line + first, owners)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


Guesses = dict[Place, "tuple[Rendered, Keys]"]
"""Places that were guessed, each with what it was guessed for."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """Places in an object that a template made."""

    value: dict[str, Any]
    answers: Answers
    template: str
    source: str
    tracer: Tracer | None = field(default=None, compare=False, repr=False)
    guesses: Guesses = field(default_factory=dict, compare=False, repr=False)

    def place(self, keys: Keys) -> Place:
        """The line of the answer, else that of the template; a guess that `Tracer` can make sure of."""
        found = self._guess(keys)
        if self.tracer is not None:
            self.guesses.setdefault(found, (self, keys))
        return found

    def exact(self, keys: Keys) -> Place | None:
        """The line of the answer, tried out; None where that does not tell."""
        return self.tracer.origin(self.value, keys) if self.tracer is not None else None

    def _guess(self, keys: Keys) -> Place:
        dotted = yamlio.dotted(keys)
        item: Any = self.value
        for key in keys:
            inside = isinstance(item, dict) or (isinstance(item, list) and isinstance(key, int) and key < len(item))
            item = (item.get(key) if isinstance(item, dict) else item[key]) if inside else None
        metadata = self.value.get("metadata")
        name = str(metadata.get("name", "")) if isinstance(metadata, dict) else ""
        found = None
        if item is not None and not isinstance(item, (dict, list)):
            found = self.answers.place(name, keys, item)
        elif not keys:
            found = self.answers.named(name)
        if found is None:
            line = _line_of_key(self.source, next((k for k in reversed(keys) if isinstance(k, str)), ""))
            found = Place(self.template, line) if line else self.answers.named(name) or Place(self.template, 1)
        return Place(found.path, found.line, dotted)


@lru_cache(maxsize=64)
def _keys_of_template(source: str) -> dict[str, int]:
    lines: dict[str, int] = {}
    for number, line in enumerate(source.splitlines(), start=1):
        match = re.match(r"\s*(?:- )?([A-Za-z][\w./-]*):(?:\s|$)", line)
        if match:
            lines.setdefault(match[1], number)
    return lines


def _line_of_key(source: str, key: str) -> int:
    return _keys_of_template(source).get(key, 0) if key else 0
