"""Damaged files: something is said of them, within seconds and in bounded memory, and nothing falls over.

An ordinary run takes a sample; with ANYCASTLE_LONG=1 it is 20,000 random and 2,000 structural injuries.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
LONG = os.environ.get("ANYCASTLE_LONG") == "1"
RANDOM, STRUCTURES = (20_000, 2_000) if LONG else (600, 200)


def damaged(*options: str) -> dict[str, Any]:
    """A process of its own: what went wrong may be its end, and its memory is its own."""
    command = [sys.executable, str(HERE / "run.py"), *options]
    process = subprocess.run(command, check=False, capture_output=True, text=True)
    assert process.stdout.startswith("{"), process.stderr[-4000:]
    result: dict[str, Any] = json.loads(process.stdout)
    return result


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "count"), [("--random", RANDOM), ("--structures", STRUCTURES)])
def test_damaged_files_are_survived(kind: str, count: int) -> None:
    result = damaged(kind, str(count))
    assert result["wrong"] == []
    assert result["silent"] == []
    assert result["files"] >= count
    assert result["codes"] > 30, "a run in which little is said has damaged little"


def test_the_watch_sees_what_it_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that hangs, falls over or is silent is noticed."""
    import run

    from anycastle import compose
    from anycastle.report import report

    def endless(_root: Path) -> None:
        while True:
            pass

    looked = run.Run()
    readers = ((0.2, endless), (10, lambda _root: 1 / 0), (10, lambda root: report(str(root), ())))
    for seconds, reader in readers:
        monkeypatch.setattr(run, "SECONDS", seconds)
        monkeypatch.setattr(compose, "validate_tree", reader)
        looked.look(HERE, "a tree", expected="a.yaml")
    hung, fallen = looked.wrong
    assert "not read within" in hung
    assert "ZeroDivisionError" in fallen
    assert looked.silent == ["a tree: nothing is said of a.yaml"]


def test_every_kind_of_damage_is_in_a_sample() -> None:
    import structures

    assert sum(map(len, structures.KINDS.values())) + len(structures.DEADLY_CHARTS) <= STRUCTURES
