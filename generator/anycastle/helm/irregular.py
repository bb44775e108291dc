"""What in a chart's folder would keep Helm busy before it has read a single template."""

from __future__ import annotations

import os
import stat
from pathlib import Path

MAX_FILES = 20_000
MAX_BYTES = 64 * 1024 * 1024
"""Of a chart with its dependencies; the largest in wide use has about 5 MiB."""


def fault_of(chart: Path) -> tuple[str, str] | None:
    """The path of what Helm should not open, and a sentence about the chart that begins with its verb; else None."""
    files = total = 0
    for folder, _folders, names in os.walk(chart):
        for name in names:
            path = os.path.relpath(f"{folder}/{name}", chart)
            try:
                status = (Path(folder) / name).stat()
            except OSError:
                continue  # a broken link, which Helm names itself
            if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
                return path, f"holds {path}, which is no regular file: Helm would wait for it, or read it without end"
            files, total = files + 1, total + status.st_size
            if files > MAX_FILES or total > MAX_BYTES:
                return path, f"is larger than {MAX_BYTES >> 20} MiB, or has more than {MAX_FILES} files"
    return None
