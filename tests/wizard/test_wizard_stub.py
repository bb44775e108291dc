"""From the directory that cookiecutter made to the repository."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from anycastle.finding import Finding, Place, Refused, Severity
from anycastle.wizard.stub import replace_stub


@pytest.fixture
def target(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    made.mkdir()
    (made / "anycastle-answers.json").write_text(json.dumps({"domain": "lab.test"}))
    (made / "NOT-GENERATED.txt").write_text("x")
    return made


def test_the_target_is_absent_until_it_is_whole(target: Path) -> None:
    said: list[str] = []

    def generate(answers: Mapping[str, str], where: Path, echo: Callable[[str], None]) -> int:
        assert not where.exists()
        assert answers == {"domain": "lab.test"}
        where.mkdir()
        (where / "site.yaml").write_text("whole")
        echo("plan\n")
        echo("written\n")
        return 0

    assert replace_stub(target, generate, said.append) == 0
    assert [path.name for path in target.iterdir()] == ["site.yaml"]
    assert said == ["plan\n", "written\n"]


def test_a_plan_that_was_shown_is_not_shown_twice(target: Path) -> None:
    said: list[str] = []

    def generate(_answers: Mapping[str, str], where: Path, echo: Callable[[str], None]) -> int:
        where.mkdir()
        echo("plan\n")
        echo("written\n")
        return 0

    replace_stub(target, generate, said.append, plan_shown=True)
    assert said == ["written\n"]


def test_findings_are_said_and_the_directory_is_left_empty_for_cookiecutter(target: Path) -> None:
    said: list[str] = []

    def generate(_answers: Mapping[str, str], _where: Path, echo: Callable[[str], None]) -> int:
        echo("this is wrong\n")
        return 1

    assert replace_stub(target, generate, said.append, plan_shown=True) == 1
    assert said == ["this is wrong\n"]
    assert [*target.iterdir()] == []


def test_a_refusal_is_one_line_for_each_finding(target: Path) -> None:
    said: list[str] = []

    def generate(_answers: Mapping[str, str], _where: Path, _echo: Callable[[str], None]) -> int:
        raise Refused(
            [Finding("WIZ002", Severity.ERROR, Place(key=key), "Bad.", "Mend it.") for key in ("domain", "assign")]
        )

    assert replace_stub(target, generate, said.append) == 1
    assert said == ["error: WIZ002 assign: Bad. Mend it.\n", "error: WIZ002 domain: Bad. Mend it.\n"]
    assert [*target.iterdir()] == []


@pytest.mark.parametrize(("error", "left"), [(RuntimeError, True), (SystemExit, True), (KeyboardInterrupt, False)])
def test_an_interruption_leaves_nothing_and_a_crash_what_cookiecutter_removes(
    target: Path, error: type[BaseException], left: bool
) -> None:
    def generate(_answers: Mapping[str, str], _where: Path, _echo: Callable[[str], None]) -> int:
        raise error

    with pytest.raises(error):
        replace_stub(target, generate, print)
    assert target.exists() is left


def test_a_directory_with_something_else_is_left_alone(target: Path) -> None:
    (target / "mine.txt").write_text("precious")
    said: list[str] = []

    def generate(_answers: Mapping[str, str], _where: Path, _echo: Callable[[str], None]) -> int:
        raise AssertionError

    assert replace_stub(target, generate, said.append) == 1
    assert "'mine.txt', which is not ours" in said[0]
    assert [path.name for path in target.iterdir()] == ["mine.txt"]
