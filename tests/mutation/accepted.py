"""The survivors that are right as they are: patterns with their reasons, from `accepted.toml`."""

import re
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from mutation.scalars import Mutation

FILE = Path(__file__).parent / "accepted.toml"


@dataclass(frozen=True)
class Pattern:
    """Survivors of files that match `file` (a glob), whose key is matched by `key` (a regular expression)."""

    file: str
    key: str
    reason: str
    kinds: tuple[str, ...] = ()

    def covers(self, mutation: Mutation) -> bool:
        return (
            fnmatchcase(mutation.path, self.file)
            and re.search(self.key, mutation.key) is not None
            and (not self.kinds or mutation.kind in self.kinds)
        )


@dataclass(frozen=True)
class Accepted:
    """All patterns; the first that covers a survivor gives the reason."""

    patterns: tuple[Pattern, ...]

    def reason(self, mutation: Mutation) -> str:
        return next((pattern.reason for pattern in self.patterns if pattern.covers(mutation)), "")


def accepted() -> Accepted:
    """What `accepted.toml` says."""
    entries = tomllib.loads(FILE.read_text("utf-8"))["accepted"]
    return Accepted(tuple(Pattern(e["file"], e["key"], e["reason"], tuple(e.get("kinds", ()))) for e in entries))
