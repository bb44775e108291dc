"""One way through the list of questions, forth and back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from anycastle.fields import FieldError
from anycastle.wizard.asking import FIRST, GoBack, Person, accepted, answer_to, title
from anycastle.wizard.question import Question
from anycastle.wizard.questions import QUESTIONS


class Round:
    """One way through the list, on which some questions are asked and the others keep what is given.

    An answer that is given and has become wrong is asked, too; with `judging`, so is one that could not work in the
    network, for what comes from no person. `<` leads to the question that was asked before, or
    else to the one before in the list. What was typed once is offered again as long as it would do.
    """

    def __init__(
        self,
        person: Person,
        given: Mapping[str, str],
        to_ask: Collection[str],
        questions: Sequence[Question] = QUESTIONS,
        *,
        judging: bool = False,
    ) -> None:
        self._person = person
        self._judging = judging
        self._given = dict(given)
        self._to_ask = set(to_ask)
        self._questions = questions
        self._typed: dict[str, str] = {}
        self._asked: list[int] = []
        self._answers: dict[str, str] = {}

    def run(self) -> dict[str, str]:
        """Canonical answers to all the questions."""
        at = 0
        while at < len(self._questions):
            question = self._questions[at]
            settled = self._settled(question)
            if settled is not None:
                self._answers[question.key] = settled
                at += 1
                continue
            try:
                self._answers[question.key] = self._ask(question)
            except GoBack:
                at = self._step_back(at)
            else:
                self._asked.append(at)
                at += 1
        return dict(self._answers)

    def _settled(self, question: Question) -> str | None:
        """The answer where nobody needs to be asked."""
        default = question.default(self._answers)
        if not question.applies(self._answers):
            return default
        if question.key in self._to_ask:
            return None
        try:
            answer = question.answer(self._given.get(question.key, default), self._answers)
        except FieldError as error:
            self._person.say(f"error: {question.key}: {error}")
            return None
        if self._judging and not accepted(self._person, question, {**self._answers, question.key: answer}):
            return None
        return answer

    def _ask(self, question: Question) -> str:
        self._person.tell(f"\n{title(question)}")
        default = question.default(self._answers)
        answer = answer_to(self._person, question, self._answers, self._offered(question, default))
        if answer == default:
            self._typed.pop(question.key, None)
            self._given.pop(question.key, None)
        else:
            self._typed[question.key] = answer
        return answer

    def _offered(self, question: Question, default: str) -> str:
        """What was answered before, unless it would be refused now: Enter must not repeat an error."""
        for remembered in (self._typed, self._given):
            try:
                return question.answer(remembered.get(question.key, ""), self._answers)
            except FieldError:
                continue
        return default

    def _step_back(self, at: int) -> int:
        """Forget the answers from there on; `_typed` and `_given` still know them."""
        before = [number for number in range(at) if self._applied(self._questions[number])]
        if not before:
            self._person.say(FIRST)
            return at
        to = self._asked.pop() if self._asked else before[-1]
        for question in self._questions[to:at]:
            self._answers.pop(question.key)
        self._to_ask.add(self._questions[to].key)
        return to

    def _applied(self, question: Question) -> bool:
        earlier = self._questions[: self._questions.index(question)]
        return question.applies({other.key: self._answers[other.key] for other in earlier})
