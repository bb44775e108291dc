"""The report for programs: one JSON object."""

from __future__ import annotations

import json

from anycastle.finding import Finding, Severity
from anycastle.report import Report


def as_json(report: Report) -> str:
    """`{"findings": [...], "summary": {...}}`, keys and findings in a fixed order, a newline at the end."""
    value = {
        "findings": [_row(finding) for finding in report.findings],
        "summary": {
            **{severity.value: report.count(severity) for severity in Severity},
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
