"""The laws of such a network, one function each, and the judge that applies them all."""

from __future__ import annotations

from anycastle.finding import Finding, in_order
from anycastle.network.model import Network
from anycastle.rules import (
    addresses,
    announcements,
    api,
    asymmetry,
    capabilities,
    egress,
    encapsulation,
    families,
    forwarding,
    internal,
    kubevip,
    limits,
    links,
    numbers,
    order,
    pools,
    reflection,
    reservations,
    routers,
    services,
    serving,
    sessions,
    speakers,
    special,
    timers,
    versions,
    wishes,
)
from anycastle.rules.absence import FROM_ABSENCE
from anycastle.rules.registry import Rule

_FAMILIES = (
    addresses,
    numbers,
    sessions,
    speakers,
    internal,
    reflection,
    special,
    timers,
    pools,
    services,
    wishes,
    announcements,
    routers,
    kubevip,
    api,
    encapsulation,
    families,
    reservations,
    serving,
    forwarding,
    asymmetry,
    capabilities,
    limits,
    links,
    order,
    versions,
    egress,
)

RULES: tuple[Rule, ...] = tuple(
    sorted(
        (item for family in _FAMILIES for item in vars(family).values() if isinstance(item, Rule)),
        key=lambda item: item.code,
    )
)
"""Every rule, in the order of the codes."""


def judge(network: Network) -> tuple[Finding, ...]:
    """All findings about a network, in the order of reports."""
    return in_order(
        finding for rule in RULES if network.knows(*FROM_ABSENCE.get(rule.code, ())) for finding in rule.check(network)
    )
