"""What is asked for: charts by repository, name and version."""

from __future__ import annotations

from typing import NamedTuple

FOLDER = "vendor"
"""Where charts lie in a repository, each in a folder of its name."""


class Wanted(NamedTuple):
    """A chart. `version` as the repository's index has it, with or without a `v`."""

    repository: str
    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"
