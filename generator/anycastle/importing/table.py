"""Tables as spreadsheets and other tools write them: any usual separator, any order of columns, many names for one."""

from __future__ import annotations

import csv
from collections.abc import Mapping

from anycastle.finding import Finding, Place
from anycastle.importing import codes
from anycastle.importing.facts import MAX_NODES, Notes
from anycastle.importing.words import word
from anycastle.records import dataclass

SEPARATORS = ",;\t|"
MAX_CELL = 4096
"""Characters; no cell of a list of machines comes near."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table: cells by the name of their column in one spelling; empty cells are left out."""

    cells: Mapping[str, str]
    line: int


def separator(text: str) -> str:
    """What parts the columns of the first line that is no comment."""
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    return max(SEPARATORS, key=first.count)


def header(text: str) -> tuple[str, ...]:
    """The names of the columns in one spelling; empty where there is no table."""
    parting = separator(text)
    first = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    return tuple(word(cell.strip('"\ufeff ')) for cell in first.split(parting)) if parting in first else ()


def rows(text: str, label: str, notes: Notes) -> tuple[Row, ...]:
    """The lines below the header; what is no line of the table is a finding."""
    names = header(text)
    lines = csv.reader(_lines(text), delimiter=separator(text), skipinitialspace=True)
    found: list[Row] = []
    try:
        next(lines, None)
        for cells in lines:
            if len(found) >= MAX_NODES:
                notes.findings.append(_too_many(label, lines.line_num))
                break
            if row := _row(names, [cell.strip() for cell in cells], lines.line_num, (label, notes)):
                found.append(row)
    except csv.Error as error:
        where = Place(label, lines.line_num)
        notes.findings.append(codes.unreadable(where, f"The line is not CSV: {error}.", "Correct its quotes."))
    return tuple(found)


def _lines(text: str) -> list[str]:
    """Comment lines as empty ones; what stands before the header is left out."""
    kept = ["" if line.startswith("#") else line for line in text.lstrip("\ufeff").splitlines()]
    while kept and not kept[0].strip():
        kept.pop(0)
    return kept


def _row(names: tuple[str, ...], cells: list[str], line: int, at: tuple[str, Notes]) -> Row | None:
    label, notes = at
    if not any(cells):
        return None
    where = Place(label, line)
    if len(cells) > len(names) and any(cells[len(names) :]):
        notes.findings.append(
            codes.unreadable(
                where,
                f"The line has {len(cells)} cells, the table {len(names)} columns, so values stand under wrong names.",
                "Quote a value that holds the separator.",
            )
        )
        return None
    if max(map(len, cells)) > MAX_CELL:
        message = f"A cell has more than {MAX_CELL} characters, which no value of a machine has."
        notes.findings.append(codes.unreadable(where, message, "Correct the quotes of this line, or the value."))
        return None
    return Row({name: cell for name, cell in zip(names, cells, strict=False) if cell}, line)


def _too_many(label: str, line: int) -> Finding:
    return codes.unreadable(
        Place(label, line), f"The table has more than {MAX_NODES} machines.", "Split it, or leave out what is no node."
    )
