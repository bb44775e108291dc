"""The cache of this program: where it is, and files that are there whole or not at all.

Nothing in it is needed: whoever deletes it loses time.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def folder(environment: Mapping[str, str], platform: str) -> Path:
    """ANYCASTLE_CACHE, else below XDG_CACHE_HOME, else where the system keeps such things.

    `platform` is `sys.platform`.
    """
    if own := environment.get("ANYCASTLE_CACHE"):
        return Path(own)
    if base := environment.get("XDG_CACHE_HOME"):
        return Path(base) / "anycastle"
    home = Path(environment.get("HOME") or Path.home())
    return home / "Library" / "Caches" / "anycastle" if platform == "darwin" else home / ".cache" / "anycastle"


def write(path: Path, data: bytes, *, private: bool = True) -> None:
    """Write a file beside its place and move it there. Raises `OSError`.

    Private: only its owner may read it, since what charts render may hold secrets.
    """
    path.parent.mkdir(mode=0o700 if private else 0o777, parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600 if private else 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
