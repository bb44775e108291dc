"""A failure of one link of two addresses, where its node has another one that is to carry everything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from anycastle.lab import build
from anycastle.lab.checks import HAIRPIN, spread_by
from anycastle.lab.commands import run
from anycastle.lab.expected import hold, tables
from anycastle.lab.probes import series
from anycastle.lab.rehearsal import Rehearsal
from anycastle.lab.running import Lab
from anycastle.lab.victims import LINK, OTHER_END, NotHere, targets, victims
from anycastle.lab.wires import Wire
from anycastle.network.addresses import IPAddress
from anycastle.network.model import Network

_ASKED = 64
"""Destinations for which a node is asked where it sends them: of two links one is missed once in 10^19 times."""


def link_down(lab: Lab) -> Rehearsal:
    """One link of a node is cut: its session ends, and everything goes by the node's other link."""
    hit = victims(lab)
    cut = tuple(wires[0] for name in (hit.control, hit.worker) if len(wires := lab.wiring.wires_of(name)) > 1)
    if not cut:
        raise NotHere("no node has several links of two addresses")

    def switch(*, up: bool) -> None:
        for wire in cut:
            build.set_cable(lab.wiring, wire.cable, up=up)

    return Rehearsal(
        name="link-down",
        what=f"links are cut: {', '.join(f'{wire.node} to {wire.router}' for wire in cut)}",
        inject=lambda: switch(up=False),
        mend=lambda: switch(up=True),
        wanted=tables(without(lab.network, cut), lab.plan.placement),
        promise=LINK,
        because="the other link carries everything",
        targets=targets(lab),
        steady=hold(lab.network) + 1,  # else old connections would outlive it on one end, and fail once more later
        slack=OTHER_END,
        also=lambda: _faults(lab, cut),
    )


def without(network: Network, cut: tuple[Wire, ...]) -> Network:
    """The network without the sessions and static routes over these links."""
    gone = {pair.own for wire in cut for pair in wire.pairs}
    routers = tuple(
        replace(one, reaches=tuple(way for way in one.reaches if way[1] not in gone)) for one in network.routers
    )
    return replace(network, ends=tuple(end for end in network.ends if end.address not in gone), routers=routers)


def _faults(lab: Lab, cut: tuple[Wire, ...]) -> Iterator[str]:
    """The nodes send nothing into the dead link, answer by their other routers, and reach everything by these."""
    if into_nothing := tuple(fault for wire in cut for fault in _dead(lab, wire)):
        yield from into_nothing
        return  # what is lost for it would say the same again
    for target in targets(lab):
        for router in lab.routers:
            if all(_reached(lab, wire, router) for wire in cut):
                yield from spread_by(lab, target, router)
        for wire in cut:
            seen = series(wire.node, target, HAIRPIN)
            if seen.failed:
                yield f"{wire.node} to {target}: {seen.failed} requests lost ({', '.join(seen.errors)})"


def _reached(lab: Lab, cut: Wire, router: str) -> bool:
    """Whether a router is as before: another one, or one to which the node has a second link."""
    left = [wire for wire in lab.wiring.wires_of(cut.node) if wire != cut]
    return cut.router != router or any(wire.router == router for wire in left)


def _dead(lab: Lab, wire: Wire) -> Iterator[str]:
    """A node goes on sending a share into a link without carrier, unless its kernel is told not to."""
    machine = lab.wiring.machine(wire.node)
    interface = next(port.interface for port in machine.ports if port.switch == wire.cable)
    for own in machine.own:
        behind = next(one for one in lab.wiring.outside.ranges if one.version == own.version)
        asked: list[IPAddress] = [behind[number] for number in range(1, _ASKED + 1)]
        said = run(["ip", "-n", wire.node, "-batch", "-"], text="".join(f"route get {one}\n" for one in asked))
        count = len(re.findall(rf" dev {re.escape(interface)} ", said))
        if count:
            yield f"{wire.node} sends the packets to {count} of {_ASKED} destinations into the dead link {interface}"
