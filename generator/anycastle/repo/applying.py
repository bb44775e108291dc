"""An update, carried out: every new file is on the disk before the first one takes its place, the manifest last.

Each file changes by one rename. A process killed in between leaves some files old and some new; the next update
finds the new ones identical and finishes the rest.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from anycastle.finding import Refused
from anycastle.repo import codes, journal
from anycastle.repo.comparing import WRITING, Action, History, Step, digest
from anycastle.repo.disk import File, look, sync
from anycastle.repo.manifest import MANIFEST

_STAGED = "files"


def apply(root: Path, steps: Sequence[Step], history: History, executable: Callable[[str], bool]) -> None:
    """Write and remove what the steps say. Raises `Refused`, with nothing changed or with what to do about it."""
    writes = [step for step in steps if step.action in WRITING]
    removals = [step for step in steps if step.action is Action.REMOVE]
    interrupted = bool(history.interrupted) or (root / journal.FOLDER).is_dir()
    if not writes and not removals and not interrupted:
        return
    staged = _prepare(root, writes, history, executable)
    changed = [step.path for step in (*writes, *removals) if look(root, step.path) != step.found]
    if changed:
        _abandon(root, history)
        raise Refused([codes.changed_meanwhile(path) for path in changed])
    with _undisturbed():
        try:
            _move(root, staged, removals)
        except OSError as error:
            raise Refused([codes.half_way(root, error)]) from error
    shutil.rmtree(root / journal.FOLDER, ignore_errors=True)


Staged = list[tuple[Path, str]]
"""Where each new file lies, and its path in the repository."""


def _prepare(root: Path, writes: Sequence[Step], history: History, executable: Callable[[str], bool]) -> Staged:
    """All new files beside the manifest, so on the same file system; where that fails nothing was touched."""
    folder = root / journal.FOLDER / _STAGED
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        hashes = {path: {*known} for path, known in history.interrupted.items()}
        for step in writes:
            hashes.setdefault(step.path, set()).add(digest(step.after or b""))
        journal.write(root, hashes)
        return [
            (_stage(folder / str(number), step, executable(step.path)), step.path) for number, step in enumerate(writes)
        ]
    except OSError as error:
        _abandon(root, history)
        raise Refused([codes.cannot_update(root, error)]) from error
    except BaseException:
        _abandon(root, history)
        raise


def _abandon(root: Path, history: History) -> None:
    """Remove the new files, and the note unless it speaks of an earlier update as well."""
    folder = root / journal.FOLDER
    shutil.rmtree(folder / _STAGED if history.interrupted else folder, ignore_errors=True)


def _stage(place: Path, step: Step, executable: bool) -> Path:
    """The new bytes with the permissions of what they replace; a program can be run by whoever may read it."""
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o777 if executable else 0o666)
    with os.fdopen(descriptor, "wb") as file:
        file.write(step.after or b"")
        if isinstance(step.found, File):
            mode = step.found.mode & 0o777
            os.fchmod(descriptor, mode | ((mode & 0o444) >> 2 if executable else 0))
        file.flush()
        os.fsync(descriptor)
    return place


def _move(root: Path, staged: Staged, removals: Sequence[Step]) -> None:
    """Files, then removals, and the manifest when all of that has reached the disk."""
    manifest = [place for place, path in staged if path == MANIFEST]
    touched = set()
    for place, path in staged:
        if path != MANIFEST:
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            place.replace(target)
            touched.add(target.parent)
    _remove(root, removals)
    for folder in sorted(touched):
        sync(folder)
    for place in manifest:
        place.replace(root / MANIFEST)
        sync((root / MANIFEST).parent)


def _remove(root: Path, removals: Sequence[Step]) -> None:
    """Remove files, and the directories that are empty then."""
    for step in removals:
        target = root / step.path
        target.unlink(missing_ok=True)
        for folder in target.parents:
            if folder == root:
                break
            try:
                folder.rmdir()
            except OSError:
                break


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Ignore the signals that ask for an end: it comes in milliseconds, and half of the renames would be worse."""
    asked = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [(number, signal.signal(number, signal.SIG_IGN)) for number in asked]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
