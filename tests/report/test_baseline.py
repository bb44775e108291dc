"""The baseline: what it recognises, what is new, what is stale, and which files are none."""

import json

import pytest

from anycastle.finding import Finding, Place, Severity
from anycastle.report.baseline import as_text, compared, known, parse
from anycastle.report.fingerprints import fingerprint, identity


def finding(message: str = "Wrong.", line: int = 3, code: str = "SESS001", path: str = "a.yaml") -> Finding:
    return Finding(code, Severity.ERROR, Place(path, line), message)


def test_what_was_written_is_known_wherever_its_line_has_moved() -> None:
    entries = parse(as_text(known([finding(), finding("Other.", path="b.yaml")])))
    assert compared([finding(line=30), finding("Other.", 9, path="b.yaml")], entries) == ((), 2)


def test_one_more_of_the_same_sort_is_new() -> None:
    entries = known([finding(line=1), finding(line=2)])
    new, count = compared([finding(line=1), finding(line=2), finding(line=3)], entries)
    assert new == (finding(line=3),)
    assert count == 2


@pytest.mark.parametrize("changed", [finding("Wronger."), finding(code="SESS002"), finding(path="b.yaml")])
def test_another_code_path_or_message_is_new_and_the_old_entry_stale(changed: Finding) -> None:
    new, count = compared([changed], known([finding()]))
    assert [each.code for each in new] == [changed.code, "BASE001"]
    assert (new[1].severity, new[1].where.path, count) == (Severity.INFO, "a.yaml", 0)


def test_a_stale_entry_says_how_often_it_was_there() -> None:
    (stale,), _count = compared([], known([finding(), finding(line=4)]))
    assert stale.message == "The baseline knows SESS001 2 times here, which is no longer found: Wrong."


def test_secrets_suppressions_and_what_nobody_judged_are_never_in_it() -> None:
    never = [finding(code=code) for code in ("SEC001", "SUP002", "BASE001")]
    unchecked = Finding("OBJ011", Severity.UNCHECKED, Place("a.yaml", 1), "No schema.")
    assert not known([*never, unchecked])
    by_hand = parse(json.dumps({"schema": 1, "findings": [_row("SEC001")]}))
    assert compared([finding(code="SEC001")], by_hand) == ((finding(code="SEC001"),), 0)


def _row(code: str = "SESS001", **other: object) -> dict[str, object]:
    return {"code": code, "path": "a.yaml", "message": "Wrong.", "count": 1, **other}


def test_the_file_is_sorted_and_the_same_in_whatever_order_findings_come() -> None:
    several = [finding(path="b.yaml"), finding("Z."), finding("A."), finding(code="ADDR001")]
    text = as_text(known(several))
    assert text == as_text(known(reversed(several)))
    assert [(row["path"], row["code"], row["message"]) for row in json.loads(text)["findings"]] == [
        ("a.yaml", "ADDR001", "Wrong."),
        ("a.yaml", "SESS001", "A."),
        ("a.yaml", "SESS001", "Z."),
        ("b.yaml", "SESS001", "Wrong."),
    ]
    assert text.endswith("}\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        "{}",
        json.dumps({"schema": 2, "findings": []}),
        json.dumps({"schema": 1}),
        json.dumps({"schema": 1, "findings": 3}),
        json.dumps({"schema": 1, "findings": [3]}),
        json.dumps({"schema": 1, "findings": ["text"]}),
        json.dumps({"schema": 1, "findings": [_row(count=0)]}),
        json.dumps({"schema": 1, "findings": [_row(count=True)]}),
        json.dumps({"schema": 1, "findings": [_row(count="1")]}),
        json.dumps({"schema": 1, "findings": [_row(path=None)]}),
        json.dumps({"schema": 1, "findings": [{"code": "SESS001"}]}),
        "[" * 100_000,
    ],
)
def test_what_is_no_baseline_is_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"^it "):
        parse(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The end in a/values.yaml:16 spec.peerIP is off.", "The end in a/values.yaml:17 spec.peerIP is off."),
        ("Refused (line 3 of the result).", "Refused (line 31 of the result)."),
        ("See frr.conf:9, install.sh:1.", "See frr.conf:10, install.sh:22."),
    ],
)
def test_numbers_of_lines_do_not_count(one: str, other: str) -> None:
    assert identity(finding(one)) == identity(finding(other))
    assert fingerprint(finding(one)) == fingerprint(finding(other, line=99))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Port 10.0.0.1:6443 is taken.", "Port 10.0.0.1:6444 is taken."),
        ("AS 65010 is not 65011.", "AS 65010 is not 65012."),
        ("fd00::1:2 is off the link.", "fd00::1:3 is off the link."),
        ("The image a.yaml is x.", "The image b.yaml is x."),
    ],
)
def test_other_numbers_count(one: str, other: str) -> None:
    assert fingerprint(finding(one)) != fingerprint(finding(other))


def test_a_fingerprint_is_fixed_for_ever() -> None:
    assert fingerprint(finding()) == "d5323293e85cd28546a7ee44ea8e22e2"
    assert len({fingerprint(finding(code="A", path="BC")), fingerprint(finding(code="AB", path="C"))}) == 2
