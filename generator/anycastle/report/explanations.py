"""Codes and the reasons behind them, for one code on a terminal and for all of them as a page."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from textwrap import fill

from anycastle.finding import Explanation

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
"""


def explanation_text(entry: Explanation) -> str:
    """One entry for a terminal."""
    paragraphs = [f"{entry.code} ({entry.severity}): {entry.title}", *entry.why.split("\n\n")]
    if entry.source:
        paragraphs.append(f"Source: {entry.source}")
    return "\n\n".join(fill(paragraph, 100, break_long_words=False) for paragraph in paragraphs) + "\n"


def rules_page(entries: Iterable[Explanation]) -> str:
    """The page `docs/rules.md`: all entries by code, one section for each family."""
    ordered = sorted(entries, key=lambda entry: entry.code)
    families = groupby(ordered, key=lambda entry: entry.code.rstrip("0123456789"))
    return INTRODUCTION + "".join(f"\n## {family}\n" + "".join(map(_entry, members)) for family, members in families)


def _entry(entry: Explanation) -> str:
    source = f"\nSource: {entry.source}\n" if entry.source else ""
    return f"\n### {entry.code}: {entry.title}\n\n*{entry.severity}.* {entry.why}\n{source}"
