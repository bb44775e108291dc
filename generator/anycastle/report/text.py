"""The report for people: the gravest first, by what follows from it, then a line of numbers and what to do next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from anycastle.finding import Consequence, Finding, Severity
from anycastle.report import Report
from anycastle.report.consequences import consequence
from anycastle.report.lines import accepted, counted, entry
from anycastle.report.unchecked import unchecked_lines

_TITLES = {Severity.ERROR: "Errors", Severity.WARNING: "Warnings", Severity.INFO: "Hints"}


def findings_text(findings: Iterable[Finding], *, colour: bool = False) -> str:
    """Findings as they are, file by file: `file:line: severity CODE message`, and the fix below."""
    groups = groupby(findings, key=lambda finding: finding.where.path)
    return "\n".join("".join(entry(finding, colour) for finding in group) for _path, group in groups)


def report_text(report: Report, *, colour: bool = False, show_suppressed: bool = False) -> str:
    """A whole report; the last line says what to do next."""
    shown = sorted(report.findings, key=_gravity)
    blocks = [*_groups(shown, colour), "".join(f"{line}\n" for line in unchecked_lines(shown))]
    if show_suppressed:
        blocks.append("".join(map(accepted, report.suppressed)))
    blocks.append("".join(f"{line}\n" for line in (numbers(report), *_next(report, shown))))
    return "\n".join(block for block in blocks if block)


def _gravity(finding: Finding) -> tuple[int, int, tuple[str, int, str, int, str, str]]:
    return finding.severity.rank, consequence(finding.code).rank, finding.sort_key


def _group(finding: Finding) -> tuple[Severity, Consequence]:
    return finding.severity, consequence(finding.code)


def _groups(findings: Iterable[Finding], colour: bool) -> Iterator[str]:
    judged = (finding for finding in findings if finding.severity is not Severity.UNCHECKED)
    for (severity, follows), group in groupby(judged, key=_group):
        yield f"{_TITLES[severity]}: {follows}\n" + "".join(entry(finding, colour) for finding in group)


def numbers(report: Report) -> str:
    """How many of each severity in how much; what was accepted or left out is counted as well."""
    counts = [
        counted(report.count(Severity.ERROR), "error"),
        counted(report.count(Severity.WARNING), "warning"),
        *([counted(report.count(Severity.INFO), "hint")] if report.count(Severity.INFO) else []),
        f"{report.count(Severity.UNCHECKED)} unchecked",
        *([f"{len(report.suppressed)} suppressed"] if report.suppressed else []),
        *([f"{report.known} known from the baseline"] if report.known else []),
        *([f"{report.left_out} not asked for"] if report.left_out else []),
    ]
    read = f"{counted(report.objects, 'object')} from {counted(report.files, 'file')}"
    return f"{report.root}: {', '.join(counts)} in {read}"


def _next(report: Report, shown: list[Finding]) -> Iterator[str]:
    if report.count(Severity.UNCHECKED):
        yield "Unchecked means that nobody judged it: look at those places yourself, or make their schema known."
    grave = next((finding for finding in shown if finding.severity.rank <= Severity.WARNING.rank), None)
    if grave is not None:
        yield f"Next: correct what is named above and run this again; `anycastle explain {grave.code}` says why."
    elif report.known or report.left_out:
        yield "Next: nothing else to correct; what is known or was not asked for is still there."
    else:
        yield "Next: nothing to correct; commit and push."
