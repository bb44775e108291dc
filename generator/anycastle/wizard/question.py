"""What a question is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from anycastle.fields import FieldError
from anycastle.records import dataclass

Earlier = Mapping[str, str]
"""Canonical answers to the questions before, by key."""

MAX_TEXT = 1_000
MAX_LIST = 4_000_000
"""Characters; ten thousand nodes with the longest names and addresses fit."""


def _no_check(_text: str, _earlier: Earlier) -> None:
    """For an answer that no earlier one can contradict."""


def _always(_earlier: Earlier) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Question:
    """One question with one line of text as its answer.

    `why` says what the answer changes in the network; `default` follows from the answers before it; `parse` judges
    the text alone and gives its canonical form, `check` compares it with the answers before; both raise `FieldError`.
    Where the question does not apply, its default is the answer and nobody is asked.
    `site_keys` are the keys of the site file that the answer ends up in, so that a finding leads back here.
    """

    key: str
    prompt: str
    why: str
    default: Callable[[Earlier], str]
    parse: Callable[[str], str]
    site_keys: tuple[str, ...]
    check: Callable[[str, Earlier], None] = _no_check
    applies: Callable[[Earlier], bool] = _always
    choices: tuple[str, ...] = ()
    lists_nodes: bool = False

    def answer(self, text: str, earlier: Earlier) -> str:
        """The canonical form of an answer. Raises `FieldError`, whose text is one line that can be shown."""
        text = text.strip(" \t")
        if not text:
            raise FieldError("The answer is empty.", "Write a value.")
        if not text.isprintable():
            raise FieldError("The answer has line breaks or control characters in it.", "Write one line of plain text.")
        if len(text) > (MAX_LIST if self.lists_nodes else MAX_TEXT):
            raise FieldError(f"The answer has {len(text)} characters, too many to be meant.", "Shorten it.")
        try:
            return self._judged(text, earlier)
        except FieldError as error:
            if error.proposal is None:
                raise
            raise self._rejudged(error, text.replace(*error.proposal), earlier) from error

    def _judged(self, text: str, earlier: Earlier) -> str:
        canonical = self.parse(text)
        self.check(canonical, earlier)
        return canonical

    def _rejudged(self, error: FieldError, proposed: str, earlier: Earlier) -> FieldError:
        """The error as it was, unless what it proposes would be wrong, too."""
        try:
            self._judged(proposed, earlier)
        except FieldError as next_error:
            return FieldError(f"{error.problem} {next_error.problem}", next_error.fix)
        return error

    @property
    def label(self) -> str:
        """The prompt with its choices."""
        return f"{self.prompt} ({' or '.join(self.choices)})" if self.choices else self.prompt
