"""How routers forward: the choice of next hops, redirects, the firewall and discards."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Severity
from anycastle.network.addresses import IPNetwork, PoolUse
from anycastle.network.bgp import Router
from anycastle.network.model import Network, Unread
from anycastle.network.prefixes import indexed
from anycastle.network.questions import host
from anycastle.rules import remedies
from anycastle.rules.heard import announced, heard_by, sources_of
from anycastle.rules.owners import settled_vips
from anycastle.rules.pairs import several
from anycastle.rules.pools import of_use
from anycastle.rules.registry import Fault, rule


def _shared(network: Network, router: Router) -> bool:
    """Whether a router hears some prefix from several nodes."""
    speakers = heard_by(network)
    return any(len(sources_of(speakers, router, a)) > 1 for a in announced(network))


@rule("RT004", "Routers choose a next hop by connection", Severity.WARNING)
def hashes_ports(network: Network) -> Iterator[Fault]:
    """Linux chooses among equal next hops by the two addresses only, unless told otherwise.

    All connections of a client then go to one node: 300 of 300 in a measured run, against 89, 94 and 117.

    Source: Linux ip-sysctl, fib_multipath_hash_policy; measured.
    """
    for router in network.routers:
        if not router.hash_ports and _shared(network, router):
            yield Fault(
                router.where,
                f"Router {router.name} chooses next hops without looking at ports: all connections of a client meet "
                "one node.",
                remedies.hashing(router),
            )


def _turning(network: Network, router: Router) -> bool:
    """Whether traffic of nodes turns around at the router: it stands on their subnet."""
    return any(router.address in subnet.cidr for subnet in network.subnets)


def _prefixes(network: Network) -> tuple[IPNetwork, ...]:
    """API addresses and advertised load-balancer pools: what nodes reach through the router."""
    advertised = network.calico.advertised if network.calico else ()
    listed = indexed(advertised)
    pools = (pool.cidr for pool in of_use(network, PoolUse.LOAD_BALANCER) if listed.hold(pool.cidr))
    return (*map(host, settled_vips(network)), *pools)


def _on_its_way(network: Network, router: Router) -> list[IPNetwork]:
    """Of these, what a router hears of from all who announce it; all of it where it is alone and hears nothing.

    A router that hears some of them, as in a rack, has to leave the others to its own routes.
    """
    speakers = heard_by(network)
    heard = [a for a in announced(network) if sources_of(speakers, router, a)]
    whole = indexed(
        a.prefix
        for a in heard
        if len(speakers[router.name, a.software]) >= len(a.hosts)
        and speakers[router.name, a.software].keys() >= set(a.hosts)
    )
    prefixes = _prefixes(network)
    alone = not heard and (len(network.routers) == 1 or not network.knows(Unread.NODES))
    return list(prefixes) if alone else [prefix for prefix in prefixes if whole.touch(prefix)]


@rule("RT005", "Routers send no ICMP redirects", Severity.WARNING)
def no_redirects(network: Network) -> Iterator[Fault]:
    """A router that sees a packet leave where it came in tells the sender of the shorter way.

    One redirect pins that node to one next hop for 300 s. When that node dies the sender fails for all of it,
    1200 of 1200 requests in a measured minute, though the router's table is right. The kernel sends them when
    either `all` or the interface says so.

    Source: RFC 1812 section 5.2.7.2; Linux ip-sysctl, send_redirects; measured.
    """
    for router in network.routers:
        if router.redirects and _turning(network, router) and _prefixes(network):
            yield Fault(
                router.where,
                f"Router {router.name} may send ICMP redirects, which pin a node to one next hop for 300 s: when that "
                "one dies, the node does not reach the API address.",
                remedies.no_redirects(router),
            )


@rule("RT006", "Traffic that turns around at the router passes its firewall")
def hairpin(network: Network) -> Iterator[Fault]:
    """A node reaches the API address through the router, and the answer comes back directly.

    The router sees one direction only. Connection tracking calls the second packet invalid, so behind `ct state
    invalid drop` every connection from inside the subnet dies, while clients from elsewhere are fine. The
    accept must stand before that rule; a liberal TCP setting does not help.

    Source: measured with nftables (0 of 5 connections, then 20 of 20).
    """
    for router in network.routers:
        if not _turning(network, router):
            continue
        accepted = indexed(router.hairpin)
        missing = [prefix for prefix in _prefixes(network) if not accepted.hold(prefix)]
        if missing:
            yield Fault(
                router.firewall_where if router.firewall_where.path else router.where,
                f"The firewall of router {router.name} has no rule that lets traffic of the nodes to "
                f"{several(map(str, missing))} turn around before connection tracking: nodes don't reach it.",
                'Accept iifname = oifname = the node interface with "ip daddr '
                f'{{ {", ".join(map(str, _prefixes(network)))} }}" before "ct state invalid drop".',
            )


@rule("RT007", "Routers discard what nobody answers for", Severity.WARNING)
def discards(network: Network) -> Iterator[Fault]:
    """An address that no node announces at the moment follows the default route.

    It leaves the site, or comes back from the provider and loops: 33 times for one packet in a measured run.
    Clients wait instead of being told. A blackhole route behind BGP's (distance 254) ends that.

    Source: RFC 4632 section 5.1 (discard routes of aggregates); measured.
    """
    for router in network.routers:
        discarded = indexed(router.discards)
        missing = [prefix for prefix in _on_its_way(network, router) if not discarded.hold(prefix)]
        if missing:
            yield Fault(
                router.where,
                f"Router {router.name} has no discard route for {several(map(str, missing))}: while nobody announces "
                "an address of it, packets follow the default route or loop.",
                "Add " + "; ".join(remedies.discarding(router, prefix) for prefix in missing[:3]) + ".",
            )
