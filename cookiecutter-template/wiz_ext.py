"""What cookiecutter's template asks of the generator: defaults, prompts and checks, from its one list of questions.

cookiecutter loads this file as an extension of its template engine, in its own process, so that a wrong answer is
refused before anything exists. Nothing here decides anything: `anycastle.wizard` does.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import json
import logging
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import cookiecutter.prompt
from cookiecutter.exceptions import FailedHookException
from jinja2 import Environment, pass_context
from jinja2.ext import Extension
from jinja2.runtime import Context

HERE = Path(__file__).resolve().parent


def _how_to_install() -> str:
    checkout = HERE.parent
    if (checkout / "pyproject.toml").is_file():
        return f"run {sys.executable} -m pip install {checkout}"
    return f"install the release that this template belongs to with {sys.executable} -m pip install"


def _load() -> Any:
    """The installed package, or else the one beside this template."""
    found = importlib.util.find_spec("anycastle")
    if found is None or found.origin is None:  # a folder of that name that is no package
        sys.path.insert(0, str(HERE.parent / "generator"))
    try:
        return importlib.import_module("anycastle.wizard.requirements")
    except ImportError as error:
        reason = "the package anycastle, which generates the repository, is not installed, or too old"
        raise FailedHookException(f"error: {reason}: {_how_to_install()}.") from error


if _complaint := _load().complaint():
    raise FailedHookException(f"error: {_complaint}")

from anycastle import asked  # noqa: E402
from anycastle.finding import Finding, Place, Severity  # noqa: E402
from anycastle.wizard.answers import complete  # noqa: E402
from anycastle.wizard.asking import OPENING, GoBack, answer_to  # noqa: E402
from anycastle.wizard.codes import unknown_answer  # noqa: E402
from anycastle.wizard.interview import Person, confirm, once_more  # noqa: E402
from anycastle.wizard.question import Question  # noqa: E402
from anycastle.wizard.questions import BY_KEY, QUESTIONS  # noqa: E402

FIRST, LAST = QUESTIONS[0].key, QUESTIONS[-1].key
GENERATOR = str(Path(sys.modules["anycastle"].__path__[0]).resolve().parent)
"""The folder that holds the package; the hooks run in a process of their own and look there last."""


# --- what belongs to the template, and what is an answer -----------------------------------------------


def _own_texts() -> frozenset[str]:
    """Every text of this template that cookiecutter may render. Any other text comes from a person."""
    settings = json.loads((HERE / "cookiecutter.json").read_text(encoding="utf-8"))
    texts = [text for text in settings.values() if isinstance(text, str)]
    texts += [path.read_text(encoding="utf-8") for path in sorted((HERE / "hooks").glob("*.py"))]
    return frozenset([*texts, *(path.name for path in HERE.iterdir())])


_OWN = _own_texts()


def _literal(text: str) -> str:
    """Template source that renders to exactly this text."""
    return '{{ "' + "".join(f"\\U{ord(character):08x}" for character in text) + '" }}'


# --- the state of one run ------------------------------------------------------------------------------


class _Run:
    """cookiecutter's own dictionary of answers, which it fills one by one, and what happened so far."""

    def __init__(self) -> None:
        self.live: dict[str, Any] = {}
        self.asks_again = False
        self.plan_shown = False


_run = _Run()


def _given(live: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(live[key]) for key in BY_KEY if key in live}


def _lines(findings: tuple[Finding, ...]) -> str:
    return "\n".join(f"error: {finding.where.key}: {finding.message} {finding.fix}" for finding in findings)


# --- what the template calls ---------------------------------------------------------------------------


@pass_context
def default_answer(context: Context, key: str) -> str:
    """The default that follows from the answers so far."""
    _run.live = context["cookiecutter"]
    return complete(_given(_run.live)).answers[key]


@pass_context
def check_answer(context: Context, key: str) -> str:
    """Refuse a wrong answer; where wrong ones are asked again, this sees only those that nobody was asked for.

    Those are named all at once, after the last question.
    """
    _run.live = context["cookiecutter"]
    _run.plan_shown = _run.plan_shown and key != FIRST
    given = _given(_run.live)
    completed = complete(given)
    wrong = tuple(finding for finding in completed.findings if finding.where.key in given)
    if wrong and (key == LAST or not _run.asks_again):
        raise FailedHookException(_lines(wrong))
    return completed.answers[key]


@pass_context
def directory(context: Context, _name: str) -> str:
    """The name of the new directory. A replay file brings answers that were not checked yet."""
    completed = complete(_given(context["cookiecutter"]))
    if completed.findings:
        raise FailedHookException(_lines(completed.findings))
    return completed.answers["site_name"]


@pass_context
def answers_json(context: Context) -> str:
    """The answers, for the hook; the file is data and is never run."""
    return json.dumps(_given(context["cookiecutter"]), indent=2)


class Wizard(Extension):
    """The extension that `cookiecutter.json` names."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        _refuse_misuse()
        _refuse_foreign_questions()
        _ask_again()
        environment.globals.update(
            default_answer=default_answer,
            check_answer=check_answer,
            directory=directory,
            answers_json=answers_json,
            generator_literal=ascii(GENERATOR),
            plan_shown_literal=lambda: repr(_run.plan_shown),
        )

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Keep answers data: cookiecutter renders those of its command line and of a person's settings as templates."""
        if name is not None or source in _OWN or "{" not in source:
            return source
        return _literal(source)


# --- misuse that cookiecutter lets pass ----------------------------------------------------------------


def _refuse_misuse() -> None:
    """Misspelt names on the command line, which it ignores, and hooks switched off, without which nothing happens."""
    options = _options()
    unknown = [key for key in options.get("extra_context") or () if key not in BY_KEY]
    if unknown:
        raise FailedHookException(_lines(tuple(unknown_answer(key, BY_KEY) for key in unknown)))
    if options.get("accept_hooks") == "no":
        raise FailedHookException(
            "error: with --accept-hooks no nothing would be generated: the hook is what calls the generator. "
            "Leave the option out, or run anycastle new."
        )


def _refuse_foreign_questions() -> None:
    settings = json.loads((HERE / "cookiecutter.json").read_text(encoding="utf-8"))
    if [key for key in settings if not key.startswith("_")] != [*BY_KEY]:
        raise FailedHookException(
            f"error: this template asks other questions than the anycastle in {GENERATOR}, which is of another "
            f"release: {_how_to_install()}."
        )


# --- asking again --------------------------------------------------------------------------------------


def prompt_text(question: Question) -> str:
    """What stands under `__prompts__`: why on one line, the prompt on the next."""
    return f"{question.why}\n    {question.label}"


def _ask_again() -> None:
    """Wrap cookiecutter's private prompt. Where a release has another, answers are checked but not asked again."""
    read = getattr(cookiecutter.prompt, "read_user_variable", None)
    if read is None or hasattr(read, "asks_again"):
        return
    if [*inspect.signature(read).parameters] != ["var_name", "default_value", "prompts", "prefix"]:
        return
    wrapped = _checked(read)
    wrapped.asks_again = True  # type: ignore[attr-defined]
    cookiecutter.prompt.read_user_variable = wrapped
    _run.asks_again = True
    logging.getLogger("cookiecutter.hooks").addFilter(_without_traceback)


def _without_traceback(record: logging.LogRecord) -> bool:
    """A hook that refuses has said why; cookiecutter would print its own stack below."""
    record.exc_info = None
    return True


def _checked(read: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(read)
    def read_checked(
        var_name: str, default_value: Any, prompts: Mapping[str, str] | None = None, prefix: str = ""
    ) -> Any:
        question = BY_KEY.get(var_name)
        if question is None or (prompts or {}).get(var_name) != prompt_text(question):
            return read(var_name, default_value, prompts, prefix)  # a question of another template
        before = [earlier.key for earlier in QUESTIONS[: QUESTIONS.index(question)]]
        completed = complete({key: str(_run.live[key]) for key in before if key in _run.live}).answers
        earlier = {key: completed[key] for key in before}
        person = _person(lambda _prompt, _default: str(read(var_name, default_value, prompts, prefix)))
        if var_name == FIRST:
            person.say(OPENING)
        return _answered(question, earlier, person, _person(lambda prompt, default: str(read(prompt, default))))

    return read_checked


def _person(ask: Callable[[str, str], str]) -> Person:
    return Person(ask, click.echo, lambda answers: asked.findings(answers, _taken(answers)))


def _answered(question: Question, earlier: Mapping[str, str], here: Person, again: Person) -> str:
    """One answer. Going back changes earlier ones in cookiecutter's own dictionary; after the last the plan is shown.

    `here` answers through cookiecutter's prompt for this question, `again` through a prompt for any.
    """
    default = question.default(earlier)
    if not question.applies(earlier):
        return default
    try:
        answers = {**earlier, question.key: answer_to(here, question, earlier, default)}
    except GoBack:
        answers = once_more(again, earlier, question)
    if question.key == LAST:
        answers = confirm(again, answers, _plan)
        _run.plan_shown = True
    _run.live.update(answers)
    return answers[question.key]


def _options() -> dict[str, Any]:
    """Those of cookiecutter's command line; empty where Python called it."""
    command = click.get_current_context(silent=True)
    return command.params if command is not None and "extra_context" in command.params else {}


def _target(answers: Mapping[str, str]) -> Path | None:
    """Where cookiecutter will make the directory, as far as its command line tells."""
    options = _options()
    return Path(options.get("output_dir") or ".", answers["site_name"]) if options else None


def _taken(answers: Mapping[str, str]) -> list[Finding]:
    """Any directory that exists would be refused after the last question; with -f an empty one will do."""
    target = _target(answers)
    if target is None:
        return []
    cure = "Write another site name, or stop with Ctrl-C and run the command again with -o DIR."
    faults = [replace(finding, fix=cure) for finding in asked.taken(target)]
    if not faults and target.exists() and not _options().get("overwrite_if_exists"):
        message = f"{target} exists already; cookiecutter makes no repository in it."
        faults = [Finding("REPO001", Severity.ERROR, Place(key="name"), message, cure)]
    return faults


def _plan(answers: Mapping[str, str]) -> str:
    return asked.plan(answers, _target(answers), _taken(answers))
