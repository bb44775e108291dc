"""Regular expressions that somebody wrote: tried out in a process of their own, since one that backtracks never ends.

Expressions without repetition and those of the form that this program writes itself are tried here: they take no time.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence

SECONDS = 2
_OWN = re.compile(r'\\n \+[\w.-]+: "\?\(\?<\w+>\[0-9\]\[\^"\\s\]\*\)"\?')
_REPEATS = re.compile(r"[*+{]")
_JAVASCRIPT_GROUP = re.compile(r"\(\?<(?=[A-Za-z])")
_TRIAL = """
import json, re, sys
pattern, texts = json.load(sys.stdin)
found = re.compile(pattern)
print(json.dumps([found.search(text) is not None for text in texts]))
"""


def groups(expression: str) -> frozenset[str] | None:
    """The names of the groups of an expression of JavaScript's; None where Python does not have the same."""
    try:
        return frozenset(re.compile(_JAVASCRIPT_GROUP.sub("(?P<", expression)).groupindex)
    except (re.error, RecursionError, OverflowError):
        return None


def found(expression: str, texts: Sequence[str]) -> list[bool] | None:
    """In which of the texts something matches; None where that cannot be told in time."""
    if groups(expression) is None:
        return None
    pattern = _JAVASCRIPT_GROUP.sub("(?P<", expression)
    if _OWN.fullmatch(expression) or not _REPEATS.search(expression):
        return [re.search(pattern, text) is not None for text in texts]
    try:
        tried = subprocess.run(  # noqa: S603
            [sys.executable, "-I", "-S", "-c", _TRIAL],
            input=json.dumps([pattern, list(texts)]).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return [bool(one) for one in json.loads(tried.stdout)]
