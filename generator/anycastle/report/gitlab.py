"""The report as GitLab's Code Quality shows it in a merge request (docs.gitlab.com/ci/testing/code_quality)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from anycastle.finding import Finding, Severity
from anycastle.report import Report
from anycastle.report.fingerprints import fingerprint

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}


def as_gitlab(report: Report) -> str:
    """A JSON array with an entry for each finding; one without a file stands at the root.

    What nobody could judge is left out: GitLab has no word for it, and would call it a fault.
    """
    judged = [finding for finding in report.findings if finding.severity in _SEVERITIES]
    return json.dumps(list(_entries(judged)), indent=2, ensure_ascii=False) + "\n"


def _entries(found: Iterable[Finding]) -> Iterator[dict[str, Any]]:
    """Several findings with one fingerprint are told apart by their number: GitLab would show one of them."""
    seen: Counter[str] = Counter()
    for finding in found:
        mark = fingerprint(finding)
        seen[mark] += 1
        path = finding.where.path.encode(errors="replace").decode()
        yield {
            "description": f"{finding.message} {finding.fix}".strip(),
            "check_name": finding.code,
            "fingerprint": f"{mark}{seen[mark] - 1 or ''}",
            "severity": _SEVERITIES[finding.severity],
            "location": {"path": path or ".", "lines": {"begin": max(finding.where.line, 1)}},
        }
