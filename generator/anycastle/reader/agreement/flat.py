"""Documents as flat facts, and who among equals differs: a value that was changed in one place only.

Entries of a list go by their `name`; of `OPTION=value` texts the option is the key.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from anycastle.finding import Place
from anycastle.reader.documents import Object
from anycastle.records import dataclass
from anycastle.yamlio import Path as Keys

FEWEST = 3
"""So many have to be alike before a further one is odd."""


class Fact(NamedTuple):
    """A scalar as text, and its keys in the document."""

    value: str
    keys: Keys


@dataclass(frozen=True, slots=True)
class Member:
    """One of several objects that should be alike; `facts` by their place, without what is its very own."""

    name: str
    item: Object
    facts: Mapping[str, Fact]

    def place(self, key: str) -> Place:
        """Where a fact stands, or the object where it lacks it."""
        fact = self.facts.get(key)
        return self.item.place(fact.keys if fact else ())


class Odd(NamedTuple):
    """A member whose fact differs from that of all others; empty where it is missing."""

    member: Member
    key: str
    value: str
    usual: str


def facts(value: object, own: Mapping[str, str] | None = None) -> dict[str, Fact]:
    """Every scalar of a document; `own` texts, such as its address, are replaced by what they stand for."""
    replaced = _replacing(own or {})
    return {key: Fact(replaced(found.value), found.keys) for key, found in _flat(value, "", ())}


def _replacing(own: Mapping[str, str]) -> Callable[[str], str]:
    if not own:
        return lambda text: text

    def replaced(text: str) -> str:
        here = [word for word in own if word in text]  # a pattern for each machine is dear, and few texts need it
        if not here:
            return text
        if text in own:
            return own[text]
        pattern = "|".join(rf"(?<![\w.-]){re.escape(word)}(?![\w-]|\.\w)" for word in here)
        return re.sub(pattern, lambda match: own[match[0]], text)

    return replaced


def _flat(value: object, at: str, keys: Keys) -> Iterator[tuple[str, Fact]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{at}.{key}" if at else str(key), (*keys, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _entry(inner, at, (*keys, index))
    else:
        yield at, Fact(str(value), keys)


def _entry(value: Any, at: str, keys: Keys) -> Iterator[tuple[str, Fact]]:
    if isinstance(value, dict):
        yield from _flat(value, f"{at}[{value.get('name', keys[-1])}]", keys)
    elif isinstance(value, str) and "=" in value:
        yield f"{at}[{value.partition('=')[0]}]", Fact(value.partition("=")[2], keys)
    else:
        yield f"{at}[{value}]", Fact("listed", keys)


def odd(members: Sequence[Member], fewest: int = FEWEST, *, missing: bool = True) -> Iterator[Odd]:
    """Facts in which one member differs from all others, which agree. `missing`: having no such fact counts, too."""
    keys = dict.fromkeys(key for member in members for key in member.facts)
    for key in keys:
        having = [member for member in members if missing or key in member.facts]
        values = [member.facts[key].value if key in member.facts else "" for member in having]
        counts = Counter(values).most_common()
        if len(counts) == 2 and counts[1][1] == 1 and counts[0][1] >= fewest:
            at = values.index(counts[1][0])
            yield Odd(having[at], key, values[at], counts[0][0])


def differing(one: Member, other: Member) -> Iterator[Odd]:
    """Facts in which `other` differs from `one`."""
    for key in dict.fromkeys((*one.facts, *other.facts)):
        usual = one.facts[key].value if key in one.facts else ""
        value = other.facts[key].value if key in other.facts else ""
        if usual != value:
            yield Odd(other, key, value, usual)


def said(value: str) -> str:
    """A value as a sentence has it."""
    return value if value else "nothing"
