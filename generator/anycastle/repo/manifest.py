"""What became of the files that were generated: the manifest in a repository against its tree.

Editing and deleting them is allowed; it is only said, since a file may also have got lost in a merge.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from anycastle.finding import Finding
from anycastle.repo import codes
from anycastle.repo.paths import faults_of

MANIFEST = ".anycastle/manifest.json"


def lost_files(root: Path) -> Iterator[Finding]:
    """One finding where generated files are gone, or where the manifest cannot be read; none without a manifest."""
    try:
        text = (root / MANIFEST).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return
    paths = _paths(text)
    if paths is None:
        yield codes.unreadable_manifest(MANIFEST)
        return
    gone = [path for path in paths if not list(faults_of([path])) and not (root / path).exists()]
    if gone:
        yield codes.lost_files(MANIFEST, gone)


def _paths(text: str) -> list[str] | None:
    """The paths of a manifest, sorted; None where it is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    files = value.get("files") if isinstance(value, dict) else None
    return sorted(files) if isinstance(files, dict) else None
