"""`validate --watch`: once at the beginning, once for every burst of changes; the status is that of the last report."""

import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import watchfiles
from watchfiles import Change

from anycastle import watching
from anycastle.cli import run

EXAMPLE = Path(__file__).resolve().parents[2] / "output-example"
SITE = Path("/srv/site")


def session(statuses: list[int], bursts: Iterator[frozenset[Path]]) -> tuple[int, str]:
    said: list[str] = []
    left = iter(statuses)

    def judge() -> int:
        said.append("JUDGED\n")
        return next(left)

    return watching.watched([SITE], judge, said.append, bursts), "".join(said)


def test_it_judges_once_and_then_for_each_burst() -> None:
    status, said = session([1, 0], iter([frozenset(), frozenset((SITE / "apps/edge/values.yaml",))]))
    assert status == 0
    assert said.count("JUDGED") == 2
    assert said.index("Ctrl-C") < said.index("--- apps/edge/values.yaml\nJUDGED")


def test_an_interrupt_gives_the_last_status() -> None:
    def bursts() -> Iterator[frozenset[Path]]:
        yield frozenset()
        raise KeyboardInterrupt

    assert session([1], bursts())[0] == 1


def test_an_interrupt_before_any_report_is_one() -> None:
    def judge() -> int:
        raise KeyboardInterrupt

    assert watching.watched([SITE], judge, lambda _text: None, iter([frozenset()])) == 130


def test_a_heading_names_three_files() -> None:
    burst = frozenset(SITE / name for name in "abcde")
    assert watching.heading(burst, [SITE]) == "--- a, b, c and 2 more"
    assert watching.heading(frozenset((SITE / "a",)), [Path("/srv/other"), SITE]) == "--- /srv/site/a"


def test_the_first_burst_is_empty_and_later_silence_is_not_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = [set(), set(), {(Change.modified, str(tmp_path / "a"))}, set(), {(Change.added, str(tmp_path / "b"))}]
    monkeypatch.setattr(watchfiles, "watch", lambda *_roots, **_options: iter(told))
    bursts = watching.changes([tmp_path])
    assert [next(bursts) for _ in range(3)] == [frozenset(), frozenset((tmp_path / "a",)), frozenset((tmp_path / "b",))]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("apps/edge/values.yaml", True),
        (".gitignore", True),
        (".github/workflows/validate.yaml", True),
        (".git/index", False),
        (".venv/lib/a.py", False),
        ("node_modules/a/b.yaml", False),
        ("apps/edge/.values.yaml.swp", False),
        ("apps/edge/values.yaml~", False),
    ],
)
@pytest.mark.parametrize("above", ["", "venv", ".hidden"])
def test_what_is_no_part_of_a_repository_is_not_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, told: bool, above: str
) -> None:
    """However the folders above the repository are called."""
    filters = []
    monkeypatch.setattr(watchfiles, "watch", lambda *_roots, **options: filters.append(options) or iter([set()]))
    root = tmp_path / above
    root.mkdir(exist_ok=True)
    next(watching.changes([root]))
    assert filters[0]["watch_filter"](Change.modified, str(root.resolve() / name)) is told


def test_a_system_that_cannot_watch_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*_roots: Path, **_options: object) -> Iterator[set[tuple[Change, str]]]:
        raise OSError("OS file watch limit reached")
        yield set()

    monkeypatch.setattr(watchfiles, "watch", refused)
    assert run(["validate", "--watch", str(EXAMPLE)]) == 2
    assert "OS file watch limit reached. Run without --watch." in capsys.readouterr().err


@pytest.mark.parametrize("also", [["--format", "json"], ["--write-baseline", "known.json"]])
def test_it_goes_with_text_alone(also: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", "--watch", *also, str(EXAMPLE)]) == 2
    assert "--watch" in capsys.readouterr().err


def test_a_saved_file_is_judged_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    """The real thing: a mistake is saved, reported, and corrected again."""
    root = tmp_path / "home"
    shutil.copytree(EXAMPLE, root)
    values = root / "apps/whoami/values.yaml"
    before = values.read_bytes()
    command = [sys.executable, "-m", "anycastle", "validate", "--watch", str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None

        def until(expected: str) -> str:
            """Reports to the first with such words: a file system may tell of one save in two bursts."""
            lines: list[str] = []
            for line in process.stdout or ():
                lines.append(line)
                if line.startswith("Watching"):
                    if expected in (said := "".join(lines)):
                        return said
                    lines.clear()
            raise AssertionError(f"it ended: {''.join(lines)}")

        patience = threading.Timer(120, process.kill)
        patience.start()
        until(" 0 errors")
        values.write_bytes(before + b"replicas: 3\n")
        assert "--- apps/whoami/values.yaml\n" in until("YAML002")
        values.write_bytes(before)
        until(" 0 errors")
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        assert process.wait() == 0
        patience.cancel()
