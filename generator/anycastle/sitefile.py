"""A site file on disk as a document with its lines."""

from __future__ import annotations

import re
from pathlib import Path

from anycastle import textfile, yamlio
from anycastle.finding import Finding, Place, Refused, Severity

SITE = "site.yaml"
"""Its name in a generated repository."""


def document_of(path: Path) -> yamlio.Document:
    """The one document of a file. Raises `Refused` where there is none, or more than one."""
    try:
        data = textfile.read(path, yamlio.MAX_BYTES)
    except OSError as error:
        raise Refused([_unusable(path, f"The file cannot be read: {error.strerror}.", "Check its path.")]) from error
    loaded = yamlio.load(data, str(path))
    if any(finding.severity is Severity.ERROR for finding in loaded.findings):
        raise Refused(loaded.findings)
    if len(loaded.documents) != 1:
        held = len(loaded.documents)
        raise Refused([_unusable(path, f"The file holds {held} YAML documents instead of one.", "See docs/site.md.")])
    return loaded.documents[0]


def _unusable(path: Path, message: str, fix: str) -> Finding:
    return Finding("SITE003", Severity.ERROR, Place(str(path)), message, fix)


def keys_of(dotted: str) -> yamlio.Path:
    """`nodes[3].address` as `("nodes", 3, "address")`."""
    return tuple(int(part) if part.isdigit() else part for part in re.findall(r"[^.\[\]]+", dotted))
