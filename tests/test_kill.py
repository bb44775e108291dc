"""kill -9 at any moment: the target is absent or complete, and the next run succeeds and cleans up."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anycastle.repo.staging import STAGE_MARK
from tree import tree_of

MOMENTS = 50
SEED = 20


def start(folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "anycastle.cli", "new", "--no-input", "-o", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


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


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_asked_to_end_leaves_nothing(tmp_path: Path, ending: signal.Signals) -> None:
    with start(tmp_path) as process:
        while not any(list((tmp_path / name).iterdir()) for name in stages(tmp_path)):
            assert process.poll() is None, "the run ended before its stage was seen"
            time.sleep(0.001)
        process.send_signal(ending)
        _out, said = process.communicate(timeout=60)
    assert process.returncode == (143 if ending is signal.SIGTERM else 130)
    assert b"Traceback" not in said
    assert not list(tmp_path.iterdir())
