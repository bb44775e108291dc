"""A repository on disk against what is generated for it now: what an update would do to each path.

Three things are held against each other: the bytes on the disk, the new bytes, and the hash of what was last
generated. A file is only replaced or removed where its bytes are known to be generated ones. Line ends that git
has turned into CRLF on checkout are no edit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from enum import StrEnum
from pathlib import Path

from anycastle.finding import Finding
from anycastle.records import dataclass
from anycastle.repo import codes
from anycastle.repo.disk import File, Foreign, Found, look
from anycastle.repo.journal import FOLDER, JOURNAL
from anycastle.repo.manifest import MANIFEST
from anycastle.repo.paths import faults_of


class Action(StrEnum):
    """What an update does to a path, or why it does nothing."""

    CREATE = "create"
    UPDATE = "update"
    REMOVE = "remove"
    CONFLICT = "conflict"
    BLOCKED = "blocked"
    EDITED = "edited"
    STALE = "stale"
    IDENTICAL = "identical"
    YOURS = "yours"


WRITING = frozenset((Action.CREATE, Action.UPDATE))
QUIET = frozenset((Action.IDENTICAL, Action.YOURS))
"""What is counted and not listed."""


@dataclass(frozen=True, slots=True)
class Tree:
    """What is generated: every file with its manifest, which of them are programs, and which belong to the person."""

    files: Mapping[str, bytes]
    executable: Callable[[str], bool]
    yours: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class History:
    """What was generated before: by the last update, and by those that were interrupted since."""

    last: Mapping[str, str]
    interrupted: Mapping[str, Collection[str]]

    def knows(self, path: str, data: bytes) -> bool:
        """Whether these bytes were generated for the path at some time."""
        hashes = {self.last.get(path), *self.interrupted.get(path, ())}
        return digest(data) in hashes or digest(plain(data)) in hashes


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person said of edited files: give the edit up, also where nothing new meets it, or leave it as it is."""

    overwrite: frozenset[str] = frozenset()
    keep: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Step:
    """One path: what happens to it, what was found there, and the new bytes (None where none are generated)."""

    path: str
    action: Action
    found: Found
    after: bytes | None = None


def compare(root: Path, tree: Tree, history: History, wishes: Wishes) -> tuple[Step, ...]:
    """One step for each path that is generated or was, in the order of paths."""
    steps = [*_wanted(root, tree, history, wishes), *_gone(root, tree, history)]
    return tuple(sorted(steps, key=lambda step: step.path))


def _wanted(root: Path, tree: Tree, history: History, wishes: Wishes) -> Iterator[Step]:
    for path, new in tree.files.items():
        found = look(root, path)
        if tree.yours(path):
            action = Action.CREATE if found is None else Action.YOURS
        elif path == MANIFEST:
            action = _of_manifest(root, found, new)
        else:
            action = _of_generated(path, found, new, tree, history)
        if action in (Action.CONFLICT, Action.EDITED) and path in wishes.overwrite:
            action = Action.UPDATE
        elif action is Action.CONFLICT and path in wishes.keep:
            action = Action.EDITED
        yield Step(path, action, found, new)


def _of_manifest(root: Path, found: Found, new: bytes) -> Action:
    """The manifest is nobody's to edit; nor is the folder beside it that an interrupted update leaves."""
    if isinstance(found, Foreign) or isinstance(look(root, f"{FOLDER}/{JOURNAL}"), Foreign):
        return Action.BLOCKED
    return Action.IDENTICAL if found and plain(found.data) == new else Action.UPDATE


def _of_generated(path: str, found: Found, new: bytes, tree: Tree, history: History) -> Action:
    if found is None:
        return Action.CREATE
    if isinstance(found, Foreign):
        return Action.BLOCKED
    if new in (found.data, plain(found.data)):
        lame = tree.executable(path) and not found.mode & 0o100
        return Action.UPDATE if lame else Action.IDENTICAL
    if history.knows(path, found.data):
        return Action.UPDATE
    return Action.EDITED if digest(new) == history.last.get(path) else Action.CONFLICT


def _gone(root: Path, tree: Tree, history: History) -> Iterator[Step]:
    """What was generated and is not any more. A manifest with a path that leads elsewhere is not believed."""
    before = {*history.last, *history.interrupted} - tree.files.keys()
    for path in before:
        if tuple(faults_of([path])) or (found := look(root, path)) is None:
            continue
        known = isinstance(found, File) and history.knows(path, found.data)
        yield Step(path, Action.REMOVE if known else Action.STALE, found)


def digest(data: bytes) -> str:
    """As the manifest has it."""
    return hashlib.sha256(data).hexdigest()


def plain(data: bytes) -> bytes:
    """With line ends as they are generated."""
    return data.replace(b"\r\n", b"\n")


def obstacles(steps: Collection[Step], root: Path, history: History) -> Iterator[Finding]:
    """Why nothing may be written."""
    for step in steps:
        if step.action is Action.CONFLICT:
            yield codes.conflict(step.path, root, ours=step.path in history.last)
        elif step.action is Action.BLOCKED:
            what = step.found.what if isinstance(step.found, Foreign) else f"has something foreign in {FOLDER} beside"
            yield codes.blocked(step.path, what)


def left_behind(steps: Collection[Step]) -> Iterator[Finding]:
    """What is not generated any more and stays, since it was edited."""
    for step in steps:
        if step.action is Action.STALE:
            yield codes.stale(step.path)
