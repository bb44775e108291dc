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
    "C01 C02 C05 C06 C08 C09 C10 C12 C14 C15 C18 C19 C21 C22 C23 C25 C26 C27 C29 C30 C33 C35 C37 C38 C41 C42 C43 C45 "
    "C47 C49 C50 C51 C53 C54 C56 C57 C59 C60 C61 C64 C65 C67 C68 C70 C71 C72 C75 C76 C78 C79".split()
)
"""Every report of the list."""

NOT_IN_FILES = {
    "C53": "a pod that calls a Local Service by its public name: which name leads to which address is known to DNS alone, "
    "and the kube-proxies that fail at it are older than every release that VER004 lets pass",
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
