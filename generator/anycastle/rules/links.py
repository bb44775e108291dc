"""Nodes behind links of two addresses: their own address stands on lo, and only routers know the way to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from anycastle.finding import Severity
from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.network.bgp import End, Software
from anycastle.network.model import Network
from anycastle.network.questions import host, wired
from anycastle.rules.memo import asked_again
from anycastle.rules.pairs import several
from anycastle.rules.registry import Fault, rule


@asked_again
def _wires(network: Network) -> dict[str, list[tuple[End, IPAddress]]]:
    """By router, the ends of nodes on its links, each with the node's own address of that family."""
    own = {(node.name, address.version): address for node in network.nodes for address in reversed(node.addresses)}
    router_at = {address: router.name for router in network.routers for address in router.addresses}
    found: dict[str, list[tuple[End, IPAddress]]] = defaultdict(list)
    for end in wired(network):
        address = own.get((end.host, end.address.version))
        if end.peer in router_at and address is not None:
            found[router_at[end.peer]].append((end, address))
    return found


@rule("RT014", "Routers know the way to the address of a node behind a link", Severity.WARNING)
def way_to_nodes(network: Network) -> Iterator[Fault]:
    """The address that kubelet registers stands on the node's lo. It is on no wire, and Calico announces none.

    Over the link the session stands, and announced addresses arrive. But etcd, kubelet, and the packets of an overlay
    go to the node's own address, which the router sends after its default route. Judged is a router whose FRR
    has static routes to other nodes; one without any may have all of them from the system or a routing protocol.

    Source: confd, bird.cfg.template (no route of a node's own address); RFC 3021 (a /31 has the two ends and no more).
    """
    for router in network.routers:
        if router.software is not Software.FRR or not router.reaches:
            continue
        known = [prefix for prefix, _via in router.reaches]
        missing = dict.fromkeys(
            (end.host, own) for end, own in _wires(network).get(router.name, ()) if not _held(own, known)
        )
        if missing:
            yield Fault(
                router.where,
                f"Router {router.name} has no route to {several(f'{own} ({name})' for name, own in missing)}, which is "
                "on the node's lo behind a link: other nodes and the API server do not reach the node.",
                "Write `ip route ADDRESS/32 NEXTHOP` with the node's end of the link, or let a routing protocol do it.",
            )


def _held(own: IPAddress, prefixes: list[IPNetwork]) -> bool:
    return any(own in prefix for prefix in prefixes if prefix.version == own.version and prefix.prefixlen)


@rule("RT015", "The way to a node leads over its own link")
def own_link(network: Network) -> Iterator[Fault]:
    """A static route whose next hop is the end of another node's link brings every packet to the wrong machine.

    That machine sends it back to a router by its default route, until the TTL is used up.

    Source: RFC 1812 section 5.2.4 (a router forwards to the next hop of the longest match).
    """
    for router in network.routers:
        mine = _wires(network).get(router.name, ())
        node_at = {end.address: end.host for end, _own in mine}
        owner = {host(own): end.host for end, own in mine}
        wrong = [
            f"{meant} ({prefix}) to {via}, the link of {met}"
            for prefix, via in router.reaches
            if (meant := owner.get(prefix)) is not None and (met := node_at.get(via)) is not None and meant != met
        ]
        if wrong:
            yield Fault(
                router.where,
                f"Router {router.name} sends what is for {several(wrong)}: it never arrives.",
                "Write the node's own end of its link as the next hop.",
            )
