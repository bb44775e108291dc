"""Many repositories judged at the same time, by as many processes as there are processors."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from anycastle import compose

if TYPE_CHECKING:
    from anycastle.report import Report

WORTH = 6
"""Repositories for each process: with fewer, what starting it costs is not won back."""
MOST = 16
"""Processes; each wants a tenth of a gigabyte."""


def workers(repositories: int, asked: int | None) -> int:
    """How many processes judge that many repositories. `asked` is what the user wants, None to leave it to us."""
    if asked is not None:
        return max(1, min(asked, repositories))
    return max(1, min(_processors(), repositories // WORTH, MOST))


def _processors() -> int:
    """Those that this process may use; not every system tells."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def reports(directories: Sequence[Path], store: Path | None, asked: int | None = None) -> Iterator[Report]:
    """What can be said of each repository, in their order. `store` is the cache, or None for no cache.

    Where the system ends a process or cannot start one, what is missing is judged in this one.
    """
    count = workers(len(directories), asked)
    done = 0
    if count > 1:
        for report in _by_processes(directories, store, count):
            done += 1
            yield report
    for directory in directories[done:]:
        yield compose.validate_tree(directory, store)


def _by_processes(directories: Sequence[Path], store: Path | None, count: int) -> Iterator[Report]:
    """As many reports as the processes manage, from the first on."""
    # Only here: neither is quick to load, and most runs judge one repository.
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    # A copy of this process would lack the threads of Helm that it believes in, so each begins anew.
    pool = ProcessPoolExecutor(count, get_context("spawn"), _begin)
    try:
        waiting = [pool.submit(compose.validate_tree, directory, store) for directory in directories]
        for one in waiting:
            yield one.result()
    except (BrokenProcessPool, OSError):
        return
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _begin() -> None:
    """Ctrl-C is for the parent, which takes back what is waiting."""
    import signal

    from anycastle.terminal import collect_rarely

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()
