"""Several repositories at the same time: the same report, whoever judges them and whatever becomes of them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from anycastle import abreast, compose
from anycastle.cli import run
from anycastle.report import Report

EXAMPLE = Path(__file__).resolve().parents[1] / "output-example"


@pytest.fixture
def several(tmp_path: Path) -> list[Path]:
    """Four repositories, of which the second lost a file and the fourth has another AS number on one side."""
    found = [Path(shutil.copytree(EXAMPLE, tmp_path / name)) for name in ("d", "b", "a", "c")]
    (found[1] / "routers/router/sysctl.conf").unlink()
    values = found[3] / "apps/calico-bgp/values.yaml"
    values.write_text(values.read_text().replace("asNumber: 65030", "asNumber: 65031"))
    return found


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    return run(["validate", *map(str, arguments)]), capsys.readouterr().out


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_report_does_not_say_who_judged(form: str, several: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    alone = printed(capsys, "--format", form, "--jobs", 1, *several)
    assert printed(capsys, "--format", form, "--jobs", 3, *several) == alone
    assert alone[0] == 1
    assert "SESS002" in alone[1]


def test_each_comes_in_its_order(several: list[Path]) -> None:
    assert [found.root for found in abreast.reports(several, None, 2)] == [str(one) for one in several]


def started_by(code: str) -> str:
    """What a process runs, with `code` before it begins to judge."""
    serving = "from anycastle.abreast import serve"
    assert serving in abreast._START
    return abreast._START.replace(serving, f"import os; from anycastle import compose; {code}; {serving}")


def nobody_here(_directory: Path, _store: Path | None) -> Report:
    pytest.fail("this process should judge nothing")


def test_the_processes_judge_all_of_it(several: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compose, "validate_tree", nobody_here)
    assert len(list(abreast.reports(several, None, 2))) == len(several)


ENDS = "compose.validate_tree = lambda *_: os._exit(9)"
ENDS_LATER = (
    "whole = compose.validate_tree; "
    "compose.validate_tree = lambda one, store: os._exit(9) if one.name in 'ba' else whole(one, store)"
)
FAILS = "compose.validate_tree = lambda *_: 1 / 0"


@pytest.mark.parametrize("code", ["os._exit(1)", ENDS, ENDS_LATER, FAILS], ids=["start", "at-once", "later", "fails"])
def test_what_the_processes_leave_is_judged_here(
    code: str, several: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = list(abreast.reports(several, None, 1))
    monkeypatch.setattr(abreast, "_START", started_by(code))
    assert list(abreast.reports(several, None, 2)) == whole


@pytest.mark.parametrize("executable", ["/nowhere/python", "/"])
def test_a_process_that_cannot_start_is_no_failure(
    executable: str, several: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    assert len(list(abreast.reports(several[:2], None, 2))) == 2


def test_a_fault_is_raised_where_somebody_can_be_told(several: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_directory: Path, _store: Path | None) -> Report:
        raise ZeroDivisionError

    monkeypatch.setattr(compose, "validate_tree", broken)
    monkeypatch.setattr(abreast, "_START", started_by(FAILS))
    with pytest.raises(ZeroDivisionError):
        list(abreast.reports(several, None, 2))


def test_no_process_outlives_who_asked(several: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[abreast._Worker] = []
    start = abreast._start

    def noted() -> abreast._Worker:
        begun.append(start())
        return begun[-1]

    monkeypatch.setattr(abreast, "_start", noted)
    left = abreast.reports(several, None, 3)
    next(left)
    left.close()
    assert [worker.process.returncode is not None for worker in begun] == [True] * 3


UNGUARDED = """
import sys
sys.path.insert(0, {generator!r})
from anycastle import compose
from anycastle.cli import run
compose.validate_tree = None  # of this process alone
print("once")
sys.exit(run(["validate", "--jobs", "2", *sys.argv[1:]]))
"""


def test_a_caller_without_a_guard_is_not_run_again(several: list[Path], tmp_path: Path) -> None:
    caller = tmp_path / "caller.py"
    caller.write_text(UNGUARDED.format(generator=str(Path(abreast.__file__).parents[1])))
    command = [sys.executable, "-E", str(caller), *map(str, several)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stderr == ""
    assert done.returncode == 1
    assert done.stdout.splitlines().count("once") == 1
    assert "SESS002" in done.stdout


@pytest.mark.parametrize(
    ("repositories", "asked", "processors", "expected"),
    [
        (1, None, 8, 1),
        (11, None, 8, 1),
        (12, None, 8, 2),
        (200, None, 2, 2),
        (200, None, 64, 16),
        (3, 8, 1, 3),
        (3, 1, 8, 1),
    ],
)
def test_how_many(
    repositories: int, asked: int | None, processors: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(abreast, "_processors", lambda: processors)
    assert abreast.workers(repositories, asked) == expected


@pytest.mark.parametrize("wrong", ["0", "65", "many"])
def test_a_number_that_makes_no_sense_is_misuse(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "--jobs", wrong, EXAMPLE)[0] == 2
