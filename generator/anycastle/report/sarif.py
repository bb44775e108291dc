"""The report as SARIF 2.1.0 (OASIS), which code scanning services read.

What nobody could judge has the kind `open`; what a comment accepts is there with its suppression.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from anycastle import __version__
from anycastle.finding import Explanation, Finding, Severity
from anycastle.report import Report
from anycastle.report.consequences import consequence
from anycastle.report.fingerprints import fingerprint

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"
FINGERPRINT = "anycastle/v1"

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note", Severity.UNCHECKED: "none"}


def as_sarif(report: Report, explanations: Iterable[Explanation]) -> str:
    """One log with one run; rules are those that occur, by code. Suppressed findings are always listed."""
    found = [*((finding, None) for finding in report.findings), *((s.finding, s.reason) for s in report.suppressed)]
    codes = sorted({finding.code for finding, _reason in found})
    known = {entry.code: entry for entry in explanations}
    run = {
        "tool": {
            "driver": {
                "name": "anycastle",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(known[code]) for code in codes],
            }
        },
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "results": list(_results(found, codes)),
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _rule(entry: Explanation) -> dict[str, Any]:
    source = f"\n\nSource: {entry.source}" if entry.source else ""
    return {
        "id": entry.code,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.why},
        "help": {"text": f"{entry.title}.\n\n{entry.why}{source}"},
        "defaultConfiguration": {"level": _LEVELS[entry.severity]},
        "properties": {"tags": [str(consequence(entry.code))]},
    }


def _results(found: Iterable[tuple[Finding, str | None]], codes: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Several findings with one fingerprint are told apart by their number."""
    seen: Counter[str] = Counter()
    for finding, reason in found:
        mark = fingerprint(finding)
        seen[mark] += 1
        yield {
            "ruleId": finding.code,
            "ruleIndex": codes.index(finding.code),
            "kind": "open" if finding.severity is Severity.UNCHECKED else "fail",
            "level": _LEVELS[finding.severity],
            "message": {"text": f"{finding.message} {finding.fix}".strip()},
            "locations": [_location(finding)],
            "partialFingerprints": {FINGERPRINT: f"{mark}:{seen[mark]}"},
            "suppressions": [] if reason is None else [{"kind": "inSource", "justification": reason}],
        }


def _location(finding: Finding) -> Mapping[str, Any]:
    where = finding.where
    place: dict[str, Any] = {}
    if where.path:
        place["physicalLocation"] = {"artifactLocation": _artifact(where.path)}
        if where.line:
            place["physicalLocation"]["region"] = {"startLine": where.line}
    if where.key:
        place["logicalLocations"] = [{"fullyQualifiedName": where.key}]
    return place


def _artifact(path: str) -> Mapping[str, str]:
    if path.startswith("/"):
        return {"uri": f"file://{quote(path)}"}
    return {"uri": quote(path.encode(errors="surrogateescape")), "uriBaseId": ROOT}
