"""One question on a terminal: asked until the answer can be used, explained on request, or left for an earlier one."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping

from anycastle.fields import FieldError
from anycastle.finding import Finding, Severity
from anycastle.records import dataclass
from anycastle.wizard.answers import complete
from anycastle.wizard.help import HELP
from anycastle.wizard.nodes import expand, table
from anycastle.wizard.question import Question
from anycastle.wizard.questions import QUESTIONS, question_of

Ask = Callable[[str, str], str]
"""(prompt, default) -> what was typed; `click.prompt` fits."""
Tell = Callable[[str], None]
Judge = Callable[[dict[str, str]], Iterable[Finding]]
"""Answers to all questions -> what stands against them; places are keys of the site file."""

BACK, EXPLAIN, ELSEWHERE = "<", "?", "-o "
OPENING = "Enter takes the default, < goes back, ? explains, Ctrl-C stops. Answers can still be changed at the end."
FIRST = "This is the first question."
WIDTH = 79
MAX_JUDGED = 1_000
"""Nodes up to which an answer is judged with the whole network at once; beyond, a person would wait for it."""


class GoBack(Exception):
    """Raised where a person wants the question before this one."""


class Moved(Exception):
    """Raised where another directory was given in place of an answer to what is no question of the list."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who answers, and what the caller knows about answers that the list of questions does not."""

    ask: Ask
    tell: Tell
    judge: Judge = lambda _answers: ()
    elsewhere: Callable[[str], None] | None = None
    """Takes the directory to write to instead; None where it cannot be changed any more."""

    def say(self, text: str) -> None:
        """Prose, in lines that fit a terminal."""
        self.tell(wrapped(text))

    def typed(self, prompt: str, default: str, explanation: str) -> str:
        """A line that is meant as an answer. Raises `GoBack`, and `Moved` after another directory was given."""
        while True:
            line = self.ask(prompt, default).strip(" \t")
            if line == BACK:
                raise GoBack
            if line == EXPLAIN:
                self.tell(explanation)
            elif self.elsewhere is not None and line.startswith(ELSEWHERE):
                self.elsewhere(line.removeprefix(ELSEWHERE).strip())
                raise Moved
            else:
                return line


_UNBROKEN = "\N{NO-BREAK SPACE}"


def wrapped(text: str, indent: str = "") -> str:
    """Lines of at most `WIDTH` characters; addresses, names and ranges stay whole, and `error:` never stands alone."""
    lines = textwrap.fill(
        text.replace("error: ", f"error:{_UNBROKEN}", 1),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines.replace(_UNBROKEN, " ")


def title(question: Question) -> str:
    """The number of a question and its reason."""
    return wrapped(f"[{QUESTIONS.index(question) + 1}/{len(QUESTIONS)}] {question.why}")


def explained(question: Question) -> str:
    """What `?` shows."""
    more = HELP[question.key]
    examples = "\n".join(f"      {example}" for example in more.examples)
    return f"{wrapped(f'{question.why} {more.text}', '    ')}\n    For example:\n{examples}"


def answer_to(person: Person, question: Question, earlier: Mapping[str, str], default: str) -> str:
    """The canonical answer of a person. Raises `GoBack`."""
    while True:
        try:
            canonical = question.answer(person.typed(question.label, default, explained(question)), earlier)
        except FieldError as error:
            person.say(f"error: {error}")
            continue
        except Moved:
            continue
        if question.lists_nodes:
            person.tell(table(expand(canonical)))
        if accepted(person, question, {**earlier, question.key: canonical}):
            return canonical


def accepted(person: Person, question: Question, answers: Mapping[str, str]) -> bool:
    """Whether the network could work with the answers so far and the defaults that follow; says what speaks against.

    Only what leads to this question counts: the others are asked later, or were judged before.
    """
    trial = complete(answers).answers
    planes = len(expand(trial["control_planes"]))
    if planes + len(expand(trial["workers"])) > MAX_JUDGED:
        return True
    weighty = (Severity.ERROR, Severity.WARNING)
    found = [f for f in person.judge(trial) if f.severity in weighty and question_of(f.where.key, planes) is question]
    for finding in found:
        person.say(f"{finding.severity}: {finding.message} {finding.fix}".rstrip())
    return all(finding.severity is not Severity.ERROR for finding in found)
