"""Timers: how long a dead node keeps its share of the traffic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anycastle.finding import Place, Severity
from anycastle.network.bgp import End, Software
from anycastle.network.model import Network
from anycastle.network.platforms import PLATFORMS
from anycastle.network.questions import on_router
from anycastle.rules.pairs import alike, pair, several
from anycastle.rules.registry import Fault, rule

DEFAULT_HOLD = {
    Software.CALICO: 240,
    Software.KUBE_VIP: 30,
    Software.OTHER: 240,  # whatever it is: the longest of these
    **{software: platform.default_hold for software, platform in PLATFORMS.items()},
}
"""Seconds; the documentation of each router, Calico's template says nothing, kube-vip's flag."""

CALICO_RESTART = 120  # BIRD's default, which Calico's template leaves as it is
LONGEST_HOLD = 30
SHORTEST_HOLD = 9
LONGEST_RESTART = 30


def _usable(end: End) -> bool:
    return end.hold not in (1, 2) and not (end.hold and 3 * end.keepalive > end.hold)


def _place(end: End) -> Place:
    """Where the timers stand, else the end."""
    return end.timers_where if end.timers_where.path else end.where


@rule("TIME001", "A hold time is 0 or at least 3 seconds")
def valid_hold(network: Network) -> Iterator[Fault]:
    """The other side refuses a hold time of 1 or 2 seconds.

    It answers with "Unacceptable Hold Time", and the session never comes up.

    Source: RFC 4271 section 4.2 and 6.2.
    """
    for ends in alike((end for end in network.ends if end.hold in (1, 2)), _timers):
        yield Fault(
            _place(ends[0]),
            f"{_hosts(ends)} asks for a hold time of {ends[0].hold} s, which every peer refuses.",
            "Write keepalive 3 and hold 9.",
        )


@rule("TIME002", "A hold time is three keepalives long", Severity.WARNING)
def keepalive_fits(network: Network) -> Iterator[Fault]:
    """A single lost keepalive must not end a session.

    With fewer than three in a hold time, one lost packet or a busy second takes the node out of service; with
    none at all the session ends every time.

    Source: RFC 4271 section 4.4.
    """
    wrong = (end for end in network.ends if end.hold > 2 and 3 * end.keepalive > end.hold)
    for ends in alike(wrong, _timers):
        end = ends[0]
        yield Fault(
            _place(ends[0]),
            f"{_hosts(ends)} sends a keepalive every {end.keepalive} s with a hold time of {end.hold} s: "
            + ("the session ends before one arrives." if end.keepalive >= end.hold else "one lost packet ends it."),
            f"Write keepalive {max(1, end.hold // 3)}."
            if end.hold >= SHORTEST_HOLD
            else "Write keepalive 3 and hold 9.",
            Severity.ERROR if end.keepalive >= end.hold else None,
        )


@rule("TIME003", "A dead node is noticed within 30 seconds", Severity.WARNING)
def short_hold(network: Network) -> Iterator[Fault]:
    """Only the hold time ends the routes of a node whose power or cable is gone.

    The lower one of both ends counts. Calico asks for 240 s and has no setting for it, nor BFD, so the router
    has to ask for less. Measured: hold 90 loses requests for 37 to 80 s, hold 9 for 8 s.

    Source: RFC 4271 section 4.2; measured with FRR and BIRD.
    """
    slow: list[End] = []
    for session in pair(network).sessions:
        ends = (session.node, session.router)
        if all(map(_usable, ends)) and _agreed(ends) > LONGEST_HOLD:
            slow.append(session.router)
    for group in alike(slow, _timers):
        hold = group[0].hold or DEFAULT_HOLD[group[0].software]
        yield Fault(
            _place(group[0]),
            f"The hold time between {_hosts(group)} and {several(str(end.peer) for end in group)} is up to {hold} s: "
            "so long a dead node keeps getting its share of the connections.",
            "Let the router ask for keepalive 3 and hold 9.",
        )


def _agreed(ends: Iterable[End]) -> int:
    return min(end.hold or DEFAULT_HOLD[end.software] for end in ends)


@rule("TIME004", "Calico gets at least 9 seconds of hold time", Severity.WARNING)
def long_enough_for_bird(network: Network) -> Iterator[Fault]:
    """Calico's BIRD misses keepalives when it is busy.

    With 1 s and 3 s its sessions were reset daily on loaded nodes; each reset takes all addresses of the node
    away for seconds.

    Source: projectcalico/calico#7086, projectcalico/calico#7144.
    """
    hasty = (
        session.router
        for session in pair(network).sessions
        if session.node.software is Software.CALICO
        and _usable(session.router)
        and 2 < session.router.hold < SHORTEST_HOLD
    )
    for ends in alike(hasty, _timers):
        yield Fault(
            _place(ends[0]),
            f"{_hosts(ends)} asks Calico for a hold time of {ends[0].hold} s, which a busy node misses.",
            "Write keepalive 3 and hold 9.",
        )


@rule("TIME005", "Routes of a rebooting node go within 30 seconds", Severity.WARNING)
def short_restart(network: Network) -> Iterator[Fault]:
    """A router that helps with graceful restart keeps the routes of a session that was closed.

    A node that reboots closes its sessions first, so no hold timer runs any more: the routes stay for the
    restart time, 120 s by Calico's default, and up to a fifth of the requests is lost for all of it. FRR helps
    by default. With `bgp graceful-restart-disable` on the router the time does not matter.

    Source: RFC 4724 section 4.2; measured: 120 s and 455 of 2482 requests by default, 0.3 s without the helper.
    """
    forgetful = {router.name for router in network.routers if not router.graceful_restart}
    strict = {router.address for router in network.routers if router.name in forgetful}
    strict |= {end.address for end in network.ends if end.host in forgetful}
    long = (
        end
        for end in network.ends
        if end.software is Software.CALICO
        and end.peer not in strict
        and (end.restart or CALICO_RESTART) > LONGEST_RESTART
    )
    for ends in alike(long, lambda end: (end.peer, end.restart)):
        yield Fault(
            ends[0].where,
            f"Calico on {_hosts(ends)} asks the router to keep its routes for {ends[0].restart or CALICO_RESTART} s "
            "after a session closed: so long a rebooting node swallows its share of the connections.",
            "Set maxRestartTime: 15s on the BGPPeer, or graceful_restart: false for the router.",
        )


def _timers(end: End) -> tuple[str, int, int]:
    """Equal timers of one router, or of one software on the nodes."""
    return (end.host if on_router(end) else end.software, end.hold, end.keepalive)


def _hosts(ends: Iterable[End]) -> str:
    return several(end.host for end in ends)
