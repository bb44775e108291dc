"""What a site asks of a router and its software does not have."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Severity
from anycastle.network.model import Network
from anycastle.network.platforms import PLATFORMS
from anycastle.network.questions import on_router
from anycastle.rules.heard import announced, heard_by, sources_of
from anycastle.rules.pairs import alike, several
from anycastle.rules.registry import Fault, rule


@rule("RT009", "No prefix has more announcers than its router can use", Severity.WARNING)
def holds_all(network: Network) -> Iterator[Fault]:
    """Every software has a greatest number of next hops for one route, and RouterOS uses a single one from BGP.

    The nodes beyond it announce the address and get no traffic; which ones changes with every update. With a single
    next hop one node carries all of an address, and another one takes over when it is gone.

    Source: RouterOS documentation, BGP ("multipath is not supported"); FRR, IOS XE, NX-OS and EOS documentation,
    maximum-paths; BIRD documentation, merge paths; Junos documentation, maximum-ecmp; FreeBSD ROUTE_MPATH.
    """
    speakers = heard_by(network)
    for router in network.routers:
        platform = PLATFORMS[router.software]
        most = max((len(sources_of(speakers, router, a)) for a in announced(network)), default=0)
        if most <= platform.limit or 0 < router.multipath < platform.limit:
            continue  # RT003: it is told to use fewer than it could
        one = platform.limit == 1
        yield Fault(
            router.where,
            f"{most} nodes announce the same prefix to router {router.name}, and {platform.name} "
            + (
                "uses one next hop of it: a single node gets all of the traffic until it is gone."
                if one
                else f"holds {platform.limit} next hops of a route: the others get no traffic."
            ),
            "Count on failover only, or take another software for the router."
            if one
            else f"Let at most {platform.limit} nodes announce, by label.",
        )


@rule("RT010", "Graceful restart is asked of routers that have it")
def has_helper(network: Network) -> Iterator[Fault]:
    """RouterOS has no setting that makes it keep the routes of a speaker that closed its session.

    When calico-node restarts on a healthy node, the node's addresses leave the router until the session is back,
    whatever the site file says.

    Source: RFC 4724; RouterOS documentation, BGP, list of properties.
    """
    for router in network.routers:
        platform = PLATFORMS[router.software]
        if router.graceful_restart and not platform.helper:
            yield Fault(
                router.where,
                f"{platform.name} on router {router.name} cannot be told to keep the routes of a speaker that closed "
                "its session: they leave it at once.",
                "Set bgp.graceful_restart: false, or take another software for the router.",
            )


@rule("RT011", "Keepalives are asked of routers that take them")
def takes_keepalive(network: Network) -> Iterator[Fault]:
    """Junos sends three keepalives in a hold time and has no setting for it.

    Another number in the site file would change nothing.

    Source: Junos documentation, hold-time (Protocols BGP).
    """
    wrong = [
        end
        for end in network.ends
        if on_router(end) and not PLATFORMS[end.software].keepalive and end.hold and end.keepalive != end.hold // 3
    ]
    for ends in alike(wrong, lambda end: (end.host, end.hold, end.keepalive)):
        end = ends[0]
        name = PLATFORMS[end.software].name
        yield Fault(
            end.where,
            f"Router {end.host} is meant to send a keepalive every {end.keepalive} s with a hold time of {end.hold} s, "
            f"and {name} sends one every {end.hold // 3} s.",
            f"Set bgp.timers.keepalive: {end.hold // 3}.",
        )


@rule("RT012", "Hold times are asked of routers that take them")
def takes_hold(network: Network) -> Iterator[Fault]:
    """RouterOS and NX-OS take a hold time of an hour at most, EOS one of two.

    The statement is refused, and with it the rest of the file.

    Source: RouterOS documentation, hold-time (3s to 1h); NX-OS command reference, timers (BGP); EOS manual, neighbor
    timers.
    """
    wrong = [end for end in network.ends if on_router(end) and end.hold > PLATFORMS[end.software].longest_hold]
    for ends in alike(wrong, lambda end: (end.host, end.hold)):
        end = ends[0]
        platform = PLATFORMS[end.software]
        yield Fault(
            end.where,
            f"Router {end.host} is meant to ask {several(str(one.peer) for one in ends)} for a hold time of "
            f"{end.hold} s, and {platform.name} takes {platform.longest_hold} s at most: it refuses the statement.",
            f"Write at most {platform.longest_hold}; with 9 a dead node is noticed soon.",
        )
