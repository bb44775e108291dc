"""What every command shares: exit status, arguments that are paths, and the standard streams."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

CLEAN, FINDINGS, MISUSE, INTERRUPTED = 0, 1, 2, 130

DIRECTORY = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
NEW_FILE = click.Path(dir_okay=False, path_type=Path)


def echo(text: str) -> None:
    """Write to standard output, at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def warn(text: str) -> None:
    """Write to standard error."""
    sys.stderr.write(text)


def colour() -> bool:
    """Whether standard output is a terminal that shows colour to somebody who wants it."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def cache_folder() -> Path:
    """Where this user's cache is."""
    from anycastle import cache

    return cache.folder(os.environ, sys.platform)
