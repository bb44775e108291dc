"""Asking on a terminal: one question after another, a wrong answer again, and the plan before anything is written.

Pure logic: whoever calls it passes the functions that ask and tell. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType

from click import Abort

from anycastle.fields import FieldError
from anycastle.finding import Finding, Refused, Severity
from anycastle.wizard import codes
from anycastle.wizard.nodes import expand, table
from anycastle.wizard.question import Question
from anycastle.wizard.questions import BY_KEY, QUESTIONS, question_of

__all__ = ["Abort", "interview"]

Ask = Callable[[str, str], str]
"""(prompt, default) -> what was typed; `click.prompt` fits."""
Tell = Callable[[str], None]
ShowPlan = Callable[[dict[str, str]], str | None]

NOTHING: Mapping[str, str] = MappingProxyType({})


def interview(
    ask: Ask, tell: Tell, preset: Mapping[str, str] = NOTHING, show_plan: ShowPlan | None = None
) -> dict[str, str]:
    """Every question that `preset` does not answer; returns canonical answers to all.

    `show_plan` gives the text that is shown before the last question, "Write it?". Where it raises `Refused`, the
    questions behind the findings are asked again; a finding that leads to no question is raised to the caller.
    Raises `Refused` for unknown names in `preset`, and `click.Abort` on Ctrl-C, on the end of input, or when the
    last question is answered with no and no answer is to be changed.
    """
    unknown = [codes.unknown_answer(key, BY_KEY) for key in preset if key not in BY_KEY]
    if unknown:
        raise Refused(unknown)
    try:
        answers = _run(ask, tell, preset, [key for key in BY_KEY if key not in preset])
        while show_plan is not None and (again := _to_change(ask, tell, show_plan, answers)):
            kept = {key: text for key, text in _chosen(answers).items() if key not in again}
            answers = _run(ask, tell, kept, again, answers)
    except (KeyboardInterrupt, EOFError) as error:
        raise Abort from error
    return answers


def _run(
    ask: Ask, tell: Tell, given: Mapping[str, str], to_ask: Collection[str], before: Mapping[str, str] = NOTHING
) -> dict[str, str]:
    """One pass over the list. An answer that is given and has become wrong is asked, too.

    `before` holds the answers of the pass before, offered again in place of the default.
    """
    answers: dict[str, str] = {}
    for number, question in enumerate(QUESTIONS, start=1):
        default = question.default(answers)
        title = f"[{number}/{len(QUESTIONS)}] {question.why}"
        if question.key not in to_ask:
            try:
                answers[question.key] = question.answer(given.get(question.key, default), answers)
                continue
            except FieldError as error:
                tell(f"error: {question.key}: {error}")
        tell(f"\n{title}")
        answers[question.key] = _answered(ask, tell, question, answers, before.get(question.key, default))
    return answers


def _answered(ask: Ask, tell: Tell, question: Question, answers: Mapping[str, str], default: str) -> str:
    while True:
        try:
            canonical = question.answer(ask(question.label, default), answers)
        except FieldError as error:
            tell(f"error: {error}")
            continue
        if question.lists_nodes:
            tell(table(expand(canonical)))
        return canonical


def _chosen(answers: Mapping[str, str]) -> dict[str, str]:
    """The answers that are not just the default, which follows from earlier ones and must change with them."""
    return {
        question.key: answers[question.key]
        for question in QUESTIONS
        if answers[question.key] != question.default(answers)
    }


def _to_change(ask: Ask, tell: Tell, show_plan: ShowPlan, answers: dict[str, str]) -> list[str]:
    """The questions to ask again; none when the plan is accepted."""
    try:
        plan = show_plan(dict(answers))
    except Refused as refused:
        keys = _behind(refused.findings, answers)
        if not keys:
            raise
        for finding in refused.findings:
            tell(f"{finding.severity.value}: {finding.where}: {finding.message} {finding.fix}".rstrip())
        return keys
    if plan:
        tell(plan)
    return [] if _is_yes(ask, tell, "Write it?") else [_one_to_change(ask, tell)]


def _behind(findings: Iterable[Finding], answers: Mapping[str, str]) -> list[str]:
    """Keys of the questions that the errors lead back to, in the order of the list."""
    planes = len(expand(answers["control_planes"]))
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    found = {question_of(finding.where.key, planes) for finding in errors}
    return [question.key for question in QUESTIONS if question in found]


def _is_yes(ask: Ask, tell: Tell, prompt: str) -> bool:
    while True:
        typed = ask(prompt, "yes").strip().lower()
        if typed in ("y", "yes"):
            return True
        if typed in ("n", "no"):
            return False
        tell("error: Write yes or no.")


def _one_to_change(ask: Ask, tell: Tell) -> str:
    """The key of one question, by its number or name. Raises `click.Abort` for `stop`."""
    while True:
        typed = ask("Which answer shall change? Number or name, or stop", "stop").strip()
        if typed == "stop":
            raise Abort
        if typed in BY_KEY:
            return typed
        if typed.isascii() and typed.isdigit() and len(typed) < 4 and 1 <= int(typed) <= len(QUESTIONS):
            return QUESTIONS[int(typed) - 1].key
        tell(f"error: {codes.unknown_answer(typed, BY_KEY).fix}")
