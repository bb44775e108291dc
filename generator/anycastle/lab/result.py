"""What a lab has found: checks and scenarios as values, for people, machines and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from anycastle.lab.probes import Sample
from anycastle.records import dataclass


class Verdict(StrEnum):
    """How something ended; `skipped` says why in its text and never counts as passed."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. `took` are seconds."""

    name: str
    verdict: Verdict
    text: str
    took: float = 0.0


@dataclass(frozen=True, slots=True)
class Event:
    """Something at a moment, in seconds after the fault."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """The requests to one target over a scenario; times are seconds after the fault."""

    target: str
    samples: tuple[Sample, ...]

    @property
    def lost(self) -> tuple[Sample, ...]:
        """Those without an answer."""
        return tuple(sample for sample in self.samples if sample.error)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One scenario. `promise` and `took` are seconds until every router's table is right; None = it never was.

    `basis` is what the promise follows from.
    """

    name: str
    verdict: Verdict
    what: str
    text: str
    promise: float = 0.0
    basis: str = ""
    took: float | None = None
    back: float | None = None
    stretches: tuple[Stretch, ...] = ()
    events: tuple[Event, ...] = ()

    @property
    def sent(self) -> int:
        """Requests in all."""
        return sum(len(stretch.samples) for stretch in self.stretches)

    @property
    def lost(self) -> int:
        """Requests without an answer."""
        return sum(len(stretch.lost) for stretch in self.stretches)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A whole run. `up` and `seconds` count from the first cable: until the speakers ran, and in all."""

    name: str
    endpoints: Mapping[str, tuple[str, ...]]
    files: Mapping[str, str] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    notes: tuple[str, ...] = ()
    up: float = 0.0
    seconds: float = 0.0
    mebibytes: float = 0.0

    @property
    def failed(self) -> bool:
        """Whether anything is not as planned."""
        return Verdict.FAILED in self.verdicts

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """How each check and each scenario ended."""
        return (*(one.verdict for one in self.checks), *(one.verdict for one in self.outcomes))
