"""Many repositories judged at the same time, by as many processes as there are processors."""

from __future__ import annotations

import contextlib
import os
import sys
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from anycastle import compose

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from subprocess import Popen

    from anycastle.report import Report

WORTH = 6
"""Repositories for each process: with fewer, what starting it costs is not won back."""
MOST = 16
"""Processes; each wants a tenth of a gigabyte."""

_START = "import sys; sys.path[:] = sys.argv[2:]; from anycastle.abreast import serve; serve(int(sys.argv[1]))"
"""Each begins anew: a copy of this process would lack the threads of Helm that it believes in. It imports the package
from where this process does, but not the program that called us: multiprocessing would run that once more."""


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
    with contextlib.closing(_by_processes(directories, store, count if count > 1 else 0)) as found:
        for directory, report in zip(directories, found, strict=True):
            yield report or compose.validate_tree(directory, store)


def _by_processes(directories: Sequence[Path], store: Path | None, count: int) -> Generator[Report | None]:
    """The report of each directory, or None for one that none of `count` processes had an answer to."""
    waiting = deque(enumerate(directories))
    answers: dict[int, Report | None] = {}
    crew = _started(count)
    try:
        for number in range(len(directories)):
            while number not in answers and crew:
                crew = [worker for worker in crew if worker.asked is not None or worker.ask(waiting, store)]
                for worker in _ready(crew):
                    answers |= worker.answer()
            yield answers.pop(number, None)
    finally:
        for worker in crew:
            worker.dismiss()
        for worker in crew:
            worker.process.wait()


class _Worker:
    """A process, our end of its pipe, and the number of the directory that it was asked for."""

    def __init__(self, process: Popen[bytes], pipe: Connection) -> None:
        self.process, self.pipe = process, pipe
        self.asked: int | None = None

    def ask(self, waiting: deque[tuple[int, Path]], store: Path | None) -> bool:
        """Ask for the next directory; False, and an end of it, where nothing is left or the process is gone."""
        try:
            if waiting:
                self.pipe.send((waiting[0][1], store))
                self.asked, _directory = waiting.popleft()
        except OSError:
            pass
        if self.asked is None:
            self.dismiss()
            self.process.wait()
        return self.asked is not None

    def answer(self) -> dict[int, Report | None]:
        """What it said of what it was asked for: a report, or None where judging failed or the process ended."""
        asked, self.asked = self.asked, None
        assert asked is not None
        try:
            return {asked: self.pipe.recv()}
        except (EOFError, OSError):
            return {asked: None}

    def dismiss(self) -> None:
        """Let it go: without work it leaves by itself, at work it is ended."""
        self.pipe.close()
        if self.asked is not None:
            self.process.kill()


def _started(count: int) -> list[_Worker]:
    """As many processes as the system grants."""
    crew: list[_Worker] = []
    with contextlib.suppress(OSError):
        for _ in range(count):
            crew.append(_start())
    return crew


def _start() -> _Worker:
    # Only here: neither is quick to load, and most runs judge one repository.
    from multiprocessing.connection import Pipe
    from subprocess import DEVNULL, Popen

    ours, theirs = Pipe()
    number = theirs.fileno()
    command = [sys.executable, "-c", _START, str(number), *(path or os.curdir for path in sys.path)]
    try:
        process = Popen(command, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, pass_fds=[number])  # noqa: S603
    except OSError:
        ours.close()
        raise
    finally:
        theirs.close()
    return _Worker(process, ours)


def _ready(crew: Sequence[_Worker]) -> list[_Worker]:
    """Those with an answer, or gone; waits for the first. None of nobody."""
    from multiprocessing.connection import wait

    heard = wait([worker.pipe for worker in crew]) if crew else []
    return [worker for worker in crew if worker.pipe in heard]


def serve(descriptor: int) -> None:
    """What a process does: judge what it is asked for, until there is nothing more.

    Where judging fails it says so and no more; the parent tries it itself, and fails where somebody can be told.
    Ctrl-C is for the parent, which takes back what is waiting.
    """
    import signal
    from multiprocessing.connection import Connection

    from anycastle.terminal import collect_rarely

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()
    pipe = Connection(descriptor)
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send(_judged(*pipe.recv()))


def _judged(directory: Path, store: Path | None) -> Report | None:
    try:
        return compose.validate_tree(directory, store)
    except Exception:
        return None
