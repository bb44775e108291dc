"""The hidden directory beside the target in which a repository is made.

Its owner holds a lock on the directory itself, which the kernel drops when the owner and the git process that
inherited it are gone, however they died. So a stale directory is one whose lock is free; no process ID has to be
believed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from anycastle.records import dataclass

STAGE_MARK = ".anycastle-"
"""In the name of every stage: `.<target><mark><number>`."""
MARK = Path(".git", "anycastle-stage")
"""A file in every stage. It lies where git does not commit it, and goes when the repository is in its place."""
REMOVALS, BETWEEN_REMOVALS = 50, 0.02  # seconds; a git process ends soon after its files are gone


@dataclass(frozen=True, slots=True)
class Stage:
    """A directory to fill, and the descriptor that holds its lock."""

    path: Path
    lock: int


@contextlib.contextmanager
def staged(target: Path) -> Iterator[Stage]:
    """A new stage beside the target; whatever is still at its path afterwards is removed."""
    made = _make_parents(target.parent)
    try:
        _remove_stale(target)
        with _locked(target) as stage:
            yield stage
    except BaseException:
        with contextlib.suppress(OSError):
            _remove_stale(target)  # an interrupt may have come between the making of a stage and its use
        for folder in made:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


def unmark(stage: Stage) -> None:
    """Take away what tells a stage from a folder: for one that will be no repository of its own.

    A stage that is killed after this stays behind, hidden.
    """
    shutil.rmtree(stage.path / MARK.parent)


def _make_parents(folder: Path) -> list[Path]:
    """Make the directories above the target; returns the new ones, the deepest first."""
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing


@contextlib.contextmanager
def _locked(target: Path) -> Iterator[Stage]:
    stage = _new_stage(target)
    try:
        yield stage
    finally:
        # After the rename the path is free, and may already be somebody else's.
        if _is_same(stage.path, stage.lock):
            _remove(stage.path)
        os.close(stage.lock)


def _remove(path: Path) -> None:
    """Remove a tree, again where a git process that outlived an interrupt has just written into it."""
    for _ in range(REMOVALS):
        shutil.rmtree(path, ignore_errors=True)
        if not path.exists():
            return
        time.sleep(BETWEEN_REMOVALS)


def _new_stage(target: Path) -> Stage:
    for number in count():
        path = target.with_name(f".{target.name}{STAGE_MARK}{number}")
        try:
            path.mkdir()
        except FileExistsError:
            continue
        lock = _lock(path, where_no_locks=True)
        if lock is not None:
            mark = path / MARK
            mark.parent.mkdir()
            mark.touch()
            return Stage(path, lock)
    raise AssertionError


def _lock(path: Path, *, where_no_locks: bool) -> int | None:
    """A descriptor that holds the lock of a directory; None where another process has it, or removed the directory.

    Some network file systems have no locks: there `where_no_locks` says whether the directory may be had.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        mine = True
    except BlockingIOError:
        mine = False
    except OSError:
        mine = where_no_locks
    if mine and _is_same(path, descriptor):
        return descriptor
    os.close(descriptor)
    return None


def _is_same(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(follow_symlinks=False), os.fstat(descriptor))
    except OSError:
        return False


def _made_here(path: Path) -> bool:
    """Whether a directory is a stage, and not somebody's own of such a name; one that died at once is still empty."""
    try:
        return (path / MARK).is_file() or not any(path.iterdir())
    except OSError:
        return False


def _remove_stale(target: Path) -> None:
    """Remove the stages of this target whose owners are gone."""
    prefix = f".{target.name}{STAGE_MARK}"
    for path in sorted(target.parent.iterdir()):
        if not path.name.startswith(prefix) or not path.name.removeprefix(prefix).isdigit() or not _made_here(path):
            continue
        lock = _lock(path, where_no_locks=False)
        if lock is not None:
            _remove(path)
            os.close(lock)
