"""`docs/rules.md`: every code with its reason, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from anycastle.finding import Explanation, Severity

FAMILIES = {
    "ADDR": "Addresses and ranges",
    "ANN": "Announcements and filters",
    "API": "The API endpoint",
    "AS": "AS numbers",
    "KV": "kube-vip",
    "ORD": "The order of the engine",
    "POOL": "Calico's pools",
    "RT": "Routers",
    "SESS": "BGP sessions",
    "SITE": "The site file",
    "SVC": "Services of type LoadBalancer",
    "TIME": "BGP timers",
    "VER": "Releases",
}

_MEANING = {
    Severity.ERROR: "it does not work",
    Severity.WARNING: "it works, and will hurt",
    Severity.INFO: "worth knowing",
    Severity.UNCHECKED: "nobody could judge it, so it does not count as passed",
}


def rules_document(explanations: Iterable[Explanation]) -> str:
    """All codes: a table, then a section each, sorted by code."""
    known = sorted({item.code: item for item in explanations}.values(), key=lambda item: (_family(item), item.code))
    return "\n".join(_lines(known)) + "\n"


def _family(item: Explanation) -> str:
    return item.code.rstrip("0123456789-")


def _lines(items: list[Explanation]) -> Iterator[str]:
    yield "# What is checked, and why"
    yield ""
    yield f"{len(items)} codes. Each finding names one of them, with its place and what to write instead."
    yield "A single finding may weigh less or more than its code does; its text says why."
    yield ""
    yield "| severity | meaning |"
    yield "|---|---|"
    yield from (f"| {severity} | {meaning} |" for severity, meaning in _MEANING.items())
    yield ""
    yield "| code | severity | what must hold |"
    yield "|---|---|---|"
    yield from (f"| [{item.code}](#{item.code.lower()}) | {item.severity} | {_cell(item.title)} |" for item in items)
    for family, members in groupby(items, _family):
        yield ""
        yield f"## {FAMILIES.get(family, family)}"
        for item in members:
            yield from _section(item)


def _section(item: Explanation) -> Iterator[str]:
    yield ""
    yield f"### {item.code}"
    yield ""
    yield f"**{item.title}** ({item.severity})"
    for paragraph in item.why.split("\n\n"):
        if paragraph.strip():
            yield ""
            yield " ".join(paragraph.split())
    if item.source:
        yield ""
        yield f"Source: {item.source}"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
