"""Regular expressions that people wrote for programs in Go, whose engine takes linear time; Python's may take for ever.

Those that could are not run. What is left has no repeated group, no reference back, and few repetitions.
"""

from __future__ import annotations

import re
from functools import cache

_LONGEST = 500
"""Characters of an expression, and of what it is held against."""
_REPETITIONS = 3
_REPEATED_GROUP = re.compile(r"\)[*+{]|\{[0-9]*,?[0-9]{3}|\\[1-9]|\(\?P?[=<]")
_REPETITION = re.compile(r"[*+{]")


def found(expression: str, text: str, *, whole: bool) -> bool | None:
    """Whether an expression matches somewhere, or all of a text; None where that is not known."""
    if expression == text:
        return True
    compiled = _compiled(expression)
    if compiled is None or len(text) > _LONGEST:
        return None
    return (compiled.fullmatch(text) if whole else compiled.search(text)) is not None


@cache
def _compiled(expression: str) -> re.Pattern[str] | None:
    if len(expression) > _LONGEST or _REPEATED_GROUP.search(expression):
        return None
    if len(_REPETITION.findall(expression)) > _REPETITIONS:
        return None
    try:
        return re.compile(expression)
    except (re.error, OverflowError, RecursionError):
        return None
