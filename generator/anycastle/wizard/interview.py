"""Asking on a terminal: one question after another, forth and back, and the plan before anything is written.

Pure logic: whoever calls it passes the functions that ask and tell. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from click import Abort

from anycastle.finding import Finding, Refused, Severity
from anycastle.wizard import codes
from anycastle.wizard.asking import FIRST, OPENING, WIDTH, GoBack, Moved, Person, wrapped
from anycastle.wizard.nodes import expand
from anycastle.wizard.question import Question
from anycastle.wizard.questions import BY_KEY, QUESTIONS, question_of
from anycastle.wizard.rounds import Round

__all__ = ["Abort", "Person", "confirm", "interview", "once_more"]

ShowPlan = Callable[[dict[str, str]], str | None]

NOTHING: Mapping[str, str] = MappingProxyType({})


def interview(person: Person, preset: Mapping[str, str] = NOTHING, show_plan: ShowPlan | None = None) -> dict[str, str]:
    """Every question that `preset` does not answer; returns canonical answers to all.

    `show_plan` gives the text that is shown before the last question, "Write it?". Where it raises `Refused`, the
    questions behind the findings are asked again; a finding that leads to no question is raised to the caller.
    Raises `Refused` for unknown names in `preset`, and `click.Abort` on Ctrl-C, on the end of input, or when the
    last question is answered with no and no answer is to be changed.
    """
    unknown = [codes.unknown_answer(key, BY_KEY) for key in preset if key not in BY_KEY]
    if unknown:
        raise Refused(unknown)
    person.say(OPENING)
    try:
        answers = Round(person, preset, [key for key in BY_KEY if key not in preset], judging=True).run()
    except (KeyboardInterrupt, EOFError) as error:
        raise Abort from error
    return answers if show_plan is None else confirm(person, answers, show_plan)


def confirm(person: Person, answers: dict[str, str], show_plan: ShowPlan) -> dict[str, str]:
    """Show the plan and change answers until a person agrees to it; raises as `interview` does."""
    try:
        while (again := _to_change(person, show_plan, answers)) is not None:
            answers = Round(person, _chosen(answers), again).run()
    except (KeyboardInterrupt, EOFError) as error:
        raise Abort from error
    return answers


def once_more(person: Person, answers: Mapping[str, str], question: Question) -> dict[str, str]:
    """After `<` at a question: the one before it again, then whatever follows up to this one.

    `answers` are those to the questions before; returns them anew, with this one's.
    """
    upto = QUESTIONS[: QUESTIONS.index(question) + 1]
    asked = [earlier for earlier in upto[:-1] if earlier.applies(answers)][-1:]
    if not asked:
        person.say(FIRST)
    return Round(person, _chosen(answers), {question.key, *(earlier.key for earlier in asked)}, upto).run()


def _chosen(answers: Mapping[str, str]) -> dict[str, str]:
    """The answers that are not just the default, which follows from earlier ones and must change with them."""
    return {
        question.key: answers[question.key]
        for question in QUESTIONS
        if question.key in answers and answers[question.key] != question.default(answers)
    }


def _to_change(person: Person, show_plan: ShowPlan, answers: dict[str, str]) -> list[str] | None:
    """The questions to ask again before the plan is shown once more; None when it is accepted."""
    try:
        plan = show_plan(dict(answers))
    except Refused as refused:
        keys = _behind(refused.findings, answers)
        if not keys:
            raise
        for finding in refused.findings:
            person.say(f"{finding.severity.value}: {finding.where}: {finding.message} {finding.fix}".rstrip())
        return keys
    if plan:
        person.tell(plan)
    try:
        return None if _is_yes(person) else _one_to_change(person, answers)
    except GoBack:
        return [QUESTIONS[-1].key]
    except Moved:
        return []


def _behind(findings: Iterable[Finding], answers: Mapping[str, str]) -> list[str]:
    """Keys of the questions that the errors lead back to, in the order of the list."""
    planes = len(expand(answers["control_planes"]))
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    found = {question_of(finding.where.key, planes) for finding in errors}
    return [question.key for question in QUESTIONS if question in found]


_YES = wrapped("yes writes the repository. no lets you change any answer; nothing was written so far.", "    ")


def _listed(answers: Mapping[str, str]) -> str:
    """Number, name and answer of every question, one a line; long answers are cut."""
    rows = enumerate(QUESTIONS, start=1)
    return "\n".join(f"{number:4}  {question.key:18}  {_short(answers[question.key])}" for number, question in rows)


def _short(text: str) -> str:
    room = WIDTH - 26
    return text if len(text) <= room else text[: room - 3] + "..."


def _is_yes(person: Person) -> bool:
    while True:
        typed = person.typed("Write it? (yes, or no to change an answer)", "yes", _YES).lower()
        if typed in ("y", "yes"):
            return True
        if typed in ("n", "no"):
            return False
        person.tell("error: Write yes or no.")


def _one_to_change(person: Person, answers: Mapping[str, str]) -> list[str]:
    """The key of one question, by its number or name; nothing after `<`. Raises `click.Abort` for `stop`."""
    listed = _listed(answers)
    person.tell(listed)
    while True:
        try:
            typed = person.typed("Which answer shall change? Number or name, or stop", "stop", listed)
        except GoBack:
            return []
        if typed == "stop":
            raise Abort
        question = _named(typed)
        if question is None:
            person.say(f"error: {codes.unknown_answer(typed, BY_KEY).fix}")
        elif not question.applies(answers):
            person.say(f"error: {question.key} is not asked while the other answers are as they are.")
        else:
            return [question.key]


def _named(typed: str) -> Question | None:
    """A question by its key or its number."""
    if typed.isascii() and typed.isdigit() and len(typed) < 4 and 1 <= int(typed) <= len(QUESTIONS):
        return QUESTIONS[int(typed) - 1]
    return BY_KEY.get(typed)
