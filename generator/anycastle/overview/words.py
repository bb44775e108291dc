"""The words that every form of a plan shares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import Acceptance, Condition, End, Software
from anycastle.network.platforms import PLATFORMS
from anycastle.overview import spans
from anycastle.overview.peerings import CALICO_HOPS, Peering

_SOFTWARE = {
    Software.KUBE_VIP: "kube-vip",
    Software.CALICO: "Calico",
    **{software: platform.name for software, platform in PLATFORMS.items()},
}

WHEN = {
    Condition.ALWAYS: "always",
    Condition.API_HEALTHY: "while kube-vip finds the API server of its own node healthy",
    Condition.ENDPOINT: "while a Service has the address and an endpoint",
    Condition.UNTOLD: "as that speaker is told elsewhere",
}


def software(name: Software) -> str:
    """As its makers write it."""
    return _SOFTWARE.get(name, str(name))


def speaker(end: End) -> str:
    """What holds an end; a speaker that is configured elsewhere by what the owner of the site calls it."""
    return end.called or software(end.software)


def seconds_in_force(peering: Peering) -> str:
    """`9 s / 3 s`: hold time and keepalive."""
    return f"{peering.hold} s / {peering.keepalive} s" if peering.hold else "the software's default"


def reach(peering: Peering) -> str:
    """Whether the packets of a session may cross a router."""
    if not peering.multihop:
        return "on the link"
    hops = [end.hops for end in (peering.far, peering.near) if end.hops != CALICO_HOPS]
    return f"multihop, TTL {min(hops)}" if hops else "multihop"


def let_in(items: Iterable[Acceptance]) -> str:
    """What an end takes from its peer."""
    return ", ".join(spans.prefixes(item.prefix, item.shortest, item.longest) for item in items) or "nothing"


def sent_back(end: End) -> str:
    """What a router tells a node."""
    return "nothing" if end.silent else "whatever it knows"


def most(item: Acceptance) -> int:
    """How many prefixes a list lets through at most: all that lie inside and have one of the lengths."""
    own = item.prefix.prefixlen
    shortest, longest = max(item.shortest, own), min(item.longest, item.prefix.max_prefixlen)
    return (1 << (longest - own + 1)) - (1 << (shortest - own)) if shortest <= longest else 0


def peers(addresses: Sequence[IPAddress]) -> str:
    """The neighbours of a prefix list, runs of them in short."""
    return spans_in_short([f"{a}-{b}" if a != b else str(a) for a, b in spans.runs(addresses)]) or "nobody"


def spans_in_short(texts: Sequence[str]) -> str:
    """All of a few, else the first and how many more."""
    return ", ".join(texts) if len(texts) <= spans.FEW else f"{texts[0]} and {len(texts) - 1} more runs"
