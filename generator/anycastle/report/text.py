"""The report for people: findings by file, a line of numbers, and what to do next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from anycastle.finding import Finding, Severity
from anycastle.report import Report

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36", Severity.UNCHECKED: "35"}


def findings_text(findings: Iterable[Finding], *, colour: bool = False) -> str:
    """Findings grouped by file: `file:line: severity CODE message`, and the fix below."""
    groups = groupby(findings, key=lambda finding: finding.where.path)
    return "\n".join("".join(_entry(finding, colour) for finding in group) for _path, group in groups)


def report_text(report: Report, *, colour: bool = False) -> str:
    """A whole report; the last line says what to do next."""
    head = findings_text(report.findings, colour=colour)
    return (head + "\n" if head else "") + "".join(line + "\n" for line in (_numbers(report), *_next(report)))


def _entry(finding: Finding, colour: bool) -> str:
    severity: str = finding.severity.value
    if colour:
        severity = f"\x1b[{_COLOURS[finding.severity]}m{severity}\x1b[0m"
    place = _place(finding)
    first = f"{place}: {severity} {finding.code} {finding.message}\n"
    return first + (f"    fix: {finding.fix}\n" if finding.fix else "")


def _place(finding: Finding) -> str:
    where = finding.where
    file = f"{where.path}:{where.line}" if where.path and where.line else where.path
    return file or where.key or "-"


def _numbers(report: Report) -> str:
    counts = [
        _counted(report.count(Severity.ERROR), "error"),
        _counted(report.count(Severity.WARNING), "warning"),
        *([_counted(report.count(Severity.INFO), "hint")] if report.count(Severity.INFO) else []),
        f"{report.count(Severity.UNCHECKED)} unchecked",
    ]
    read = f"{_counted(report.objects, 'object')} from {_counted(report.files, 'file')}"
    return f"{report.root}: {', '.join(counts)} in {read}"


def _next(report: Report) -> Iterator[str]:
    if report.count(Severity.UNCHECKED):
        yield "Unchecked means that nobody judged it: look at those places yourself, or make their schema known."
    grave = next((finding for finding in report.findings if finding.severity.rank <= Severity.WARNING.rank), None)
    if grave is not None:
        yield f"Next: correct what is named above and run this again; `anycastle explain {grave.code}` says why."
    else:
        yield "Next: nothing to correct; commit, push, and follow docs/runbook.md."


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
