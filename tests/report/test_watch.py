"""`validate --watch`: once at the beginning, once for every burst of changes; the status is that of the last report."""

import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from anycastle import watching
from anycastle.cli import run

EXAMPLE = Path(__file__).resolve().parents[2] / "output-example"
SITE = Path("/srv/site")
STATE = (1, 2, 3)
PROGRAM = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from anycastle.cli import main; sys.argv[0] = 'anycastle'; main()"
)
"""The command, also where whoever runs the tests ignores Ctrl-C."""


def session(statuses: list[int], bursts: Iterator[Sequence[str]]) -> tuple[int, str]:
    said: list[str] = []
    left = iter(statuses)

    def judge() -> int:
        said.append("JUDGED\n")
        return next(left)

    return watching.watched([SITE], judge, said.append, bursts), "".join(said)


def test_it_judges_once_and_then_for_each_burst() -> None:
    status, said = session([1, 0], iter([(), ("apps/edge/values.yaml",)]))
    assert status == 0
    assert said.count("JUDGED") == 2
    assert said.index("Ctrl-C") < said.index("--- apps/edge/values.yaml\nJUDGED")


def test_an_interrupt_gives_the_last_status() -> None:
    def bursts() -> Iterator[Sequence[str]]:
        yield ()
        raise KeyboardInterrupt

    assert session([1], bursts())[0] == 1


def test_an_interrupt_before_any_report_is_one() -> None:
    def judge() -> int:
        raise KeyboardInterrupt

    assert watching.watched([SITE], judge, lambda _text: None, iter([()])) == 130


def test_a_heading_names_three_files_and_shows_no_control_characters() -> None:
    assert watching.heading(list("abcde")) == "--- a, b, c and 2 more"
    assert watching.heading(["\x1b[31mred\n.yaml", "\udcff.yaml"]) == "--- ?[31mred?.yaml, ?.yaml"


def test_a_burst_ends_when_nothing_changes_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(watching.time, "sleep", pauses.append)
    looks = iter(
        [{"a": STATE}, {"a": STATE}, {"a": STATE, "b": None}, {"a": STATE, "b": STATE}, {"b": STATE}, {"b": STATE}]
    )
    bursts = watching.changes([SITE], lambda: next(looks))
    assert next(bursts) == ()
    assert next(bursts) == ["a", "b"]
    assert len(pauses) == 5


def test_a_slow_look_does_not_put_off_the_next_one_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 9.0, 9.0, 9.001, 9.1, 9.15])
    pauses: list[float] = []
    monkeypatch.setattr(watching.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(watching.time, "sleep", pauses.append)
    looks = iter([{"a": STATE}, {"a": STATE}, {"b": STATE}, {"b": STATE}])
    bursts = watching.changes([SITE], lambda: next(looks))
    assert [next(bursts), next(bursts)] == [(), ["a", "b"]]
    assert pauses[:2] == [1.0, 0.1]


def test_what_came_and_went_between_two_looks_is_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching.time, "sleep", lambda _seconds: None)
    looks = iter([{}, {"a": STATE}, {}, {}, {"b": STATE}, {"b": STATE}])
    bursts = watching.changes([SITE], lambda: next(looks))
    assert [next(bursts), next(bursts)] == [(), ["b"]]


def test_the_files_are_those_that_are_read(tmp_path: Path) -> None:
    root, outside = tmp_path / "venv", tmp_path / "outside.yaml"
    outside.touch()
    for name in ("a.yaml", ".github/w.yaml", ".git/index", ".venv/b.yaml", "node_modules/c.yaml", "cache/d.yaml"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    (root / ".gitignore").write_text("cache/\n")
    (root / "link.yaml").symlink_to(outside)
    assert set(watching.seen([root])) == {"a.yaml", ".github/w.yaml", ".gitignore"}
    assert set(watching.seen([root, root / ".github"])) >= {f"{root}/a.yaml", f"{root}/.github/w.yaml"}
    shutil.rmtree(root)
    assert watching.seen([root]) == {}


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
    command = [sys.executable, "-c", PROGRAM, "validate", "--watch", str(root)]
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
