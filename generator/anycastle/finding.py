"""What a check has to say: the vocabulary shared by everything that judges.

A finding is a value, never printed where it is made. The set of severities is closed: what could not
be judged is *unchecked*, said aloud, and never counted as passed.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from anycastle.records import dataclass


class Severity(StrEnum):
    """How a finding weighs; `unchecked` means that nobody could judge."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    UNCHECKED = "unchecked"

    @property
    def rank(self) -> int:
        """0 for the gravest; reports sort by it."""
        return tuple(Severity).index(self)


class Consequence(StrEnum):
    """What follows from a finding in a real network, the worst first; `report.consequences` says it of each code."""

    CLUSTER_DOWN = "the cluster does not come up"
    UNREACHABLE = "addresses are assigned and not reachable"
    LASTING = "failures last longer than they should"
    EXPOSED = "secrets or the network are exposed"
    DELIVERY = "the GitOps engine breaks or deletes"
    REFUSED = "objects are refused"
    WITHOUT_EFFECT = "settings have no effect"
    UNREADABLE = "files cannot be read"
    NOT_GENERATED = "nothing can be generated"
    OUT_OF_STEP = "what is written down is out of step"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return tuple(Consequence).index(self)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where something is said: a file and line, or the path of an answer, or both.

    `path` is relative to the repository, with forward slashes; empty for an answer that is in no file.
    `line` counts from 1; 0 where no line is known. `key` is a dotted path inside the document, such as
    `nodes[3].address`.
    """

    path: str = ""
    line: int = 0
    key: str = ""

    def __str__(self) -> str:
        file = f"{self.path}:{self.line}" if self.path and self.line else self.path
        return " ".join(part for part in (file, self.key) if part)

    @property
    def label(self) -> str:
        """What stands in the `path` field of a report: the file, or else the key of the answer."""
        return self.path or self.key


NOWHERE = Place()


@dataclass(frozen=True, slots=True)
class Finding:
    """One judgement: what is wrong and what follows (`message`), and what to write instead (`fix`)."""

    code: str
    severity: Severity
    where: Place
    message: str
    fix: str = ""

    @property
    def sort_key(self) -> tuple[str, int, str, int, str, str]:
        """File, line, key, gravity, code, message: the order of every report."""
        return (
            self.where.path,
            self.where.line,
            self.where.key,
            self.severity.rank,
            self.code,
            self.message,
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """What stands behind a code: `docs/rules.md` and `anycastle explain` are made from these.

    `why` says what happens in a real network; `source` names an RFC, an upstream document or an issue.
    """

    code: str
    title: str
    why: str
    severity: Severity = Severity.ERROR
    source: str = ""


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Without duplicates, in the order of reports."""
    return tuple(sorted(set(findings), key=lambda finding: finding.sort_key))


class Refused(Exception):
    """Raised where work can't go on; carries every finding at once, in order."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = in_order(findings)
        super().__init__("\n".join(f"{f.where}: {f.message} {f.fix}".strip() for f in self.findings))


class Misuse(Refused):
    """Raised where the command itself was wrong, such as an option that names what does not exist."""


class Unanswered(Refused):
    """Raised where a command answers by its exit status and cannot tell: 1 would be taken for the answer."""
