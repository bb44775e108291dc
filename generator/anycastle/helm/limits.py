"""What the process that renders foreign charts may use. Linux holds all of it, macOS most."""

from __future__ import annotations

import contextlib
import os
import resource
import threading
import time

MEMORY = 900 * 1024 * 1024
"""Bytes of data, so that the whole process stays below 1 GiB; not of addresses: Go reserves far more than it uses, 1.8
GiB for an empty chart."""
TEXTS = 16 * 1024 * 1024
"""Characters of everything that one chart renders."""
SECONDS = 8
"""For one chart, by the clock; the largest in wide use takes one."""
EXIT_MEMORY = 77
"""Exit status of a process that outgrew its memory and saw it itself."""

_BETWEEN_LOOKS = 0.05  # seconds


def enforce() -> None:
    """Limit this process for the rest of its life, and end it when its parent is gone."""
    for limit, most in ((resource.RLIMIT_DATA, MEMORY), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(limit, (most, most))
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


def _watch(parent: int) -> None:
    """Where RLIMIT_DATA means nothing, this does; a render that never ends must not outlive who asked for it."""
    unit = 1 if os.uname().sysname == "Darwin" else 1024
    while os.getppid() == parent:
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit > MEMORY:
            os._exit(EXIT_MEMORY)
        time.sleep(_BETWEEN_LOOKS)
    os._exit(0)
