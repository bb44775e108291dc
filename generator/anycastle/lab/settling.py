"""Waiting until the network is as planned, and saying in a router's words why it is not."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from typing import Any

from anycastle.lab.bird import inner_name, mesh_addresses
from anycastle.lab.expected import Table, peers, tables
from anycastle.lab.reading import Readers
from anycastle.lab.running import Lab
from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import End, Router
from anycastle.records import dataclass

FIRST_DIAL = 14.0
"""Seconds after which a session that can come has come: kube-vip's speaker dials for the first time after 5 to 10."""
STILL = 4.0
"""Seconds without any change after which nothing more is expected."""
LONGEST = 60.0


@dataclass(frozen=True, slots=True)
class Settled:
    """How it ended. Seconds after the start of the speakers, None where it never came."""

    sessions: float | None
    routes: float | None
    wrong_sessions: tuple[str, ...]
    wrong_routes: tuple[str, ...]


def settle(lab: Lab) -> Settled:
    """Wait for every session and every route of the plan; ends early where nothing moves any more."""
    wanted = tables(lab.network, lab.plan.placement)
    readers = Readers(lab)
    sessions = routes = None
    last, changed = "", time.monotonic()
    while True:
        missing = () if sessions is not None else tuple(session_faults(lab, reasons=False))
        wrong = tuple(route_faults(wanted, readers.tables()))
        now = time.monotonic()
        sessions = now - lab.started if not missing and sessions is None else sessions
        routes = (routes or now - lab.started) if not wrong else None
        seen = f"{missing}{wrong}"
        last, changed = (last, changed) if seen == last else (seen, now)
        if seen == "()()" or now - lab.started > LONGEST or _hopeless(now - lab.started, now - changed):
            break
        time.sleep(0.2)
    readers.close()
    return Settled(sessions, routes, tuple(session_faults(lab)) if missing else (), wrong)


def _hopeless(since_start: float, since_change: float) -> bool:
    return since_start > FIRST_DIAL and since_change > STILL


def session_faults(lab: Lab, *, reasons: bool = True) -> Iterator[str]:
    """Sessions that do not stand, and such that nobody planned; with the reasons, for which each is asked about."""
    for router in lab.network.routers:
        standing = _standing(lab, router)
        planned = peers(lab.network, router)
        for address, ends in planned.items():
            if len(ends) != 1 or address not in standing:
                yield from (
                    [str(address)] if not reasons else _fault(lab, router, address, (ends, standing.get(address)))
                )
        for address in standing.keys() - planned.keys():
            yield f"{router.name}: a session with {address}, which nobody planned"
    yield from _mesh_faults(lab)
    yield from _inner_faults(lab)


def _standing(lab: Lab, router: Router) -> Mapping[IPAddress, Mapping[str, Any]]:
    """Neighbour address -> what bgpd says, of established sessions."""
    said = lab.routers[router.name].show("bgp summary")
    return {
        ip_address(name): row
        for family in said.values()
        for name, row in family.get("peers", {}).items()
        if row.get("state") == "Established"
    }


def _fault(
    lab: Lab, router: Router, address: IPAddress, state: tuple[tuple[End, ...], Mapping[str, Any] | None]
) -> Iterator[str]:
    ends, standing = state
    host = ends[0].host if ends else lab.wiring.holder(address) or "nobody"
    if not ends:
        yield f"{router.name} waits for {address} ({host}), where no speaker dials it"
    elif len(ends) > 1:
        names = " and ".join(end.software for end in ends)
        now = f"the one of AS {standing.get('remoteAs')} stands" if standing else "none stands"
        yield f"{host}: {names} both dial {router.name} from {address}, which can hold one session only; {now}"
    else:
        reason = _reason(lab, router, ends[0])
        yield f"{host} ({ends[0].software}, {address}) has no session with {router.name}: {reason}"


def _reason(lab: Lab, router: Router, end: End) -> str:
    """Why, as far as bgpd knows: what came in before the session is counted to no neighbour."""
    said = lab.routers[router.name].show(f"bgp neighbors {end.address}").get(str(end.address), {})
    if not said:
        return f"{router.name} has no such neighbour"
    if said.get("remoteAs") != end.asn:
        return f"{router.name} expects AS {said.get('remoteAs')}, the node says {end.asn}"
    if said.get("localAs") != end.peer_asn:
        return f"the node expects AS {end.peer_asn}, {router.name} says {said.get('localAs')}"
    if not said.get("addressFamilyInfo"):
        return f"{router.name} has activated no address family for it"
    return f"{said.get('bgpState', 'down')}, {said.get('lastNotificationReason') or 'nothing was agreed'}"


def _mesh_faults(lab: Lab) -> Iterator[str]:
    """Where the mesh is on, every node has a session with every other."""
    if lab.network.calico is None or not lab.network.calico.mesh:
        return
    for name, daemon in lab.birds.items():
        planned = sum(1 for _ in mesh_addresses(lab.network, name)) * (len(lab.network.nodes) - 1)
        count = sum(protocol.startswith("Mesh_") for protocol in daemon.established())
        if count != planned:
            yield f"{name} has {count} of {planned} sessions of the mesh"


def _inner_faults(lab: Lab) -> Iterator[str]:
    """Sessions between two nodes, as with route reflectors: each node tells of its own end."""
    planned: dict[str, list[End]] = defaultdict(list)
    for end in lab.network.inside:
        planned[end.host].append(end)
    for host, ends in planned.items():
        standing = lab.birds[host].established()
        for end in ends:
            if inner_name(end) not in standing:
                yield f"{host} ({end.address}) has no session with {end.peer}"


def route_faults(wanted: Mapping[str, Table], seen: Mapping[str, Table]) -> Iterator[str]:
    """Differences between tables, in words."""
    for router, table in wanted.items():
        held = seen[router]
        for prefix in sorted(table.keys() | held.keys(), key=str):
            if prefix not in table:
                yield f"{router} has taken in {prefix} from {_listed(held[prefix])}, which is not in the plan"
            elif prefix not in held:
                yield f"{router} has no route to {prefix}; planned by {_listed(table[prefix])}"
            elif held[prefix] != table[prefix]:
                yield f"{router} sends {prefix} to {_listed(held[prefix])}; planned {_listed(table[prefix])}"


def _listed(hops: frozenset[IPAddress]) -> str:
    return ", ".join(str(hop) for hop in sorted(hops, key=int)) or "nobody"
