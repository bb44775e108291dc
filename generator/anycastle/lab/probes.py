"""Clients: single requests, and a steady stream of them while something breaks. Every request is a new connection."""

from __future__ import annotations

import errno
import socket
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import field

from anycastle.lab.namespace import enter, inside
from anycastle.network.addresses import IPAddress
from anycastle.records import dataclass

TIMEOUT = 1.0
"""Seconds until a request counts as lost."""
RATE = 20
"""Requests in a second of a stream."""
_GIVE_UP = 5
"""Failures after which a series ends: what is broken must not take minutes to be found."""


@dataclass(frozen=True, slots=True)
class Target:
    """Something that answers: `name` for people."""

    name: str
    address: IPAddress
    port: int

    def __str__(self) -> str:
        written = f"[{self.address}]" if self.address.version == 6 else str(self.address)
        return f"{self.name} ({written}:{self.port})"


@dataclass(frozen=True, slots=True)
class Sample:
    """A request: when it began (monotonic seconds), who answered, or else what went wrong."""

    at: float
    answer: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """Requests one after the other: how often each node answered, and what went wrong."""

    answers: Mapping[str, int]
    errors: Mapping[str, int]

    @property
    def failed(self) -> int:
        """How many got no answer."""
        return sum(self.errors.values())


def request(target: Target, source: IPAddress | None = None) -> Sample:
    """One request from the namespace that this thread is in, from one of its addresses where that matters."""
    begun = time.monotonic()
    try:
        own = (str(source), 0) if source else None
        with socket.create_connection((str(target.address), target.port), TIMEOUT, own) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: lab\r\n\r\n")
            answer = _body(connection, begun + TIMEOUT)
    except OSError as error:
        return Sample(begun, "", _words(error))
    return Sample(begun, answer, "" if answer else "an empty answer")


def _body(connection: socket.socket, deadline: float) -> str:
    received = b""
    while chunk := connection.recv(4096):
        received += chunk
        if time.monotonic() > deadline:
            raise TimeoutError
    return received.partition(b"\r\n\r\n")[2].decode().strip()


def _words(error: OSError) -> str:
    if isinstance(error, TimeoutError) or error.errno is None:
        return "no answer within 1 s"
    return {
        errno.ECONNREFUSED: "connection refused",
        errno.ENETUNREACH: "no route",
        errno.EHOSTUNREACH: "host unreachable",
        errno.ECONNRESET: "connection reset",
    }.get(error.errno, error.strerror or str(error))


def series(machine: str, target: Target, count: int, source: IPAddress | None = None) -> Series:
    """`count` requests from a machine; ends after a few failures."""
    answers: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    with inside(machine):
        for _ in range(count):
            sample = request(target, source)
            (errors if sample.error else answers)[sample.error or sample.answer] += 1
            if sum(errors.values()) >= _GIVE_UP:
                break
    return Series(dict(answers), dict(errors))


@dataclass(slots=True)
class Stream:
    """A steady rate of requests from a machine to a target until it is stopped."""

    machine: str
    target: Target
    samples: list[Sample] = field(default_factory=list)
    _over: threading.Event = field(default_factory=threading.Event)
    _pacer: threading.Thread | None = None
    _asking: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        """Begin."""
        self._pacer = threading.Thread(target=self._pace, daemon=True)
        self._pacer.start()

    def stop(self) -> tuple[Sample, ...]:
        """End, wait for the last answers, and hand over every request in order."""
        self._over.set()
        if self._pacer is not None:
            self._pacer.join()
        for thread in self._asking:
            thread.join(TIMEOUT * 3)
        return tuple(sorted(self.samples, key=lambda sample: sample.at))

    def _pace(self) -> None:
        due = time.monotonic()
        while not self._over.is_set():
            thread = threading.Thread(target=self._one, daemon=True)
            thread.start()
            self._asking = [*(one for one in self._asking if one.is_alive()), thread]
            due += 1 / RATE
            self._over.wait(max(0.0, due - time.monotonic()))

    def _one(self) -> None:
        enter(self.machine)
        self.samples.append(request(self.target))
