"""Calico's label selectors: `has(role) && zone in {'a', "b"}` and the like.

The grammar is that of Calico's own parser (projectcalico/calico, libcalico-go/lib/selector): values stand in
single or double quotes without escapes, `&&` binds tighter than `||`, `!` negates the one term behind it, and
an empty selector selects everything. A label that is absent satisfies `!=` and `not in`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from anycastle.records import dataclass

MAX_DEPTH = 50

_SPACE = re.compile(r"\s*")
_LABEL = re.compile(r"[A-Za-z0-9_./-]{1,512}")
_VALUE = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_HAS = re.compile(r"has\(\s*([A-Za-z0-9_./-]{1,512})\s*\)")
_ALL = re.compile(r"all\(\s*\)")
_GLOBAL = re.compile(r"global\(\s*\)")
_FUNCTIONS = frozenset(("all", "global", "has"))
_OPERATOR = re.compile(r"==|!=|in\b|not\s+in\b|contains\b|starts\s+with\b|ends\s+with\b")
_NAMESPACE = "projectcalico.org/namespace"


class SelectorError(ValueError):
    """The text is no selector; the message says what was expected and where (counted from 1)."""


@dataclass(frozen=True, slots=True)
class Everything:
    """`all()`, and the empty selector."""

    def matches(self, _labels: Mapping[str, str]) -> bool:
        """Always."""
        return True


@dataclass(frozen=True, slots=True)
class Has:
    """`has(label)`."""

    label: str

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether the label is there, with any value."""
        return self.label in labels


@dataclass(frozen=True, slots=True)
class Compare:
    """A label held against values; `operator` is one of `==`, `!=`, `in`, `not in`, `contains`, ..."""

    label: str
    operator: str
    values: tuple[str, ...]

    def matches(self, labels: Mapping[str, str]) -> bool:
        """An absent label satisfies only the two negative operators."""
        value = labels.get(self.label)
        if self.operator in ("!=", "not in"):
            return value not in self.values
        if value is None:
            return False
        if self.operator == "contains":
            return self.values[0] in value
        if self.operator == "starts with":
            return value.startswith(self.values[0])
        if self.operator == "ends with":
            return value.endswith(self.values[0])
        return value in self.values


@dataclass(frozen=True, slots=True)
class Not:
    """`!term`."""

    term: Term

    def matches(self, labels: Mapping[str, str]) -> bool:
        """The opposite of the term."""
        return not self.term.matches(labels)


@dataclass(frozen=True, slots=True)
class Every:
    """Terms joined by `&&`."""

    terms: tuple[Term, ...]

    def matches(self, labels: Mapping[str, str]) -> bool:
        """All of them."""
        return all(term.matches(labels) for term in self.terms)


@dataclass(frozen=True, slots=True)
class Either:
    """Terms joined by `||`."""

    terms: tuple[Term, ...]

    def matches(self, labels: Mapping[str, str]) -> bool:
        """At least one of them."""
        return any(term.matches(labels) for term in self.terms)


Term = Everything | Has | Compare | Not | Every | Either


@dataclass(frozen=True, slots=True)
class Selector:
    """A parsed selector; `text` is what was written."""

    text: str
    term: Term

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Whether an object with these labels is selected."""
        return self.term.matches(labels)

    @property
    def selects_all(self) -> bool:
        """True for `all()` and for the empty selector, which mean the same."""
        return isinstance(self.term, Everything)


def parse(text: str) -> Selector:
    """Read a selector; raises SelectorError with a sentence that says what was expected and where."""
    reader = _Reader(text)
    if reader.at_end():
        return Selector(text, Everything())
    term = reader.either(0)
    if not reader.at_end():
        raise reader.error("`&&`, `||` or the end")
    return Selector(text, term)


class _Reader:
    """Recursive descent over the text; `position` only moves forward."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def at_end(self) -> bool:
        self._skip()
        return self.position == len(self.text)

    def error(self, expected: str) -> SelectorError:
        self._skip()
        rest = self.text[self.position :]
        found = f"`{rest[:20]}`" if rest else "the end"
        return SelectorError(f"expected {expected} at character {self.position + 1}, found {found}")

    def either(self, depth: int) -> Term:
        terms = [self._every(depth)]
        while self._take("||"):
            terms.append(self._every(depth))
        return terms[0] if len(terms) == 1 else Either(tuple(terms))

    def _every(self, depth: int) -> Term:
        terms = [self._term(depth)]
        while self._take("&&"):
            terms.append(self._term(depth))
        return terms[0] if len(terms) == 1 else Every(tuple(terms))

    def _term(self, depth: int) -> Term:
        if depth > MAX_DEPTH:
            msg = f"nested deeper than {MAX_DEPTH} levels"
            raise SelectorError(msg)
        if self._take("!"):
            return Not(self._term(depth + 1))
        if self._take("("):
            term = self.either(depth + 1)
            if not self._take(")"):
                raise self.error("`)`")
            return term
        if match := self._match(_HAS):
            return Has(match[1])
        if self._match(_ALL):
            return Everything()
        if self._match(_GLOBAL):
            return Not(Has(_NAMESPACE))
        return self._comparison()

    def _comparison(self) -> Term:
        label = self._match(_LABEL)
        if label is None:
            raise self.error("a label, `has(...)`, `all()` or `(`")
        if label[0] in _FUNCTIONS and self._take("("):
            raise self.error("a label and `)`" if label[0] == "has" else "`)`")
        operator = self._match(_OPERATOR)
        if operator is None:
            raise self.error(f"an operator such as `==` after the label `{label[0]}`")
        name = " ".join(operator[0].split())
        values = self._set() if name in ("in", "not in") else (self._value(),)
        return Compare(label[0], name, values)

    def _set(self) -> tuple[str, ...]:
        if not self._take("{"):
            raise self.error("`{` and a list of quoted values")
        values: list[str] = []
        while not self._take("}"):
            values.append(self._value())
            if not self._take(","):
                if self._take("}"):
                    break
                raise self.error("`,` or `}`")
        return tuple(values)

    def _value(self) -> str:
        match = self._match(_VALUE)
        if match is None:
            raise self.error("a value in quotes")
        return match[1] if match[1] is not None else match[2]

    def _take(self, token: str) -> bool:
        self._skip()
        if not self.text.startswith(token, self.position):
            return False
        self.position += len(token)
        return True

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self._skip()
        match = pattern.match(self.text, self.position)
        if match:
            self.position = match.end()
        return match

    def _skip(self) -> None:
        match = _SPACE.match(self.text, self.position)
        if match:
            self.position = match.end()
