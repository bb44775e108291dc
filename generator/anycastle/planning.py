"""`plan`: what a site file means, or what a repository says, shown in one of several forms. It judges nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from anycastle.finding import Finding, Refused, Severity, Unanswered, in_order
from anycastle.records import dataclass
from anycastle.report.lines import counted

if TYPE_CHECKING:
    from anycastle.network.model import Network
    from anycastle.overview import Overview

Say = Callable[[str], None]
"""Takes text with its line ends."""


@dataclass(frozen=True, slots=True)
class Form:
    """How a plan is shown: `text`, `markdown` or `json`; columns of the terminal; each machine on its own line."""

    name: str
    width: int
    full: bool


@dataclass(frozen=True, slots=True)
class Planned:
    """The networks of a source by folder, and what of it could not be read."""

    networks: tuple[tuple[str, Network], ...]
    findings: tuple[Finding, ...] = ()


def planned(source: Path, store: Path | None) -> Planned:
    """What a site file means, or what a folder says. Raises `Refused` where there is nothing to show."""
    return _of_site(source) if source.is_file() else _of_repository(source, store)


def _of_site(path: Path) -> Planned:
    from anycastle.plan import plan
    from anycastle.site.load import parse, with_lines
    from anycastle.sitefile import document_of, keys_of

    document = document_of(path)
    parsed = parse(document.value)
    if parsed.site is None:
        raise Refused(with_lines(parsed.findings, document.path, lambda key: document.line(keys_of(key))))
    return Planned((("", plan(parsed.site)),))


def _of_repository(root: Path, store: Path | None) -> Planned:
    from anycastle.reader import CODES, parts

    reading = frozenset(entry.code for entry in CODES if not entry.code.startswith("SEC"))  # those judge, and were read
    found = parts(root, store)
    findings = in_order(
        finding
        for part in found
        for finding in part.repository.findings
        if finding.code in reading and finding.severity is Severity.ERROR
    )
    networks = tuple((part.folder, part.repository.network) for part in found)
    if not any(_says_anything(network) for _folder, network in networks):
        raise Refused(findings or [finding for part in found for finding in part.repository.findings])
    return Planned(networks, findings)


def _says_anything(network: Network) -> bool:
    return bool(network.nodes or network.routers or network.pools or network.ends or network.apps or network.dials)


def formed(plan: Planned, form: Form) -> str:
    """The plan of every cluster of a source; where there are several, each under its folder."""
    from anycastle.overview import overview

    views = [(folder, overview(network)) for folder, network in plan.networks]
    if form.name == "json":
        from anycastle.report.plan_json import plan_json

        return plan_json(views)
    return "\n".join(_titled(folder, view, form) for folder, view in views)


def _titled(folder: str, view: Overview, form: Form) -> str:
    from anycastle.report.plan_markdown import plan_markdown
    from anycastle.report.plan_sections import sections
    from anycastle.report.plan_terminal import plan_terminal

    shown = sections(view, full=form.full)
    if form.name == "markdown":
        return (f"# {folder}\n\n" if folder else "") + plan_markdown(shown)
    return (f"{folder}\n{'=' * len(folder)}\n\n" if folder else "") + plan_terminal(shown, form.width)


def run(source: Path, before: Path | None, form: Form, store: Path | None, say: tuple[Say, Say]) -> int:
    """Show a plan, or what changed in it since that of `before`; `say` is standard output and standard error.

    0; 1 where something could not be read; of a comparison see `_changes`. Raises `Refused`.
    """
    echo, warn = say
    if before is not None:
        return _changes(before, source, form, store, say)
    plan = planned(source, store)
    echo(formed(plan, form))
    return _unread(plan.findings, warn)


def _changes(before: Path, source: Path, form: Form, store: Path | None, say: tuple[Say, Say]) -> int:
    """Show what is new in `source` as +, what is gone as -: 0, 1 where there is a difference, 2 where parts are unread.

    Raises `Unanswered` where one of the two says nothing at all.
    """
    echo, warn = say
    try:
        old, new = planned(before, store), planned(source, store)
    except Refused as error:
        raise Unanswered(error.findings) from error
    lines = _difference(formed(old, form), formed(new, form), (f"{before} (before)", f"{source} (now)"))
    echo("".join(lines))
    return 2 if _unread([*old.findings, *new.findings], warn) else int(bool(lines))


def _difference(before: str, after: str, names: tuple[str, str]) -> Sequence[str]:
    import difflib

    return tuple(difflib.unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), *names))


def _unread(findings: Sequence[Finding], warn: Say) -> int:
    if not findings:
        return 0
    from anycastle.report.text import findings_text

    warn(f"{findings_text(findings)}The plan lacks what {counted(len(findings), 'finding')} above could not read.\n")
    return 1
