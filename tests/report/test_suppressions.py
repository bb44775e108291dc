"""Comments that accept findings: which of them hold, for what, and what is said of the others."""

import pytest

from anycastle.finding import Finding, Place, Severity
from anycastle.report.comments import Suppression, suppressions
from anycastle.report.suppressing import Suppressed, sort_out

KNOWN = frozenset(("SESS001", "SESS002", "ADDR001", "SEC001", "SUP004", "BASE001"))


def said(text: str, path: str = "a.yaml") -> list[Suppression | Finding]:
    return list(suppressions({path: text.encode()}, KNOWN))


def codes(text: str, path: str = "a.yaml") -> list[str]:
    """Faults by their code, suppressions as the line that they hold for and their codes."""
    return [
        each.code if isinstance(each, Finding) else f"{each.target}: {' '.join(each.codes)}"
        for each in said(text, path)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1  # anycastle: ignore[SESS001] it is a lab\n", ["1: SESS001"]),
        ("# anycastle: ignore[SESS001] it is a lab\na: 1\n", ["2: SESS001"]),
        ("  # anycastle: ignore[SESS001] it is a lab\n  # and a comment\n# another\na: 1\n", ["4: SESS001"]),
        ("# anycastle: ignore[SESS001] a\n# anycastle: ignore[ADDR001] b\na: 1\n", ["3: SESS001", "3: ADDR001"]),
        ("# anycastle: ignore[SESS001] at the end", ["2: SESS001"]),
        ("a: 1 #anycastle:ignore[sess001,ADDR001 ] x\n", ["1: SESS001 ADDR001"]),
        ("a: 1 # see below # anycastle: ignore[SESS001]: x\n", ["1: SESS001"]),
        ("# anycastle: ignore-file[SESS001] all of it\n", ["0: SESS001"]),
        ("\n" * 9 + "# anycastle: ignore-file[SESS001] the tenth line\n", ["0: SESS001"]),
        ("a: b#anycastle: ignore[SESS001] no comment of YAML\n", []),
        ("url: http://anycastle: ignore[SESS001] x\n", []),
        ("# anycastle: made by hand\n", []),
        ("# written for anycastle: ignore it\n", []),
    ],
)
def test_where_a_comment_holds(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("routers/r/frr.conf", "! anycastle: ignore[SESS001] x\nrouter bgp 1\n", ["2: SESS001"]),
        ("routers/r/frr.conf", "hostname a! anycastle: ignore[SESS001] x\n", []),
        ("routers/r/sysctl.conf", "; anycastle: ignore[SESS001] x\n", ["2: SESS001"]),
        ("routers/r/daemons", "# anycastle: ignore[SESS001] x\n", ["2: SESS001"]),
        ("nodes/n/install.sh", "run # anycastle: ignore[SESS001] x\n", ["1: SESS001"]),
        ("charts/c/templates/_helpers.tpl", "# anycastle: ignore[SESS001] x\n", ["2: SESS001"]),
        ("README.md", "# anycastle: ignore[SESS001] x\n", []),
        ("a.json", '{"a": "# anycastle: ignore[SESS001] x"}\n', []),
        (".gitignore", "# anycastle: ignore[SESS001] x\n", []),
    ],
)
def test_which_files_have_comments(path: str, text: str, expected: list[str]) -> None:
    assert codes(text, path) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# anycastle: ignore[SESS001]\n", ["SUP002"]),
        ("# anycastle: ignore[SESS001]   \n", ["SUP002"]),
        ("# anycastle: ignore[] why\n", ["SUP001"]),
        ("# anycastle: ignore SESS001 why\n", ["SUP001"]),
        ("# anycastle: ignore\n", ["SUP001"]),
        ("# anycastle: ingore[SESS001] why\n", ["SUP001"]),
        ("# anycastle: ignore_file[SESS001] why\n", ["SUP001"]),
        ("# anycastle: ignore[SESS999] why\n", ["SUP003"]),
        ("# anycastle: ignore[SESS] why\n", ["SUP003"]),
        ("# anycastle: ignore[SESS999, SESS001] why\n", ["SUP003", "2: SESS001"]),
        ("# anycastle: ignore[SUP004] why\n", ["SUP003"]),
        ("# anycastle: ignore[BASE001] why\n", ["SUP003"]),
        ("# anycastle: ignore-file[SEC001] why\n", ["SUP006"]),
        ("# anycastle: ignore-file[SEC001,SESS001] why\n", ["SUP006", "0: SESS001"]),
        ("# anycastle: ignore[SEC001] a sample\n", ["2: SEC001"]),
        ("\n" * 10 + "# anycastle: ignore-file[SESS001] why\n", ["SUP005"]),
    ],
)
def test_what_is_wrong_with_a_comment(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_a_fault_names_its_place_and_what_to_write() -> None:
    (fault,) = said("a: 1\n# anycastle: ignore[SESS01] why\n")
    assert isinstance(fault, Finding)
    assert (fault.where, fault.severity) == (Place("a.yaml", 2), Severity.WARNING)
    assert fault.message == "It suppresses nothing: 'SESS01' is not a code; SESS has SESS001 to SESS002."


def test_bytes_that_are_no_text_are_no_traceback() -> None:
    assert codes("\ufeff") == []
    assert list(suppressions({"a.yaml": b"\xff\xfe # anycastle: ignore[SESS001] x\n"}, KNOWN))


def finding(code: str, line: int, path: str = "a.yaml") -> Finding:
    return Finding(code, Severity.ERROR, Place(path, line), "Wrong.")


def test_only_the_finding_of_that_code_at_that_line_of_that_file_is_accepted() -> None:
    comments = said("a: 1\n# anycastle: ignore[SESS001] why\nb: 2\n")
    mine = finding("SESS001", 3)
    others = [finding("SESS001", 2), finding("SESS001", 4), finding("SESS002", 3), finding("SESS001", 3, "b.yaml")]
    left, accepted = sort_out([mine, *others], comments)
    assert left == tuple(others)
    assert accepted == (Suppressed(mine, "why", Place("a.yaml", 2)),)


def test_a_whole_file_is_accepted_for_its_codes_only() -> None:
    comments = said("# anycastle: ignore-file[SESS001] why\n")
    left, accepted = sort_out([finding("SESS001", 0), finding("SESS001", 99), finding("SESS002", 5)], comments)
    assert [each.code for each in left] == ["SESS002"]
    assert len(accepted) == 2


def test_a_suppression_that_nothing_needs_is_a_hint_for_each_code() -> None:
    comments = said("# anycastle: ignore[SESS001, SESS002] why\na: 1\n")
    left, accepted = sort_out([finding("SESS001", 2)], comments)
    assert len(accepted) == 1
    (hint,) = left
    assert (hint.code, hint.severity, hint.where) == ("SUP004", Severity.INFO, Place("a.yaml", 1))
    assert hint.message.startswith("Nothing in line 2 has the code SESS002;")
    assert hint.fix == "Remove the comment."


def test_a_finding_nearby_is_named_by_the_hint() -> None:
    left, _accepted = sort_out([finding("SESS001", 7)], said("# anycastle: ignore[SESS001] why\na: 1\n"))
    assert left[1].fix == "Move the comment to line 7, which has it, or remove it."


def test_of_two_comments_for_one_finding_the_second_is_not_needed() -> None:
    comments = said("# anycastle: ignore-file[SESS001] all\na: 1 # anycastle: ignore[SESS001] here\n")
    left, accepted = sort_out([finding("SESS001", 2)], comments)
    assert [each.where.line for each in accepted] == [1]
    assert [(each.code, each.where.line) for each in left] == [("SUP004", 2)]
