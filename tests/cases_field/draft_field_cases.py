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
    assert not [f for f in findings if f.severity in SAID or f.code == case.code], shown(findings)
