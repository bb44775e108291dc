"""The report as workflow commands of GitHub Actions, which become annotations of the changed files."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Finding, Severity
from anycastle.report import Report
from anycastle.report.consequences import consequence
from anycastle.report.text import numbers
from anycastle.report.unchecked import MARK, unchecked_lines

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_IN_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY = {**_IN_MESSAGE, ":": "%3A", ",": "%2C"}


def as_github(report: Report, *, show_suppressed: bool = False) -> str:
    """One command for each finding, one for each line about what was not checked, and the numbers as plain text."""
    lines = [_annotation(finding) for finding in report.findings if finding.severity in _COMMANDS]
    lines += (
        _command("notice", {"title": "not checked"}, line.removeprefix(MARK))
        for line in unchecked_lines(report.findings)
    )
    if show_suppressed:
        lines += _accepted(report)
    return "".join(f"{line}\n" for line in (*lines, numbers(report)))


def _annotation(finding: Finding) -> str:
    title = f"{finding.code}: {consequence(finding.code)}"
    message = f"{finding.message} {finding.fix}".strip()
    return _command(_COMMANDS[finding.severity], {**_place(finding), "title": title}, message)


def _accepted(report: Report) -> Iterator[str]:
    for each in report.suppressed:
        message = f"{each.finding.message} Accepted: {each.reason}"
        yield _command("notice", {**_place(each.finding), "title": f"suppressed {each.finding.code}"}, message)


def _place(finding: Finding) -> dict[str, str]:
    where = finding.where
    return {
        **({"file": where.path} if where.path else {}),
        **({"line": str(where.line)} if where.path and where.line else {}),
    }


def _command(name: str, properties: dict[str, str], message: str) -> str:
    listed = ",".join(f"{key}={_escaped(value, _IN_PROPERTY)}" for key, value in properties.items())
    return f"::{name} {listed}::{_escaped(message, _IN_MESSAGE)}"


def _escaped(text: str, signs: dict[str, str]) -> str:
    return "".join(signs.get(sign, sign) for sign in text)
