"""One run of `validate`: read, judge, then leave out what a person has accepted, knows, or did not ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from anycastle import abreast, compose, textfile
from anycastle.finding import Severity, in_order
from anycastle.records import dataclass
from anycastle.report import Report, merged

if TYPE_CHECKING:
    from anycastle.report.baseline import Known

Say = Callable[[str], None]
"""Takes text with its line ends."""


class WrongWish(ValueError):
    """What was asked for makes no sense; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person wants of a run besides the findings of the files.

    `select` and `ignore` are comma-separated names of codes. `baseline` is read, `write_baseline` is written.
    `jobs` are the processes among which several repositories are divided; None leaves that to the machine.
    """

    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    baseline: Path | None = None
    write_baseline: Path | None = None
    require_checked: bool = False
    jobs: int | None = None


def validated(directories: Iterable[Path], wishes: Wishes, store: Path | None, say: Say) -> Report:
    """One report of several repositories. `store` is the cache, or None for no cache. Raises `WrongWish`."""
    names = _names(wishes.select), _names(wishes.ignore)
    entries = _baseline(wishes.baseline) if wishes.baseline else None
    found = merged(abreast.reports(tuple(directories), store, wishes.jobs))
    found = _asked_for(found, *names)
    if wishes.require_checked:
        found = _required(found)
    if wishes.write_baseline:
        entries = _write(wishes.write_baseline, found, say)
    if entries is not None:
        from anycastle.report.baseline import compared

        left, count = compared(found.findings, entries)
        found = replace(found, findings=in_order(left), known=count)
    return found


def _names(texts: Sequence[str]) -> tuple[str, ...]:
    from anycastle.report.families import names_of

    if not texts:
        return ()
    try:
        return names_of(texts, [entry.code for entry in compose.explanations()])
    except ValueError as error:
        raise WrongWish(str(error)) from error


def _asked_for(found: Report, select: Sequence[str], ignore: Sequence[str]) -> Report:
    from anycastle.report.families import covered

    wanted = tuple(
        finding
        for finding in found.findings
        if (not select or covered(select, finding.code)) and not covered(ignore, finding.code)
    )
    return replace(found, findings=wanted, left_out=len(found.findings) - len(wanted))


def _required(found: Report) -> Report:
    """What nobody judged as an error."""
    findings = (
        replace(finding, severity=Severity.ERROR) if finding.severity is Severity.UNCHECKED else finding
        for finding in found.findings
    )
    return replace(found, findings=in_order(findings))


MAX_BASELINE = 16 * 1024 * 1024


def _baseline(path: Path) -> Known:
    from anycastle.report.baseline import parse

    try:
        return parse(textfile.read(path, MAX_BASELINE).decode())
    except (OSError, ValueError) as error:
        raise WrongWish(f"The baseline {path} cannot be used: {_reason(error)}.") from error


def _write(path: Path, found: Report, say: Say) -> Known:
    """Make what was found the baseline; what must not be in it is said and stays reported."""
    from anycastle import cache
    from anycastle.report.baseline import as_text, known

    entries = known(found.findings)
    try:
        cache.write(path, as_text(entries).encode(), private=False)
    except OSError as error:
        raise WrongWish(f"The baseline {path} cannot be written: {_reason(error)}.") from error
    say(f"Written: {path} with {entries.total()} of {len(found.findings)} findings; the others stay reported.\n")
    return entries


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return (error.strerror or "the system refuses") if isinstance(error, OSError) else str(error)
