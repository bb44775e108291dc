"""Which charts are ours and unchanged: they are known to end soon and to stay small, whatever their values."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from anycastle import textfile

_LEFT_OUT = frozenset((".DS_Store", "__pycache__"))


def is_own(chart: Path) -> bool:
    """Whether a folder holds exactly the files of the packaged chart of its name, and no link."""
    try:
        ours = _packaged(chart.name)
        return bool(ours) and dict(_files(chart, "", ours)) == ours
    except (OSError, ValueError):
        return False


@cache
def _packaged(name: str) -> dict[str, bytes]:
    """The files of a chart inside the wheel, or else of the checkout that this module lies in; empty: no such chart."""
    package = Path(__file__).parents[1]
    packed = package / "_data" / "charts"
    folder = (packed if packed.is_dir() else package.parents[1] / "charts") / name
    if not name or not folder.is_dir():
        return {}
    paths = (path for path in folder.rglob("*") if path.is_file() and not _LEFT_OUT & set(path.parts))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _files(chart: Path, folder: str, ours: dict[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Files that are in ours as well. Raises `ValueError` for anything else, before it is opened."""
    with os.scandir(chart / folder) as found:
        entries = list(found)
    for entry in entries:
        path = f"{folder}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            if not any(known.startswith(f"{path}/") for known in ours):
                raise ValueError(path)
            yield from _files(chart, f"{path}/", ours)
            continue
        status = entry.stat(follow_symlinks=False)
        if not stat.S_ISREG(status.st_mode) or status.st_size != len(ours.get(path, b"")):
            raise ValueError(path)
        yield path, textfile.read(Path(entry.path), status.st_size)
