"""The forms of a report, and the plan on a terminal."""

import json
import re
from ipaddress import ip_address
from pathlib import Path

import pytest

from anycastle import compose, yamlio
from anycastle.finding import Consequence, Explanation, Finding, Place, Severity
from anycastle.network.cluster import Node, Role
from anycastle.network.model import Network
from anycastle.plan import plan
from anycastle.report import merged, report
from anycastle.report.consequences import TABLE, consequence
from anycastle.report.explanations import explanation_text, rules_page
from anycastle.report.families import family
from anycastle.report.json_form import as_json
from anycastle.report.plan_text import plan_text
from anycastle.report.site_reference import site_reference
from anycastle.report.text import findings_text, report_text
from anycastle.report.unchecked import unchecked_lines
from anycastle.site.load import parse
from anycastle.site.model import Site

CASES = Path(__file__).parent / "cases"

LATER = Finding("SESS001", Severity.ERROR, Place("b.yaml", 7, "spec.asNumber"), "Two AS numbers.", "Write one.")
FIRST = Finding("ADDR001", Severity.WARNING, Place("a.yaml", 3), "On the link.", "Move it.")
SAME_FILE = Finding("ADDR002", Severity.INFO, Place("a.yaml", 9), "Public.")
UNCHECKED = Finding("OBJ011", Severity.UNCHECKED, Place("a.yaml", 20), "No schema.")
ANSWER = Finding("SITE002", Severity.ERROR, Place(key="nodes[0].name"), "Missing.", "Add it.")
ALL = [LATER, FIRST, SAME_FILE, UNCHECKED, ANSWER, LATER]


def test_the_text_groups_by_gravity_and_by_what_follows_and_counts_everything() -> None:
    text = report_text(report("home", ALL, files=4, objects=11))
    assert text == (
        "Errors: addresses are assigned and not reachable\n"
        "b.yaml:7: error SESS001 Two AS numbers.\n"
        "    fix: Write one.\n"
        "\n"
        "Errors: nothing can be generated\n"
        "nodes[0].name: error SITE002 Missing.\n"
        "    fix: Add it.\n"
        "\n"
        "Warnings: addresses are assigned and not reachable\n"
        "a.yaml:3: warning ADDR001 On the link.\n"
        "    fix: Move it.\n"
        "\n"
        "Hints: addresses are assigned and not reachable\n"
        "a.yaml:9: info ADDR002 Public.\n"
        "\n"
        "not checked: a.yaml:20: No schema. (OBJ011)\n"
        "\n"
        "home: 2 errors, 1 warning, 1 hint, 1 unchecked in 11 objects from 4 files\n"
        "Unchecked means that nobody judged it: look at those places yourself, or make their schema known.\n"
        "Next: correct what is named above and run this again; `anycastle explain SESS001` says why.\n"
    )


def test_within_a_group_files_and_lines_are_in_order() -> None:
    lines = [
        Finding("SESS001", Severity.ERROR, Place(path, line), "m") for path, line in (("b", 2), ("a", 10), ("a", 9))
    ]
    shown = report_text(report("home", lines)).splitlines()[1:4]
    assert shown == ["a:9: error SESS001 m", "a:10: error SESS001 m", "b:2: error SESS001 m"]


def unchecked(code: str, *messages: str) -> list[Finding]:
    return [Finding(code, Severity.UNCHECKED, Place(f"{n}.yaml", n), text) for n, text in enumerate(messages, start=1)]


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (
            unchecked("ARGO006", *(f"The chart {name} is not in the repository, so." for name in ("b", "a", "b"))),
            "not checked: 3 charts are not in the repository: a, b (ARGO006)",
        ),
        (
            unchecked("READ999", "The value of x or y is a guess.", "The value of z is a guess."),
            "not checked: 2 places: 1.yaml:1, 2.yaml:2 (READ999)",
        ),
        (
            unchecked("READ999", "The value X is a guess.", "The value Y is a guess."),
            "not checked: 2 times The value ... is a guess: X, Y (READ999)",
        ),
        (
            unchecked("READ008", "Same.", "Same."),
            "not checked: 2 routers have a configuration that is not read: 1.yaml:1, 2.yaml:2 (READ008)",
        ),
        (unchecked("READ999", "Same.", "Same."), "not checked: 2 places: 1.yaml:1, 2.yaml:2 (READ999)"),
        (
            unchecked("OBJ011", *(f"{number} has no schema" for number in range(10, 20))),
            "not checked: 10 kinds have no schema here: 10, 11, 12, 13, 14, 15, 16, 17 and 2 more (OBJ011)",
        ),
    ],
)
def test_what_was_not_checked_is_one_line_for_each_code(found: list[Finding], line: str) -> None:
    assert list(unchecked_lines([*found, FIRST])) == [line]


def test_a_line_of_the_text_is_one_line_and_moves_no_cursor() -> None:
    nasty = Finding("SESS001", Severity.ERROR, Place("a\nb.yaml", 1), "one\ntwo\x1b[2J", "three\rfour")
    assert findings_text([nasty]) == "a b.yaml:1: error SESS001 one two [2J\n    fix: three four\n"


def test_every_code_has_a_consequence_and_every_row_a_code() -> None:
    codes = {entry.code for entry in compose.explanations()}
    families = {family(code) for code in codes}
    assert not {code for code in codes if code not in TABLE and family(code) not in TABLE}
    assert not TABLE.keys() - codes - families
    assert {consequence(code) for code in codes} == set(Consequence)
    assert not {name for name in TABLE if name in codes and TABLE[name] is TABLE.get(family(name))}, (
        "rows that say nothing"
    )


def test_a_clean_report_is_two_lines() -> None:
    lines = report_text(report("home", [], files=1, objects=1)).splitlines()
    assert lines[0] == "home: 0 errors, 0 warnings, 0 unchecked in 1 object from 1 file"
    assert len(lines) == 2
    assert lines[1].startswith("Next: nothing to correct")


def test_colour_touches_nothing_but_the_severity() -> None:
    plain, coloured = findings_text([LATER]), findings_text([LATER], colour=True)
    assert coloured.replace("\x1b[31m", "").replace("\x1b[0m", "") == plain
    assert "\x1b[31merror\x1b[0m" in coloured
    assert "\x1b" not in plain


def test_json_is_one_object_in_report_order() -> None:
    value = json.loads(as_json(report("home", ALL, files=4, objects=11)))
    assert list(value) == ["findings", "summary"]
    assert [row["code"] for row in value["findings"]] == ["SITE002", "ADDR001", "ADDR002", "OBJ011", "SESS001"]
    assert value["findings"][0] == {
        "code": "SITE002",
        "severity": "error",
        "path": "nodes[0].name",
        "line": 0,
        "message": "Missing.",
        "fix": "Add it.",
    }
    assert value["summary"] == {
        "error": 2,
        "warning": 1,
        "info": 1,
        "unchecked": 1,
        "suppressed": 0,
        "baseline": 0,
        "files": 4,
        "objects": 11,
    }


def test_what_fails() -> None:
    assert not report("home", [SAME_FILE, UNCHECKED]).fails_at(Severity.WARNING)
    assert report("home", [FIRST]).fails_at(Severity.WARNING)
    assert not report("home", [FIRST]).fails_at(Severity.ERROR)
    assert report("home", [LATER]).fails_at(Severity.ERROR)


def test_several_repositories_are_told_apart() -> None:
    both = merged([report("one/", [LATER], 1, 2), report("two", [LATER, ANSWER], 3, 4)])
    assert [finding.where.path for finding in both.findings] == ["one/b.yaml", "two", "two/b.yaml"]
    assert (both.files, both.objects) == (4, 6)
    alone = report("one", [LATER])
    assert merged([alone]) is alone


def planned(case: str) -> Network:
    site = parse(yamlio.load((CASES / case / "site.yaml").read_bytes()).documents[0].value).site
    assert site is not None
    return plan(site)


def test_the_plan_names_owners_both_ends_announcements_and_order() -> None:
    lines = [" ".join(line.split()) for line in plan_text(planned("seed")).splitlines()]
    assert "192.168.10.17 node k8s-master-1" in lines
    assert "192.168.20.1 API address control.k8s.example.com" in lines
    assert "192.168.20.64/26 load-balancer pool loadbalancer-pool" in lines
    ends = lines[lines.index("router FRR 192.168.10.1 AS 65010 <-> Calico AS 65030") : lines.index("Announcements")]
    assert ends[1:4] == [
        "eBGP, on the link, hold / keepalive 9 s / 3 s, restart time 15 s",
        "announced to router: /32s of 192.168.20.64/26 (filters: services-only)",
        "let in by router: /32s of 192.168.20.64/26; sent back: nothing",
    ]
    assert ends[4:9] == [f"k8s-node-{number} 192.168.10.{19 + number}" for number in range(1, 6)]
    assert "router FRR 192.168.10.1 AS 65010 <-> kube-vip AS 65020" in ends
    wide = [" ".join(line.split()) for line in plan_text(planned("seed"), 200).splitlines()]
    announced = wide[wide.index("Announcements") + 1 :][:2]
    assert announced[0] == (
        "192.168.20.1/32 kube-vip k8s-master-1, k8s-master-2, k8s-master-3 "
        "while kube-vip finds the API server of its own node healthy"
    )
    assert announced[1].startswith("/32s of 192.168.20.64/26 Calico k8s-node-1, ")
    assert "/32s of 192.168.20.64/26 at most 64 192.168.10.20-192.168.10.24" in lines, "what the router lets in"
    assert lines[-10:][0] == "-50 namespaces"
    assert lines[-1] == "30 whoami"


def test_the_plan_fits_a_terminal() -> None:
    for case in ("seed", "lab-ja"):
        assert [line for line in plan_text(planned(case)).splitlines() if len(line) > 80] == []


def test_an_aggregated_pool_says_which_lengths_are_announced() -> None:
    assert "172.24.35.0/24 and parts down to /32" in plan_text(planned("lab-ja"), 200)


def test_the_plan_of_a_large_site_stays_short_and_loses_no_number() -> None:
    data = yamlio.load((CASES / "seed/site.yaml").read_bytes()).documents[0].value
    data["networks"]["nodes"][0] = {"name": "lan", "cidr": "10.0.0.0/16", "gateway": "10.0.0.1"}
    data["routers"][0]["address"] = "10.0.0.1"
    first = ip_address("10.0.1.0")
    for index, node in enumerate(data["nodes"]):
        node["address"] = str(first + index)
    data["nodes"] += [
        {"name": f"n{index}", "role": "worker", "address": str(first + 100 + index)} for index in range(1000)
    ]
    site = parse(data).site
    assert site is not None
    text = plan_text(plan(site))
    assert len(text.splitlines()) < 70
    assert "10.0.1.100-10.0.5.75  node n0 to n999 (1000)" in text
    assert "n0 to n999 (1000) 10.0.1.100-10.0.5.75" in [" ".join(line.split()) for line in text.splitlines()]
    full = plan_text(plan(site), full=True).splitlines()
    assert len([line for line in full if re.match(r"  10\.0\.[0-9.]+ ", line)]) == 1009, "each node and the router"


def test_an_empty_network_has_an_empty_plan() -> None:
    assert plan_text(Network()) == ""
    lonely = Network(nodes=(Node(name="a", role=Role.WORKER, addresses=(ip_address("10.0.0.9"),)),))
    assert plan_text(lonely) == "Addresses\n  10.0.0.9  node a\n"


def test_an_explanation_and_the_page_of_all() -> None:
    second = Explanation("B002", "Second", "Because of that.", Severity.WARNING, "RFC 4271")
    first = Explanation("A001", "First", "One.\n\nTwo.")
    assert explanation_text(second) == (
        "B002 (warning): Second\n\nBecause of that.\n\nSource: RFC 4271\n\n"
        "To accept it in one place, write `# anycastle: ignore[B002] reason` on the line or on the line above\n"
        "(in a router's configuration on one of its own, above); for a whole file, `# anycastle:\n"
        "ignore-file[B002] reason` in its first 10 lines.\n"
    )
    assert explanation_text(first).startswith("A001 (error): First\n\nOne.\n\nTwo.\n\nTo accept it")
    secret = explanation_text(Explanation("SEC001", "Secret", "Why."))
    assert "ignore[SEC001]" in secret
    assert "ignore-file" not in secret
    for code in ("SITE003", "SUP004", "BASE001", "WIZ001", "REPO001", "REPO014", "OBJ018"):
        assert "ignore" not in explanation_text(Explanation(code, "Title", "Why."))
    for code in ("SITE020", "REPO007", "OBJ011"):
        assert f"ignore[{code}]" in explanation_text(Explanation(code, "Title", "Why."))
    page = rules_page([second, first])
    assert page.index("## A\n") < page.index("### A001: First") < page.index("## B\n") < page.index("### B002: Second")
    assert "*warning.* Because of that.\n\nSource: RFC 4271\n" in page


def test_the_reference_has_a_section_for_each_group_and_a_row_for_each_key() -> None:
    schema = Site.model_json_schema(by_alias=True)
    page = site_reference(schema)
    assert "## `kubernetes.api`" in page
    assert "## `nodes[].links[]`" in page
    assert "| `port` | number | `6443` | Port of the API server on every control plane. |" in page
    assert "| `address` | text | required | An address without a mask, such as 192.168.20.1. |" in page
    keys = [name for group in (schema, *schema["$defs"].values()) for name in group["properties"]]
    assert page.count("\n| `") == len(keys)
    assert "None" not in page.replace("`None`", "")
