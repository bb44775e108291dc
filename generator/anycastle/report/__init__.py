"""What a run has to say, and how it is written: one module for each form.

A report is a value: the forms turn it into text and know nothing of where it came from.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from anycastle.finding import Finding, Severity, in_order


@dataclass(frozen=True, slots=True)
class Report:
    """Findings in the order of reports, and how much was looked at.

    `root` is the directory as the user named it; `files` and `objects` count what was read.
    """

    root: str
    findings: tuple[Finding, ...]
    files: int = 0
    objects: int = 0

    def count(self, severity: Severity) -> int:
        """How many findings have that severity."""
        return sum(finding.severity is severity for finding in self.findings)

    def fails_at(self, least: Severity) -> bool:
        """Whether something is at least that grave. *Unchecked* and *info* are no failure."""
        return any(finding.severity.rank <= least.rank for finding in self.findings)


def report(root: str, findings: Iterable[Finding], files: int = 0, objects: int = 0) -> Report:
    """A report with its findings in order and without duplicates."""
    return Report(root, in_order(findings), files, objects)


def merged(reports: Iterable[Report]) -> Report:
    """One report of several repositories: each path begins with the directory that it belongs to.

    A single report stays as it is.
    """
    parts = tuple(reports)
    if len(parts) == 1:
        return parts[0]
    return report(
        " ".join(part.root for part in parts),
        (_inside(part.root, finding) for part in parts for finding in part.findings),
        sum(part.files for part in parts),
        sum(part.objects for part in parts),
    )


def _inside(root: str, finding: Finding) -> Finding:
    path = f"{root.rstrip('/')}/{finding.where.path}" if finding.where.path else root
    return replace(finding, where=replace(finding.where, path=path))
