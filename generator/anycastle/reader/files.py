"""The tree of a repository: which files it has, in one order, and what cannot be read.

Left out: `.git`, caches and dependencies of tools, and what `.gitignore` names.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import field, replace
from pathlib import Path

from anycastle import textfile
from anycastle.finding import Place
from anycastle.reader import ignored
from anycastle.reader.notes import Notes
from anycastle.records import dataclass

MAX_FILE = 16 * 1024 * 1024
"""Bytes; the largest CRD is a tenth of it."""
_SMALL = 8 * 1024
"""Bytes of a file that stays in memory: several parts of the reader look into the same ones."""
MAX_IGNORES = 256 * 1024
MAX_DEPTH = 64
"""Folders inside folders."""

_SKIPPED = frozenset(("node_modules", "__pycache__", "venv"))
_HIDDEN_BUT_READ = frozenset((".github", ".gitlab", ".forgejo", ".gitea", ".anycastle", ".woodpecker"))


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of a repository, by path relative to its root, sorted.

    `folder` is where all of it lies in a larger Git repository, as its site file says.
    """

    root: Path
    paths: tuple[str, ...]
    _files: frozenset[str]
    _folders: frozenset[str]
    _links_out: tuple[str, ...] = ()
    folder: str = ""
    _held: dict[str, bytes] = field(default_factory=dict, repr=False, compare=False)

    def has_file(self, path: str) -> bool:
        """Whether there is such a file."""
        return path in self._files

    def has_folder(self, path: str) -> bool:
        """Whether there is such a folder with a file in it; the empty path is the root."""
        return not path or path in self._folders

    def located(self, path: str, near: str = "") -> str | None:
        """A path of the git repository as a path of this tree: a file or folder; None where there is neither.

        What is read may be more or less than the repository: several lie side by side in one folder, or one folder of a
        large one is looked at. So the root is tried first, then the folders above `near`, the nearest first, then
        the path without those of its first parts by which the root's own path ends. Where the site file names the
        folder, nothing is tried: the engine does not either.
        """
        if self.folder:
            below = "" if path == self.folder else path.removeprefix(f"{self.folder}/")
            return below if below != path and (below in self._files or self.has_folder(below)) else None
        if self.has_file(path) or self.has_folder(path):
            return path
        folder = near
        while folder:
            inside = f"{folder}/{path}"
            if inside in self._files or inside in self._folders:
                return inside
            folder = folder.rpartition("/")[0]
        parts = path.split("/")
        for count in range(len(parts), 0, -1):
            rest = "/".join(parts[count:])
            if self.root.parts[-count:] == tuple(parts[:count]) and (rest in self._files or self.has_folder(rest)):
                return rest
        return None

    def inside(self, folder: str) -> Tree:
        """The same tree as a folder of a larger Git repository."""
        return replace(self, folder=folder) if folder else self

    def without(self, paths: frozenset[str]) -> Tree:
        """The same tree in which these files are not listed; they can still be named."""
        return replace(self, paths=tuple(path for path in self.paths if path not in paths)) if paths else self

    def below(self, folder: str) -> tuple[str, ...]:
        """Every file below a folder, also those that are not listed."""
        return tuple(sorted(path for path in self._files if path.startswith(f"{folder}/")))

    def links_out_of(self, folder: str) -> bool:
        """Whether a link below the folder leaves the repository."""
        return any(not folder or path.startswith(f"{folder}/") for path in self._links_out)

    def data(self, path: str, notes: Notes) -> bytes | None:
        """Content of a file, or None with a finding."""
        found = self._held.get(path)
        if found is not None:
            return found
        try:
            found = textfile.read(f"{self.root}/{path}", MAX_FILE)
        except textfile.TooLargeError as error:
            notes.add("READ003", Place(path), f"The file is {error.strerror}.", "Split it.")
            return None
        except OSError as error:
            notes.add("READ003", Place(path), f"The file cannot be read: {error.strerror}.", _unreadable(error))
            return None
        if len(found) <= _SMALL:
            self._held[path] = found
        return found

    def text(self, path: str, notes: Notes) -> str | None:
        """Content of a file that people write, bad bytes replaced."""
        data = self.data(path, notes)
        return None if data is None else data.decode("utf-8-sig", "replace")


def tree(root: Path, notes: Notes) -> Tree:
    """Walk a repository. Links that leave it give a finding and are not followed."""
    real = root.resolve()
    paths = sorted(_walk(real, "", (), notes))
    folders: set[str] = set()
    for path in paths:
        while (path := path.rpartition("/")[0]) and path not in folders:
            folders.add(path)
    links = tuple(finding.where.path for finding in notes.findings if finding.code == "READ002")
    return Tree(real, tuple(paths), frozenset(paths), frozenset(folders), links)


def _walk(root: Path, folder: str, patterns: tuple[ignored.Run, ...], notes: Notes) -> Iterator[str]:
    if folder.count("/") >= MAX_DEPTH:
        notes.add("READ003", Place(folder), f"The folder is nested deeper than {MAX_DEPTH} levels.", "Flatten it.")
        return
    try:
        with os.scandir(root / folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        notes.add("READ003", Place(folder), f"The folder cannot be read: {error.strerror}.", _unreadable(error))
        return
    base = f"{folder}/" if folder else ""
    patterns += _own_patterns(root, base, entries)
    for entry in entries:
        path = base + entry.name
        if entry.is_symlink():
            if _stays_inside(root, path, notes) and _leads_to_file(entry, path, notes):
                yield path
        elif entry.is_dir():
            if not skipped(entry.name) and not (patterns and ignored.ignored(path, patterns, directory=True)):
                yield from _walk(root, path, patterns, notes)
        elif entry.is_file() and not (patterns and ignored.ignored(path, patterns, directory=False)):
            yield path


def _own_patterns(root: Path, base: str, entries: list[os.DirEntry[str]]) -> tuple[ignored.Run, ...]:
    if not any(entry.name == ".gitignore" and entry.is_file() for entry in entries):
        return ()
    try:
        text = textfile.read(root / f"{base}.gitignore", MAX_IGNORES).decode("utf-8", "replace")
    except OSError:
        return ()
    return ignored.parse(text, base)


def _unreadable(error: OSError) -> str:
    return "Put it back, or name another." if isinstance(error, FileNotFoundError) else "Correct its permissions."


def skipped(name: str) -> bool:
    """Whether a folder of such a name, and all in it, is nobody's part of a repository."""
    return name in _SKIPPED or (name.startswith(".") and name not in _HIDDEN_BUT_READ)


def _leads_to_file(link: os.DirEntry[str], path: str, notes: Notes) -> bool:
    try:
        return link.is_file()
    except OSError as error:  # a long chain of links
        notes.add("READ003", Place(path), f"The link cannot be followed: {error.strerror}.", "Replace it by a file.")
        return False


def _stays_inside(root: Path, path: str, notes: Notes) -> bool:
    try:
        target = (root / path).resolve()
    except (OSError, RuntimeError):
        target = Path("/")
    if target.is_relative_to(root):
        return True
    notes.add(
        "READ002",
        Place(path),
        "The link leads out of the repository; Argo CD refuses the whole repository because of it.",
        "Replace the link by the file itself.",
    )
    return False
