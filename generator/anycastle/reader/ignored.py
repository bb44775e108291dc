"""What git ignores is no part of the repository: the patterns of `.gitignore` files.

The common part of gitignore(5): comments, `!` negation, a trailing slash for directories, a slash inside that
ties a pattern to its directory, `*`, `?`, `[...]` and `**`. The last pattern that matches decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from anycastle.records import dataclass


@dataclass(frozen=True, slots=True)
class _Line:
    """One line; `anchored` where a slash ties it to its directory."""

    glob: str
    anchored: bool
    directories_only: bool
    negated: bool


@dataclass(frozen=True, slots=True)
class Run:
    """Lines in a row of a `.gitignore` in `base` (empty for the root, else with a trailing slash) that say the same.

    All of them ignore, or all of them take back: one of them decides as well as another, so they are asked together.
    """

    base: str
    negated: bool
    names: _Globs
    paths: _Globs
    names_of_directories: _Globs
    paths_of_directories: _Globs

    def matches(self, path: str, *, directory: bool) -> bool:
        """Whether one of the lines speaks of this path (relative to the root)."""
        if not path.startswith(self.base):
            return False
        inside = path[len(self.base) :]
        name = inside.rsplit("/", 1)[-1]
        if self.names.match(name) or self.paths.match(inside):
            return True
        return directory and (self.names_of_directories.match(name) or self.paths_of_directories.match(inside))


def parse(text: str, base: str) -> tuple[Run, ...]:
    """The patterns of one file."""
    lines = (line.rstrip() for line in text.splitlines())
    found = [_line(line) for line in lines if line and not line.startswith("#")]
    return tuple(_run(base, negated, list(run)) for negated, run in groupby(found, lambda line: line.negated))


def ignored(path: str, runs: Sequence[Run], *, directory: bool) -> bool:
    """Whether git would ignore a path whose parents it does not ignore."""
    last = next((run for run in reversed(runs) if run.matches(path, directory=directory)), None)
    return last is not None and not last.negated


def _line(line: str) -> _Line:
    negated = line.startswith("!")
    body = line[1:] if negated or line.startswith("\\") else line
    directories_only = body.endswith("/")
    body = body.rstrip("/")
    return _Line(body.removeprefix("/"), "/" in body, directories_only, negated)


def _run(base: str, negated: bool, lines: Sequence[_Line]) -> Run:
    sorts = ((anchored, only) for only in (False, True) for anchored in (False, True))
    made = (_globs(line.glob for line in lines if (line.anchored, line.directories_only) == sort) for sort in sorts)
    return Run(base, negated, *made)


_PARTS = re.compile(r"(\*\*/|/\*\*|\*\*|\*|\?|\[[^\]]+\])")
_MANY = 3
"""Stars from which on a regular expression may take minutes for one long name."""


_WORDS = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}


@dataclass(frozen=True, slots=True)
class _Globs:
    """Patterns any of which may match: one expression for those with few stars, and the others."""

    plain: re.Pattern[str] | None
    starry: tuple[_Steps, ...]

    def match(self, text: str) -> bool:
        """Whether one of them is this text."""
        return bool(self.plain and self.plain.match(text)) or any(steps.match(text) for steps in self.starry)


def _globs(globs: Iterable[str]) -> _Globs:
    plain: list[str] = []
    starry: list[_Steps] = []
    for glob in globs:
        parts = [part for part in _PARTS.split(glob) if part]
        if sum("*" in part for part in parts) >= _MANY:
            starry.append(_Steps(tuple(parts)))
        else:
            plain.append("".join(_WORDS.get(part) or _of_set(part) for part in parts))
    return _Globs(re.compile(f"(?:{'|'.join(plain)})\\Z") if plain else None, tuple(starry))


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
