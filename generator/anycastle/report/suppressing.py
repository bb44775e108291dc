"""Findings on one side, comments that accept them on the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from anycastle.finding import Finding, Place, Severity
from anycastle.records import dataclass

if TYPE_CHECKING:
    from anycastle.report.comments import Suppression


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that a person has accepted, why, and where that is written."""

    finding: Finding
    reason: str
    where: Place


def sort_out(
    findings: Iterable[Finding], said: Iterable[Suppression | Finding]
) -> tuple[tuple[Finding, ...], tuple[Suppressed, ...]]:
    """What is left to report, and what was accepted. `said` is what the comments say and what is wrong with them.

    Findings about comments are left, too: those given, and one for each suppression that nothing needed. Where two
    comments hold for one finding, the first counts and the second is not needed.
    """
    comments: list[Suppression] = []
    left: list[Finding] = []
    for each in said:
        if isinstance(each, Finding):
            left.append(each)
        else:
            comments.append(each)
    accepted: list[Suppressed] = []
    for finding in findings:
        comment = next((comment for comment in comments if comment.holds_for(finding)), None)
        if comment is None:
            left.append(finding)
        else:
            accepted.append(Suppressed(finding, comment.reason, comment.where))
    used = {(each.where, each.finding.code) for each in accepted}
    unused = ((comment, code) for comment in comments for code in comment.codes if (comment.where, code) not in used)
    return (*left, *(_unused(comment, code, left) for comment, code in unused)), tuple(accepted)


def _unused(comment: Suppression, code: str, left: Iterable[Finding]) -> Finding:
    """A finding of that code elsewhere in the file is probably the one that was meant."""
    at = f"line {comment.target}" if comment.target else "this file"
    message = f"Nothing in {at} has the code {code}; the suppression would hide it if it came back."
    lines = sorted({each.where.line for each in left if each.code == code and each.where.path == comment.where.path})
    fix = f"Move the comment to line {lines[0]}, which has it, or remove it." if any(lines) else "Remove the comment."
    return Finding("SUP004", Severity.INFO, comment.where, message, fix)
