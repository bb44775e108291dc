"""What a run has to say, and how it is written: one module for each form.

A report is a value: the forms turn it into text and know nothing of where it came from.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import replace

from anycastle.finding import Finding, Place, Severity, in_order
from anycastle.records import dataclass
from anycastle.report.suppressing import Suppressed


@dataclass(frozen=True, slots=True)
class Report:
    """Findings in the order of reports, and how much was looked at.

    `root` is the directory as the user named it; `files` and `objects` count what was read. `suppressed` are findings
    that a comment accepts, `known` counts those of the baseline, `left_out` those that were not asked for.
    """

    root: str
    findings: tuple[Finding, ...]
    files: int = 0
    objects: int = 0
    suppressed: tuple[Suppressed, ...] = ()
    known: int = 0
    left_out: int = 0

    def count(self, severity: Severity) -> int:
        """How many findings have that severity."""
        return sum(finding.severity is severity for finding in self.findings)

    def fails_at(self, least: Severity) -> bool:
        """Whether something is at least that grave. *Unchecked* and *info* are no failure."""
        return any(finding.severity.rank <= least.rank for finding in self.findings)


def report(root: str, findings: Iterable[Finding], files: int = 0, objects: int = 0) -> Report:
    """A report with its findings in order and without duplicates."""
    return Report(root, in_order(findings), files, objects)


_NAMED = 5
"""Repositories that are named in a summary; more are counted."""


def merged(reports: Iterable[Report]) -> Report:
    """One report of several repositories: each path begins with the directory that it belongs to.

    A single report stays as it is.
    """
    parts = tuple(reports)
    if len(parts) == 1:
        return parts[0]
    placed = gathered(inside(part.root, part) for part in parts)
    roots = [part.root for part in parts]
    return replace(placed, root=" ".join(roots) if len(roots) <= _NAMED else f"{len(roots)} repositories")


def gathered(reports: Iterable[Report]) -> Report:
    """One report of several that have their paths from the same directory."""
    parts = tuple(reports)
    if len(parts) == 1:
        return parts[0]
    return Report(
        "",
        in_order(finding for part in parts for finding in part.findings),
        sum(part.files for part in parts),
        sum(part.objects for part in parts),
        tuple(dict.fromkeys(each for part in parts for each in part.suppressed)),
    )


_ECHOES = {"SVC001": "CAL070", "READ005": "CAL014"}
"""Codes that say of a value what another one says of the same value, more exactly."""


def said_once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Without those that repeat what a more exact one says at the same place."""
    listed = tuple(findings)
    known = {(finding.code, finding.where) for finding in listed}
    return tuple(finding for finding in listed if (_ECHOES.get(finding.code), finding.where) not in known)


def from_here(part: Report) -> Report:
    """Paths as a CI system wants them: from the directory in which the command runs, if the repository is below it.

    Those of a repository elsewhere stay relative to it.
    """
    root = posixpath.normpath(part.root)
    elsewhere = root == "." or root.startswith(("..", "/"))
    return part if elsewhere else inside(root, part)


def inside(root: str, part: Report) -> Report:
    """The same report with paths that begin with a directory."""
    return replace(
        part,
        findings=tuple(replace(finding, where=_below(root, finding.where)) for finding in part.findings),
        suppressed=tuple(
            replace(
                each,
                finding=replace(each.finding, where=_below(root, each.finding.where)),
                where=_below(root, each.where),
            )
            for each in part.suppressed
        ),
    )


def _below(root: str, where: Place) -> Place:
    return replace(where, path=f"{root.rstrip('/')}/{where.path}" if where.path else root)
