"""The plan on a terminal: who owns which address, who talks to whom, who announces what, in which order.

A site of a few nodes is shown line by line; a large one by groups, since nobody reads 5,000 lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from anycastle.network.model import Announcement, Condition, End, Network, OwnerKind, Session
from anycastle.network.questions import owners, sessions

MANY = 24
"""Rows of one sort from which on they are shown as a group."""

_WHEN = {
    Condition.ALWAYS: "always",
    Condition.API_HEALTHY: "while the API server on that node is healthy",
    Condition.ENDPOINT: "while a Service has an endpoint (Local: on that node)",
}


def plan_text(network: Network) -> str:
    """The plan in four parts, each line shorter than its meaning deserves."""
    parts = (
        ("Addresses", _addresses(network)),
        ("BGP sessions", _sessions(network)),
        ("Announcements", _announcements(network)),
        ("Order of installation", _waves(network)),
    )
    return "\n".join(f"{title}\n" + "".join(f"  {line}\n" for line in lines) for title, lines in parts if lines)


def _aligned(rows: Iterable[Sequence[str]]) -> list[str]:
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]


def _addresses(network: Network) -> list[str]:
    by_kind: dict[OwnerKind, list[tuple[str, str]]] = defaultdict(list)
    ordered = sorted(owners(network), key=lambda o: (o.prefix.version, o.prefix.network_address, o.prefix.prefixlen))
    for owner in ordered:
        prefix = owner.prefix
        shown = str(prefix.network_address) if prefix.prefixlen == prefix.max_prefixlen else str(prefix)
        by_kind[owner.kind].append((shown, str(owner)))
    return _aligned(row for kind in OwnerKind if kind in by_kind for row in _few(by_kind[kind], str(kind)))


def _few(rows: list[tuple[str, str]], kind: str) -> list[tuple[str, str]]:
    if len(rows) <= MANY:
        return rows
    first, last = rows[0], rows[-1]
    return [first, ("...", f"{len(rows) - 2} more of kind {kind}"), last]


def _sessions(network: Network) -> list[str]:
    """The ends on nodes under the router's end that they share, so that a line fits a terminal."""
    found = sorted(sessions(network), key=lambda session: (session.router.host, session.node.software, _order(session)))
    by_router: dict[tuple[str, ...], list[Session]] = defaultdict(list)
    for session in found:
        by_router[_end(session.router)].append(session)
    lines: list[str] = []
    for router, members in by_router.items():
        rows = _session_groups(members) if len(found) > MANY else ((*_end(s.node), _timers(s)) for s in members)
        lines += ["  ".join(router) + "  <->", *(f"  {row}" for row in _aligned(rows))]
    return lines


def _order(session: Session) -> tuple[int, int]:
    return session.node.address.version, int(session.node.address)


def _session_groups(found: Iterable[Session]) -> Iterator[tuple[str, ...]]:
    groups: dict[tuple[str, ...], list[Session]] = defaultdict(list)
    for session in found:
        groups[session.node.software, f"AS {session.node.asn}", _timers(session)].append(session)
    for key, members in groups.items():
        yield (f"{len(members)} nodes", _span([session.node.host for session in members]), *key)


def _end(end: End) -> tuple[str, ...]:
    return end.host, end.software, str(end.address), f"AS {end.asn}"


def _timers(session: Session) -> str:
    """The hold time in force: the lower of both; a side that says nothing does not lower it."""
    said = [end.hold for end in (session.node, session.router) if end.hold]
    return f"hold {min(said)} s" if said else ""


def _announcements(network: Network) -> list[str]:
    return [
        line
        for item in network.announcements
        for line in (f"{_prefixes(item)}  {item.software} on {_span(item.hosts)}", f"  {_WHEN[item.when]}")
    ]


def _prefixes(item: Announcement) -> str:
    if item.shortest == item.longest == item.prefix.prefixlen:
        return str(item.prefix)
    if item.shortest == item.longest:
        return f"/{item.longest} inside {item.prefix}"
    return f"/{item.shortest} to /{item.longest} inside {item.prefix}"


def _span(names: Sequence[str]) -> str:
    if len(names) <= 3:
        return ", ".join(names) or "no node"
    return f"{names[0]} ... {names[-1]} ({len(names)})"


def _waves(network: Network) -> list[str]:
    waves: dict[int, list[str]] = defaultdict(list)
    for app in network.apps:
        waves[app.wave].append(app.name)
    return _aligned((str(wave), ", ".join(names)) for wave, names in sorted(waves.items()))
