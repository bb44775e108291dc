"""The writer: a new repository appears whole or not at all. It knows paths and bytes, not their meaning.

Everything is judged before the first byte is written: the paths, the target, the git program. The files and
their first commit are then made in a hidden directory beside the target, on the same file system, so that one
`rename` shows all of it. A process killed at any moment leaves the target absent (or empty, if it was) and
perhaps a hidden directory, which the next run for the same target removes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from anycastle.finding import Finding, Refused
from anycastle.repo import codes
from anycastle.repo.disk import sync
from anycastle.repo.paths import faults_of

if TYPE_CHECKING:
    from anycastle.repo.staging import Stage

SYNCS_AT_ONCE = 16

__all__ = ["create", "target_faults"]


def create(
    target: Path, files: Mapping[str, bytes], executable: Callable[[str], bool], *, history: bool = True
) -> None:
    """Make `target` a git repository that holds exactly `files`, with one commit on `main`.

    Without `history` it is a plain folder: a larger repository will hold it.

    `files` maps paths relative to the repository, with forward slashes, to their bytes; `executable` says which
    of them get the executable bit. `target` must not exist, or be an empty directory; directories above it are
    made. Raises `Refused` with every reason at once.
    """
    from anycastle.repo.commit import first_commit, require_git  # `validate` needs this room, too, but never writes
    from anycastle.repo.staging import staged, unmark

    _refuse_if([*faults_of(files), *target_faults(target)])
    if history:
        require_git()
    try:
        with staged(target) as stage:
            _write(stage.path, files, executable)
            if history:
                first_commit(stage)
            else:
                unmark(stage)
            _reach_disk(stage.path)
            _publish(stage, target)
    except OSError as error:
        raise Refused([codes.cannot_write(target, error)]) from error


def _refuse_if(findings: Iterable[Finding]) -> None:
    if found := tuple(findings):
        raise Refused(found)


def target_faults(target: Path) -> Iterable[Finding]:
    """Why no repository can be made there, as far as a look tells; `create` asks again."""
    try:
        if target.is_symlink():
            yield codes.target_taken(target, "is a symbolic link")
        elif target.is_dir():
            if any(target.iterdir()):
                yield codes.target_taken(target, "is a directory with something in it")
        elif target.exists():
            yield codes.target_taken(target, "is a file")
    except OSError as error:
        yield codes.cannot_write(target, error)


def _write(root: Path, files: Mapping[str, bytes], executable: Callable[[str], bool]) -> None:
    for folder in sorted({PurePosixPath(path).parent for path in files}):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for path in sorted(files):
        mode = 0o777 if executable(path) else 0o666
        descriptor = os.open(root / path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(files[path])


def _reach_disk(root: Path) -> None:
    """Wait for the contents: after a power failure a rename may be there before what it names.

    Waiting for many files at once lets the file system commit them together.
    """
    from concurrent.futures import ThreadPoolExecutor

    paths = (Path(folder, name) for folder, _folders, names in os.walk(root) for name in (*names, "."))
    with ThreadPoolExecutor(SYNCS_AT_ONCE) as threads:
        for _ in threads.map(sync, paths):
            pass


def _publish(stage: Stage, target: Path) -> None:
    try:
        stage.path.rename(target)
    except OSError as error:
        # Somebody else may have filled the target since it was judged.
        _refuse_if(target_faults(target))
        raise OSError(error.errno, error.strerror, str(target)) from error
    sync(stage.path.parent)
