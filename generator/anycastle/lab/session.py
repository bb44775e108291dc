"""One run of a lab, inside its namespaces: up, checks, failures, a result; or up, and open for people."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence

from anycastle.lab.backbone import Backbone
from anycastle.lab.checks import check_all
from anycastle.lab.isolation import RUN
from anycastle.lab.memory import mebibytes
from anycastle.lab.rehearsal import rehearse
from anycastle.lab.report_text import check_line, opening, outcome_lines
from anycastle.lab.result import Check, Outcome, Result, Verdict
from anycastle.lab.running import Blueprint, Lab, bring_up
from anycastle.lab.scenarios import SCENARIOS
from anycastle.lab.victims import NotHere
from anycastle.lab.wiring import CLIENT

Say = Callable[[str], None]
"""Takes one line; a run that prints JSON passes one that says nothing."""


def run(lab: Lab, name: str, scenarios: Sequence[str], say: Say, *, colour: bool) -> Result:
    """Checks, then failures. Where a check has failed there is nothing sound to break, and they are skipped."""
    checks: list[Check] = []
    for check in check_all(lab):
        checks.append(check)
        say(check_line(check, colour=colour))
    taken = mebibytes()
    sound = all(check.verdict is Verdict.PASSED for check in checks)
    outcomes: list[Outcome] = []
    for scenario in scenarios:
        outcome = _rehearsed(lab, scenario, sound=sound)
        outcomes.append(outcome)
        for line in outcome_lines(outcome, colour=colour):
            say(line)
    return Result(
        name=name,
        endpoints=lab.plan.placement.endpoints,
        files=digests(lab.plan),
        checks=tuple(checks),
        outcomes=tuple(outcomes),
        notes=tuple(_notes(lab)),
        up=lab.started - lab.begun,
        seconds=time.monotonic() - lab.begun,
        mebibytes=taken,
    )


def _rehearsed(lab: Lab, scenario: str, *, sound: bool) -> Outcome:
    if not sound:
        why = "a check has failed, so nothing sound could be broken"
        return Outcome(name=scenario, verdict=Verdict.SKIPPED, what="", text=why)
    try:
        return rehearse(lab, SCENARIOS[scenario](lab))
    except NotHere as reason:
        return Outcome(name=scenario, verdict=Verdict.SKIPPED, what="", text=str(reason))


def _notes(lab: Lab) -> Iterator[str]:
    if lab.unknown_settings:
        yield f"Settings that the kernel of this lab does not know: {', '.join(sorted(set(lab.unknown_settings)))}."
    if lab.backbone is not None:
        yield from dict.fromkeys(f"The backbone: {one}" for one in lab.backbone.complaints)


def open_lab(plan: Blueprint, name: str, say: Say) -> Lab:
    """Bring it up and say what is in it."""
    marked = {end.password for end in plan.network.ends if "/" in end.password}
    for line in opening(name, plan.placement.endpoints, digests(plan), sorted(marked)):
        say(line)
    lab = bring_up(plan)
    if Backbone.needed(lab.wiring):
        lab.backbone = Backbone(lab)
        lab.backbone.start()
    about = {
        "routers": list(lab.routers),
        "nodes": [node.name for node in plan.network.nodes],
        "others": [CLIENT, *lab.wiring.gateways],
    }
    (RUN / "about.json").write_text(json.dumps(about))
    (RUN / "ready").touch()
    return lab


def digests(plan: Blueprint) -> dict[str, str]:
    """Path -> SHA-256 of every file that a router of the lab got, byte for byte."""
    return {
        f"routers/{router}/{name}": hashlib.sha256(content).hexdigest()
        for router, files in sorted(plan.routers.items())
        for name, content in sorted(files.items())
    }
