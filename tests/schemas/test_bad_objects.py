"""One mistake in an otherwise good object: its code, at its place, and nothing else."""

from typing import Any

import pytest
from bad_objects import CASES, Case, changed
from good_objects import good

from anycastle.schemas import CODES

GOOD = good()


@pytest.mark.parametrize("name", GOOD)
def test_a_good_object_is_silent(findings: Any, name: str) -> None:
    assert findings(GOOD[name]) == ()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_one_mistake_is_one_finding_at_its_place(findings: Any, case: Case) -> None:
    found = findings(changed(GOOD[case.base], case.change))
    assert [(finding.code, finding.where.key) for finding in found] == [(case.code, case.key)]
    assert found[0].fix


def test_every_code_has_a_case() -> None:
    elsewhere = {"OBJ010", "OBJ011", "OBJ012", "OBJ013"}  # about several objects: see test_checking.py
    elsewhere |= {
        "OBJ015",
        "OBJ016",
        "OBJ017",
        "OBJ018",
    }  # about definitions: see test_cel.py, test_fetched.py
    assert {case.code for case in CASES} | elsewhere == set(CODES)


def test_every_message_names_the_object_and_ends_as_a_sentence(findings: Any) -> None:
    for case in CASES:
        for finding in findings(changed(GOOD[case.base], case.change)):
            assert finding.message.endswith(".")
            assert not finding.message.endswith("..")
            assert finding.fix.endswith((".", "?"))
