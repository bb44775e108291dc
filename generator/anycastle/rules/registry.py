"""What a rule is, and the decorator that makes one out of a function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import NamedTuple

from anycastle.finding import Explanation, Finding, Place, Severity
from anycastle.network.model import Network
from anycastle.records import dataclass


class Fault(NamedTuple):
    """A finding as a rule's function says it: without the code, and with the rule's severity unless told otherwise."""

    where: Place
    message: str
    fix: str
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One law over a network.

    `title` is the law in a few words; `why` and `source` come from the docstring of its function.
    """

    code: str
    title: str
    why: str
    severity: Severity
    source: str
    check: Callable[[Network], Iterator[Finding]]

    @property
    def explanation(self) -> Explanation:
        """What the documentation says of it."""
        return Explanation(self.code, self.title, self.why, self.severity, self.source)


def rule(
    code: str, title: str, severity: Severity = Severity.ERROR
) -> Callable[[Callable[[Network], Iterator[Fault]]], Rule]:
    """Make a rule of a function; its docstring must end with a paragraph `Source: ...`."""

    def register(judge: Callable[[Network], Iterator[Fault]]) -> Rule:
        why, source = _reasons(judge)

        def check(network: Network) -> Iterator[Finding]:
            for where, message, fix, own in judge(network):
                yield Finding(code, own or severity, where, message, fix)

        return Rule(code, title, why, severity, source, check)

    return register


def _reasons(judge: Callable[[Network], Iterator[Fault]]) -> tuple[str, str]:
    why, _, source = (inspect.getdoc(judge) or "").rpartition("\nSource:")
    paragraphs = (" ".join(paragraph.split()) for paragraph in why.split("\n\n"))
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph), " ".join(source.split())
