"""Several repositories at the same time: the same report, whoever judges them and whatever becomes of them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from anycastle import abreast
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


def test_what_a_lost_process_leaves_is_judged_here(several: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list(abreast.reports(several, None, 1))

    def one_and_gone(directories: Sequence[Path], store: Path | None, _count: int) -> Iterator[Report]:
        yield next(abreast.reports(directories[:1], store, 1))

    monkeypatch.setattr(abreast, "_by_processes", one_and_gone)
    assert list(abreast.reports(several, None, 2)) == whole


def _end() -> None:
    os._exit(1)


def test_a_process_that_cannot_start_is_no_failure(several: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abreast, "_begin", _end)
    assert len(list(abreast.reports(several[:2], None, 2))) == 2


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
