"""The note of an update that is under way: the hashes that it writes, until the manifest has them.

After a crash some files have their new bytes while the manifest still has the old hashes. With this note the next
update tells them from files that were edited, even if site.yaml was changed again in between.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path

from anycastle import textfile
from anycastle.repo.disk import sync

FOLDER = ".anycastle/update"
"""Holds the note and the new files until they are moved to their places; it is gone after an update."""
JOURNAL = "hashes.json"
MAX_BYTES = 16 * 1024 * 1024


def read(root: Path) -> Mapping[str, Collection[str]]:
    """Path -> hashes; empty where no update was interrupted, or before it had written its note."""
    try:
        value = json.loads(textfile.read(root / FOLDER / JOURNAL, MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    return {path: [str(item) for item in hashes] for path, hashes in value.items() if isinstance(hashes, list)}


def write(root: Path, hashes: Mapping[str, Collection[str]]) -> None:
    """Replace the note by one that holds all of `hashes`, on the disk when this returns."""
    folder = root / FOLDER
    text = json.dumps({path: sorted(hashes[path]) for path in sorted(hashes)}, indent=2)
    copy = folder / f"{JOURNAL}.new"
    copy.write_text(text, "utf-8")
    sync(copy)
    copy.replace(folder / JOURNAL)
    sync(folder)
