"""What every command shares: exit status, arguments that are paths, and the standard streams."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import sys
from pathlib import Path

import click

CLEAN, FINDINGS, MISUSE, INTERRUPTED = 0, 1, 2, 130

DIRECTORY = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
NEW_FILE = click.Path(dir_okay=False, path_type=Path)


def collect_rarely() -> None:
    """Look for cycles of garbage less often: a command builds trees, and the search takes a third of its time."""
    gc.set_threshold(50_000, 20, 50)


class ReaderLeft(Exception):
    """Raised where whoever reads standard output, such as `head`, has seen enough.

    No BrokenPipeError: click would take that for its own, and end the program with 1.
    """


class Unwritable(Exception):
    """Raised where standard output takes nothing: the disk behind it is full, or it was closed. Says why."""


def echo(text: str) -> None:
    """Write to standard output, at once. Raises `Unwritable` and `ReaderLeft`."""
    if sys.stdout is None:
        raise Unwritable("it is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError as error:
        raise ReaderLeft from error
    except OSError as error:
        raise Unwritable(error.strerror or str(error)) from error


def warn(text: str) -> None:
    """Write to standard error; where nobody can be told, the exit status has to do."""
    with contextlib.suppress(OSError, AttributeError):
        sys.stderr.write(text)
        sys.stderr.flush()


def colour() -> bool:
    """Whether standard output is a terminal that shows colour to somebody who wants it."""
    return (
        sys.stdout is not None
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )


def terminal_width() -> int:
    """Columns of standard output; 80 where it is no terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return 80
    return min(max(shutil.get_terminal_size().columns, 40), 1000)


def cache_folder() -> Path:
    """Where this user's cache is."""
    from anycastle import cache

    return cache.folder(os.environ, sys.platform)
