"""Every rule sees what it is for, alone, and nothing in what only looks like it."""

import ast
import inspect
import re
from collections import Counter
from pathlib import Path

import pytest
from cases_addresses import CASES as ADDRESSES
from cases_cluster import CASES as CLUSTER
from cases_egress import CASES as EGRESS
from cases_families import CASES as FAMILIES
from cases_field_laws import CASES as FIELD
from cases_racks import CASES as RACKS
from cases_reflection import CASES as REFLECTION
from cases_routing import CASES as ROUTING
from rule_networks import Case, lab, seed

from anycastle import rules
from anycastle.finding import Finding
from anycastle.network.model import Network
from anycastle.rules import RULES, judge

CASES = (*ADDRESSES, *ROUTING, *RACKS, *FAMILIES, *FIELD, *CLUSTER, *EGRESS, *REFLECTION)


def said(findings: tuple[Finding, ...]) -> list[str]:
    return [f"{finding.code} {finding.where}: {finding.message} {finding.fix}" for finding in findings]


def ids(case: Case) -> str:
    return f"{case.code}-{case.what}"


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_a_broken_network_has_one_finding(case: Case) -> None:
    found = judge(case.broken())
    assert [finding.code for finding in found] == [case.code], said(found)


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_a_look_alike_has_none(case: Case) -> None:
    found = judge(case.innocent())
    assert said(found) == []


def test_every_rule_has_both() -> None:
    covered = Counter(case.code for case in CASES)
    assert sorted(covered) == [rule.code for rule in RULES]


def test_the_two_differ() -> None:
    assert not [case.what for case in CASES if case.broken() == case.innocent()]


@pytest.mark.parametrize("network", [seed, lab])
def test_the_example_sites_are_silent(network) -> None:
    assert said(judge(network())) == []


def test_an_empty_network_is_no_mistake() -> None:
    assert judge(Network()) == ()


def test_findings_say_what_and_what_instead() -> None:
    for case in CASES:
        for finding in judge(case.broken()):
            assert finding.message.endswith("."), finding
            assert finding.fix.endswith((".", "?")), finding
            assert "\n" not in finding.message + finding.fix


def test_findings_name_a_place() -> None:
    """Networks that come from answers name the answer; only what a test adds by hand has none."""
    nowhere = {case.code for case in CASES for finding in judge(case.broken()) if not str(finding.where)}
    assert nowhere == {"POOL006", "POOL010"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_explains_itself(rule) -> None:
    assert rule.title
    assert not rule.title.endswith(".")
    assert "\n\n" in rule.why, "what happens in a network takes more than a line"
    assert rule.source.endswith(".")
    assert "Source:" not in rule.why


def test_codes_are_unique_and_have_one_form() -> None:
    codes = [rule.code for rule in RULES]
    assert len(set(codes)) == len(codes)
    assert not [code for code in codes if not re.fullmatch(r"[A-Z]{2,4}\d{3}", code)]


def test_no_function_with_a_code_is_left_out() -> None:
    """Every decorated function of every module is in RULES: a forgotten module would be silent."""
    written = Counter()
    for path in Path(inspect.getfile(rules)).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "rule":
                        written[mark.args[0].value] += 1
    assert written == Counter(rule.code for rule in RULES)
