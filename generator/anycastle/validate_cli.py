"""The command `validate`: its options, its forms of a report, and its exit status."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from anycastle.finding import Severity
from anycastle.terminal import CLEAN, DIRECTORY, FILE, FINDINGS, NEW_FILE, cache_folder, colour, echo, warn

if TYPE_CHECKING:
    from anycastle.report import Report


@click.command()
@click.argument("directories", nargs=-1, required=True, type=DIRECTORY, metavar="DIR...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github", "gitlab"]),
    default="text",
    show_default=True,
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    default="warning",
    show_default=True,
    help="The least severity for which the exit status is 1.",
)
@click.option(
    "--select", multiple=True, metavar="CODES", help="Report these only: codes or families, as in ADDR,RT001."
)
@click.option("--ignore", multiple=True, metavar="CODES", help="Leave these out.")
@click.option("--baseline", type=FILE, help="Count the findings in this file, and report only what is new.")
@click.option("--write-baseline", type=NEW_FILE, help="Write that file from what is found now.")
@click.option("--require-checked", is_flag=True, help="Take what nobody could judge for an error.")
@click.option("--show-suppressed", is_flag=True, help="List what comments in the files accept, as SARIF always does.")
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Judge so many repositories at the same time; without it as many as there are processors.",
)
@click.option(
    "--watch",
    "-w",
    is_flag=True,
    help="Judge again whenever a file changes, until Ctrl-C; the exit status is that of the last report.",
)
@click.option("--no-cache", is_flag=True, help="Render every chart anew, and leave fetched definitions aside.")
def validate(directories: tuple[Path, ...], form: str, watch: bool, **options: Any) -> int:
    """Check repositories: files, charts, objects, the network, the order of installation.

    Reads what kubelet, Helm, Argo CD, Calico and the router would read. The repository need not come from anycastle.
    """
    if options["baseline"] and options["write_baseline"]:
        raise click.UsageError("--baseline and --write-baseline exclude each other.")
    if watch and (form != "text" or options["write_baseline"]):
        raise click.UsageError("--watch shows text; it goes with no other --format, and not with --write-baseline.")
    judge = partial(_judged, directories, form, **options)
    if not watch:
        return judge()
    from anycastle import watching

    return watching.watched(directories, judge, echo, watching.changes(directories))


def _judged(
    directories: tuple[Path, ...], form: str, fail_on: str, show_suppressed: bool, no_cache: bool, **wishes: Any
) -> int:
    """One report, and the exit status that it stands for."""
    from anycastle import validation

    store = None if no_cache else cache_folder()
    try:
        found = validation.validated(directories, validation.Wishes(**wishes), store, warn)
    except validation.WrongWish as wrong:
        raise click.UsageError(str(wrong)) from wrong
    echo(_formed(found, form, show_suppressed, alone=len(directories) == 1))
    return FINDINGS if found.fails_at(Severity(fail_on)) else CLEAN


def _formed(found: Report, form: str, show_suppressed: bool, *, alone: bool) -> str:
    """The report in the form that was asked for."""
    if form == "json":
        from anycastle.report.json_form import as_json

        return as_json(found, show_suppressed=show_suppressed)
    if form == "text":
        from anycastle.report.text import report_text

        return report_text(found, colour=colour(), show_suppressed=show_suppressed)
    from anycastle.report import from_here

    placed = from_here(found) if alone else found
    if form == "github":
        from anycastle.report.github import as_github

        return as_github(placed, show_suppressed=show_suppressed)
    if form == "gitlab":
        from anycastle.report.gitlab import as_gitlab

        return as_gitlab(placed)
    from anycastle import compose
    from anycastle.report.sarif import as_sarif

    return as_sarif(placed, compose.explanations())
