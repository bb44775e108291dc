"""Whether a router's kernel forwards at all, and whether it drops what comes back by another way."""

from __future__ import annotations

import re
from collections import defaultdict

from anycastle.finding import Place
from anycastle.network.bgp import Software
from anycastle.network.model import Network
from anycastle.reader.notes import Notes
from anycastle.reader.sysctl import settings

_SWITCHES = ("net.ipv4.ip_forward", "net.ipv6.conf.all.forwarding")
_REVERSE = "net.ipv4.conf.{}.rp_filter"


def forwards(kernel: str, path: str, notes: Notes) -> None:
    """The text of a `sysctl.conf`; what it does not say may be set elsewhere."""
    found = settings(kernel)
    for key in _SWITCHES:
        value, line = found.get(key, ("1", 0))
        if value != "1":
            notes.add("FW004", Place(path, line), "The router does not forward.", f"Write {key} = 1.")


def sharing(network: Network) -> set[str]:
    """The routers that have a speaker in common with another one: what comes by one may be answered by the other."""
    names = {address: router.name for router in network.routers for address in router.addresses}
    found: dict[tuple[str, Software], set[str]] = defaultdict(set)
    for end in network.ends:
        if end.peer in names:
            found[end.host, end.software].add(names[end.peer])
    return {name for routers in found.values() if len(routers) > 1 for name in routers}


def reverse_path(kernel: str, path: str, side: str, notes: Notes) -> None:
    """Of `all` and of `side`, the interface towards the nodes, the larger value counts, and only 1 is strict."""
    said = settings(kernel)
    found = [said[key] for name in ("all", side, "*") if (key := _REVERSE.format(name)) in said]
    values = [_number(value) for value, _line in found]
    if 1 not in values or any(value is None or value > 1 for value in values):
        return
    notes.add(
        "FW005",
        Place(path, found[values.index(1)][1]),
        "rp_filter = 1 drops packets whose way back leads over another interface: nodes answer by whichever of their "
        "routers they like.",
        "Write 2 (loose) or 0.",
    )


def _number(text: str) -> int | None:
    """As sysctl reads it: decimal, 0x... or 0...; None for anything else."""
    try:
        return int(text, 8 if re.fullmatch(r"0[0-7]+", text) else 0)
    except ValueError:
        return None
