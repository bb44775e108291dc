"""Which paths may stand in a repository."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from anycastle.finding import Finding
from anycastle.repo import codes

_HALF = re.compile("[\ud800-\udfff]")
"""Half a character of UTF-16, which JSON can say and no file name can hold."""
MAX_NAME = 255
"""Bytes of one name on every common file system."""


def faults_of(paths: Iterable[str]) -> Iterator[Finding]:
    """One finding for each path that is unsafe or in the way of another."""
    ordered = sorted(paths)
    for path in ordered:
        if why := _fault(path):
            yield codes.unsafe_path(path, why)
    yield from _collisions(ordered)


def _fault(path: str) -> str:
    """What is wrong with a path, as the rest of a sentence; empty where nothing is."""
    if not path or _HALF.search(path) or "\0" in path or "\\" in path:
        return "is empty or has a character that not every system can store"
    if path.startswith("/"):
        return "is absolute"
    for name in path.split("/"):
        if name in ("", ".", ".."):
            return "does not name a file inside the repository"
        if name.casefold() == ".git":
            return "lies in git's own directory"
        if len(name.encode()) > MAX_NAME:
            return f"has a name of more than {MAX_NAME} bytes"
    return ""


def _collisions(ordered: Iterable[str]) -> Iterator[Finding]:
    """Names that are equal but for case, and files that stand where a directory must be."""
    files: dict[str, str] = {}
    folders: dict[str, str] = {}
    for path in ordered:
        names = path.split("/")
        for depth in range(1, len(names)):
            folder = "/".join(names[:depth])
            folders.setdefault(folder.casefold(), folder)
        if (first := files.setdefault(path.casefold(), path)) != path:
            yield codes.colliding_path(path, first)
    for key in sorted(files.keys() & folders.keys()):
        yield codes.colliding_path(files[key], folders[key] + "/")
