"""Objects in which no schema has found a fault, remembered by their content: a second run compiles no schema.

Only that there was no fault is kept, in one file for each release and each state of this program's own schemas and
code. A file that is damaged or cannot be written costs only time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from anycastle import __version__, cache
from anycastle.schemas.core import Release
from anycastle.schemas.fault import Subject

MAX = 20_000
"""Objects of one file; with more, only those of the last run stay."""
MAX_FILES = 4

_FOLDER = "faultless"
_MARK = 32


class Faultless:
    """What is known to be without a fault, and what this run has found to be."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = _read(path)
        self._used: set[str] = set()

    def holds(self, mark: str) -> bool:
        """Whether an object is known."""
        if mark in self._known:
            self._used.add(mark)
            return True
        return False

    def add(self, mark: str) -> None:
        """Remember an object."""
        self._used.add(mark)

    def save(self) -> None:
        """Write what is new, if there is any."""
        if self._used <= self._known:
            return
        marks = self._known | self._used
        kept = sorted(marks if len(marks) <= MAX else self._used)
        try:
            cache.write(self._path, "".join(f"{mark}\n" for mark in kept).encode())
            _make_room(self._path.parent)
        except OSError:
            return


def mark_of(subject: Subject) -> str:
    """What an object is recognised by: 32 hexadecimal digits; nothing where it is no JSON, and for a Secret."""
    import hashlib

    if subject.kind == "Secret":
        return ""
    try:
        return hashlib.sha256(json.dumps(subject.value, allow_nan=False).encode()).hexdigest()[:_MARK]
    except (TypeError, ValueError, RecursionError):
        return ""


def faultless(store: Path, used: Release | None) -> Faultless | None:
    """What is remembered for a release; None where its schemas cannot be told apart from others."""
    import hashlib

    try:
        shown = json.dumps([__version__, list(_states(Path(__file__).parent)), _release(used)])
    except OSError:
        return None
    return Faultless(store / _FOLDER / hashlib.sha256(shown.encode()).hexdigest()[:_MARK])


def _states(package: Path) -> Iterator[tuple[str, int, int]]:
    """Name, size and time of the files by which objects are judged."""
    for folder in (package, package / "data"):
        with os.scandir(folder) as found:
            for entry in sorted(found, key=lambda entry: entry.name):
                if entry.name.endswith((".py", ".json")):
                    status = entry.stat()
                    yield entry.name, status.st_size, status.st_mtime_ns


def _release(used: Release | None) -> tuple[str, int, int] | None:
    if used is None:
        return None
    status = (used.folder / "_definitions.json").stat()
    return str(used.folder), status.st_size, status.st_mtime_ns


def _read(path: Path) -> frozenset[str]:
    try:
        lines = path.read_text("ascii").splitlines()
    except (OSError, ValueError):
        return frozenset()
    return frozenset(line for line in lines if len(line) == _MARK)


def _make_room(folder: Path) -> None:
    """Files of former releases and states go, the oldest first."""
    with os.scandir(folder) as found:
        paths = [path for _time, path in sorted((entry.stat().st_mtime_ns, entry.path) for entry in found)]
    for path in paths[:-MAX_FILES]:
        Path(path).unlink(missing_ok=True)
