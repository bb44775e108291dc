"""A plan on a terminal: tables that fit its width, whatever that is."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from anycastle.report.plan_sections import Block, Section

INDENT = "  "
GAP = 2
NARROWEST = 12
"""Columns are not made narrower than so many characters by wrapping."""


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
    """Columns one beside the other; the widest are wrapped until all fit."""
    widths = _narrowed([max(map(len, column)) for column in zip(*rows, strict=True)], width)
    for row in rows:
        cells = [_cell(cell, room) for cell, room in zip(row, widths, strict=True)]
        for parts in zip_longest(*cells, fillvalue=""):
            yield (" " * GAP).join(part.ljust(room) for part, room in zip(parts, widths, strict=True)).rstrip()


def _cell(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def _narrowed(widths: list[int], width: int) -> list[int]:
    over = sum(widths) + GAP * (len(widths) - 1) - width
    while over > 0 and max(widths) > NARROWEST:
        widest = widths.index(max(widths))
        second = max((other for index, other in enumerate(widths) if index != widest), default=0)
        cut = min(over, max(1, widths[widest] - max(second, NARROWEST)))
        widths[widest] -= cut
        over -= cut
    return widths
