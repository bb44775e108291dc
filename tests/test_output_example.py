"""`output-example/` is what a fresh run makes, byte for byte. `pytest --update-golden` writes it anew."""

import shutil
from pathlib import Path

import pytest

from anycastle.cli import run
from tree import difference, tree_of

EXAMPLE = Path(__file__).resolve().parents[1] / "output-example"


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fresh")
    assert run(["new", "--no-input", "-o", str(folder)]) == 0
    return folder / "home"


def test_the_golden_example_equals_a_fresh_run(fresh: Path, update_golden: bool) -> None:
    expected, actual = tree_of(EXAMPLE), tree_of(fresh)
    if update_golden and expected != actual:
        shutil.rmtree(EXAMPLE, ignore_errors=True)
        shutil.copytree(fresh, EXAMPLE, ignore=shutil.ignore_patterns(".git"))
        expected = tree_of(EXAMPLE)
    assert list(actual) == list(expected), difference(expected, actual)
    assert actual == expected, difference(expected, actual)


def test_the_example_has_the_same_executables_as_a_fresh_run(fresh: Path) -> None:
    runnable = {path for path in tree_of(fresh) if (fresh / path).stat().st_mode & 0o100}
    assert {path for path in tree_of(EXAMPLE) if (EXAMPLE / path).stat().st_mode & 0o100} == runnable
    assert runnable, "the scripts of the nodes can be run"


def test_the_example_is_no_repository_of_its_own() -> None:
    assert not list(EXAMPLE.rglob(".git"))


def test_two_fresh_runs_are_one_commit(fresh: Path, tmp_path: Path) -> None:
    assert run(["new", "--no-input", "-o", str(tmp_path)]) == 0
    head = Path(".git/refs/heads/main")
    assert (tmp_path / "home" / head).read_text() == (fresh / head).read_text()


def test_a_difference_names_paths_first_and_shows_lines() -> None:
    text = difference({"a": b"1\n2\n", "gone": b""}, {"a": b"1\n3\n", "new": b""})
    assert text.splitlines() == [
        "- gone",
        "+ new",
        "--- expected/a",
        "+++ actual/a",
        "@@ -1,2 +1,2 @@",
        " 1",
        "-2",
        "+3",
    ]
    assert difference({"a": b"1\n"}, {"a": b"1\r\n"}) == "a: differs in its line ends or bytes only"
    assert difference({"a": b"1"}, {"a": b"1"}) == ""
