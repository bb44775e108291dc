"""The cookiecutter template and the package say the same."""

import importlib.util
import json
import re
import tomllib
from pathlib import Path
from types import ModuleType

import cookiecutter.environment
import pytest

from anycastle.wizard import requirements
from anycastle.wizard.questions import QUESTIONS

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "cookiecutter-template"
SETTINGS = json.loads((TEMPLATE / "cookiecutter.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wiz_ext() -> ModuleType:
    spec = importlib.util.spec_from_file_location("wiz_ext_under_test", TEMPLATE / "wiz_ext.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_template_asks_the_questions_of_the_list_in_its_order() -> None:
    expected = ["_extensions"]
    for question in QUESTIONS:
        expected += [question.key, f"__v_{question.key}"]
    assert [*SETTINGS] == [*expected, "__prompts__"]


def test_defaults_and_checks_are_the_lists_own() -> None:
    for question in QUESTIONS:
        assert SETTINGS[question.key] == f"{{{{ default_answer('{question.key}') }}}}"
        assert SETTINGS[f"__v_{question.key}"] == f"{{{{ check_answer('{question.key}') }}}}"


def test_prompts_are_the_lists_own(wiz_ext: ModuleType) -> None:
    assert SETTINGS["__prompts__"] == {question.key: wiz_ext.prompt_text(question) for question in QUESTIONS}


def test_prompts_are_plain_text_to_the_library_that_shows_them() -> None:
    """It takes [word] for a colour."""
    assert not [text for text in SETTINGS["__prompts__"].values() if re.search(r"\[[a-z#/@]", text)]


def test_prompts_fit_a_terminal() -> None:
    for question in QUESTIONS:
        assert len(question.why) <= 110
        assert "\n" not in question.why + question.label


@pytest.mark.parametrize("text", ["{{ 7*7 }}", "{% raw %}", "{# #}", 'a"b\\{{', "{é😀\n'", "{\udc80", "plain", ""])
def test_an_answer_is_data_to_the_template_engine(wiz_ext: ModuleType, text: str) -> None:
    engine = cookiecutter.environment.StrictEnvironment(keep_trailing_newline=True)
    engine.add_extension(wiz_ext.Wizard)
    assert engine.from_string(text).render() == text


def test_a_text_of_the_template_is_no_answer(wiz_ext: ModuleType) -> None:
    engine = cookiecutter.environment.StrictEnvironment()
    engine.add_extension(wiz_ext.Wizard)
    assert engine.from_string(SETTINGS["site_name"]).render(cookiecutter={}) == "home"
    assert engine.from_string(SETTINGS["repository"]).render(cookiecutter={"site_name": "lab"}).endswith("/lab.git")


def test_the_requirements_are_the_packages_own() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {need.split(";")[0].strip() for need in project["dependencies"]}
    assert set(requirements.PACKAGES.values()) == {need for need in declared if not need.startswith("cookiecutter")}


def test_a_missing_package_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requirements, "PACKAGES", {"no_such_module_": "no-such<2", "json": "json"})
    assert requirements.missing() == ("no-such<2",)
    line = requirements.complaint()
    assert "lacks no-such<2: run " in line
    assert "-m pip install 'no-such<2' (with pipx: pipx inject cookiecutter 'no-such<2')" in line
    assert line.isprintable()


def test_nothing_is_missing_here() -> None:
    assert requirements.complaint() == ""
