"""The report as annotations of GitHub Actions."""

import pytest

from anycastle.finding import Finding, Place, Severity
from anycastle.report import Report, from_here, merged, report
from anycastle.report.github import as_github
from anycastle.report.suppressing import Suppressed

ERROR = Finding("SESS001", Severity.ERROR, Place("a.yaml", 7), "No end.", "Add one.")


def test_each_severity_has_its_command_and_the_last_line_is_plain() -> None:
    found = [
        ERROR,
        Finding("TIME002", Severity.WARNING, Place("b.yaml"), "Nine."),
        Finding("API003", Severity.INFO, Place(key="nodes[3]"), "Four."),
        Finding("ARGO006", Severity.UNCHECKED, Place("c.yaml", 1), "The chart x is elsewhere."),
        Finding("ARGO006", Severity.UNCHECKED, Place("d.yaml", 1), "The chart y is elsewhere."),
    ]
    assert as_github(report(".", found, files=4, objects=1)) == (
        "::notice title=API003%3A failures last longer than they should::Four.\n"
        "::error file=a.yaml,line=7,title=SESS001%3A addresses are assigned and not reachable::No end. Add one.\n"
        "::warning file=b.yaml,title=TIME002%3A failures last longer than they should::Nine.\n"
        "::notice title=not checked::2 charts are not in the repository: x, y (ARGO006)\n"
        ".: 1 error, 1 warning, 1 hint, 2 unchecked in 1 object from 4 files\n"
    )


@pytest.mark.parametrize(
    ("message", "escaped"),
    [
        ("50% of a:b, c", "50%25 of a:b, c"),
        ("one\ntwo\r\nthree", "one%0Atwo%0D%0Athree"),
        ("%0A is no line", "%250A is no line"),
        ("::error::injected", "::error::injected"),
    ],
)
def test_the_message_is_escaped(message: str, escaped: str) -> None:
    line = as_github(report(".", [Finding("SESS001", Severity.ERROR, Place("a"), message)])).splitlines()[0]
    assert line == f"::error file=a,title=SESS001%3A addresses are assigned and not reachable::{escaped}"


def test_properties_are_escaped_further() -> None:
    line = as_github(report(".", [Finding("SESS001", Severity.ERROR, Place("a,b:c%\n.yaml", 1), "m")])).splitlines()[0]
    assert line.startswith("::error file=a%2Cb%3Ac%25%0A.yaml,line=1,title=")


def test_no_finding_begins_a_line_of_its_own() -> None:
    nasty = Finding("SESS001", Severity.ERROR, Place("a"), "x\n::stop-commands::y", "z\r::debug::w")
    assert as_github(report(".", [nasty])).count("\n") == 2


def test_suppressed_findings_only_where_they_are_asked_for() -> None:
    found = Report(".", (), suppressed=(Suppressed(ERROR, "a lab", Place("a.yaml", 6)),))
    assert as_github(found).splitlines() == [
        ".: 0 errors, 0 warnings, 0 unchecked, 1 suppressed in 0 objects from 0 files"
    ]
    assert as_github(found, show_suppressed=True).splitlines()[0] == (
        "::notice file=a.yaml,line=7,title=suppressed SESS001::No end. Accepted: a lab"
    )


@pytest.mark.parametrize(
    ("root", "path"),
    [
        (".", "a.yaml"),
        ("./", "a.yaml"),
        ("sites/home", "sites/home/a.yaml"),
        ("./sites/home/", "sites/home/a.yaml"),
        ("..", "a.yaml"),
        ("../other", "a.yaml"),
        ("/srv/home", "a.yaml"),
    ],
)
def test_paths_begin_where_the_command_runs_if_they_can(root: str, path: str) -> None:
    assert from_here(report(root, [ERROR])).findings[0].where == Place(path, 7)


def test_suppressed_findings_of_several_repositories_are_told_apart() -> None:
    parts = [Report(root, (), suppressed=(Suppressed(ERROR, "x", Place("a.yaml", 6)),)) for root in ("one", "two")]
    both = merged(parts).suppressed
    assert [(each.finding.where.path, each.where.path) for each in both] == [("one/a.yaml",) * 2, ("two/a.yaml",) * 2]
