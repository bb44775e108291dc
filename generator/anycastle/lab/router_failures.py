"""Failures of routers: one restarts, one is lost."""

from __future__ import annotations

import time

from anycastle.lab import build
from anycastle.lab.expected import hold, node_ends, tables
from anycastle.lab.rehearsal import Rehearsal
from anycastle.lab.running import Lab
from anycastle.lab.victims import DIAL_AGAIN, SPARE, NotHere, targets


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
        promise=DIAL_AGAIN + SPARE,
        because="all speakers dialled again",
        targets=targets(lab),
        steady=3,
    )


def router_lost(lab: Lab) -> Rehearsal:
    """One of several routers loses its links."""
    twins = [r for r in lab.network.routers if any(True for _ in node_ends(lab.network, r))]
    if len(twins) < 2:
        raise NotHere("there is one router only")
    lost = twins[-1].name
    full = tables(lab.network, lab.plan.placement)
    return Rehearsal(
        name="router-lost",
        what=f"the cables of {lost} are pulled",
        inject=lambda: build.set_link(lab.wiring, lost, up=False),
        mend=lambda: build.set_link(lab.wiring, lost, up=True),
        wanted={**full, lost: {}},
        promise=hold(lab.network) + SPARE,
        because="the other router carries on",
        targets=(),
    )
