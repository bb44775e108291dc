"""The facts of all sources together; where two firm ones differ, there is a finding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from ipaddress import ip_interface
from typing import Any

from anycastle.finding import Finding
from anycastle.importing import codes
from anycastle.importing.facts import Fact, Key, Read
from anycastle.records import dataclass

_WITH_LENGTH = frozenset(("address", "second"))
"""Values that carry a prefix length where their source knows one, and /32 or /128 where it does not."""

Entry = Mapping[str, Fact]


@dataclass(frozen=True, slots=True)
class Merged:
    """One fact for each key, in the order in which the keys were first said."""

    facts: Mapping[Key, Fact]

    def get(self, *key: str) -> Fact | None:
        """The fact at a key."""
        return self.facts.get(key)

    def entries(self, kind: str) -> dict[str, dict[str, Fact]]:
        """The entries of a list by name, each with its facts by their last word."""
        found: dict[str, dict[str, Fact]] = {}
        for key, fact in self.facts.items():
            if len(key) == 3 and key[0] == kind:
                found.setdefault(key[1], {})[key[2]] = fact
        return found


def merge(reads: Iterable[Read]) -> tuple[Merged, tuple[Finding, ...]]:
    """All facts; a firm one outweighs one that is not, and the first one of equals stays."""
    facts: dict[Key, Fact] = {}
    findings: list[Finding] = []
    for fact in (fact for one in reads for fact in one.facts):
        held = facts.get(fact.key)
        if held is None or (fact.firm and not held.firm):
            facts[fact.key] = fact if held is None else _better(fact, held)
        elif _same(held, fact):
            facts[fact.key] = _better(held, fact)
        elif held.firm and fact.firm:
            findings.append(codes.disagreement(fact.where, fact.key, (_bare(fact), _bare(held)), held.where))
    return Merged(facts), tuple(findings)


def _same(one: Fact, other: Fact) -> bool:
    return bool(_bare(one) == _bare(other))


def _bare(fact: Fact) -> Any:
    if fact.key[-1] in _WITH_LENGTH and isinstance(fact.value, str):
        return str(ip_interface(fact.value).ip)
    return fact.value


def _better(kept: Fact, other: Fact) -> Fact:
    """The kept fact; for one address written twice, with the prefix length that one of both knows."""
    if kept.key[-1] not in _WITH_LENGTH or not _same(kept, other):
        return kept
    lengths = [ip_interface(fact.value) for fact in (kept, other)]
    return replace(kept, value=str(min(lengths, key=lambda one: one.network.prefixlen)))
