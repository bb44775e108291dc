"""What git ignores is no part of the repository: the patterns of `.gitignore` files.

The common part of gitignore(5): comments, `!` negation, a trailing slash for directories, a slash inside that
ties a pattern to its directory, `*`, `?`, `[...]` and `**`. The last pattern that matches decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of a `.gitignore` that stands in `base` (empty for the root, else with a trailing slash)."""

    base: str
    expression: re.Pattern[str]
    anchored: bool
    directories_only: bool
    negated: bool

    def matches(self, path: str, *, directory: bool) -> bool:
        """Whether the line speaks of this path (relative to the root)."""
        if (self.directories_only and not directory) or not path.startswith(self.base):
            return False
        inside = path[len(self.base) :]
        return bool(self.expression.match(inside if self.anchored else inside.rsplit("/", 1)[-1]))


def parse(text: str, base: str) -> tuple[Pattern, ...]:
    """The patterns of one file."""
    lines = (line.rstrip() for line in text.splitlines())
    return tuple(_pattern(line, base) for line in lines if line and not line.startswith("#"))


def ignored(path: str, patterns: Iterable[Pattern], *, directory: bool) -> bool:
    """Whether git would ignore a path whose parents it does not ignore."""
    verdict = False
    for pattern in patterns:
        if pattern.negated == verdict and pattern.matches(path, directory=directory):
            verdict = not pattern.negated
    return verdict


def _pattern(line: str, base: str) -> Pattern:
    negated = line.startswith("!")
    body = line[1:] if negated or line.startswith("\\") else line
    directories_only = body.endswith("/")
    body = body.rstrip("/")
    anchored = "/" in body
    return Pattern(base, _expression(body.removeprefix("/")), anchored, directories_only, negated)


@lru_cache(maxsize=512)
def _expression(glob: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*/|/\*\*|\*\*|\*|\?|\[[^\]]+\])", glob)
    words = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    text = "".join(
        words.get(part) or (part.replace("[!", "[^") if part.startswith("[") else re.escape(part)) for part in parts
    )
    try:
        return re.compile(text + r"\Z")
    except re.error:
        return re.compile(re.escape(glob) + r"\Z")
