"""What the rest of the owner's network does: it sends each address to the routers that hold a route to it.

The files of a repository end at the routers' side towards the nodes. How routers tell each other, and everybody behind
them, is not theirs to say; here a thread does it within a moment. A router that has lost its cables is left out at
once, as a routing protocol with a link that is down does it. The static routes of routers to nodes behind links of two
addresses are told as well: each router has those over its own links only.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import field

from anycastle.lab import build
from anycastle.lab.commands import LabError
from anycastle.lab.expected import Table
from anycastle.lab.kernel import STATIC, RouteSocket
from anycastle.lab.reading import Readers
from anycastle.lab.running import Lab
from anycastle.lab.wiring import CLIENT, Route, Wiring
from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.records import dataclass

_POLL = 0.03


@dataclass(slots=True)
class Backbone:
    """Runs in a thread of its own; needed only where there is more than one way."""

    lab: Lab
    lost: set[str] = field(default_factory=set)
    complaints: list[str] = field(default_factory=list)
    _told: dict[str, dict[IPNetwork, frozenset[IPAddress]]] = field(default_factory=dict)
    _over: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    @staticmethod
    def needed(wiring: Wiring) -> bool:
        """Whether anybody has to be told."""
        return len(wiring.outside.leading) > 1

    def start(self) -> None:
        """Begin."""
        self._thread = threading.Thread(target=self._follow, name="backbone", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _follow(self) -> None:
        readers = Readers(self.lab)
        ways = {wire.router: RouteSocket(wire.router) for wire in self.lab.wiring.wires}
        seen: Mapping[str, Table] | None = None
        while not self._over.wait(_POLL):
            held = {name: {} if name in self.lost else table for name, table in readers.tables().items()}
            for name in ways.keys() - self.lost:
                held[name] = {**held[name], **self._to_nodes(ways[name])}
            if held != seen:
                for machine in (CLIENT, *self.lab.wiring.outside.leading):
                    self._tell(machine, dict(routes(self.lab.wiring, held, machine)))
                seen = held
        readers.close()
        for reader in ways.values():
            reader.close()

    def _to_nodes(self, reader: RouteSocket) -> Table:
        """The static routes of a router to addresses on a node's lo."""
        wanted = self.lab.wiring.on_lo
        return {prefix: hops for prefix, hops in reader.routes(STATIC).items() if prefix in wanted}

    def _tell(self, machine: str, wanted: dict[IPNetwork, frozenset[IPAddress]]) -> None:
        told = self._told.get(machine, {})
        changed: list[Route] = [(p, tuple(sorted(h, key=int))) for p, h in wanted.items() if told.get(p) != h]
        try:
            build.replace_routes(machine, changed, told.keys() - wanted.keys())
        except LabError as error:  # a machine without cables cannot be told; next time it can
            self.complaints.extend([] if machine in self.lost else [str(error)])
            return
        self._told[machine] = wanted


def routes(wiring: Wiring, held: Mapping[str, Table], machine: str) -> Iterator[tuple[IPNetwork, frozenset[IPAddress]]]:
    """What one machine is told; pure. Routers hear only of what they do not hold themselves.

    A gateway that speaks no BGP sends on to the nodes on its own link, by what remote routers know of them.
    """
    own = held.get(machine, {})
    links = wiring.gateways.get(machine, ())
    for prefix in sorted({prefix for table in held.values() for prefix in table}, key=str):
        nodes = {
            hop
            for name in wiring.remote
            for hop in held.get(name, {}).get(prefix, ())
            if any(hop.version == link.version and hop in link for link in links)
        }
        holders = frozenset(
            wiring.outside.hop(name, prefix.version)
            for name, table in held.items()
            if prefix in table and name != machine
        )
        if prefix not in own and (nodes or holders):
            yield prefix, frozenset(nodes) or holders
