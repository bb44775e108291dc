"""`validate --watch`: judge once, and again after every change of a file, in the same process.

A second run costs a third of the first: the program is there, and so is every chart that was rendered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from anycastle.reader.files import skipped
from anycastle.terminal import INTERRUPTED

_QUIET, _PATIENCE = 50, 400
"""Milliseconds without a change after which a burst counts as one (an editor writes, renames and sets rights), and the
longest that it is waited for."""
_TURN = 100
"""Milliseconds after which the watch says that nothing happened: the first time, that it has begun."""
_NAMED = 3


class Unwatchable(Exception):
    """The system does not tell of changes; says why."""


def watched(
    directories: Sequence[Path],
    judge: Callable[[], int],
    say: Callable[[str], None],
    bursts: Iterable[frozenset[Path]],
) -> int:
    """Judge once for each burst of changed files, until there are no more or Ctrl-C; the exit status of the last time.

    `judge` prints a report and returns its exit status. The first burst may be empty.
    """
    status = INTERRUPTED
    try:
        for burst in bursts:
            say(f"\n{heading(burst, directories)}\n" if burst else "")
            status = judge()
            say(f"\nWatching {', '.join(map(str, directories))}; Ctrl-C ends it.\n")
    except KeyboardInterrupt:
        say("\n")
    return status


def heading(burst: Iterable[Path], directories: Sequence[Path]) -> str:
    """Which files changed, as a person would name them."""
    names = sorted(_within(path, directories) for path in burst)
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"--- {', '.join(names[:_NAMED])}{more}"


def changes(directories: Sequence[Path]) -> Iterator[frozenset[Path]]:
    """Bursts of changes, as the system tells them; the first comes when the watch has begun, and may be empty.

    Changes of what is no part of a repository are not told. Raises `Unwatchable`.
    """
    from watchfiles import Change, DefaultFilter, watch

    roots = [directory.resolve() for directory in directories]
    by_editors = DefaultFilter(ignore_dirs=())

    def counts(change: Change, path: str) -> bool:
        return by_editors(change, path) and not _outside(Path(path), roots)

    begun = False
    bursts = watch(
        *roots, watch_filter=counts, debounce=_PATIENCE, step=_QUIET, rust_timeout=_TURN, yield_on_timeout=True
    )
    while True:
        try:
            burst = next(bursts)
        except OSError as error:  # such as the system's limit of watches
            raise Unwatchable(str(error)) from error
        if burst or not begun:
            begun = True
            yield frozenset(Path(path) for _change, path in burst)


def _outside(path: Path, roots: Iterable[Path]) -> bool:
    """Whether no repository has a file: it lies in `.git`, or in a folder of that kind."""
    return all(any(map(skipped, path.relative_to(root).parts[:-1])) for root in roots if path.is_relative_to(root))


def _within(path: Path, directories: Sequence[Path]) -> str:
    for directory in directories:
        root = directory.resolve()
        if path.is_relative_to(root):
            name = path.relative_to(root).as_posix()
            return name if len(directories) == 1 else f"{directory.as_posix()}/{name}"
    return path.as_posix()
