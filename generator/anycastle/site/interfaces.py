"""Names of router interfaces, as each system spells them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from anycastle.finding import Finding, Place, Severity

if TYPE_CHECKING:
    from anycastle.site.model import Site

_LINUX = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,14}\Z"), "eth1 or bond0.20"
_BSD = re.compile(r"[a-z][a-z0-9_]*[0-9](?:\.[0-9]+)?\Z"), "igb1 or vlan0.20"
_CISCO = re.compile(r"[A-Z][A-Za-z-]+[0-9][0-9/.:]*\Z")
_OF: Mapping[str, tuple[re.Pattern[str], str]] = {
    "frr": _LINUX,
    "bird": _LINUX,
    "vyos": _LINUX,
    "unifi": (_LINUX[0], "br0 or br10"),
    "opnsense": _BSD,
    "pfsense": _BSD,
    "routeros": (re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z"), "bridge or ether2"),
    "ios-xe": (_CISCO, "Vlan10 or GigabitEthernet0/0/1"),
    "nx-os": (re.compile(r"[A-Za-z][A-Za-z-]+[0-9][0-9/.]*\Z"), "Vlan10 or Ethernet1/1"),
    "eos": (_CISCO, "Vlan10 or Ethernet1"),
    "junos": (re.compile(r"[a-z]{2,}(?:-[0-9]+/[0-9]+/[0-9]+(?::[0-9]+)?|[0-9]*)\.[0-9]+\Z"), "irb.10 or ge-0/0/1.0"),
}
"""Software -> how its interfaces are called, with examples."""
SOFTWARE = tuple(_OF)
"""Every software, the usual one first."""


def examples_instead(software: str, interface: str) -> str:
    """Names of the kind that a system has, where `interface` is not one of them; else nothing."""
    pattern, examples = _OF[software]
    return "" if pattern.match(interface) else examples


def usual(software: str) -> str:
    """A name that an interface to the nodes may well have."""
    return _OF[software][1].split(" or ")[0]


def misnamed(site: Site) -> Iterator[Finding]:
    """Interfaces that the router's system cannot have."""
    for index, router in enumerate(site.routers):
        examples = examples_instead(router.software, router.interface)
        if examples:
            yield Finding(
                "SITE012",
                Severity.ERROR,
                Place(key=f"routers[{index}].interface"),
                f"Router {router.name} runs {router.software}, which has no interface called {router.interface}: its "
                "configuration would be refused, or speak of an interface that leads nowhere.",
                f"Write the interface to the nodes, such as {examples}.",
            )
