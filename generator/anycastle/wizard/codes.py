"""Every finding of the wizard, with the reason behind its code."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from anycastle.finding import Explanation, Finding, Place, Severity

EXPLANATIONS: tuple[Explanation, ...] = (
    Explanation(
        "WIZ001",
        "An answer to a question that is not asked",
        "A misspelt name would leave the default in force without a word: the network would be built with an address "
        "that nobody chose. cookiecutter ignores such names on its command line.",
    ),
    Explanation(
        "WIZ002",
        "An answer that cannot be used",
        "The text is not of the form that the question wants, or contradicts an earlier answer.",
    ),
    Explanation(
        "WIZ003",
        "A file of answers that cannot be used",
        "It cannot be read, or is neither a list of answers by name nor a complete site file.",
    ),
)


def unknown_answer(key: str, known: Iterable[str]) -> Finding:
    """WIZ001."""
    names = list(known)
    near = difflib.get_close_matches(key, names, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"The questions are: {', '.join(names)}."
    return _error("WIZ001", "", key, f"{key[:80]!r} is not a question, so the answer would change nothing.", hint)


def wrong_answer(key: str, problem: str, fix: str) -> Finding:
    """WIZ002."""
    return _error("WIZ002", "", key, problem, fix)


def unusable_file(path: str, problem: str, fix: str, key: str = "") -> Finding:
    """WIZ003."""
    return _error("WIZ003", path, key, problem, fix)


def _error(code: str, path: str, key: str, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(path=path, key=key), message, fix)
