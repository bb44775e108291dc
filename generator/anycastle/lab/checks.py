"""What is looked at while nothing is broken; the later checks are skipped where sessions or routes are wrong."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from anycastle.lab import leaks
from anycastle.lab.arp import answers
from anycastle.lab.build import kernel_text
from anycastle.lab.commands import run
from anycastle.lab.daemons import within
from anycastle.lab.expected import tables
from anycastle.lab.placement import served
from anycastle.lab.probes import Target, series
from anycastle.lab.result import Check, Verdict
from anycastle.lab.running import Lab
from anycastle.lab.settling import settle
from anycastle.lab.wiring import CLIENT
from anycastle.network.addresses import IPAddress, IPNetwork, PoolUse
from anycastle.network.questions import on_router

SPREAD = 60
"""Connections over which every next hop must be seen: with three of them one is missed once in 10^10 times."""
_EACH = 30
"""Connections for each next hop, where there are many: of 200 one is missed once in 10^10 times."""
HAIRPIN = 12
_LOOP = 4
"""Forwards of one packet to an address nobody has; in a loop there are thirty and more."""


def check_all(lab: Lab) -> Iterator[Check]:
    """Every check, in order."""
    basics = tuple(_basics(lab))
    yield from basics
    later: Sequence[tuple[str, Callable[[Lab], Iterator[str]]]] = (
        ("on-link addresses", _on_link),
        ("client reaches and spreads", _spread),
        ("nodes reach through the router", _hairpin),
        ("no redirects", _redirects),
        ("unowned addresses end", _unowned),
        ("nothing else is let in", leaks.faults),
    )
    broken = any(check.verdict is Verdict.FAILED for check in basics)
    for name, look in later:
        if broken:
            yield Check(name, Verdict.SKIPPED, "sessions or routes are not as planned")
        else:
            begun = time.monotonic()
            faults = tuple(look(lab))
            yield _judged(name, faults, time.monotonic() - begun)


def _judged(name: str, faults: Sequence[str], took: float) -> Check:
    return Check(name, Verdict.FAILED if faults else Verdict.PASSED, "; ".join(faults) or "as planned", took)


def _basics(lab: Lab) -> Iterator[Check]:
    settled = settle(lab)
    took = time.monotonic() - lab.started
    sessions = settled.wrong_sessions
    yield _judged("sessions", sessions, took if settled.sessions is None else settled.sessions)
    yield _judged("routes", settled.wrong_routes, took if settled.routes is None else settled.routes)


def next_hops(lab: Lab, address: IPAddress, router: str = "") -> frozenset[str]:
    """Names of the nodes that a router may send an address to, by the plan; without a router, all of them."""
    found: set[IPAddress] = set()
    for name, table in tables(lab.network, lab.plan.placement).items():
        matching = [prefix for prefix in table if address in prefix and router in ("", name)]
        if matching:
            found |= table[max(matching, key=lambda prefix: prefix.prefixlen)]
    own = {(node.name, address) for node in lab.network.nodes for address in node.addresses}
    own |= {(end.host, end.address) for end in lab.network.ends if not on_router(end)}
    return frozenset(name for name, address in own if address in found)


def _spread(lab: Lab) -> Iterator[str]:
    """By each router on its own: of two in a row the second would otherwise see a part of the connections only."""
    for target in (*lab.api_targets(), *lab.service_targets()):
        for router in lab.routers:
            yield from spread_by(lab, target, router)


def spread_by(lab: Lab, target: Target, router: str) -> Iterator[str]:
    """The client's connections by one router: every next hop of the plan gets some of them."""
    hops = next_hops(lab, target.address, router)
    if not hops:
        return
    own = {address.version: address.ip for address in lab.wiring.outside.client_by(router)}
    by = f" by {router}" if len(lab.routers) > 1 else ""
    count = max(SPREAD, _EACH * len(hops))
    seen = series(CLIENT, target, count, own[target.address.version])
    if seen.failed:
        yield f"client to {target}{by}: {seen.failed} requests lost ({', '.join(seen.errors)})"
    elif missing := hops - seen.answers.keys():
        shares = ", ".join(f"{name} {seen.answers.get(name, 0)}" for name in sorted(hops))
        yield f"client to {target}{by}: {count} connections and none to {', '.join(sorted(missing))} ({shares})"


def _hairpin(lab: Lab) -> Iterator[str]:
    for node, target in _turning(lab):
        seen = series(node, target, HAIRPIN)
        if seen.failed:
            yield f"{node} to {target} by way of the router: {seen.failed} requests lost ({', '.join(seen.errors)})"


def _turning(lab: Lab) -> Iterator[tuple[str, Target]]:
    """For each address nodes that do not hold it: the first on each subnet, and of those with the same routers."""
    for target in (*lab.api_targets(), *lab.service_targets()):
        seen: set[tuple[str, ...]] = set()
        for node in lab.network.nodes:
            pods = [pod for pod in lab.network.kube_vips if pod.node == node.name]
            own = {*served(lab.network, lab.plan.placement, node.name), *(vip for pod in pods for vip in pod.vips)}
            beside = tuple(wire.router for wire in lab.wiring.wires_of(node.name))
            beside = beside or (lab.wiring.machine(node.name).ports[0].switch,)
            if target.address not in own and beside not in seen and next_hops(lab, target.address):
                seen.add(beside)
                yield node.name, target


def _redirects(lab: Lab) -> Iterator[str]:
    """The requests of nodes just before are what makes a router send redirects."""
    for name in lab.routers:
        sent = _counter(name, "Icmp", "OutRedirects") + _counter6(name, "Icmp6OutRedirects")
        if sent:
            yield (
                f"{name} has told nodes {sent} times by ICMP to use one next hop directly; they stay with it for "
                "minutes, also when it is dead"
            )


def _counter(name: str, protocol: str, column: str) -> int:
    rows = [line.split() for line in kernel_text(name, "snmp").splitlines() if line.startswith(f"{protocol}:")]
    return int(rows[1][rows[0].index(column)])


def _forwarded(name: str) -> int:
    return _counter(name, "Ip", "ForwDatagrams") + _counter6(name, "Ip6OutForwDatagrams")


def _counter6(name: str, column: str) -> int:
    rows = (line.split() for line in kernel_text(name, "snmp6").splitlines())
    return next((int(row[1]) for row in rows if row[0] == column), 0)


def _on_link(lab: Lab) -> Iterator[str]:
    """An announced address inside a node subnet: neighbours ask for it by ARP and never go to the router."""
    for node, target in _turning(lab):
        if " via " in run([*within(node), "ip", "route", "get", str(target.address)]):
            continue
        if target.address.version == 6:
            yield f"{node} does not ask the router for {target} but its own link"
            continue
        machines = answers(node, lab.wiring.machine(node).ports[0], target.address)
        yield (
            f"{node} does not ask the router for {target} but its own link, where {len(machines)} machines answer to "
            f"ARP: {'all traffic goes to one of them' if machines else 'nobody can be reached'}"
        )


def _free(cidr: IPNetwork, owned: set[IPAddress]) -> IPAddress | None:
    """The last address of a pool that nobody owns, looked for among its last thousand."""
    tail = range(cidr.num_addresses - 1, max(-1, cidr.num_addresses - 1025), -1)
    return next((address for address in (cidr[index] for index in tail) if address not in owned), None)


def _unowned(lab: Lab) -> Iterator[str]:
    """One packet to an address of each pool that no Service has."""
    owned = {address for service in lab.network.services for address in service.addresses}
    for pool in lab.network.pools:
        if pool.use is not PoolUse.LOAD_BALANCER:
            continue
        free = _free(pool.cidr, owned)
        if free is None:
            continue
        before = {name: _forwarded(name) for name in lab.routers}
        leaks.one_packet(CLIENT, free)
        time.sleep(0.2)
        for name, count in before.items():
            forwards = _forwarded(name) - count
            if forwards > _LOOP:
                yield f"one packet to {free}, which no Service has, was forwarded {forwards} times by {name}: a loop"
