"""Failures of routers: one restarts, one is lost."""

from __future__ import annotations

import time

from anycastle.lab import build
from anycastle.lab.expected import hold, node_ends, tables
from anycastle.lab.rehearsal import SLACK, Rehearsal
from anycastle.lab.running import Lab
from anycastle.lab.victims import OTHER_END, REDIALLED, NotHere, by_hold_time, targets


def router_restarted(lab: Lab) -> Rehearsal:
    """`systemctl restart frr`: routes are away until the speakers have dialled again."""
    name = next(iter(lab.routers))
    full = tables(lab.network, lab.plan.placement)

    def restart() -> None:
        lab.routers[name].restart()
        time.sleep(1)  # until then the old routes may still be seen

    return Rehearsal(
        name="router-restarted",
        what=f"FRR on {name} is restarted",
        inject=restart,
        mend=lambda: None,
        wanted=full,
        promise=REDIALLED,
        because="all speakers dialled again",
        targets=targets(lab),
        steady=3,
    )


def router_lost(lab: Lab) -> Rehearsal:
    """One of several routers loses its links; everybody behind it has another way."""
    lost = _spare_router(lab)
    full = tables(lab.network, lab.plan.placement)

    def lose() -> None:
        build.set_link(lab.wiring, lost, up=False)
        if lab.backbone is not None:
            lab.backbone.lost.add(lost)

    def back() -> None:
        build.set_link(lab.wiring, lost, up=True)
        build.restore_routes(lab.wiring.machine(lost))
        if lab.backbone is not None:
            lab.backbone.lost.discard(lost)

    return Rehearsal(
        name="router-lost",
        what=f"the cables of {lost} are pulled",
        inject=lose,
        mend=back,
        wanted={**full, lost: {}},
        promise=by_hold_time(lab),
        because="the other router carries on",
        targets=targets(lab),
        steady=hold(lab.network) + 1,
        slack=OTHER_END if lab.wiring.wires_of(lost) else SLACK,
    )


def _spare_router(lab: Lab) -> str:
    """The last router without which every node still has a session and a way out."""
    routers = [router for router in lab.network.routers if any(True for _ in node_ends(lab.network, router))]
    if len(routers) < 2:
        raise NotHere("there is one router only")
    ways = [hops for machine in lab.wiring.machines for _prefix, hops in machine.routes]
    for router in reversed(routers):
        callers = {end.host for end in node_ends(lab.network, router)}
        others = {end.host for one in routers if one != router for end in node_ends(lab.network, one)}
        held = {address.ip for port in lab.wiring.machine(router.name).ports[:-1] for address in port.addresses}
        if callers <= others and not any(held.issuperset(hops) for hops in ways):
            return router.name
    raise NotHere("every router is the only one of some nodes, or their only gateway")
