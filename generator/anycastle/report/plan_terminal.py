"""A plan on a terminal: tables that fit its width, whatever that is."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from anycastle.report.plan_sections import Block, Section

INDENT = "  "
GAP = 2
NARROWEST = 20
"""Lines are not wrapped at fewer characters, however narrow the terminal says it is."""


def plan_terminal(sections: Iterable[Section], width: int) -> str:
    """The sections with no line longer than `width`, unless a single word is."""
    return "\n".join(
        f"{section.title}\n"
        + "\n".join(f"{INDENT}{line}".rstrip() for line in _lines(section, width - len(INDENT)))
        + "\n"
        for section in sections
    )


def _lines(section: Section, width: int) -> Iterator[str]:
    for number, block in enumerate(section.blocks):
        if number and block.lines:
            yield ""
        yield from _block(block, width)


def _block(block: Block, width: int) -> Iterator[str]:
    for number, line in enumerate(block.lines):
        yield from wrapped(line, width, "" if number == 0 else INDENT)
    if block.rows:
        indent = INDENT if block.lines else ""
        yield from (f"{indent}{line}" for line in aligned(block.rows, width - len(indent)))


def wrapped(line: str, width: int, indent: str = "") -> list[str]:
    """A line as lines; words are never broken."""
    return textwrap.wrap(
        line,
        max(width, NARROWEST),
        initial_indent=indent,
        subsequent_indent=indent + INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def aligned(rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Columns one beside the other; the widest are wrapped until all fit, or until every line of them is one word."""
    columns = list(zip(*rows, strict=True))
    least = [max(len(word) for cell in column for word in cell.split() or [""]) for column in columns]
    widths = _narrowed([max(map(len, column)) for column in columns], least, width)
    for row in rows:
        cells = [_cell(cell, room) for cell, room in zip(row, widths, strict=True)]
        for parts in zip_longest(*cells, fillvalue=""):
            yield (" " * GAP).join(part.ljust(room) for part, room in zip(parts, widths, strict=True)).rstrip()


def _cell(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(width, 1), break_long_words=False, break_on_hyphens=False) or [""]


def _narrowed(widths: list[int], least: Sequence[int], width: int) -> list[int]:
    """The widest column that can be narrower is, as far as the next one or its longest word."""
    over = sum(widths) + GAP * (len(widths) - 1) - width
    while over > 0 and (open_ := [index for index, wide in enumerate(widths) if wide > least[index]]):
        widest = max(open_, key=lambda index: widths[index])
        second = max((widths[index] for index in open_ if index != widest), default=0)
        cut = min(over, max(1, widths[widest] - max(second, least[widest])))
        widths[widest] -= cut
        over -= cut
    return widths
