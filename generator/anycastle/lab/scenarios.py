"""The failures that can be rehearsed, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from anycastle.lab.link_failures import link_down
from anycastle.lab.mistakes import leaked_block, second_speaker, wrong_as, wrong_password
from anycastle.lab.node_failures import api_dead, endpoint_gone, node_cut_off, node_reboots, speaker_killed
from anycastle.lab.rehearsal import Rehearsal
from anycastle.lab.router_failures import router_lost, router_restarted
from anycastle.lab.running import Lab

SCENARIOS: dict[str, Callable[[Lab], Rehearsal]] = {
    "speaker-killed": speaker_killed,
    "node-cut-off": node_cut_off,
    "node-reboots": node_reboots,
    "link-down": link_down,
    "endpoint-gone": endpoint_gone,
    "api-dead": api_dead,
    "router-restarted": router_restarted,
    "router-lost": router_lost,
    "leaked-block": leaked_block,
    "second-speaker": second_speaker,
    "wrong-as": wrong_as,
    "wrong-password": wrong_password,
}
"""Name -> how it is made, in the order in which they are rehearsed."""

USUAL = ("speaker-killed", "endpoint-gone", "leaked-block")
"""What is rehearsed where nobody says: those that need a few seconds only."""


def sentences() -> Iterator[tuple[str, str]]:
    """Each name with the first sentence of its explanation."""
    for name, make in SCENARIOS.items():
        yield name, (make.__doc__ or "").strip()
