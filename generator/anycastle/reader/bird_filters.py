"""Filters of BIRD as route maps and prefix lists: `if net ~ [ P+, P{a,b} ] then accept; reject;` and its relatives.

Anything else becomes a condition that is not followed, and is said to be so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from anycastle.network.addresses import IPNetwork
from anycastle.reader.bird_syntax import Statement
from anycastle.reader.frr import Clause, Config, Entry
from anycastle.reader.notes import Notes
from anycastle.records import dataclass

_ITEM = re.compile(
    r"(?P<prefix>[0-9A-Fa-f.:]+/\d+)(?:(?P<sign>[+-])|\{\s*(?P<low>\d{1,3})\s*,\s*(?P<high>\d{1,3})\s*\})?\Z"
)
_HARMLESS = frozenset(("print", "printn"))

Range = tuple[IPNetwork, int, int]


@dataclass(frozen=True, slots=True)
class Filters:
    """Turns the filters of one file into clauses of its `Config`."""

    config: Config
    defines: dict[str, list[str]]
    notes: Notes

    def add(self, name: str, body: Iterable[Statement], line: int) -> None:
        """A filter under its name; what it does not accept it rejects."""
        clauses = self.config.route_maps.setdefault(name, [])
        clauses += self._clauses(name, list(body), "")
        clauses.append(Clause(permit=False, line=line))

    def add_expression(self, name: str, words: list[str], line: int) -> None:
        """`import where CONDITION`."""
        self.add(name, [Statement(["if", *words, "then", "accept"], line)], line)

    def _clauses(self, name: str, body: list[Statement], inherited: str) -> Iterator[Clause]:
        for statement in body:
            words = statement.words[1:] if statement.words[:1] == ["else"] else statement.words
            if words[:1] == ["if"]:
                yield from self._conditional(name, words, statement)
            elif statement.block is not None and not words:
                yield from self._clauses(name, statement.block, inherited)
            elif words and words[0] in ("accept", "reject"):
                yield Clause(permit=words[0] == "accept", line=statement.line)
            elif not words or words[0] in _HARMLESS or "=" in words[1:2]:
                continue
            else:
                yield Clause(permit=True, line=statement.line, others=[" ".join(words[:4])])

    def _conditional(self, name: str, words: list[str], statement: Statement) -> Iterator[Clause]:
        then = words.index("then") if "then" in words else len(words)
        action = words[then + 1 :]
        inner = [entry.words for entry in statement.block or ()]
        inner += [action] if action else []
        verdicts = [entry[0] for entry in inner if entry and entry[0] in ("accept", "reject")]
        ranges = self.ranges(words[1:then], statement.line)
        plain = all(entry[0] in ("accept", "reject", *_HARMLESS) or "=" in entry[1:2] for entry in inner if entry)
        if not verdicts and plain:
            return  # only sets attributes
        if ranges is None or not plain:
            yield Clause(permit=True, line=statement.line, others=[" ".join(words[:then][:6])])
            return
        listed = f"{name} line {statement.line}"
        entries = self.config.prefix_lists.setdefault(listed, [])
        entries += [Entry(True, prefix, low, high, statement.line) for prefix, low, high in ranges]
        yield Clause(verdicts[0] == "accept", statement.line, [(listed, statement.line)])

    def ranges(self, condition: list[str], line: int) -> list[Range] | None:
        """Prefixes for which a condition holds; None where it asks for more than the prefix."""
        words = _bare(condition)
        parts = _split(words, "||")
        if len(parts) > 1:
            found = [self.ranges(part, line) for part in parts]
            return None if any(one is None for one in found) else [item for one in found if one for item in one]
        if words[:2] == ["net", "="] and len(words) == 3:
            return self._items(words[2:], line)
        if words[:2] != ["net", "~"] or len(words) < 3:
            return None
        named = self.defines.get(words[2]) if len(words) == 3 else None
        rest = _bare(named) if named else words[2:]
        if rest[0] == "[" and rest[-1] == "]":
            return self._items(rest[1:-1], line)
        inside = self._items(rest, line)
        return [(p, p.prefixlen, p.max_prefixlen) for p, _low, _high in inside] if inside else None

    def _items(self, words: Iterable[str], line: int) -> list[Range] | None:
        found: list[Range] = []
        for word in words:
            if word == ",":
                continue
            if word in self.defines:
                more = self._items([w for w in self.defines[word] if w not in "[]"], line)
                if more is None:
                    return None
                found += more
                continue
            match = _ITEM.match(word)
            prefix = self.notes.network(match["prefix"], self.config.place(line), "a prefix") if match else None
            if match is None or prefix is None or match["sign"] == "-":
                return None
            found.append(_range(prefix, match))
        return found


def _range(prefix: IPNetwork, match: re.Match[str]) -> Range:
    if match["low"]:
        return prefix, int(match["low"]), int(match["high"])
    return prefix, prefix.prefixlen, prefix.max_prefixlen if match["sign"] else prefix.prefixlen


def _bare(words: list[str]) -> list[str]:
    """Without parentheses around the whole."""
    while len(words) > 1 and words[0] == "(" and words[-1] == ")" and _closes_last(words):
        words = words[1:-1]
    return words


def _closes_last(words: list[str]) -> bool:
    depth = 0
    for index, word in enumerate(words):
        depth += {"(": 1, ")": -1}.get(word, 0)
        if depth == 0:
            return index == len(words) - 1
    return False


def _split(words: list[str], operator: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    depth = 0
    for word in words:
        depth += {"(": 1, ")": -1, "[": 1, "]": -1}.get(word, 0)
        if word == operator and depth == 0:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts
