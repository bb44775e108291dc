"""Failures of nodes: the speaker, the cable, the endpoint, the API server, all of it in the order of a reboot."""

from __future__ import annotations

import time

from anycastle.lab import build
from anycastle.lab.expected import Absent, hold, tables
from anycastle.lab.placement import label
from anycastle.lab.rehearsal import Rehearsal
from anycastle.lab.running import Lab
from anycastle.lab.victims import (
    AT_ONCE,
    LINK,
    NotHere,
    Victims,
    api,
    both,
    by_cable,
    by_closing,
    by_health_check,
    named,
    silence,
    speak,
    targets,
    victims,
    without,
)


def speaker_killed(lab: Lab) -> Rehearsal:
    """`kill -9` of the BGP speakers: their sockets close, so nobody waits for a timer."""
    hit = both(lab)
    return Rehearsal(
        name="speaker-killed",
        what=f"kill -9 of the speakers on {named(hit)}; the nodes live on",
        inject=lambda: silence(lab, hit),
        mend=lambda: speak(lab, hit),
        wanted=without(lab, hit),
        promise=by_closing(lab, hit.worker),
        because="the closed connection told the router",
        targets=targets(lab),
    )


def node_cut_off(lab: Lab) -> Rehearsal:
    """A node's cables are pulled: behind a switch nobody is told, and only the hold time finds out."""
    hit = both(lab)
    promise = by_cable(lab, hit)
    return Rehearsal(
        name="node-cut-off",
        what=f"the cables of {named(hit)} are pulled",
        inject=lambda: _links(lab, hit, up=False),
        mend=lambda: _links(lab, hit, up=True),
        wanted=without(lab, hit),
        promise=promise,
        steady=hold(lab.network) + 1 if promise == LINK else 0.0,
        because="the routers saw their links go down" if promise == LINK else "the hold time ended it",
        targets=targets(lab),
    )


def _links(lab: Lab, hit: Victims, *, up: bool) -> None:
    for name in (hit.control, hit.worker):
        if name:
            build.set_link(lab.wiring, name, up=up)


def endpoint_gone(lab: Lab) -> Rehearsal:
    """The last endpoint on a node ends; with policy Local the node must stop announcing."""
    hit = victims(lab)
    if hit.service is None:
        raise NotHere("no Service with externalTrafficPolicy Local has two endpoints")
    key, node, addresses = label(hit.service), hit.worker, hit.service.addresses
    left = lab.plan.placement.without(key, node)

    def gone() -> None:
        lab.birds[node].configure(lab.bird_configuration(node, left))
        for address in addresses:
            build.set_address(node, build.SERVICE_INTERFACE, address, present=False)

    def back() -> None:
        for address in addresses:
            build.set_address(node, build.SERVICE_INTERFACE, address, present=True)
        lab.birds[node].configure(lab.bird_configuration(node))

    return Rehearsal(
        name="endpoint-gone",
        what=f"{key} has no endpoint on {node} any more",
        inject=gone,
        mend=back,
        wanted=tables(lab.network, left),
        promise=AT_ONCE,
        because="the node took its announcement back",
        targets=targets(lab),
    )


def api_dead(lab: Lab) -> Rehearsal:
    """The API server of one control plane is dead and its speaker is not: the health check's job."""
    hit = victims(lab)
    if not hit.control:
        raise NotHere("there is no second control plane that announces the API")
    port = lab.plan.api_port
    return Rehearsal(
        name="api-dead",
        what=f"the API server on {hit.control} is dead, its speaker alive",
        inject=lambda: lab.servers.close(hit.control, port),
        mend=lambda: lab.servers.listen(hit.control, port),
        wanted=tables(lab.network, lab.plan.placement, Absent(control=frozenset([hit.control]))),
        promise=by_health_check(lab, hit.control),
        because="the health check took the address back",
        targets=api(lab),
    )


def node_reboots(lab: Lab) -> Rehearsal:
    """The order of a reboot: the speaker is killed first, the link goes 0.3 s later."""
    hit = both(lab)
    promise = by_closing(lab, hit.worker)

    def go() -> None:
        silence(lab, hit)
        time.sleep(0.3)
        _links(lab, hit, up=False)

    def back() -> None:
        _links(lab, hit, up=True)
        speak(lab, hit)

    return Rehearsal(
        name="node-reboots",
        what=f"{named(hit)} reboot: first the speakers die, then the links",
        inject=go,
        mend=back,
        wanted=without(lab, hit),
        promise=promise,
        because="the router did not wait for a restart" if promise == AT_ONCE else "the restart time ended it",
        targets=targets(lab),
    )
