"""What stands at a path of a repository, seen without following a symbolic link."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath

from anycastle.records import dataclass


@dataclass(frozen=True, slots=True)
class File:
    """A plain file: its bytes, and its permission bits."""

    data: bytes
    mode: int


@dataclass(frozen=True, slots=True)
class Foreign:
    """Something that is never written through; `what` goes on after a path: `is a symbolic link`."""

    what: str


Found = File | Foreign | None
"""None: nothing is there."""


def look(root: Path, path: str) -> Found:
    """What is at `path` below `root`. The root itself may be a link; nothing below it may."""
    for folder in reversed(PurePosixPath(path).parents[:-1]):
        kind = _kind(root / folder)
        if kind is None:
            return None
        if kind != stat.S_IFDIR:
            return Foreign(f"lies below {folder}, which {_words(kind)}")
    kind = _kind(root / path)
    if kind is None:
        return None
    return _read(root / path) if kind == stat.S_IFREG else Foreign(_words(kind))


def _kind(path: Path) -> int | None:
    try:
        return stat.S_IFMT(path.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _words(kind: int) -> str:
    named = {stat.S_IFLNK: "is a symbolic link", stat.S_IFDIR: "is a directory", stat.S_IFREG: "is a file"}
    return named.get(kind, "is neither a file nor a directory")


def _read(path: Path) -> File | Foreign:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        return Foreign(f"cannot be read ({error.strerror})")
    with os.fdopen(descriptor, "rb") as file:
        return File(file.read(), stat.S_IMODE(os.fstat(descriptor).st_mode))


def sync(path: Path) -> None:
    """Wait until a file, or the entries of a directory, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
