"""What `anycastle validate` leaves out, counts and refuses, from the command line."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from anycastle import compose
from anycastle.cli import run
from anycastle.finding import Finding, Place, Severity
from anycastle.report import report

EXAMPLE = Path(__file__).resolve().parents[2] / "output-example"

ERROR = Finding("SESS001", Severity.ERROR, Place("a.yaml", 7), "No end.", "Add one.")
WARNING = Finding("TIME002", Severity.WARNING, Place("b.yaml", 3), "Nine.")
UNCHECKED = Finding("OBJ011", Severity.UNCHECKED, Place("c.yaml", 1), "No schema.")
SECRET = Finding("SEC001", Severity.ERROR, Place("d.yaml", 1), "In clear text.")

Found = Callable[..., None]


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Found:
    """Makes the judges find exactly these."""

    def find(*findings: Finding) -> None:
        monkeypatch.setattr(compose, "validate_tree", lambda root, _cache: report(str(root), findings, 2, 1))

    return find


def validated(capsys: pytest.CaptureFixture[str], *options: str | Path) -> tuple[int, str, str]:
    status = run(["validate", ".", *map(str, options)])
    said = capsys.readouterr()
    return status, said.out, said.err


def codes(out: str) -> list[str]:
    return [row["code"] for row in json.loads(out)["findings"]]


@pytest.mark.parametrize(
    ("options", "status", "left"),
    [
        ([], 1, ["SESS001", "TIME002", "OBJ011"]),
        (["--select", "SESS"], 1, ["SESS001"]),
        (["--select", "sess001,OBJ"], 1, ["SESS001", "OBJ011"]),
        (["--select", "SESS", "--select", "TIME"], 1, ["SESS001", "TIME002"]),
        (["--select", "ADDR"], 0, []),
        (["--ignore", "SESS"], 1, ["TIME002", "OBJ011"]),
        (["--ignore", "SESS,TIME"], 0, ["OBJ011"]),
        (["--select", "SESS,TIME", "--ignore", "TIME002"], 1, ["SESS001"]),
        (["--ignore", "SESS,TIME", "--require-checked"], 1, ["OBJ011"]),
        (["--ignore", "SESS", "--fail-on", "error"], 0, ["TIME002", "OBJ011"]),
    ],
)
def test_select_and_ignore(
    found: Found, capsys: pytest.CaptureFixture[str], options: list[str], status: int, left: list[str]
) -> None:
    found(ERROR, WARNING, UNCHECKED)
    got, out, err = validated(capsys, "--format", "json", *options)
    assert (got, codes(out), err) == (status, left, "")


def test_what_was_not_asked_for_is_counted_in_the_text(found: Found, capsys: pytest.CaptureFixture[str]) -> None:
    found(ERROR, WARNING)
    status, out, _err = validated(capsys, "--select", "ADDR")
    assert status == 0
    assert out == (
        ".: 0 errors, 0 warnings, 0 unchecked, 2 not asked for in 1 object from 2 files\n"
        "Next: nothing else to correct; what is known or was not asked for is still there.\n"
    )


def test_required_checks_are_errors_that_name_their_place(found: Found, capsys: pytest.CaptureFixture[str]) -> None:
    found(UNCHECKED)
    assert validated(capsys)[0] == 0
    status, out, _err = validated(capsys, "--require-checked")
    assert status == 1
    assert out.splitlines()[:2] == ["Errors: objects are refused", "c.yaml:1: error OBJ011 No schema."]
    assert "1 error, 0 warnings, 0 unchecked" in out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--select", "ADR"], "'ADR' is not a code; did you mean ADDR?"),
        (["--ignore", "SESS999"], "'SESS999' is not a code; SESS has SESS001 to "),
        (["--select", ","], "'' is not a code; "),
        (["--baseline", "BROKEN"], "cannot be used: it is not JSON (line 1)."),
        (["--baseline", "LATIN"], "cannot be used: it is not UTF-8."),
        (["--baseline", "/does/not/exist"], "does not exist"),
        (["--write-baseline", "FOLDER/BROKEN/x"], "cannot be written: "),
        (["--write-baseline", "FOLDER"], "is a directory"),
        (["--baseline", "BROKEN", "--write-baseline", "x"], "exclude each other"),
        (["--format", "xml"], "'xml' is not one of"),
    ],
)
def test_misuse_is_status_2_a_sentence_and_no_report(
    found: Found, capsys: pytest.CaptureFixture[str], tmp_path: Path, options: list[str], sentence: str
) -> None:
    (tmp_path / "BROKEN").write_text("{")
    (tmp_path / "LATIN").write_bytes(b'"\xfc"')
    found(ERROR)
    made = [
        option.replace("FOLDER", str(tmp_path))
        if "FOLDER" in option
        else str(tmp_path / option)
        if option in ("BROKEN", "LATIN")
        else option
        for option in options
    ]
    status, out, err = validated(capsys, *made)
    assert (status, out) == (2, "")
    assert sentence in " ".join(err.split())
    assert "Traceback" not in err


def test_an_old_repository_is_adopted_and_drifts(
    found: Found, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "known/baseline.json"
    found(ERROR, WARNING)
    status, out, err = validated(capsys, "--format", "json", "--write-baseline", file)
    assert (status, codes(out)) == (0, [])
    assert json.loads(out)["summary"]["baseline"] == 2
    assert err == f"Written: {file} with 2 of 2 findings; the others stay reported.\n"
    assert validated(capsys, "--baseline", file)[0] == 0

    moved = Finding(ERROR.code, ERROR.severity, Place("a.yaml", 70), ERROR.message, ERROR.fix)
    second = Finding(ERROR.code, ERROR.severity, Place("a.yaml", 90), ERROR.message, ERROR.fix)
    found(moved, second)
    status, out, _err = validated(capsys, "--format", "json", "--baseline", file)
    assert (status, codes(out)) == (1, ["SESS001", "BASE001"])
    assert json.loads(out)["findings"][0]["line"] == 90
    assert json.loads(out)["summary"]["baseline"] == 1


def test_a_baseline_takes_no_secret(found: Found, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found(ERROR, SECRET, UNCHECKED)
    status, out, err = validated(capsys, "--format", "json", "--write-baseline", tmp_path / "b.json")
    assert (status, codes(out)) == (1, ["OBJ011", "SEC001"])
    assert "with 1 of 3 findings" in err
    assert "SEC001" not in (tmp_path / "b.json").read_text()


def test_a_required_check_can_be_known(found: Found, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found(UNCHECKED)
    assert validated(capsys, "--require-checked", "--write-baseline", tmp_path / "b.json")[0] == 0
    assert validated(capsys, "--require-checked", "--baseline", tmp_path / "b.json")[0] == 0
    _status, out, _err = validated(capsys, "--format", "json", "--baseline", tmp_path / "b.json")
    assert codes(out) == [], "known is known, whether it was required or not"


def test_a_baseline_is_a_plain_file_of_its_folder(
    found: Found, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    found(ERROR)
    validated(capsys, "--write-baseline", tmp_path / "b.json")
    assert [path.name for path in tmp_path.iterdir()] == ["b.json"]
    assert (tmp_path / "b.json").stat().st_mode & 0o044


# --- the whole way through a repository ----------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The example with a peer that has another AS number than the router."""
    root = tmp_path / "home"
    shutil.copytree(EXAMPLE, root)
    values = root / "apps/calico-bgp/values.yaml"
    text = values.read_text()
    assert "    asNumber: 65010\n" in text
    values.write_text(text.replace("asNumber: 65010", "asNumber: 65011"))
    return root


def rows(root: Path, capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, list[dict[str, object]]]:
    run(["validate", str(root), "--format", "json", *options])
    value: dict[str, list[dict[str, object]]] = json.loads(capsys.readouterr().out)
    return value


def insert(path: Path, line: int, text: str) -> None:
    lines = path.read_text().splitlines(keepends=True)
    lines.insert(line - 1, text)
    path.write_text("".join(lines))


def test_a_comment_above_the_line_accepts_a_finding(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = rows(copy, capsys)["findings"]
    mine = next(row for row in before if row["code"] == "SESS002")
    insert(
        copy / str(mine["path"]), int(str(mine["line"])), "# anycastle: ignore[SESS002] the router follows on Monday\n"
    )
    after = rows(copy, capsys, "--show-suppressed")
    assert len(after["findings"]) == len(before) - 1
    assert not [row for row in after["findings"] if row["code"] in ("SESS002", "SUP004")]
    (accepted,) = after["suppressed"]
    assert accepted["line"] == int(str(mine["line"])) + 1
    assert accepted["reason"] == "the router follows on Monday"
    assert accepted["comment"] == f"{mine['path']}:{mine['line']}"


def test_suppressed_findings_are_counted_and_shown_on_demand(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values = copy / "apps/calico-bgp/values.yaml"
    insert(values, 1, "# anycastle: ignore-file[SESS002] the router follows on Monday\n")
    run(["validate", str(copy)])
    text = capsys.readouterr().out
    assert " 1 suppressed in " in text
    assert "Monday" not in text
    run(["validate", str(copy), "--show-suppressed"])
    lines = capsys.readouterr().out.splitlines()
    at = next(number for number, line in enumerate(lines) if ": suppressed SESS002 " in line)
    assert lines[at + 1] == "    reason: the router follows on Monday (apps/calico-bgp/values.yaml:1)"
    run(["validate", str(copy), "--format", "sarif"])
    results = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert [result["ruleId"] for result in results if result["suppressions"]] == ["SESS002"]


def test_a_comment_of_frr_that_nothing_needs_is_a_hint(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    insert(copy / "routers/router/frr.conf", 2, "! anycastle: ignore[TIME002] nothing of the sort\n")
    (hint,) = [row for row in rows(copy, capsys)["findings"] if row["code"] == "SUP004"]
    assert (hint["path"], hint["line"], hint["severity"]) == ("routers/router/frr.conf", 2, "info")


def test_a_clean_repository_has_no_key_for_suppressed_unless_asked(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert list(rows(copy, capsys)) == ["findings", "summary"]
    assert list(rows(copy, capsys, "--show-suppressed")) == ["findings", "suppressed", "summary"]


def test_annotations_name_files_from_where_the_command_runs(
    copy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(copy.parent)
    assert run(["validate", "home", "--format", "github"]) == 1
    files = [line for line in capsys.readouterr().out.splitlines() if line.startswith("::error file=")]
    assert files
    assert all(line.startswith("::error file=home/") for line in files)


def test_several_repositories_share_one_report_and_their_suppressions(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    insert(copy / "apps/calico-bgp/values.yaml", 1, "# anycastle: ignore-file[SESS002] known\n")
    assert run(["validate", str(EXAMPLE), str(copy), "--format", "json"]) in (0, 1)
    assert json.loads(capsys.readouterr().out)["summary"]["suppressed"] == 1


# --- explain -------------------------------------------------------------------------------------------------


def test_several_codes_are_explained_once_each_and_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "rt001", "SEC001", "RT001"]) == 0
    heads = [line.split(" ")[0] for line in capsys.readouterr().out.splitlines() if " (error): " in line]
    assert heads == ["RT001", "SEC001"]


def test_an_unknown_code_is_misuse_with_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "RT001", "SES001"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "'SES001' is not a code; did you mean SESS001?" in said.err
