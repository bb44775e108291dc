"""Which labs run: one small file for each, outside of them, so that other commands find the way in."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

from anycastle.lab.commands import LabError
from anycastle.records import dataclass

_PATIENCE = 10.0


@dataclass(frozen=True, slots=True)
class Running:
    """A lab: `outer` is the command that a person started, `inner` the first process inside, seen from outside.

    `born` is the start of `inner` in clock ticks since boot: a PID alone may by now belong to somebody else.
    """

    name: str
    directory: str
    outer: int
    inner: int
    born: str
    user: bool


def folder() -> Path:
    """The caller's own folder for these files; never one that somebody else could have prepared."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime and Path(runtime).is_dir() and os.access(runtime, os.W_OK):
        return Path(runtime, "anycastle-labs")
    return Path("/tmp", f"anycastle-labs-{os.geteuid()}")  # noqa: S108 - owner and mode are checked before use


@contextmanager
def registered(lab: Running) -> Iterator[None]:
    """Let other commands find the lab while the block runs. Raises `LabError` where the name is taken."""
    if any(other.name == lab.name for other in running()):
        raise LabError(f"A lab called {lab.name} runs already; give this one another name with --name.")
    where = folder()
    where.mkdir(mode=0o700, exist_ok=True)
    owner = where.lstat()
    if owner.st_uid != os.geteuid() or owner.st_mode & 0o077:
        raise LabError(f"{where} belongs to somebody else or is open to others; remove it.")
    file = where / f"{lab.name}.json"
    file.write_text(json.dumps(asdict(lab)))
    try:
        yield
    finally:
        _forget(file)


def _forget(file: Path) -> None:
    file.unlink(missing_ok=True)
    with suppress(OSError):
        file.parent.rmdir()


def running() -> tuple[Running, ...]:
    """Every lab of the caller; files of labs that were killed are removed."""
    found = []
    for file in sorted(folder().glob("*.json")):
        try:
            lab = Running(**json.loads(file.read_text()))
        except (OSError, ValueError, TypeError):
            continue
        if born(lab.inner) == lab.born:
            found.append(lab)
        else:
            _forget(file)
    return tuple(found)


def born(pid: int) -> str:
    """The start of a process in clock ticks since boot; empty where there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def chosen(name: str) -> Running:
    """The lab of that name, or the only one. Raises `LabError` where there is none, or no way to choose."""
    labs = running()
    matching = [lab for lab in labs if not name or lab.name == name]
    if len(matching) == 1:
        return matching[0]
    names = ", ".join(lab.name for lab in labs)
    if not labs:
        raise LabError("No lab is running; start one with: anycastle lab up DIR")
    raise LabError(f"Several labs are running; choose one with --name: {names}" if not name else f"Running: {names}")


def end(lab: Running) -> None:
    """Take a lab down and wait until nothing of it is left."""
    with suppress(ProcessLookupError):
        os.kill(lab.outer, signal.SIGTERM)
    deadline = time.monotonic() + _PATIENCE
    while born(lab.inner) == lab.born:
        if time.monotonic() > deadline:
            with suppress(ProcessLookupError):
                os.kill(lab.inner, signal.SIGKILL)
            deadline += _PATIENCE
        time.sleep(0.05)
    running()
