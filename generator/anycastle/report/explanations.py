"""Codes and the reasons behind them, for one code on a terminal and for all of them as a page."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from textwrap import fill

from anycastle.finding import Explanation
from anycastle.report.codes import SECRET
from anycastle.report.comments import HEAD
from anycastle.report.families import covered, family

INTRODUCTION = """\
# What is checked

Every finding has a code that never changes its meaning. This page is made by `anycastle rules`, and
`anycastle explain CODE` shows one entry.

| severity | meaning |
|---|---|
| error | it does not work, or it works until the first failure |
| warning | it works and will surprise somebody |
| info | worth knowing |
| unchecked | nobody could judge it; said aloud, never counted as passed |

A finding that is right where it stands is accepted by a comment in the file, on its line or on the line above:
`# anycastle: ignore[CODE] reason`. In a router's configuration it is a line of its own, above: FRR knows no comment
behind a statement. See [ci.md](ci.md).
"""


_OF_OTHER_COMMANDS = (*(f"REPO00{number}" for number in (1, 2, 3, 4, 5, 6, 9)), "REPO01", "SITE00", "SITE01", "WIZ")
_NEVER_ACCEPTED = (*_OF_OTHER_COMMANDS, "BASE", "OBJ018", "SUP")
"""What is no finding of `validate`, or speaks of suppressions themselves."""


def explanation_text(entry: Explanation) -> str:
    """One entry for a terminal, with the way to accept it."""
    paragraphs = [f"{entry.code} ({entry.severity}): {entry.title}", *entry.why.split("\n\n")]
    if entry.source:
        paragraphs.append(f"Source: {entry.source}")
    if not covered(_NEVER_ACCEPTED, entry.code):
        paragraphs.append(_how_to_accept(entry.code))
    return (
        "\n\n".join(fill(paragraph, 100, break_long_words=False, break_on_hyphens=False) for paragraph in paragraphs)
        + "\n"
    )


def _how_to_accept(code: str) -> str:
    comment = (
        f"To accept it in one place, write `# anycastle: ignore[{code}] reason` on the line or on the line above (in a "
        "router's configuration on one of its own, above)"
    )
    if family(code) == SECRET:
        return f"{comment}. A secret is never accepted for a whole file, nor by a baseline."
    return f"{comment}; for a whole file, `# anycastle: ignore-file[{code}] reason` in its first {HEAD} lines."


def rules_page(entries: Iterable[Explanation]) -> str:
    """The page `docs/rules.md`: all entries by code, one section for each family."""
    ordered = sorted(entries, key=lambda entry: entry.code)
    families = groupby(ordered, key=lambda entry: family(entry.code))
    return INTRODUCTION + "".join(f"\n## {name}\n" + "".join(map(_entry, members)) for name, members in families)


def _entry(entry: Explanation) -> str:
    source = f"\nSource: {entry.source}\n" if entry.source else ""
    return f"\n### {entry.code}: {entry.title}\n\n*{entry.severity}.* {entry.why}\n{source}"
