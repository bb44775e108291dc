"""What a source says, value by value, and where it says it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any

from anycastle.fields import FieldError
from anycastle.finding import Finding, Place
from anycastle.importing import codes
from anycastle.records import dataclass

Key = tuple[str, ...]
"""The path of a value in the site file; entries of lists by their name: `("nodes", "k8s-node-1", "address")`."""

MAX_NODES = 10_000
"""Machines of one source."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text with its label, and for an inventory the files of variables that lie beside it, by relative path."""

    label: str
    text: str
    beside: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of the site file. What is not `firm` gives way to what another place says."""

    key: Key
    value: Any
    where: Place
    firm: bool = True


@dataclass(frozen=True, slots=True)
class Read:
    """What one source gave: its kind, its facts in the order of the text, and what is wrong with it."""

    label: str
    kind: str
    facts: tuple[Fact, ...]
    findings: tuple[Finding, ...]


@dataclass(slots=True)
class Notes:
    """Collects what a source says while it is read."""

    facts: list[Fact] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def say(self, key: Key, value: object, where: Place, *, firm: bool = True) -> None:
        """Note a value that was judged already."""
        self.facts.append(Fact(key, value, where, firm))

    def parse(self, key: Key, parser: Callable[[object], Any], raw: object, where: Place, *, firm: bool = True) -> Any:
        """Note a value where `parser` takes it; else say what is wrong with it. Absent values are no fault."""
        if raw is None or raw == "":
            return None
        if is_template(raw):
            self.findings.append(
                codes.not_carried(where, f"the value for {codes.named(key)} is computed when the tool runs")
            )
            return None
        try:
            value = parser(raw)
        except FieldError as error:
            self.findings.append(codes.unusable(where, key, error.problem, error.fix))
            return None
        self.say(key, plain(value), where, firm=firm)
        return value

    def skip(self, where: Place, what: str, fix: str = codes.BY_HAND) -> None:
        """Say that something of the source is not carried over."""
        self.findings.append(codes.not_carried(where, what, fix))

    def done(self, label: str, kind: str) -> Read:
        """Everything that was collected."""
        return Read(label, kind, tuple(self.facts), tuple(self.findings))


def is_template(raw: object) -> bool:
    """Whether a text holds an expression of Jinja, which nobody here evaluates."""
    return isinstance(raw, str) and ("{{" in raw or "{%" in raw)


def plain(value: Any) -> Any:
    """As YAML carries it: addresses and networks as text."""
    if isinstance(value, bool | int | str) or value is None:
        return value
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Iterable) and not hasattr(value, "version"):
        return tuple(plain(item) for item in value)
    return str(value)
