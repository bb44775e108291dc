"""Connections of which a router sees one direction only, and routers that are not on the link of their nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from anycastle.finding import Severity
from anycastle.network.addresses import IPAddress, IPNetwork, OwnerKind
from anycastle.network.bgp import Router, Session, Software
from anycastle.network.model import Network
from anycastle.network.prefixes import indexed
from anycastle.network.questions import host, range_owners
from anycastle.rules.heard import announced, heard_by, sources_of
from anycastle.rules.memo import asked_again
from anycastle.rules.pairs import alike, pair, several
from anycastle.rules.ranges import Ranges
from anycastle.rules.registry import Fault, rule


@asked_again
def _of_router(network: Network) -> dict[str, list[Session]]:
    found: dict[str, list[Session]] = defaultdict(list)
    for session in pair(network).sessions:
        found[session.router.host].append(session)
    return found


@asked_again
def _several_routers(network: Network) -> dict[tuple[str, Software], set[str]]:
    """The routers of each speaker."""
    found: dict[tuple[str, Software], set[str]] = defaultdict(set)
    for session in pair(network).sessions:
        found[session.node.host, session.node.software].add(session.router.host)
    return found


def _heard(network: Network, router: Router) -> list[IPNetwork]:
    """The prefixes that a router sends to nodes."""
    speakers = heard_by(network)
    return [a.prefix for a in announced(network) if sources_of(speakers, router, a)]


@rule("RT008", "Packets pass of which the router has not seen the question")
def one_way_passes(network: Network) -> Iterator[Fault]:
    """With two routers a question comes by one of them, and its answer leaves by the other.

    Each sees one direction of the connection. Its connection tracking takes the first packet for a new connection and
    the next one for invalid, so behind `ct state invalid drop` every connection that is spread this way hangs, about
    half of them, and a different half after each change. What goes to announced addresses, and what comes from them,
    must be accepted before that rule.

    Source: nftables, ct state; measured with two routers: every request by way of the other one was lost.
    """
    routers = _several_routers(network)
    for router in network.routers:
        mine = _of_router(network).get(router.name, [])
        others = {name for s in mine for name in routers[s.node.host, s.node.software]} - {router.name}
        if not others:
            continue
        passing, turning = indexed(router.one_way), indexed(router.hairpin)
        near = any(own in subnet.cidr for own in router.addresses for subnet in network.subnets)
        missing = [prefix for prefix in _heard(network, router) if not passing.hold(prefix)]
        missing = [prefix for prefix in missing if turning.hold(prefix) or not near]  # else RT006 has it
        if missing:
            yield Fault(
                router.firewall_where if router.firewall_where.path else router.where,
                f"Nodes answer by {several(others)} what came by router {router.name}, whose firewall drops packets of "
                f"connections that it has seen half of: those to and from {several(map(str, missing))} hang.",
                "Accept `ip saddr` and `ip daddr` of them before `ct state invalid drop`, or take that rule out.",
            )


@rule("SESS014", "The gateway to a far router is on the node's link", Severity.WARNING)
def gateway_near(network: Network) -> Iterator[Fault]:
    """Calico puts a static route to the router into BIRD, by the gateway that `reachableBy` names.

    BIRD uses a gateway only on a network that it is connected to. By another one the route stays out, and the session
    takes the node's default route, or does not come up where there is none.

    Source: confd, bird.cfg.template (static route of reachableBy); BIRD documentation, protocol static.
    """
    subnets = Ranges(owner for owner in range_owners(network) if owner.kind is OwnerKind.SUBNET)

    def subnet(address: IPAddress) -> IPNetwork | None:
        return next((owner.prefix for owner in subnets.holding(host(address))), None)

    wrong = [
        end
        for end in network.ends
        if end.gateway is not None
        and (mine := subnet(end.address)) is not None
        and not (end.gateway.version == mine.version and end.gateway in mine)
    ]
    for ends in alike(wrong, lambda end: (end.peer, end.gateway)):
        yield Fault(
            ends[0].where,
            f"Router {ends[0].peer} is to be reached by {ends[0].gateway}, which is on no network of "
            f"{several(end.host for end in ends)}: the route is never used.",
            "Write the address of a gateway on the subnet of these nodes.",
        )
