"""The report for programs: one JSON object."""

from __future__ import annotations

import json

from anycastle.finding import Finding, Severity
from anycastle.report import Report
from anycastle.report.suppressing import Suppressed


def as_json(report: Report, *, show_suppressed: bool = False) -> str:
    """`{"findings": [...], "summary": {...}}`, keys and findings in a fixed order, a newline at the end.

    Where they were asked for, `suppressed` stands between the two: rows with the reason and its place besides.
    """
    value = {
        "findings": [_row(finding) for finding in report.findings],
        **({"suppressed": [_accepted(each) for each in report.suppressed]} if show_suppressed else {}),
        "summary": {
            **{severity.value: report.count(severity) for severity in Severity},
            "suppressed": len(report.suppressed),
            "baseline": report.known,
            "files": report.files,
            "objects": report.objects,
        },
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _row(finding: Finding) -> dict[str, object]:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "path": finding.where.label,
        "line": finding.where.line,
        "message": finding.message,
        "fix": finding.fix,
    }


def _accepted(each: Suppressed) -> dict[str, object]:
    return {**_row(each.finding), "reason": each.reason, "comment": str(each.where)}
