"""What became of the files that were generated: the manifest in a repository against its tree.

Editing and deleting them is allowed; it is only said, since a file may also have got lost in a merge.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from anycastle import textfile
from anycastle.finding import Finding, Refused
from anycastle.repo import codes
from anycastle.repo.paths import faults_of

MANIFEST = ".anycastle/manifest.json"
SCHEMA = 1
MAX_BYTES = 16 * 1024 * 1024
"""The form of the manifest that is understood here."""


def lost_files(root: Path) -> Iterator[Finding]:
    """One finding where generated files are gone, or where the manifest cannot be read; none without a manifest."""
    try:
        text = textfile.read(root / MANIFEST, MAX_BYTES).decode()
    except (OSError, UnicodeDecodeError):
        return
    hashes = hashes_of(text)
    if hashes is None:
        yield codes.unreadable_manifest(MANIFEST)
        return
    gone = [path for path in sorted(hashes) if not list(faults_of([path])) and not (root / path).exists()]
    if gone:
        yield codes.lost_files(MANIFEST, gone)


def edited(root: Path, path: str) -> bool:
    """Whether a file is another than the one that was generated; not where no manifest tells."""
    try:
        hashes = hashes_of(textfile.read(root / MANIFEST, MAX_BYTES).decode()) or {}
        data = textfile.read(root / path, MAX_BYTES)
    except (OSError, UnicodeDecodeError):
        return False
    return path in hashes and hashlib.sha256(data).hexdigest() != hashes[path]


def generated(root: Path) -> Mapping[str, str]:
    """Path -> SHA-256 of what was last generated there. Raises `Refused` where nothing tells that."""
    try:
        text = textfile.read(root / MANIFEST, MAX_BYTES).decode()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Refused([codes.not_updatable(MANIFEST, f"cannot be read ({reason})")]) from error
    except UnicodeDecodeError as error:
        raise Refused([codes.not_updatable(MANIFEST, "is not the JSON that was generated")]) from error
    hashes = hashes_of(text)
    if hashes is None:
        raise Refused([codes.not_updatable(MANIFEST, "is not the JSON that was generated")])
    if (schema := json.loads(text).get("schema")) != SCHEMA:
        raise Refused([codes.not_updatable(MANIFEST, f"has the form {schema!r}, and this anycastle knows {SCHEMA}")])
    return {path: digest for path, digest in hashes.items() if isinstance(digest, str)}


def hashes_of(text: str) -> dict[str, object] | None:
    """The entries of a manifest; None where it is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    files = value.get("files") if isinstance(value, dict) else None
    return files if isinstance(files, dict) else None
