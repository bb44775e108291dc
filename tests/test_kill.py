"""kill -9 at any moment: the target is absent or complete, and the next run succeeds and cleans up."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anycastle import cli
from anycastle.repo.staging import STAGE_MARK
from tree import tree_of

MOMENTS = 50
SEED = 20
PROGRAM = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from anycastle.cli import main; sys.argv[0] = 'anycastle'; main()"
)
"""The command, also where whoever runs the tests ignores Ctrl-C."""


COMMIT_WAITS = 20  # seconds; the run is interrupted long before


def start(folder: Path, path: str | None = None) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", PROGRAM, "new", "--no-input", "-o", str(folder)]
    environment = os.environ | ({} if path is None else {"PATH": path})
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)


def finished(folder: Path) -> float:
    """Run to the end; returns the seconds that it took."""
    began = time.monotonic()
    process = start(folder)
    _out, said = process.communicate(timeout=60)
    assert process.returncode == 0, said.decode()
    return time.monotonic() - began


def stages(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if STAGE_MARK in path.name]


@pytest.mark.slow
def test_a_killed_run_leaves_all_or_nothing(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    length = max(finished(whole), 0.05)
    expected = tree_of(whole / "home")
    head = (whole / "home/.git/refs/heads/main").read_text()
    moments = random.Random(SEED)
    outcomes = []
    for number in range(MOMENTS):
        folder = tmp_path / str(number)
        folder.mkdir()
        process = start(folder)
        try:
            # The stage is there for the last part of a run: half of the moments aim at it.
            process.wait(length * moments.uniform(0.0 if number % 2 else 0.5, 1.1))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        there = (folder / "home").exists()
        if there:
            assert tree_of(folder / "home") == expected
            assert (folder / "home/.git/refs/heads/main").read_text() == head
        outcomes.append("complete" if there else "litter" if stages(folder) else "absent")
    assert {"absent", "litter", "complete"} <= set(outcomes), f"the moments miss something: {outcomes}"
    interrupted = [tmp_path / str(number) for number, outcome in enumerate(outcomes) if outcome == "litter"]
    for folder in interrupted[:5]:
        finished(folder)
        assert tree_of(folder / "home") == expected
        assert stages(folder) == []


@pytest.fixture
def slow_git(tmp_path: Path) -> tuple[str, Path]:
    """A search path on which `git commit` says that it has begun, and waits: the stage is there for that long."""
    folder, begun = tmp_path / "bin", tmp_path / "begun"
    folder.mkdir()
    git = folder / "git"
    git.write_text(
        f"#!/bin/sh\ncase \" $* \" in *' commit '*) : >'{begun}'; sleep {COMMIT_WAITS};; esac\n"
        f"exec '{shutil.which('git')}' \"$@\"\n"
    )
    git.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}", begun


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_asked_to_end_leaves_nothing(
    tmp_path: Path, slow_git: tuple[str, Path], ending: signal.Signals
) -> None:
    path, begun = slow_git
    target = tmp_path / "target"
    target.mkdir()
    with start(target, path) as process:
        while not begun.exists():
            assert process.poll() is None, "the run ended before it committed"
            time.sleep(0.01)
        assert stages(target)
        process.send_signal(ending)
        _out, said = process.communicate(timeout=60)
    assert process.returncode == (143 if ending is signal.SIGTERM else 130)
    assert b"Traceback" not in said
    assert not list(target.iterdir())


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_after_the_work_changes_nothing(ending: signal.Signals) -> None:
    """The interpreter takes a while to end, with the signals' default actions: a done command would count as killed."""
    program = (
        "import atexit, os, sys; from anycastle.cli import main; sys.argv = ['anycastle', '--version']; "
        f"atexit.register(os.kill, os.getpid(), {int(ending)}); main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_interrupt_outside_a_command_is_a_stop(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.commands, "main", interrupted)
    assert cli.run(["--version"]) == 130
    assert "Stopped" in capfd.readouterr().err
