"""The baseline: findings that an old repository is known to have, so that only new ones are reported.

A file of JSON. An entry is recognised by code, path and message, not by its line; its count says how often, so that one
more of the same sort is new. Secrets are never in it: an exposed secret stays reported until it is suppressed at its
line, with a reason.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from anycastle.finding import Finding, Place, Severity
from anycastle.report.codes import BASELINE, SECRET, SUPPRESSION
from anycastle.report.families import family
from anycastle.report.fingerprints import Identity, identity

SCHEMA = 1
Known = Counter[Identity]

_NEVER = (SECRET, SUPPRESSION, BASELINE)


def known(findings: Iterable[Finding]) -> Known:
    """The entries for these findings; *unchecked* is no mistake that could be known."""
    return Counter(
        identity(finding)
        for finding in findings
        if finding.severity is not Severity.UNCHECKED and family(finding.code) not in _NEVER
    )


def as_text(entries: Known) -> str:
    """The file: sorted by path, one entry for each sort of finding in it."""
    rows = [
        {"code": code, "path": path, "message": message, "count": entries[code, path, message]}
        for code, path, message in sorted(entries, key=lambda entry: (entry[1], entry[0], entry[2]))
    ]
    return json.dumps({"schema": SCHEMA, "findings": rows}, indent=2, ensure_ascii=False) + "\n"


def parse(text: str) -> Known:
    """The entries of a file. Raises `ValueError` with a sentence where it is no baseline."""
    try:
        value = json.loads(text)
        if value["schema"] != SCHEMA:
            raise ValueError(f"it has the schema {value['schema']!r}, not {SCHEMA}")
        return Counter({_identity(row): _count(row["count"]) for row in value["findings"]})
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON (line {error.lineno})") from error
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError("it has another shape than a baseline") from error


def _identity(row: dict[str, Any]) -> Identity:
    parts = row["code"], row["path"], row["message"]
    if not all(isinstance(part, str) for part in parts):
        raise TypeError
    return parts


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise TypeError
    return value


def compared(findings: Iterable[Finding], entries: Known) -> tuple[tuple[Finding, ...], int]:
    """What is new, with a finding for each entry that fits nothing any more; and how many are known."""
    rest = Counter({entry: count for entry, count in entries.items() if family(entry[0]) not in _NEVER})
    total = rest.total()
    new: list[Finding] = []
    for finding in findings:
        if rest[identity(finding)] > 0:
            rest[identity(finding)] -= 1
        else:
            new.append(finding)
    stale = +rest
    return (*new, *_stale(stale)), total - stale.total()


def _stale(entries: Known) -> Iterator[Finding]:
    for (code, path, message), count in entries.items():
        often = "" if count == 1 else f" {count} times"
        yield Finding(
            "BASE001",
            Severity.INFO,
            Place(path),
            f"The baseline knows {code}{often} here, which is no longer found: {message}",
            "Write the baseline anew with --write-baseline.",
        )
