"""The routers' half: they take what is announced, spread over it, and turn traffic around inside the subnet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from ipaddress import ip_network

from anycastle.finding import Place, Severity
from anycastle.network.addresses import IPAddress, IPNetwork, PoolUse
from anycastle.network.bgp import Acceptance, Announcement, Router
from anycastle.network.model import Network, Unread
from anycastle.network.platforms import PLATFORMS
from anycastle.network.prefixes import Prefixes, indexed
from anycastle.network.questions import host, on_router
from anycastle.rules.heard import Heard, announced, heard_by, sources_of
from anycastle.rules.internal import internal_sources, meant_internal
from anycastle.rules.memo import asked_again
from anycastle.rules.pairs import several
from anycastle.rules.registry import Fault, rule
from anycastle.rules.remedies import spreading


@rule("RT001", "Routers let in what is announced")
def lets_in(network: Network) -> Iterator[Fault]:
    """A prefix that the incoming filter does not permit is received and not used.

    The session is up and the address is assigned, so everything looks well except that nobody gets through. A
    list without `le 32` takes the range and none of its addresses; one with `ge 32` the other way round. FRR
    without any filter takes nothing at all from eBGP.

    Source: RFC 8212; FRR documentation, bgp ebgp-requires-policy; metallb/metallb#1103.
    """
    speakers = heard_by(network)
    for router, announcement, refused in refusals(network):
        mine = accepted(network).get(router.name, _NONE)
        near = mine.touching(announcement.prefix) or [
            a for a in mine.touching(_ALL[announcement.prefix.version]) if refused <= set(a.peers)
        ]
        names = _hosts_at(speakers, router, announcement, refused)
        yield Fault(
            min(near, key=lambda a: not refused & set(a.peers)).where if near else _neighbour(network, router, refused),
            f"Router {router.name} does not let {_shown(announcement)} in from {names} ({announcement.where}): the "
            "address is announced and nobody reaches it.",
            f"Permit {_permit(announcement)} from {several(map(str, refused))}.",
        )


def _neighbour(network: Network, router: Router, refused: frozenset[IPAddress]) -> Place:
    """The first of the neighbours from whom nothing is let in."""
    places = (end.where for end in network.ends if end.host == router.name and end.peer in refused)
    return next((place for place in places if place.path), router.where)


_ALL = {4: ip_network("0.0.0.0/0"), 6: ip_network("::/0")}
_NONE: Prefixes[Acceptance] = Prefixes(())


@asked_again
def accepted(network: Network) -> Mapping[str, Prefixes[Acceptance]]:
    """What each router lets in, by its name."""
    found: dict[str, list[Acceptance]] = defaultdict(list)
    for acceptance in network.acceptances:
        found[acceptance.router].append(acceptance)
    return {router: Prefixes((a.prefix, a) for a in mine) for router, mine in found.items()}


@asked_again
def refusals(network: Network) -> tuple[tuple[Router, Announcement, frozenset[IPAddress]], ...]:
    """What a router hears and does not let in, with the addresses from which it does not."""
    speakers = heard_by(network)
    found: list[tuple[Router, Announcement, frozenset[IPAddress]]] = []
    for router in network.routers:
        if not network.knows(Unread.ROUTER_FILTERS, of=router.name):
            continue
        mine = accepted(network).get(router.name, _NONE)
        for announcement in announced(network):
            refused = _refused(network, announcement, mine, sources_of(speakers, router, announcement))
            if refused:
                found.append((router, announcement, frozenset(refused)))
    return tuple(found)


def _refused(
    network: Network, announcement: Announcement, mine: Prefixes[Acceptance], sources: set[IPAddress]
) -> set[IPAddress]:
    """Sources from which some announced length is not let in; a Local Service without host routes is SVC006."""
    lengths = {announcement.shortest, announcement.longest}
    around = mine.around(announcement.prefix)
    if network.calico is not None and network.calico.aggregate and announcement.shortest != announcement.longest:
        whole = [a for a in around if a.shortest <= announcement.shortest]
        lengths = {announcement.shortest} if whole and _has_local(network) else lengths
    missing: set[IPAddress] = set()
    for length in lengths:
        permitting = [set(a.peers) for a in around if a.shortest <= length <= a.longest]
        missing |= sources - set().union(*permitting)
    return missing


def _has_local(network: Network) -> bool:
    return any(service.policy.value == "Local" for service in network.services)


def _hosts_at(speakers: Heard, router: Router, announcement: Announcement, sources: frozenset[IPAddress]) -> str:
    by_host = speakers[router.name, announcement.software]
    return several(name for name in announcement.hosts if by_host.get(name, set()) & sources)


def _shown(announcement: Announcement) -> str:
    shortest, longest = announcement.shortest, announcement.longest
    if shortest == longest == announcement.prefix.prefixlen:
        return str(announcement.prefix)
    return f"{announcement.prefix} (/{shortest}" + (f" to /{longest})" if longest != shortest else ")")


def _permit(announcement: Announcement) -> str:
    prefix, shortest, longest = announcement.prefix, announcement.shortest, announcement.longest
    if longest == prefix.prefixlen:
        return str(prefix)
    return f"{prefix}" + (f" ge {shortest}" if shortest > prefix.prefixlen else "") + f" le {longest}"


@rule("RT002", "Routers let nothing else in", Severity.WARNING)
def lets_nothing_else_in(network: Network) -> Iterator[Fault]:
    """Whoever may set a Service's address may announce it, so an open filter is an open network.

    A mistyped pool takes over a LAN, a leaked default route takes everything. A filter wider than the pools by
    accident is a warning; one that covers a node subnet, a reserved range or everything is an error.

    Source: RFC 7454 section 6; measured leak of a pod block through an open list.
    """
    legitimate = [a.prefix for a in network.announcements] + [
        host(v) for v in (network.api.vips if network.api else ())
    ]
    legitimate += [pool.cidr for pool in network.pools if pool.use is PoolUse.LOAD_BALANCER or pool.bgp_export]
    legitimate += list(network.calico.advertised) if network.calico else []
    refused = {(router.name, address) for router, _announcement, sources in refusals(network) for address in sources}
    speaking = {end.address for end in network.ends if not on_router(end)}
    known = indexed(legitimate)
    outside = indexed([*(subnet.cidr for subnet in network.subnets), *(range_.cidr for range_ in network.reserved)])
    seen: set[tuple[str, IPNetwork]] = set()
    for acceptance in network.acceptances:
        key = (acceptance.router, acceptance.prefix)
        if key in seen or known.hold(acceptance.prefix) or speaking.isdisjoint(acceptance.peers):
            continue
        seen.add(key)
        taken = outside.touching(acceptance.prefix)
        everything = acceptance.prefix.prefixlen == 0
        if not (taken or everything) and any((acceptance.router, peer) in refused for peer in acceptance.peers):
            continue  # RT001: it was meant for what is announced
        yield Fault(
            acceptance.where,
            f"Router {acceptance.router} lets {acceptance.prefix} in from {several(map(str, acceptance.peers))}, which "
            "nobody here announces"
            + (f"; a mistake or a hostile Service could take {taken[0]} over." if taken else "."),
            "Permit exactly the API address and the load-balancer pools: "
            f"{several(sorted({str(prefix) for prefix in legitimate}), 6) or 'nothing'}.",
            Severity.ERROR if taken or everything else None,
        )


def _too_few(router: Router, limit: int, announcers: int, word: str) -> Iterator[Fault]:
    useful = min(announcers, PLATFORMS[router.software].limit)
    if limit and limit < useful:
        yield Fault(
            router.multipath_where if router.multipath_where.path else router.where,
            f"Router {router.name} uses at most {limit} next hop{'s' if limit > 1 else ''} ({word}), and {announcers} "
            "nodes announce the same prefix: the others get no traffic.",
            f"Write {word} {useful}.",
            Severity.ERROR if limit == 1 else None,
        )


@rule("RT003", "Routers spread over all announcers", Severity.WARNING)
def spreads(network: Network) -> Iterator[Fault]:
    """A router uses as many next hops as it is allowed to, and one where it is told so.

    The other nodes idle, and which ones changes with every update. FRR's default is many, other routers' is
    one. Neighbours of the router's own AS have a limit of their own (`maximum-paths ibgp`).

    Source: FRR documentation, maximum-paths; metallb/metallb#1139.
    """
    speakers = heard_by(network)
    for router in network.routers:
        heard = [sources_of(speakers, router, announcement) for announcement in announced(network)]
        inner = internal_sources(network).get(router.name, set())
        outside = max((len(sources - inner) for sources in heard), default=0)
        inside = max((len(sources & inner) for sources in heard), default=0)
        yield from _too_few(router, router.multipath, outside, spreading(router))
        meant = router.name in meant_internal(network)  # else AS005
        limit = router.multipath_internal or (1 if router.multipath else 0)
        yield from _too_few(router, limit, inside if meant else 0, "maximum-paths ibgp")
