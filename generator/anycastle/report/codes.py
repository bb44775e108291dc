"""Every finding about suppressions and the baseline, with the reason behind its code."""

from __future__ import annotations

from anycastle.finding import Explanation, Severity

SUPPRESSION, BASELINE = "SUP", "BASE"
SECRET = "SEC"  # noqa: S105
"""Families that this room treats apart."""

EXPLANATIONS: tuple[Explanation, ...] = (
    Explanation(
        "SUP001",
        "A suppression is malformed",
        "The comment is none that anycastle knows, so it suppresses nothing, while whoever wrote it thinks it does.",
        Severity.WARNING,
    ),
    Explanation(
        "SUP002",
        "A suppression gives no reason",
        "Whoever comes next cannot tell a considered exception from a silenced alarm. Without a reason nothing is "
        "suppressed.",
        Severity.WARNING,
    ),
    Explanation(
        "SUP003",
        "A suppression names an unknown code",
        "Nothing has that code, so the comment suppresses nothing. Findings about suppressions and the baseline cannot "
        "be suppressed either.",
        Severity.WARNING,
    ),
    Explanation(
        "SUP004",
        "A suppression is not needed any more",
        "What it was written for is no longer found there; left in place, it would hide the next mistake of the kind.",
        Severity.INFO,
    ),
    Explanation(
        "SUP005",
        "A suppression of a whole file stands too far down",
        "It has to be seen by whoever opens the file, so it counts within the first ten lines only.",
        Severity.WARNING,
    ),
    Explanation(
        "SUP006",
        "A secret is suppressed for a whole file",
        "The next secret in the file would go unnoticed, and one that was committed once stays in the history. "
        "Suppress it at its line, with the reason why it is none.",
        Severity.WARNING,
    ),
    Explanation(
        "BASE001",
        "The baseline names what is no longer found",
        "An entry that nothing needs would hide the same mistake if it were made again.",
        Severity.INFO,
    ),
)
