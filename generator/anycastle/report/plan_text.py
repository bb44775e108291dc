"""The plan as text: what the wizard shows before it writes anything, and what `anycastle plan` prints."""

from __future__ import annotations

from anycastle.network.model import Network
from anycastle.overview import overview
from anycastle.report.plan_sections import sections
from anycastle.report.plan_terminal import plan_terminal

WIDTH = 80


def plan_text(network: Network, width: int = WIDTH, *, full: bool = False) -> str:
    """Who owns which address, who talks to whom, who announces what and who lets it in, and in which order all comes.

    `full` shows each machine of a large site on a line of its own.
    """
    return plan_terminal(sections(overview(network), full=full), width)
