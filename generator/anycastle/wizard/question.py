"""What a question is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from anycastle.fields import FieldError

Earlier = Mapping[str, str]
"""Canonical answers to the questions before, by key."""

MAX_TEXT = 1_000
MAX_LIST = 4_000_000
"""Characters; ten thousand nodes with the longest names and addresses fit."""


def _no_check(_text: str, _earlier: Earlier) -> None:
    """For an answer that no earlier one can contradict."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question with one line of text as its answer.

    `why` says what the answer changes in the network; `default` follows from the answers before it; `parse` judges
    the text alone and gives its canonical form, `check` compares it with the answers before; both raise `FieldError`.
    `site_keys` are the keys of the site file that the answer ends up in, so that a finding leads back here.
    """

    key: str
    prompt: str
    why: str
    default: Callable[[Earlier], str]
    parse: Callable[[str], str]
    site_keys: tuple[str, ...]
    check: Callable[[str, Earlier], None] = _no_check
    choices: tuple[str, ...] = ()
    lists_nodes: bool = False

    def answer(self, text: str, earlier: Earlier) -> str:
        """The canonical form of an answer. Raises `FieldError`, whose text is one line that can be shown."""
        text = text.strip(" \t")
        if not text:
            raise FieldError("The answer is empty.", f"Write a value{' or none' if self.lists_nodes else ''}.")
        if not text.isprintable():
            raise FieldError("The answer has line breaks or control characters in it.", "Write one line of plain text.")
        if len(text) > (MAX_LIST if self.lists_nodes else MAX_TEXT):
            raise FieldError(f"The answer has {len(text)} characters, too many to be meant.", "Shorten it.")
        canonical = self.parse(text)
        self.check(canonical, earlier)
        return canonical

    @property
    def label(self) -> str:
        """The prompt with its choices."""
        return f"{self.prompt} ({' or '.join(self.choices)})" if self.choices else self.prompt
