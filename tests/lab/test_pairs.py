"""Where `validate` calls a repository broken for a network reason, a lab of it fails for that reason."""

import os
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from broken_repositories import PAIRS, Pair, broken
from lab_command import Command, Ended

AT_ONCE = 4  # labs side by side: they wait for timers most of the time

pytestmark = [pytest.mark.daemons, pytest.mark.slow]


@pytest.fixture(scope="module")
def judged(
    daemons: None, anycastle: Command, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, tuple[Future[Ended], Future[Ended]]]:
    """Pair -> what validate and the lab say."""
    root = tmp_path_factory.mktemp("broken")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return {pair.name: _both(pair, broken(pair, root), anycastle, pool) for pair in PAIRS}


def _both(pair: Pair, root: Path, anycastle: Command, pool: ThreadPoolExecutor) -> tuple[Future[Ended], Future[Ended]]:
    lab = ("lab", "test", root, "--format", "json", "--scenario", pair.scenario, "--name", f"{root.name}-{os.getpid()}")
    return pool.submit(anycastle, "validate", root, "--format", "json"), pool.submit(anycastle, *lab)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_what_validate_calls_broken_fails_in_the_lab(
    pair: Pair, judged: Mapping[str, tuple[Future[Ended], Future[Ended]]]
) -> None:
    validated, rehearsed = (future.result() for future in judged[pair.name])
    assert validated.report, validated.said
    assert pair.code in {finding["code"] for finding in validated.report["findings"]}
    assert rehearsed.status == 1, rehearsed.said
    assert rehearsed.verdicts()[pair.check] == "failed"
    assert pair.words in rehearsed.text(pair.check)
