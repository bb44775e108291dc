"""What people reported from the field: the wrong document is found at its line, and the right one is silent.

The numbers are those of a list of public reports that the rules were written against. A report stands for a whole kind
of mistake, so several have more than one example, and each rule has its own tests besides.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from field_cases import Case, cases, write

from anycastle.compose import validate_tree
from anycastle.finding import Finding, Severity

ALL = tuple(cases())
SAID = (Severity.ERROR, Severity.WARNING)

NUMBERS = frozenset(
    f"C{number:02}"
    for number in (
        *(1, 2, 5, 6, 8, 9, 10, 12, 14, 15, 18, 19, 21, 22, 23, 25, 26, 27, 29, 30, 33, 35, 37, 38, 41, 42, 43, 45, 47),
        *(49, 50, 51, 53, 54, 56, 57, 59, 60, 61, 64, 65, 67, 68, 70, 71, 72, 75, 76, 78, 79),
    )
)
"""Every report of the list."""

NOT_IN_FILES = {
    "C53": "a pod that calls a Local Service by its public name: which address the name leads to is known to DNS "
    "alone, "
    "and the releases of kube-proxy that fail at it are older than any that VER004 lets pass",
}
"""Reports that no file can show, with the reason."""


def found(root: Path, files: dict[str, str]) -> tuple[Finding, ...]:
    return validate_tree(write(root, files)).findings


def shown(findings: tuple[Finding, ...]) -> str:
    return "\n".join(f"{f.severity} {f.code} {f.where}: {f.message}" for f in findings)


@pytest.mark.parametrize("case", ALL, ids=str)
def test_the_wrong_document_is_found_where_it_stands(tmp_path: Path, case: Case) -> None:
    findings = found(tmp_path, case.wrong)
    wanted = (case.code, case.severity, case.path, case.line)
    assert wanted in {(f.code, f.severity.value, f.where.path, f.where.line) for f in findings}, shown(findings)


@pytest.mark.parametrize("case", ALL, ids=str)
def test_the_right_document_is_silent(tmp_path: Path, case: Case) -> None:
    findings = found(tmp_path, case.right)
    same = (case.code, case.severity)
    assert not [f for f in findings if f.severity in SAID or (f.code, f.severity.value) == same], shown(findings)


def test_every_report_has_a_case_or_a_reason() -> None:
    assert {case.number for case in ALL} == NUMBERS - NOT_IN_FILES.keys()
    assert NOT_IN_FILES.keys() <= NUMBERS
    assert len(NOT_IN_FILES) < 3


def test_a_case_differs_in_one_file() -> None:
    for case in ALL:
        paths = case.right.keys() | case.wrong.keys()
        assert len([path for path in paths if case.right.get(path) != case.wrong.get(path)]) == 1, str(case)


def test_a_case_says_in_a_sentence_what_happens() -> None:
    assert not [case.what for case in ALL if not case.what.endswith(".") or len(case.what.split()) < 4]
