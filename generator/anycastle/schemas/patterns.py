"""Patterns as Go writes them, in the words of other engines."""

from __future__ import annotations

import re

from anycastle.schemas.notation import ANY_CASE, Schema

_ANY_CASE = re.compile(r"\^\(\?i\)\(([A-Za-z0-9|]+)\)\??\$")
_FLAG_BEHIND_START = re.compile(r"\A\^\(\?i\)")
_POSIX = {
    "[:alnum:]": "0-9A-Za-z",
    "[:alpha:]": "A-Za-z",
    "[:digit:]": "0-9",
    "[:lower:]": "a-z",
    "[:punct:]": r"!-/:-@\[-`{-~",
    "[:space:]": r"\t\n\v\f\r ",
    "[:upper:]": "A-Z",
    "[:xdigit:]": "0-9A-Fa-f",
}


def engine_pattern(pattern: str) -> Schema:
    """Go's flags behind `^` and POSIX classes in the words of every engine; plain choices are kept for messages."""
    match = _ANY_CASE.fullmatch(pattern)
    choices: Schema = {ANY_CASE: match[1].split("|")} if match else {}
    for posix, plain in _POSIX.items():
        pattern = pattern.replace(posix, plain)
    return {"pattern": _FLAG_BEHIND_START.sub("(?i)^", pattern), **choices}
