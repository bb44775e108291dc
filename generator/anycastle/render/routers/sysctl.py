"""`sysctl.conf` of a router: forwarding, hashing, redirects, and room for its neighbours."""

from __future__ import annotations

from collections.abc import Sequence

from anycastle.render.routers.session import Side
from anycastle.render.text import template

DEFAULT_NEIGHBOURS = 250  # the kernel begins to throw entries out at 512; other machines are on the link, too


def text(side: Side, interfaces: Sequence[str]) -> str:
    """The settings, for /etc/sysctl.d."""
    return template("routers/sysctl.conf.j2").render(
        router=side.router,
        interfaces=[key_of(interface) for interface in interfaces],
        ipv6=any(address.version == 6 for address in (*side.router.addresses, *side.router.discards)),
        neighbour_entries=neighbour_entries(len(side.ends)),
    )


def key_of(interface: str) -> str:
    """An interface inside a key: its dots are written as slashes (sysctl.d(5))."""
    return interface.replace(".", "/")


def neighbour_entries(neighbours: int) -> int:
    """Hard limit of the neighbour table: a power of two with four entries a node; 0 where the default will do."""
    return 0 if neighbours <= DEFAULT_NEIGHBOURS else 1 << (4 * neighbours - 1).bit_length()
