"""The report as GitLab's Code Quality: the keys that it needs, and one entry for each fault."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anycastle.cli import run
from anycastle.finding import Finding, Place, Severity
from anycastle.report import report
from anycastle.report.gitlab import as_gitlab


def finding(severity: Severity, place: Place, message: str = "It is wrong.") -> Finding:
    return Finding("RT001", severity, place, message, "Correct it.")


def test_an_entry_has_what_gitlab_needs() -> None:
    found = [
        finding(Severity.ERROR, Place("a/ä.yaml", 7)),
        finding(Severity.WARNING, Place("a/b.yaml")),
        finding(Severity.INFO, Place(key="gitops.path")),
        finding(Severity.UNCHECKED, Place("a/c.yaml", 1)),
    ]
    entries = json.loads(as_gitlab(report(".", found)))
    by_path = {entry["location"]["path"]: entry for entry in entries}
    assert by_path.keys() == {"a/ä.yaml", "a/b.yaml", "."}
    first = by_path["a/ä.yaml"]
    assert first["check_name"] == "RT001"
    assert first["description"] == "It is wrong. Correct it."
    assert first["location"]["lines"] == {"begin": 7}
    assert by_path["a/b.yaml"]["location"]["lines"] == {"begin": 1}
    assert [by_path[path]["severity"] for path in ("a/ä.yaml", "a/b.yaml", ".")] == ["critical", "major", "info"]


def test_two_faults_of_one_sort_in_one_file_are_two_and_keep_their_marks_when_lines_move() -> None:
    two = [finding(Severity.ERROR, Place("a.yaml", line)) for line in (3, 9)]
    moved = [finding(Severity.ERROR, Place("a.yaml", line)) for line in (5, 11)]
    marks = [[entry["fingerprint"] for entry in json.loads(as_gitlab(report(".", one)))] for one in (two, moved)]
    assert len(set(marks[0])) == 2
    assert marks[0] == marks[1]


def test_paths_begin_with_the_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home/a.yaml").write_text("a: [\n")
    (tmp_path / "home/values.yaml").write_text("a: [\n")
    monkeypatch.chdir(tmp_path)
    assert run(["validate", "home", "--no-cache", "--format", "gitlab"]) == 1
    entries = json.loads(capsys.readouterr().out)
    assert {entry["location"]["path"] for entry in entries} >= {"home/values.yaml"}
