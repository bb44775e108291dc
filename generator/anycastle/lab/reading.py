"""What each router has put into its table by BGP: from its kernel, or from FRR where next hops are several hops away.

A kernel holds only the first hop of a recursive route, the same one for all nodes behind it. So it is, too, where a
route reflector names other nodes, whose addresses are on no link.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from ipaddress import ip_address, ip_network
from typing import Any, Protocol

from anycastle.lab.daemons import Frr
from anycastle.lab.expected import Table
from anycastle.lab.kernel import RouteSocket
from anycastle.lab.running import Lab

_EVERY = 0.05
"""Seconds between two questions to FRR."""


class Reader(Protocol):
    """Something that can be asked for a router's table again and again."""

    def routes(self) -> Table:
        """Prefix -> next hops."""

    def close(self) -> None:
        """Give back what it holds."""


class Readers:
    """One for each router of a lab; for one thread."""

    def __init__(self, lab: Lab) -> None:
        far = {*lab.wiring.remote, *(wire.router for wire in lab.wiring.wires if lab.network.inside)}
        self._readers: dict[str, Reader] = {
            name: FrrTable(daemon) if name in far else RouteSocket(name) for name, daemon in lab.routers.items()
        }

    def tables(self) -> dict[str, Table]:
        """Router -> its table just now."""
        return {name: dict(reader.routes()) for name, reader in self._readers.items()}

    def close(self) -> None:
        """Give everything back."""
        for reader in self._readers.values():
            reader.close()


class FrrTable:
    """The table as zebra has it, with the next hops that BGP named."""

    def __init__(self, daemon: Frr) -> None:
        self._daemon = daemon
        self._known: Table = {}
        self._asked = float("-inf")

    def routes(self) -> Table:
        """Prefix -> next hops; not asked for more than twenty times a second."""
        if time.monotonic() - self._asked >= _EVERY:
            self._known = dict(self._read())
            self._asked = time.monotonic()
        return self._known

    def close(self) -> None:
        """There is nothing to give back."""

    def _read(self) -> Iterator[tuple[Any, frozenset[Any]]]:
        for family in ("ip", "ipv6"):
            for prefix, routes in self._daemon.show(f"{family} route bgp").items():
                for route in routes:
                    if route.get("selected"):
                        yield ip_network(prefix), frozenset(_hops(route))


def _hops(route: Mapping[str, Any]) -> Iterator[Any]:
    for hop in route.get("nexthops", ()):
        if "ip" in hop and hop.get("active") and not hop.get("resolver"):
            yield ip_address(hop["ip"])
