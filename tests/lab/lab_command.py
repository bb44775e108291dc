"""The command as a person runs it, and what it said."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GENERATOR = Path(__file__).resolve().parents[2] / "generator"


@dataclass(frozen=True)
class Ended:
    """A command that has ended; `report` is empty where it printed no JSON."""

    status: int
    report: Mapping[str, Any]
    said: str

    def verdicts(self) -> dict[str, str]:
        """Check or scenario -> how it ended."""
        return {one["name"]: one["verdict"] for one in (*self.report["checks"], *self.report["scenarios"])}

    def text(self, name: str) -> str:
        """What the report says of a check or a scenario."""
        return next(one["text"] for one in (*self.report["checks"], *self.report["scenarios"]) if one["name"] == name)


Command = Callable[..., Ended]
