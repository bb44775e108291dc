"""`validate --watch`: judge once, and again after every change of a file, in the same process.

A second run costs a third of the first: the program is there, and so is every chart that was rendered. What is watched
is what is read, found in the same way: links, ignored folders and names of any kind need no care of their own, and a
folder that goes and comes back is still the same name. Hence a look at the files every now and then, which takes
milliseconds, and no service of the system (docs/decisions/0016).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from anycastle.reader.files import tree
from anycastle.reader.notes import Notes
from anycastle.terminal import INTERRUPTED

_LEAST, _SHARE, _MOST = 0.1, 10, 1.0
"""Seconds between two looks: at least so many, so many times what the last look took, never more than the third: one
look may be slow because something else was."""
_QUIET, _PATIENCE = 0.02, 20
"""Seconds without a change after which a burst counts as one (an editor writes, renames and sets rights), and how often
they are waited for."""
_NAMED = 3

Seen = Mapping[str, tuple[int, int, int] | None]
"""Time of change, length and inode of each file, by the name that a person would give it; None where there is none."""


def watched(
    directories: Sequence[Path],
    judge: Callable[[], int],
    say: Callable[[str], None],
    bursts: Iterable[Sequence[str]],
) -> int:
    """Judge once for each burst of changed files, until there are no more or Ctrl-C; the exit status of the last time.

    `judge` prints a report and returns its exit status. The first burst may be empty.
    """
    status = INTERRUPTED
    try:
        for burst in bursts:
            say(f"\n{heading(burst)}\n" if burst else "")
            status = judge()
            say(f"\nWatching {', '.join(map(str, directories))}; Ctrl-C ends it.\n")
    except KeyboardInterrupt:
        say("\n")
    return status


def heading(names: Sequence[str]) -> str:
    """Which files changed."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    shown = ("".join(letter if letter.isprintable() else "?" for letter in name) for name in names[:_NAMED])
    return f"--- {', '.join(shown)}{more}"


def changes(directories: Sequence[Path], look: Callable[[], Seen] | None = None) -> Iterator[Sequence[str]]:
    """The names of what changed, in bursts; the first is empty and comes at once, with everything seen before it."""
    look = look or (lambda: seen(directories))
    before, pause = _timed(look)
    yield ()
    while True:
        time.sleep(pause)
        now, pause = _timed(look)
        if now == before:
            continue
        for _ in range(_PATIENCE):
            time.sleep(_QUIET)
            earlier, now = now, look()
            if now == earlier:
                break
        if names := sorted(name for name in {*before, *now} if before.get(name) != now.get(name)):
            yield names
        before = now


def _timed(look: Callable[[], Seen]) -> tuple[Seen, float]:
    """What there is, and how long to wait before the next look."""
    began = time.monotonic()
    found = look()
    return found, min(_MOST, max(_LEAST, _SHARE * (time.monotonic() - began)))


def seen(directories: Sequence[Path]) -> Seen:
    """Every file that is read, as it is now."""
    found: dict[str, tuple[int, int, int] | None] = {}
    for directory in directories:
        files = tree(directory, Notes())
        for path in files.paths:
            found[path if len(directories) == 1 else f"{directory.as_posix()}/{path}"] = _state(files.root / path)
    return found


def _state(path: Path) -> tuple[int, int, int] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino
