"""Who is hit by a failure, what must be left, and how long the timers say it may take."""

from __future__ import annotations

from collections.abc import Iterable

from anycastle.lab.bird import HOLD
from anycastle.lab.expected import Absent, Table, hold, tables
from anycastle.lab.health import longest
from anycastle.lab.placement import label
from anycastle.lab.probes import Target
from anycastle.lab.running import Lab
from anycastle.network.addresses import IPAddress, Service, TrafficPolicy
from anycastle.network.bgp import Software
from anycastle.records import dataclass

SPARE = 2.0
"""Seconds beyond what timers promise."""
WATCHED = 8.0
"""Seconds for failures that must change nothing: a speaker dials every 5 s."""
DIAL_AGAIN = 22.0
"""Seconds until kube-vip's speaker has a session again: it waits 10 to 20 between two dials."""


@dataclass(frozen=True, slots=True)
class Promise:
    """By when the routers' tables must be right, in seconds, and what says so."""

    seconds: float
    basis: str


AT_ONCE = Promise(SPARE, "said aloud, so no timer counts")
"""What a speaker or the kernel says itself; measured are less than 0.1 s."""
REDIALLED = Promise(DIAL_AGAIN + SPARE, f"{DIAL_AGAIN:g} s until kube-vip dials again, and {SPARE:g} s")


def by_hold_time(lab: Lab, node: str = "") -> Promise:
    """Nobody says anything: the hold time that both ends agree on (RFC 4271, 4.2) finds out.

    Between two nodes that is BIRD's own, on both ends.
    """
    inside = any(end.host == node for end in lab.network.inside)
    seconds = max(hold(lab.network), HOLD if inside else 0)
    return Promise(seconds + SPARE, f"hold time of {seconds} s, and {SPARE:g} s")


CARRIER = 1.0
"""Seconds: the kernel says not more often than once in a second that carriers were lost (net/core/link_watch.c)."""
LINK = Promise(CARRIER + SPARE, f"{CARRIER:g} s until the kernel says that the link is down, and {SPARE:g} s")
"""Where a cable has no switch in between, both of its ends lose carrier."""
OTHER_END = CARRIER + 1.0
"""Seconds by which one end of a cable may hear of it later than the other one."""


def by_cable(lab: Lab, hit: Victims) -> Promise:
    """The cables of the victims are pulled: a router on the same cable sees it, one behind a switch does not."""
    linked = {wire.node for wire in lab.wiring.wires}
    return LINK if {hit.control, hit.worker} - {""} <= linked else by_hold_time(lab, hit.worker)


def by_closing(lab: Lab, node: str) -> Promise:
    """A connection closes: at once, or where a router helps after the restart time that was asked for (RFC 4724)."""
    ends = (*(lab.network.ends if helping(lab) else ()), *lab.network.inside)  # Calico's speakers always help
    asked = max((end.restart for end in ends if end.host == node), default=0)
    return Promise(asked + SPARE, f"restart time of {asked} s, and {SPARE:g} s") if asked else AT_ONCE


def by_health_check(lab: Lab, node: str) -> Promise:
    """The API server answers no more: as often as the health check asks and as long as it waits."""
    seconds = longest(lab.pod(node))
    basis = f"health check within {seconds} s, and {SPARE:g} s" if seconds else "no health check that would see it"
    return Promise(seconds + SPARE, basis)


class NotHere(Exception):
    """The site has nothing that could fail in this way; the message says why."""


@dataclass(frozen=True, slots=True)
class Victims:
    """Who is hit: a control plane that announces the API, and a node with an endpoint that is not the only one."""

    control: str = ""
    worker: str = ""
    service: Service | None = None


def victims(lab: Lab) -> Victims:
    """The first of each; empty where nobody would be left to take over."""
    control = next((name for name in lab.kube_vips), "") if len(lab.kube_vips) > 1 else ""
    mute = {node.name for node in lab.network.nodes if node.excluded}
    for service in lab.network.services:
        nodes = [n for n in lab.plan.placement.endpoints.get(label(service), ()) if n in lab.birds and n not in mute]
        if service.policy is TrafficPolicy.LOCAL and len(nodes) > 1:
            return Victims(control, nodes[0], service)
    return Victims(control, _announcing(lab), None)


def _announcing(lab: Lab) -> str:
    """A node that announces what a second one does, too, with Calico's speaker."""
    callers: dict[str, set[IPAddress]] = {}
    for end in (*lab.network.inside, *lab.network.ends):
        if end.software is Software.CALICO:
            callers.setdefault(end.host, set()).add(end.address)
    for table in tables(lab.network, lab.plan.placement).values():
        for hops in table.values():
            for name in lab.birds:
                if hops - callers.get(name, set()) and hops & callers.get(name, set()):
                    return name
    return ""


def without(lab: Lab, hit: Victims) -> dict[str, Table]:
    """What must be left when the victims are gone."""
    absent = Absent(frozenset([hit.control]), frozenset([hit.worker]))
    return tables(lab.network, lab.plan.placement, absent)


def targets(lab: Lab) -> tuple[Target, ...]:
    """Of each family an API address and the address of the Service whose endpoint is hit, or of the first one."""
    service = victims(lab).service
    mine = [t for t in lab.service_targets() if service is None or t.address in service.addresses]
    return (*api(lab), *_first_of_each_family(mine))


def _first_of_each_family(found: Iterable[Target]) -> tuple[Target, ...]:
    first = {target.address.version: target for target in reversed(tuple(found))}
    return tuple(first[version] for version in sorted(first))


def api(lab: Lab) -> tuple[Target, ...]:
    """Of each family an API address."""
    return _first_of_each_family(lab.api_targets())


def both(lab: Lab) -> Victims:
    """Who is hit. Raises `NotHere` where nobody could take over."""
    hit = victims(lab)
    if not hit.control and not hit.worker:
        raise NotHere("no address of this site has a second node that could take over")
    return hit


def named(hit: Victims) -> str:
    """The names of the victims."""
    return " and ".join(name for name in (hit.control, hit.worker) if name)


def silence(lab: Lab, hit: Victims) -> None:
    """Kill the speakers of the victims."""
    if hit.worker:
        lab.birds[hit.worker].kill()
    if hit.control:
        lab.silence(hit.control)


def speak(lab: Lab, hit: Victims) -> None:
    """Start them again."""
    if hit.worker:
        lab.birds[hit.worker].start(lab.bird_configuration(hit.worker))
    if hit.control:
        lab.speak(hit.control)


def helping(lab: Lab) -> bool:
    """Whether a router keeps routes of speakers that went away."""
    return any(router.graceful_restart for router in lab.network.routers)
