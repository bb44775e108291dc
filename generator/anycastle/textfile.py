"""Bytes of a file that somebody else put there: regular files only, and no more of them than asked for.

A FIFO would keep a reader waiting for ever, a device such as /dev/zero has no end, and a link may lead to either.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


class NotRegularError(OSError):
    """Raised for a FIFO, a socket, a device or a directory where a file was expected."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(errno.EINVAL, "neither a regular file nor a link to one", str(path))


class TooLargeError(OSError):
    """Raised where a file holds more bytes than its reader takes."""

    def __init__(self, path: Path | str, limit: int) -> None:
        super().__init__(errno.EFBIG, f"larger than {limit >> 20} MiB" if limit >> 20 else f"over {limit} B", str(path))


def read(path: Path | str, limit: int) -> bytes:
    """The bytes of a regular file, following links. Raises `OSError`, which has a `strerror` for people."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NotRegularError(path)
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(limit + 1)
    finally:
        os.close(descriptor)
    if len(data) > limit:
        raise TooLargeError(path, limit)
    return data
