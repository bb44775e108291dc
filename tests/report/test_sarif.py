"""The report as SARIF 2.1.0."""

import copy
import json
from typing import Any

import jsonschema_rs
import pytest
from sarif_subset import SUBSET

from anycastle import __version__, compose
from anycastle.finding import Explanation, Finding, Place, Severity
from anycastle.report import Report, report
from anycastle.report.sarif import as_sarif
from anycastle.report.suppressing import Suppressed

VALID = jsonschema_rs.Draft202012Validator(SUBSET, validate_formats=True)

RULES = (
    Explanation("SESS001", "Every end has its counterpart", "No session.", Severity.ERROR, "RFC 4271"),
    Explanation("TIME002", "A hold time is three keepalives long", "It flaps.", Severity.WARNING),
    Explanation("OBJ011", "A kind was not checked", "Nobody looked.", Severity.UNCHECKED),
    Explanation("API003", "Control planes are odd in number", "Quorum.", Severity.INFO),
    Explanation("READ002", "Not found here", "Unused."),
)
ERROR = Finding("SESS001", Severity.ERROR, Place("a b/ü.yaml", 7, "spec.peerIP"), "No end.", "Add one.")
FINDINGS = [
    ERROR,
    Finding("TIME002", Severity.WARNING, Place("frr.conf"), "Nine."),
    Finding("API003", Severity.INFO, Place(key="nodes[3]"), "Four."),
    Finding("OBJ011", Severity.UNCHECKED, Place("a.yaml", 1), "No schema."),
]


def run_of(found: Report) -> dict[str, Any]:
    log = json.loads(as_sarif(found, RULES))
    assert [error.message for error in VALID.iter_errors(log)] == []
    run: dict[str, Any] = log["runs"][0]
    return run


def test_an_empty_report_is_valid_and_has_a_tool() -> None:
    run = run_of(report(".", []))
    assert run["results"] == []
    assert run["tool"]["driver"] == {
        "name": "anycastle",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [],
    }


def test_rules_are_those_that_occur_with_help_and_level() -> None:
    rules = run_of(report(".", FINDINGS))["tool"]["driver"]["rules"]
    assert [(rule["id"], rule["defaultConfiguration"]["level"]) for rule in rules] == [
        ("API003", "note"),
        ("OBJ011", "none"),
        ("SESS001", "error"),
        ("TIME002", "warning"),
    ]
    assert rules[2] == {
        "id": "SESS001",
        "shortDescription": {"text": "Every end has its counterpart"},
        "fullDescription": {"text": "No session."},
        "help": {"text": "Every end has its counterpart.\n\nNo session.\n\nSource: RFC 4271"},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["addresses are assigned and not reachable"]},
    }


def test_a_result_has_its_place_relative_to_the_root() -> None:
    run = run_of(report(".", FINDINGS))
    first = next(result for result in run["results"] if result["ruleId"] == "SESS001")
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == "SESS001"
    assert (first["kind"], first["level"]) == ("fail", "error")
    assert first["message"] == {"text": "No end. Add one."}
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "a%20b/%C3%BC.yaml", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 7},
            },
            "logicalLocations": [{"fullyQualifiedName": "spec.peerIP"}],
        }
    ]
    assert first["suppressions"] == []
    assert list(run["originalUriBaseIds"]) == ["%SRCROOT%"]


def test_places_without_line_and_without_file() -> None:
    by_rule = {result["ruleId"]: result["locations"][0] for result in run_of(report(".", FINDINGS))["results"]}
    assert by_rule["TIME002"] == {
        "physicalLocation": {"artifactLocation": {"uri": "frr.conf", "uriBaseId": "%SRCROOT%"}}
    }
    assert by_rule["API003"] == {"logicalLocations": [{"fullyQualifiedName": "nodes[3]"}]}


def test_an_absolute_path_is_relative_to_nothing() -> None:
    found = Finding("SESS001", Severity.ERROR, Place("/srv/a b/x.yaml", 1), "m")
    place = run_of(report("/srv", [found]))["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "file:///srv/a%20b/x.yaml"}


def test_what_nobody_judged_is_open() -> None:
    (result,) = run_of(report(".", FINDINGS[3:]))["results"]
    assert (result["kind"], result["level"]) == ("open", "none")


def test_suppressed_findings_are_listed_with_their_reason() -> None:
    found = Report(".", (), suppressed=(Suppressed(ERROR, "it is a lab", Place("a.yaml", 6)),))
    (result,) = run_of(found)["results"]
    assert result["suppressions"] == [{"kind": "inSource", "justification": "it is a lab"}]


def marks(*findings: Finding) -> list[str]:
    results = run_of(report(".", findings))["results"]
    return [result["partialFingerprints"]["anycastle/v1"] for result in results]


def test_fingerprints_outlive_shifted_lines_and_tell_equal_findings_apart() -> None:
    def at(line: int) -> Finding:
        return Finding("SESS001", Severity.ERROR, Place("a.yaml", line), f"See a.yaml:{line + 1}.")

    assert marks(at(3), at(5)) == marks(at(30), at(50))
    assert len(set(marks(at(3), at(5)))) == 2
    assert marks(at(3)) != marks(Finding("SESS001", Severity.ERROR, Place("b.yaml", 3), "See a.yaml:4."))


def test_it_is_the_same_twice_and_ends_with_a_line() -> None:
    text = as_sarif(report(".", FINDINGS), RULES)
    assert text == as_sarif(report(".", list(reversed(FINDINGS))), RULES)
    assert text.endswith("}\n")


def test_every_explanation_makes_a_valid_rule() -> None:
    entries = compose.explanations()
    found = report(".", [Finding(entry.code, entry.severity, Place("a.yaml", 1), "m") for entry in entries])
    log = json.loads(as_sarif(found, entries))
    assert [error.message for error in VALID.iter_errors(log)] == []
    assert len(log["runs"][0]["tool"]["driver"]["rules"]) == len(entries)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), "2.0.0"),
        (("runs",), []),
        (("runs", 0, "tool"), {}),
        (("runs", 0, "results", 0, "level"), "info"),
        (("runs", 0, "results", 0, "kind"), "open"),
        (("runs", 0, "results", 0, "message"), "text"),
        (("runs", 0, "results", 0, "locations", 0, "physicalLocation", "region", "startLine"), 0),
        (("runs", 0, "results", 0, "locations", 0, "physicalLocation", "artifactLocation", "uri"), "a b"),
        (("runs", 0, "results", 0, "suppressions"), [{"kind": "comment"}]),
        (("runs", 0, "results", 0, "surprise"), 1),
    ],
)
def test_the_subset_itself_can_refuse(path: tuple[str | int, ...], value: object) -> None:
    log = json.loads(as_sarif(report(".", [ERROR]), RULES))
    assert VALID.is_valid(log)
    broken = copy.deepcopy(log)
    at = broken
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    assert not VALID.is_valid(broken)
