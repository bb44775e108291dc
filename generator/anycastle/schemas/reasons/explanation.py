"""What a code means."""

from __future__ import annotations

from dataclasses import dataclass

from anycastle.finding import Severity


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a code means: a title, what happens in a real cluster, and how it weighs."""

    code: str
    title: str
    why: str
    severity: str = Severity.ERROR.value
