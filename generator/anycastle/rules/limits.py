"""What makes a router give up on a neighbour that does nothing wrong: a limit of prefixes, forgotten hops."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from anycastle.finding import Place, Severity
from anycastle.network.addresses import IPAddress, IPNetwork, PoolUse
from anycastle.network.bgp import Announcement, End, Session, Software
from anycastle.network.model import Network
from anycastle.network.prefixes import Prefixes
from anycastle.network.questions import host
from anycastle.rules.heard import announced
from anycastle.rules.pairs import alike, pair, several
from anycastle.rules.registry import Fault, rule

_By = Mapping[tuple[str, Software, int], int]


@rule("RT013", "Routers take as many prefixes as a node announces")
def enough(network: Network) -> Iterator[Fault]:
    """Above its limit of prefixes a router closes the session, and every address of the node is gone.

    The limit counts what the filter lets in. A node announces each address of a Service that it serves, so a limit that
    was right for one API address ends the session with the second Service. Where the router tries again, it ends again.

    Source: FRR documentation, neighbor maximum-prefix; BIRD documentation, import limit; Junos, prefix-limit teardown.
    """
    counts = _announced_by(network)
    wrong = [
        (session, count)
        for session in pair(network).sessions
        if 0 < session.router.limit < (count := _count(counts, session.node))
    ]
    for group in alike(wrong, lambda item: (item[0].router.host, item[0].router.limit, item[1])):
        router, count = group[0][0].router, group[0][1]
        yield Fault(
            _place(router),
            f"Router {router.host} takes {router.limit} prefix{'es' if router.limit > 1 else ''} from "
            f"{several(session.node.host for session, _count in group)} and closes the session at one more; "
            f"{several(str(session.node.software) for session, _count in group)} there announces {count}.",
            f"Write a limit well above {count}, such as {max(100, 2 * count)}.",
        )


def _place(router: End) -> Place:
    return router.limit_where if router.limit_where.path else router.where


def _count(counts: _By, node: End) -> int:
    return counts.get((node.host, node.software, node.peer.version), 0)


def _announced_by(network: Network) -> _By:
    """How many prefixes a speaker of a node announces for certain, by family: all that its Services ask for."""
    addresses = Prefixes((host(a), a) for service in network.services for a in service.addresses)
    pods = {pool.cidr for pool in network.pools if pool.use is PoolUse.PODS}
    found: dict[tuple[str, Software, int], int] = defaultdict(int)
    for item in announced(network):
        number = _number(item, addresses, pods)
        for name in item.hosts:
            found[name, item.software, item.prefix.version] += number
    return found


def _number(item: Announcement, addresses: Prefixes[IPAddress], pods: set[IPNetwork]) -> int:
    """The range itself, a block of pods, or each address that a Service has."""
    if item.software is not Software.CALICO or item.prefix in pods or item.shortest == item.prefix.prefixlen:
        return 1
    return len(set(addresses.touching(item.prefix)))


@rule("SESS015", "FRR keeps in mind that a peer is several hops away", Severity.WARNING)
def remembers_hops(network: Network) -> Iterator[Fault]:
    """A second connection from a peer, as when both sides dial at once, makes FRR before 9 look for it on the link.

    The accepted connection has a TTL of 1 until it is known whose it is, and with that the next hop is registered
    as one that must be connected. The session stands, its routes are called inaccessible, and they stay away until bgpd
    is restarted. A peer on the link does not mind, nor one that FRR never dials.

    Source: FRRouting/frr#12025, FRRouting/frr#13440; measured with FRR 8.4.
    """
    links = {router.name: [cidr for cidr, _where in router.links] for router in network.routers}
    wrong = [
        session.router
        for session in pair(network).sessions
        if session.router.forgetful and _is_far(network, session, links.get(session.router.host, []))
    ]
    for ends in alike(wrong, lambda end: end.host):
        yield Fault(
            ends[0].where,
            f"Router {ends[0].host} dials {several(str(end.peer) for end in ends)} over several hops: when both sides "
            "dial at once, FRR before release 9 calls their next hops inaccessible, until bgpd is restarted.",
            "Write `bgp disable-ebgp-connected-route-check` under `router bgp`.",
        )


def _is_far(network: Network, session: Session, links: list[IPNetwork]) -> bool:
    """Whether an eBGP peer that listens is known to be on no link of the router."""
    node, router = session.node, session.router
    if router.hops == 1 or node.asn == node.peer_asn or node.software is Software.KUBE_VIP:
        return False
    around = [subnet.cidr for subnet in network.subnets if node.address in subnet.cidr]
    near = any(router.address in cidr for cidr in around) or any(node.address in cidr for cidr in links)
    return bool(around) and not near
