"""Every finding of an import, with the reason behind its code."""

from __future__ import annotations

from collections.abc import Iterable

from anycastle.finding import Explanation, Finding, Place, Severity

EXPLANATIONS: tuple[Explanation, ...] = (
    Explanation(
        "IMPORT001",
        "A source of an unknown kind",
        "An import that guesses what a file means would write somebody else's network into the site file.",
    ),
    Explanation(
        "IMPORT002",
        "A source that cannot be read",
        "What stands behind the fault would be missing from the site without a word: a machine that is in no site file "
        "gets no session, and the router refuses it.",
    ),
    Explanation(
        "IMPORT003",
        "Two sources disagree",
        "One of them is out of date, and nobody but its owner knows which. A site file with the wrong address or AS "
        "number makes a router that waits for a neighbour that never comes.",
    ),
    Explanation(
        "IMPORT004",
        "A value that a site cannot have",
        "The tool behind the source may accept it; kubeadm, Calico or the router would refuse it in the middle of a "
        "bring-up.",
    ),
    Explanation(
        "IMPORT005",
        "A source without machines",
        "A site is made of machines with an address each. A name alone does not say where its session comes from.",
    ),
    Explanation(
        "IMPORT006",
        "Something is not carried over",
        "The source says more than the site file can take from it, so the site would differ from what runs today.",
        Severity.WARNING,
    ),
    Explanation(
        "IMPORT007",
        "The file to write is there already",
        "It may hold the answers of a person, which no import knows.",
    ),
)


def unknown_kind(path: str, kinds: Iterable[str]) -> Finding:
    """IMPORT001."""
    return _error(
        "IMPORT001",
        Place(path),
        "The file is none of the kinds that can be imported.",
        f"Name its kind with --from: {', '.join(kinds)}.",
    )


def unreadable(where: Place, message: str, fix: str) -> Finding:
    """IMPORT002."""
    return _error("IMPORT002", where, message, fix)


def disagreement(where: Place, key: tuple[str, ...], values: tuple[object, object], other: Place) -> Finding:
    """IMPORT003: `where` says the first value, `other` the second."""
    return _error(
        "IMPORT003",
        where,
        f"{named(key)} is {shown(values[0])} here and {shown(values[1])} in {other}; one of both is out of date.",
        "Correct the one that is wrong, or leave its source out.",
    )


def unusable(where: Place, key: tuple[str, ...], problem: str, fix: str) -> Finding:
    """IMPORT004."""
    return _error("IMPORT004", Place(where.path, where.line, where.key or named(key)), problem, fix)


def no_machines(where: Place, message: str, fix: str) -> Finding:
    """IMPORT005."""
    return _error("IMPORT005", where, message, fix)


BY_HAND = "Write it into the site file by hand, if it matters."


def not_carried(where: Place, what: str, fix: str = BY_HAND) -> Finding:
    """IMPORT006."""
    message = f"{what[:1].upper()}{what[1:]}; it is not carried into the site file."
    return Finding("IMPORT006", Severity.WARNING, where, message, fix)


def taken(path: str) -> Finding:
    """IMPORT007."""
    return _error(
        "IMPORT007", Place(path), "The file exists, and an import overwrites nothing.", "Name another with -o."
    )


def named(key: tuple[str, ...]) -> str:
    """`("nodes", "n1", "address")` as `nodes.n1.address`."""
    return ".".join(key)


def shown(value: object) -> str:
    """A value in a message: short, on one line."""
    text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


def _error(code: str, where: Place, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, where, message, fix)
