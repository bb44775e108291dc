"""The command line: exit status, streams, and that bad input never ends in a traceback."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from anycastle import __version__, cli, compose, yamlio
from anycastle.cli import run
from tree import tree_of

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "output-example"
SEED = ROOT / "tests/cases/seed/site.yaml"


def process(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "anycastle.cli", *map(str, arguments)]
    settings = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL, **options}
    return subprocess.run(command, check=False, **settings)  # type: ignore[call-overload,no-any-return]


# --- misuse ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["validate"],
        ["validate", "/does/not/exist"],
        ["validate", str(SEED)],
        ["validate", ".", "--format", "xml"],
        ["validate", ".", "--fail-on", "info"],
        ["validate", "--nonsense", "."],
        ["build"],
        ["build", "/does/not/exist"],
        ["explain", "NIX999"],
        ["new", "--answers", "/does/not/exist"],
        ["new", "--no-input", "not-a-pair"],
        ["new", "-o", str(SEED), "--no-input"],
        ["schema", "--format", "xml"],
        ["--nonsense"],
    ],
    ids=" ".join,
)
def test_misuse_is_status_2_and_a_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "Error: " in said.err
    assert "Traceback" not in said.err


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"anycastle {__version__}\n"
    assert run(["--help"]) == 0
    story = capsys.readouterr().out
    assert "\\b" not in story
    names = cli.commands.list_commands(click.Context(cli.commands))
    told = [line.split()[1] for line in story.splitlines() if line.startswith("  anycastle ")]
    assert {"new", "validate", "diff", "update"} <= set(told) <= set(names)
    for command in names:
        assert run([command, "--help"]) == 0
        assert capsys.readouterr().out.startswith(f"Usage: anycastle {command}")


def test_a_fault_of_the_program_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_root: Path, _cache: Path) -> None:
        raise KeyError("two\nlines")

    monkeypatch.setattr(compose, "validate_tree", broken)
    assert run(["validate", str(EXAMPLE)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("anycastle: a fault of the program")
    assert "KeyError" in said
    assert said.count("\n") == 1
    assert run(["--traceback", "validate", str(EXAMPLE)]) == 2
    assert "Traceback" in capsys.readouterr().err


# --- validate --------------------------------------------------------------------------------------------


def test_the_example_is_clean(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", str(EXAMPLE)]) == 0
    out = capsys.readouterr().out
    assert " 0 errors, 0 warnings" in out
    assert "\x1b" not in out


def broken_copy(tmp_path: Path) -> Path:
    """The example with a peer that has another AS number than the router."""
    copy = tmp_path / "copy"
    shutil.copytree(EXAMPLE, copy)
    values = copy / "apps/calico-bgp/values.yaml"
    text = values.read_text()
    assert "asNumber: 65010" in text
    values.write_text(text.replace("asNumber: 65010", "asNumber: 65011"))
    return copy


def test_a_broken_repository_is_status_1_in_both_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = broken_copy(tmp_path)
    assert run(["validate", str(copy)]) == 1
    text = capsys.readouterr().out
    assert "65011" in text
    assert text.splitlines()[-1].startswith("Next: correct")
    assert run(["validate", "--format", "json", str(copy)]) == 1
    said = capsys.readouterr()
    report = json.loads(said.out)
    assert said.err == ""
    assert report["summary"]["error"] == sum(row["severity"] == "error" for row in report["findings"]) > 0
    for row in report["findings"]:
        assert list(row) == ["code", "severity", "path", "line", "message", "fix"]
        assert not row["path"].startswith("/")
    assert any("65011" in row["message"] for row in report["findings"])


def test_json_is_the_same_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = broken_copy(tmp_path)
    outputs = set()
    for _ in range(2):
        run(["validate", "--format", "json", str(copy)])
        outputs.add(capsys.readouterr().out)
    assert len(outputs) == 1


def test_what_makes_the_status_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from anycastle.finding import Finding, Place, Severity
    from anycastle.report import report

    for severity, default, errors_only in (
        (Severity.ERROR, 1, 1),
        (Severity.WARNING, 1, 0),
        (Severity.INFO, 0, 0),
        (Severity.UNCHECKED, 0, 0),
    ):
        found = report("x", [Finding("A1", severity, Place("a"), "m")])
        monkeypatch.setattr(compose, "validate_tree", lambda _root, _cache, found=found: found)
        assert run(["validate", str(tmp_path)]) == default
        assert run(["validate", "--fail-on", "error", str(tmp_path)]) == errors_only


def test_several_directories_are_one_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = broken_copy(tmp_path)
    assert run(["validate", "--format", "json", str(EXAMPLE), str(copy)]) == 1
    both = json.loads(capsys.readouterr().out)
    assert run(["validate", "--format", "json", str(copy)]) == 1
    alone = json.loads(capsys.readouterr().out)
    assert both["summary"]["objects"] == 2 * alone["summary"]["objects"]
    assert both["summary"]["error"] == alone["summary"]["error"]
    errors = [row["path"] for row in both["findings"] if row["severity"] == "error"]
    assert errors
    assert all(path.startswith(str(copy)) for path in errors)


def test_an_empty_directory_does_not_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", str(tmp_path)]) == 1
    assert "0 objects from 0 files" in capsys.readouterr().out


def test_validate_changes_nothing_and_needs_no_git(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(EXAMPLE, copy)
    before = tree_of(copy)
    done = process("validate", copy, env={"PATH": "", "PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == 0, done.stdout + done.stderr
    assert tree_of(copy) == before


@pytest.mark.parametrize("name", ["site.yaml", "apps/traefik/values.yaml", "nodes/k8s-node-1/kubeadm.yaml"])
@pytest.mark.parametrize("garbage", [b"\xff\xfe\x00", b"a: [", b"a: &x [*x]\n", b"- 1\n", b"", b"a: b\na: c\n"])
def test_garbage_in_a_file_is_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, garbage: bytes
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(EXAMPLE, copy)
    (copy / name).write_bytes(garbage)
    assert run(["validate", str(copy)]) in (0, 1)
    assert capsys.readouterr().err == ""


# --- build -----------------------------------------------------------------------------------------------


def test_build_names_the_source_of_every_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["build", str(EXAMPLE)]) == 0
    stream = capsys.readouterr().out
    loaded = yamlio.load(stream)
    assert not loaded.findings
    kinds = [document.value["kind"] for document in loaded.documents]
    for kind in ("ClusterConfiguration", "Pod", "BGPPeer", "Installation", "IPPool", "Application"):
        assert kind in kinds
    sources = [line.removeprefix("# Source: ") for line in stream.splitlines() if line.startswith("# Source: ")]
    assert len(sources) == len(kinds)
    assert all((EXAMPLE / source).is_file() for source in sources)


def test_build_is_in_order_nodes_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["build", str(EXAMPLE)]) == 0
    sources = [line[10:] for line in capsys.readouterr().out.splitlines() if line.startswith("# Source: ")]
    tops = list(dict.fromkeys(source.split("/")[0] for source in sources))
    assert tops == ["nodes", "charts", "apps", "argocd"], "apps: what stands for a chart that is not here"


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -m anycastle.cli build {EXAMPLE} | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0


def test_a_reader_that_has_left_before_is_no_error() -> None:
    """The status of the command itself, not that of a pipe."""
    process = subprocess.Popen(
        [sys.executable, "-m", "anycastle.cli", "validate", str(EXAMPLE)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.close()
    _out, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (0, b"")


# --- new -------------------------------------------------------------------------------------------------


def test_new_shows_the_plan_and_says_what_to_do_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "--no-input", "-o", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "BGP sessions" in out
    assert out.splitlines()[-1].startswith("Next: read ")
    assert (tmp_path / "home/site.yaml").is_file()


def test_answers_on_the_command_line_outweigh_those_of_a_file(tmp_path: Path) -> None:
    answers = tmp_path / "answers.yaml"
    answers.write_text("site_name: lab\nrouter_asn: 65100\n")
    assert run(["new", "--no-input", "--answers", str(answers), "-o", str(tmp_path), "router_asn=65200"]) == 0
    site = yamlio.load((tmp_path / "lab/site.yaml").read_bytes()).documents[0].value
    assert site["routers"][0]["asn"] == 65200


def test_a_whole_site_file_is_taken_as_it_is(tmp_path: Path) -> None:
    case = ROOT / "tests/cases/lab-ja/site.yaml"
    assert run(["new", "--no-input", "--answers", str(case), "-o", str(tmp_path)]) == 0
    made = next(path for path in tmp_path.iterdir() if path.is_dir())
    assert compose.site_findings(yamlio.load((made / "site.yaml").read_bytes()).documents[0].value).network == (
        compose.site_findings(yamlio.load(case.read_bytes()).documents[0].value).network
    )


def test_an_answer_beside_a_whole_site_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["new", "--no-input", "--answers", str(SEED), "-o", str(tmp_path / "out"), "site_name=other"]
    assert run(asked) == 2
    said = capsys.readouterr().err
    assert "WIZ002" in said
    assert "site_name" in said
    assert not (tmp_path / "out").exists()


def test_a_wrong_site_file_is_refused_with_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = tmp_path / "site.yaml"
    case.write_text(SEED.read_text().replace("asn: 65010", "asn: banana"))
    assert run(["new", "--no-input", "--answers", str(case), "-o", str(tmp_path)]) == 1
    said = capsys.readouterr()
    line = next(number for number, text in enumerate(case.read_text().splitlines(), 1) if "banana" in text)
    assert f"{case}:{line}: error SITE003" in said.out + said.err
    assert [path.name for path in tmp_path.iterdir()] == ["site.yaml"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("router_asn=banana", "WIZ002"),
        ("site_name=../out", "WIZ002"),
        ("node_subnet=", "WIZ002"),
        ("domain={{ 7*7 }}", "WIZ002"),
    ],
)
def test_a_wrong_answer_is_status_1_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: str, code: str
) -> None:
    assert run(["new", "--no-input", "-o", str(tmp_path), given]) == 1
    assert code in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_an_answer_to_no_question_is_misuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "--no-input", "-o", str(tmp_path), "site_nme=lab", "router_asn=banana"]) == 2
    said = capsys.readouterr().err
    assert "WIZ001" in said
    assert "site_name?" in said
    assert not list(tmp_path.iterdir())


def test_a_taken_target_is_status_1_and_untouched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home/mine").write_text("keep")
    assert run(["new", "--no-input", "-o", str(tmp_path)]) == 1
    assert "REPO001" in capsys.readouterr().err
    assert tree_of(tmp_path) == {"home/mine": b"keep"}


def test_without_a_terminal_the_end_of_input_stops_it(tmp_path: Path) -> None:
    done = process("new", "-o", tmp_path)
    assert done.returncode == 130
    assert "--no-input" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


# --- reference -------------------------------------------------------------------------------------------


def test_the_schema_accepts_the_seed_and_refuses_an_unknown_key(capsys: pytest.CaptureFixture[str]) -> None:
    import jsonschema_rs

    assert run(["schema"]) == 0
    validator = jsonschema_rs.Draft202012Validator(json.loads(capsys.readouterr().out))
    site = yamlio.load(SEED.read_bytes()).documents[0].value
    assert validator.is_valid(site)
    assert not validator.is_valid({**site, "nodez": []})


def test_every_code_is_explained_once_and_in_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    codes = [entry.code for entry in compose.explanations()]
    assert len(codes) == len(set(codes))
    assert run(["rules"]) == 0
    page = capsys.readouterr().out
    for code in codes:
        assert f"### {code}: " in page
    assert run(["explain", codes[0].lower()]) == 0
    assert capsys.readouterr().out.startswith(f"{codes[0]} (")


# --- cost ------------------------------------------------------------------------------------------------


def test_a_command_imports_only_what_it_needs() -> None:
    program = (
        "import sys\nfrom anycastle.cli import run\nstatus = run(sys.argv[1:])\n"
        "sys.stderr.write(' '.join(sorted(set(sys.modules) & {'pydantic', 'helm_python', 'git', 'jinja2', 'yaml', "
        "'cookiecutter', 'jsonschema_rs', 'kubernetes_validate'})))\nsys.exit(status)"
    )

    def imported(*arguments: str) -> set[str]:
        done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return set(done.stderr.split())

    assert imported("--version") == set()
    assert imported("validate", str(EXAMPLE)) <= {"helm_python", "yaml", "jsonschema_rs"}


def test_a_run_without_questions_loads_nothing_that_judges(tmp_path: Path) -> None:
    """What makes it quick; `make bench` measures how quick."""
    program = (
        "import sys\n"
        "from anycastle.cli import run\n"
        "status = run(['new', '--no-input', '-o', sys.argv[1]])\n"
        "heavy = {'helm_python', 'jsonschema_rs', 'kubernetes_validate', 'anycastle.reader', 'cookiecutter'}\n"
        "print(status, sorted(heavy & set(sys.modules)))"
    )
    made = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True, timeout=120
    )
    assert made.stdout.splitlines()[-1] == "0 []"
