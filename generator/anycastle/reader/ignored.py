"""What git ignores is no part of the repository: the patterns of `.gitignore` files.

The common part of gitignore(5): comments, `!` negation, a trailing slash for directories, a slash inside that
ties a pattern to its directory, `*`, `?`, `[...]` and `**`. The last pattern that matches decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from anycastle.records import dataclass


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of a `.gitignore` that stands in `base` (empty for the root, else with a trailing slash)."""

    base: str
    expression: re.Pattern[str] | _Steps
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


_PARTS = re.compile(r"(\*\*/|/\*\*|\*\*|\*|\?|\[[^\]]+\])")
_MANY = 3
"""Stars from which on a regular expression may take minutes for one long name."""


@lru_cache(maxsize=512)
def _expression(glob: str) -> re.Pattern[str] | _Steps:
    parts = [part for part in _PARTS.split(glob) if part]
    if sum("*" in part for part in parts) >= _MANY:
        return _Steps(tuple(parts))
    words = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(words.get(part) or _of_set(part) for part in parts) + r"\Z")


def _of_set(part: str) -> str:
    """A set of characters as an expression, anything else as it stands; a set that is none is text."""
    if not part.startswith("[") or not part.endswith("]"):
        return re.escape(part)
    inside = part[1:-1]
    negated = inside[:1] in ("!", "^") and len(inside) > 1
    text = re.sub(r"[\[\\&~|^]|--", r"\\\g<0>", inside[1:] if negated else inside)
    try:
        return re.compile(f"[{'^' if negated else ''}{text}]").pattern
    except re.error:
        return re.escape(part)


@dataclass(frozen=True, slots=True)
class _Steps:
    """A pattern with many stars, walked part by part with all places that the parts so far may have led to."""

    parts: tuple[str, ...]

    def match(self, path: str) -> bool:
        places = {0}
        for part in self.parts:
            places = {end for place in places for end in _ends(part, path, place)}
            if not places:
                return False
        return len(path) in places


def _ends(part: str, path: str, place: int) -> Iterable[int]:
    """Where a part may end that begins at a place."""
    if part == "*":
        slash = path.find("/", place)
        return range(place, (len(path) if slash < 0 else slash) + 1)
    if part in ("**", "/**"):
        begins = part == "**" or path.startswith("/", place)
        return range(place + len(part) - 2, len(path) + 1) if begins else ()
    if part == "**/":
        return [place, *(at + 1 for at in range(place, len(path)) if path[at] == "/")]
    if part == "?" or part.startswith("["):
        found = re.compile("[^/]" if part == "?" else _of_set(part)).match(path, place)
        return [found.end()] if found else ()
    return [place + len(part)] if path.startswith(part, place) else ()
