"""Charts that are rendered in a thread of their own while the rest of the program goes on.

Helm leaves Python's lock alone while it works, and starting it takes as long as rendering ten charts. One thread is
enough: Go's own threads use the other processors. What the cache knows starts no thread.
"""

from __future__ import annotations

from collections import deque
from threading import Event, Thread

from anycastle.helm import Rendered
from anycastle.rendercache import Task


class Ahead:
    """Tasks in the order in which they were asked; none is begun before `start`."""

    def __init__(self) -> None:
        self._waiting: deque[Pending] = deque()

    def ask(self, task: Task) -> Pending:
        """A result to come; it is there already where it was remembered."""
        pending = Pending(task, task.known())
        if pending.result is None:
            self._waiting.append(pending)
        return pending

    def start(self) -> bool:
        """Begin with what was asked; False where there is nothing to do."""
        if self._waiting:
            for pending in self._waiting:
                pending.promised = True
            Thread(target=self._work, name="helm", daemon=True).start()
        return bool(self._waiting)

    def _work(self) -> None:
        while self._waiting:
            self._waiting.popleft().work()


class Pending:
    """A result that may still be in the making."""

    def __init__(self, task: Task, result: Rendered | None) -> None:
        self.task, self.result = task, result
        self.promised = False
        self._error: BaseException | None = None
        self._done = Event()

    def work(self) -> None:
        """Make it, unless it is made; whatever goes wrong belongs to who waits."""
        if self._done.is_set():
            return
        try:
            self.result = self.task.made()
        except BaseException as error:
            self._error = error
        self._done.set()

    def wait(self) -> Rendered:
        """The result, made here where no thread has it to do. Raises what making it raised."""
        if self.result is None and not self.promised:
            self.work()
        if self.result is None:
            self._done.wait()
        if self._error is not None:
            raise self._error
        assert self.result is not None
        return self.result
