"""One failure, measured: requests at a steady rate, every change of a router's table, and the way back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

from anycastle.lab.expected import Table, tables
from anycastle.lab.probes import Sample, Stream, Target
from anycastle.lab.reading import Readers
from anycastle.lab.result import Event, Outcome, Stretch, Verdict
from anycastle.lab.running import Lab
from anycastle.lab.settling import route_faults
from anycastle.lab.victims import Promise
from anycastle.lab.wiring import CLIENT
from anycastle.network.addresses import IPAddress
from anycastle.records import dataclass

LEAD_IN = 0.5
"""Seconds of quiet before the fault."""
AFTER = 0.8
"""Seconds that are still watched when the tables are right."""
BACK = 30.0
"""Seconds in which everything must be as before once the fault is mended."""
SLACK = 0.2
"""Seconds: a request that began this shortly after the tables were right may still have met the old ones."""
_OVERTIME = 4.0
_POLL = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """A failure: what is done, what must follow, by when, and how it is mended.

    `promise` is by when the tables equal `wanted`; `steady` seconds are watched at least, for failures that
    must change nothing. `spared` are targets of which not one request may be lost; of the others requests may be lost
    until `slack` seconds after the tables are right. `also` is looked at while it is broken, once the tables are right,
    and gives faults.
    """

    name: str
    what: str
    inject: Callable[[], None]
    mend: Callable[[], None]
    wanted: Mapping[str, Table]
    promise: Promise
    because: str
    targets: Sequence[Target]
    steady: float = 0.0
    spared: bool = False
    slack: float = SLACK
    also: Callable[[], Iterable[str]] = tuple


@dataclass(slots=True)
class TableWatch:
    """Looks at every router's table all the time and keeps each change with its moment."""

    lab: Lab
    changes: list[tuple[float, dict[str, Table]]] = field(default_factory=list)
    _over: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin; the first entry is the table as it is."""
        readers = Readers(self.lab)
        self._look(readers)
        self._thread = threading.Thread(target=self._watch, args=(readers,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    @property
    def now(self) -> Mapping[str, Table]:
        """The latest tables."""
        return self.changes[-1][1]

    def right_since(self, wanted: Mapping[str, Table], after: float) -> float | None:
        """The moment from which on the tables are as wanted without a break; None where they are not."""
        since = None
        for at, seen in self.changes:
            right = seen == wanted
            since = (max(at, after) if since is None else since) if right else None
        return since

    def _watch(self, readers: Readers) -> None:
        while not self._over.wait(_POLL):
            self._look(readers)
        readers.close()

    def _look(self, readers: Readers) -> None:
        seen = readers.tables()
        if not self.changes or self.changes[-1][1] != seen:
            self.changes.append((time.monotonic(), seen))


def rehearse(lab: Lab, rehearsal: Rehearsal) -> Outcome:
    """Break, watch, mend, and judge."""
    watch = TableWatch(lab)
    streams = [Stream(CLIENT, target) for target in rehearsal.targets]
    watch.start()
    for stream in streams:
        stream.start()
    time.sleep(LEAD_IN)
    zero = time.monotonic()
    rehearsal.inject()
    right = _await(
        watch, rehearsal.wanted, zero, (rehearsal.steady, max(rehearsal.steady, rehearsal.promise.seconds) + _OVERTIME)
    )
    time.sleep(AFTER)
    stretches = tuple(_stretch(stream, zero) for stream in streams)
    others = () if right is None else tuple(rehearsal.also())
    broken = watch.now
    rehearsal.mend()
    mended = time.monotonic()
    full = _await(watch, tables(lab.network, lab.plan.placement), mended, (0.0, BACK))
    watch.stop()
    took = None if right is None else right - zero
    faults = [
        *_judge(rehearsal, took, stretches, broken),
        *others,
        *(["not everything came back"] if full is None else []),
    ]
    return Outcome(
        name=rehearsal.name,
        verdict=Verdict.FAILED if faults else Verdict.PASSED,
        what=rehearsal.what,
        text="; ".join(faults) or rehearsal.because,
        promise=rehearsal.promise.seconds,
        basis=rehearsal.promise.basis,
        took=took,
        back=None if full is None else full - mended,
        stretches=stretches,
        events=tuple(_events(watch, zero, mended)),
    )


def _await(watch: TableWatch, wanted: Mapping[str, Table], after: float, bounds: tuple[float, float]) -> float | None:
    """Wait until the tables have been right for a moment, at least and at most so many seconds."""
    least, most = bounds
    while True:
        now = time.monotonic()
        right = watch.right_since(wanted, after)
        settled = right is not None and now - right > 5 * _POLL
        if (settled and now - after >= least) or now - after > most:
            return right
        time.sleep(_POLL)


def _stretch(stream: Stream, zero: float) -> Stretch:
    samples = stream.stop()
    return Stretch(str(stream.target), tuple(Sample(one.at - zero, one.answer, one.error) for one in samples))


def _judge(
    rehearsal: Rehearsal, took: float | None, stretches: Iterable[Stretch], seen: Mapping[str, Table]
) -> Iterable[str]:
    if took is None:
        yield "; ".join(list(route_faults(rehearsal.wanted, seen))[:3]) or "the tables never settled"
    elif took > rehearsal.promise.seconds:
        yield f"right after {took:.1f} s, promised within {rehearsal.promise.seconds:g} s ({rehearsal.promise.basis})"
    for stretch in stretches:
        limit = 0.0 if rehearsal.spared or took is None else took + rehearsal.slack
        late = [one for one in stretch.lost if one.at > limit or rehearsal.spared]
        if late and took is not None:
            when = "though the failure should not touch it" if rehearsal.spared else "after the tables were right"
            yield f"{stretch.target}: {len(late)} requests lost {when} ({late[-1].error})"


def _events(watch: TableWatch, zero: float, mended: float) -> Iterable[Event]:
    previous: dict[str, Table] | None = None
    for at, seen in watch.changes:
        if previous is not None:
            yield from (Event(at - zero, words) for words in _changes(previous, seen))
        previous = seen
    yield Event(0.0, "the failure")
    yield Event(mended - zero, "mended")


def _changes(before: Mapping[str, Table], after: Mapping[str, Table]) -> Iterable[str]:
    nobody: frozenset[IPAddress] = frozenset()
    for router in after:
        for prefix in sorted(before[router].keys() | after[router].keys(), key=str):
            old, new = before[router].get(prefix, nobody), after[router].get(prefix, nobody)
            if old != new:
                yield f"{router}: {prefix} {len(old)} -> {len(new)} next hops"
