"""`nftables.conf`: one table of our own, beside whatever the router has."""

from __future__ import annotations

from anycastle.network.model import Network, PoolUse
from anycastle.network.questions import host
from anycastle.render.routers.session import Side
from anycastle.render.text import template


def text(network: Network, side: Side, interface: str) -> str:
    """The ruleset of a router whose interface to the nodes is `interface`."""
    api = network.api
    return template("routers/nftables.conf.j2").render(
        router=side.router,
        interface=interface,
        subnets=[subnet.cidr for subnet in network.subnets],
        vips=[host(vip) for vip in api.vips] if api else [],
        port=api.port if api else 0,
        pools=[pool.cidr for pool in network.pools if pool.use is PoolUse.LOAD_BALANCER],
        neighbours=[end.peer for end in side.ends],
    )
