"""A plan as Markdown, for a wiki or a change request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anycastle.report.plan_sections import Block, Row, Section


def plan_markdown(sections: Iterable[Section], level: int = 2) -> str:
    """The sections under headings of that level."""
    return "\n".join(
        f"{'#' * level} {section.title}\n\n" + "\n".join("".join(_block(block)) for block in section.blocks)
        for section in sections
    )


def _block(block: Block) -> Iterator[str]:
    yield from (f"- {_cell(line)}\n" for line in block.lines)
    if block.rows:
        yield "\n" if block.lines else ""
        yield _row(block.head)
        yield _row(tuple("---" for _ in block.head))
        yield from map(_row, block.rows)


def _row(cells: Row) -> str:
    return "| " + " | ".join(map(_cell, cells)) + " |\n"


def _cell(text: str) -> str:
    """Names come from files of others: no cell ends early, and none brings markup of its own."""
    plain = " ".join(text.split()).replace("\\", "\\\\")
    for sign in "|<`*_[":
        plain = plain.replace(sign, f"\\{sign}")
    return plain
