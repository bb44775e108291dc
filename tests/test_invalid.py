"""Wrong site files: one mistake each, and nothing else is reported.

Each file under `tests/invalid` is a patch on an example site: `site` (default: seed), `change` (dotted key ->
value; null removes; the index behind the last element of a list appends), and the one finding to `expect`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from anycastle.finding import Finding
from anycastle.plan import plan
from anycastle.rules import judge
from anycastle.site.codes import EXPLANATIONS
from anycastle.site.load import parse
from patches import CASES, patched, read

INVALID = Path(__file__).parent / "invalid"
FILES = sorted(INVALID.glob("*.yaml"))


def check(data: Mapping[str, Any]) -> tuple[Finding, ...]:
    parsed = parse(data)
    return parsed.findings if parsed.site is None else judge(plan(parsed.site))


def site_of(case: Mapping[str, Any]) -> Any:
    return patched(case.get("site", "seed"), case["change"])


@pytest.mark.parametrize("name", ["seed", "lab-ja"])
def test_the_example_sites_are_silent(name: str) -> None:
    assert check(read(CASES / name / "site.yaml")) == ()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_one_mistake_is_one_finding(path: Path) -> None:
    case = read(path)
    expected = (case["expect"]["code"], case["expect"]["key"])
    found = check(site_of(case))
    assert [(finding.code, finding.where.key) for finding in found] == [expected], [str(f.message) for f in found]
    assert found[0].message.endswith(".")
    assert found[0].fix


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_name_of_the_file_begins_with_the_code(path: Path) -> None:
    assert path.stem.split("-")[0] == read(path)["expect"]["code"]


def test_there_are_enough_of_them() -> None:
    assert len(FILES) >= 45
    codes = {read(path)["expect"]["code"] for path in FILES}
    assert {entry.code for entry in EXPLANATIONS} <= codes, "every code of the site file has a wrong file"


def test_a_warning_where_the_exception_is_declared() -> None:
    plain, declared = (
        check(site_of(read(INVALID / f"ADDR003-vip-in-node-subnet{suffix}.yaml")))[0].severity
        for suffix in ("", "-declared")
    )
    assert (plain, declared) == ("error", "warning")
