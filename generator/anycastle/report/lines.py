"""Findings as lines of text: one line each, whatever stands in the files that they speak of."""

from __future__ import annotations

from anycastle.finding import Finding, Severity
from anycastle.report.suppressing import Suppressed

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36", Severity.UNCHECKED: "35"}


def entry(finding: Finding, colour: bool) -> str:
    """`file:line: severity CODE message`, and the cure below."""
    severity: str = finding.severity.value
    if colour:
        severity = f"\x1b[{_COLOURS[finding.severity]}m{severity}\x1b[0m"
    first = f"{place_of(finding)}: {severity} {finding.code} {plain(finding.message)}\n"
    return first + (f"    fix: {plain(finding.fix)}\n" if finding.fix else "")


def accepted(each: Suppressed) -> str:
    """The same for a finding that a comment accepts, with the reason that it gives."""
    finding = each.finding
    first = f"{place_of(finding)}: suppressed {finding.code} {plain(finding.message)}\n"
    return f"{first}    reason: {plain(each.reason)} ({plain(str(each.where))})\n"


def place_of(finding: Finding) -> str:
    """`file:line`, the file, the key of an answer, or a dash."""
    where = finding.where
    file = f"{where.path}:{where.line}" if where.path and where.line else where.path
    return plain(file or where.key) or "-"


def plain(text: str) -> str:
    """On one line and without control characters, which a terminal would obey."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else " " for sign in text)


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
