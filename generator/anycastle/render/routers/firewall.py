"""`nftables.conf`: one table of our own, beside whatever the router has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from anycastle.network.addresses import IPNetwork, PoolUse
from anycastle.network.model import Network
from anycastle.network.questions import host
from anycastle.render.routers.session import Side
from anycastle.render.text import template

ERRORS = {
    4: "icmp type { destination-unreachable, time-exceeded, parameter-problem }",
    6: "icmpv6 type { destination-unreachable, packet-too-big, time-exceeded, parameter-problem }",
}
"""ICMP messages about a packet of somebody's connection; connection tracking knows them where it saw that packet."""


def text(network: Network, side: Side, interfaces: Sequence[str]) -> str:
    """The ruleset of a router with some interfaces to the nodes."""
    api = network.api
    vips = [host(vip) for vip in api.vips] if api else []
    return template("routers/nftables.conf.j2").render(
        router=side.router,
        interface=interfaces[0],
        interfaces=_names(interfaces),
        families=[_family(network, side, version) for version in (4, 6)],
        vips=vips,
        one_way=bool(side.router.one_way),
        port=api.port if api else 0,
        pools=[pool.cidr for pool in network.pools if pool.use is PoolUse.LOAD_BALANCER],
        errors=ERRORS,
        word=word,
    )


def _names(interfaces: Sequence[str]) -> str:
    """One name, or a set of them, as nft takes it."""
    quoted = [f'"{name}"' for name in interfaces]
    return quoted[0] if len(quoted) == 1 else "{ " + ", ".join(quoted) + " }"


def word(prefix: IPNetwork) -> str:
    """How a match on a prefix begins."""
    return "ip6" if prefix.version == 6 else "ip"


def _family(network: Network, side: Side, version: int) -> Mapping[str, object]:
    """What the rules of one family speak of, and the words in which nft speaks of it."""
    return {
        "ip": "ip" if version == 4 else "ip6",
        "set": "neighbours" if version == 4 else "neighbours6",
        "type": f"ipv{version}_addr",
        "subnets": [subnet.cidr for subnet in network.subnets if subnet.cidr.version == version],
        "hairpin": [prefix for prefix in side.router.hairpin if prefix.version == version and prefix.prefixlen],
        "neighbours": [end.peer for end in side.ends if end.peer.version == version],
    }
