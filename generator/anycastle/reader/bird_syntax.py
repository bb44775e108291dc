"""The grammar of `bird.conf`: words, statements that end with `;`, blocks in braces; the same for BIRD 1.6 and 2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from anycastle.records import dataclass

MAX_DEPTH = 40
"""Blocks inside blocks; a real file needs five."""

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+|\#[^\n]*|/\*.*?\*/)
    |(?P<word>"[^"\n]*"
      |[0-9A-Fa-f.:]*[.:][0-9A-Fa-f.:]*/\d+(?:\{\s*\d+\s*,\s*\d+\s*\}|[+-])?   # a prefix with its range of lengths
      |[{}();,\[\]]
      |&&|\|\||!=|!~|<=|>=
      |[^\s{}();,\[\]"&|]+
      |.)""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(slots=True)
class Statement:
    """Words up to `;`, or up to a block. A filter's `else` is a statement of its own."""

    words: list[str]
    line: int
    block: list[Statement] | None = None


@dataclass(slots=True)
class Parsed:
    """The statements of a file; `broken` is the line at which braces do not match, 0 where all do."""

    statements: list[Statement] = field(default_factory=list)
    broken: int = 0


def parse(text: str) -> Parsed:
    """Read a file; never raises. What follows an unmatched brace is left out."""
    parsed = Parsed()
    open_blocks: list[list[Statement]] = [parsed.statements]
    words: list[str] = []
    first = line = 1
    for word, line in _tokens(text):
        first = first if words else line
        if word == "{" and "[" not in words[_last(words, "]") :]:
            if len(open_blocks) > MAX_DEPTH:
                parsed.broken = line
                return parsed
            block: list[Statement] = []
            open_blocks[-1].append(Statement(words, first, block))
            open_blocks.append(block)
            words = []
        elif word in (";", "}"):
            if words:
                open_blocks[-1].append(Statement(words, first))
            words = []
            if word == "}" and len(open_blocks) == 1:
                parsed.broken = line
                return parsed
            if word == "}":
                open_blocks.pop()
        else:
            words.append(word)
    if len(open_blocks) > 1 or words:
        parsed.broken = line
    return parsed


def _last(words: list[str], word: str) -> int:
    """Index behind the last occurrence; 0 where there is none."""
    return next((index + 1 for index in range(len(words) - 1, -1, -1) if words[index] == word), 0)


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    line = 1
    for match in _TOKEN.finditer(text):
        if match["space"] is None:
            yield match["word"], line
        line += match[0].count("\n")
