"""AS numbers: which may be used at all, and which must differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from anycastle.finding import Place, Severity
from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.network.bgp import Software
from anycastle.network.model import Network
from anycastle.network.questions import ROUTER_SOFTWARE, on_router
from anycastle.records import dataclass
from anycastle.rules.internal import meant_internal
from anycastle.rules.pairs import alike, pair, several
from anycastle.rules.registry import Fault, rule

CALICO_LIMIT = 2_147_483_647
_RESERVED = {
    0: "RFC 7607 forbids it",
    23456: "it stands for every 4-byte number (AS_TRANS, RFC 6793)",
    65535: "RFC 7300 reserves it",
    4_294_967_295: "RFC 7300 reserves it",
}
_DOCUMENTATION = (range(64496, 64512), range(65536, 65552))
_PRIVATE = (range(64512, 65535), range(4_200_000_000, 4_294_967_295))


@dataclass(frozen=True, slots=True)
class Numbered:
    """An AS number in use: whose, and where it is written."""

    asn: int
    whose: str
    where: Place


def numbered(network: Network) -> tuple[Numbered, ...]:
    """Every AS number of the network, once for each answer or line that sets it.

    What a file says of its peer counts only where that peer is not here to say it itself.
    """
    found = [Numbered(r.asn, f"router {r.name}", _router_place(network, r.name)) for r in network.routers]
    calico = network.calico.asn if network.calico else 0
    if network.calico is not None and calico:
        found.append(Numbered(calico, "Calico", network.calico.where))
    addresses = {end.address for end in network.ends} | {router.address for router in network.routers}
    nodes = [end for end in network.ends if not on_router(end)]
    own = [end for end in nodes if not (end.software is Software.CALICO and end.asn == calico)]
    for ends in alike(own, lambda end: (end.software, end.asn)):
        found.append(Numbered(ends[0].asn, str(ends[0].software), ends[0].where))
    for ends in alike((end for end in nodes if end.peer not in addresses), lambda end: (end.peer, end.peer_asn)):
        found.append(Numbered(ends[0].peer_asn, f"peer {ends[0].peer}", ends[0].where))
    return tuple(found)


def _router_place(network: Network, name: str) -> Place:
    places = [s.where for s in network.speakers if s.host == name and s.software in ROUTER_SOFTWARE]
    return next(iter(places), next(router.where for router in network.routers if router.name == name))


def _free(network: Network) -> str:
    used = {entry.asn for entry in numbered(network)}
    return str(next(asn for asn in range(65001, 65535) if asn not in used))


@rule("AS001", "No reserved AS number is used")
def not_reserved(network: Network) -> Iterator[Fault]:
    """Implementations refuse a reserved AS number, or mistake it for another one.

    0 and the last number of each width end the session when they are seen; 23456 is what an old speaker writes
    for any number that it can't hold.

    Source: RFC 7607, RFC 6793, RFC 7300.
    """
    for entry in numbered(network):
        if entry.asn in _RESERVED:
            yield Fault(
                entry.where,
                f"AS {entry.asn} of {entry.whose} cannot be used: {_RESERVED[entry.asn]}; its sessions would not come "
                "up.",
                f"Write a private number, such as {_free(network)}.",
            )


@rule("AS002", "Documentation AS numbers are for documentation", Severity.WARNING)
def not_documentation(network: Network) -> Iterator[Fault]:
    """A number copied from a guide is filtered by everybody who follows the guides.

    It works while there is one router; the first provider or route server drops the routes.

    Source: RFC 5398; RFC 7454.
    """
    for entry in numbered(network):
        if _in(entry.asn, _DOCUMENTATION):
            yield Fault(
                entry.where,
                f"AS {entry.asn} of {entry.whose} is reserved for documentation, and routers elsewhere filter it.",
                f"Write a private number, such as {_free(network)}.",
            )


@rule("AS003", "Public AS numbers are declared as owned", Severity.WARNING)
def public_is_owned(network: Network) -> Iterator[Fault]:
    """Somebody else's AS number makes his real routes disappear.

    A router drops every route with its own number in the path, and "remove private AS" leaves the number in.
    What leaks is attributed to its owner.

    Source: RFC 6996, RFC 4271 section 9.1.2 (AS loop).
    """
    for entry in numbered(network):
        special = entry.asn in _RESERVED or _in(entry.asn, (*_DOCUMENTATION, *_PRIVATE))
        if not special and entry.asn not in network.declared.asns:
            yield Fault(
                entry.where,
                f"AS {entry.asn} of {entry.whose} is a public number that is not declared as owned; routes of its "
                "owner are dropped as loops.",
                f"Write a private number, such as {_free(network)}, or list it under networks.owned.asns if it is "
                "yours.",
            )


@rule("AS004", "Calico's objects hold AS numbers up to 2147483647")
def calico_limit(network: Network) -> Iterator[Fault]:
    """Calico's definitions call the number an int32, and an API server refused a greater one.

    BGPConfiguration and BGPPeer both have the field, so it holds for the router's number as well when Calico
    peers with it. kube-vip and the routers take all 32 bits. One report says that the refusal happens; until
    it is settled, the upper half of the private 4-byte range is no choice with Calico.

    Source: projectcalico/calico#13494.
    """
    peers = {end.peer_asn: end for end in network.ends if end.software is Software.CALICO}
    ours = {end.asn: end.where for end in network.ends if end.software is Software.CALICO}
    routers = {router.asn: _router_place(network, router.name) for router in network.routers}
    if network.calico is not None:
        ours[network.calico.asn] = network.calico.where
    places = {asn: routers.get(asn, end.where) for asn, end in peers.items()} | ours
    for asn, where in sorted(places.items()):
        if asn > CALICO_LIMIT and asn not in _RESERVED:
            whose = "Calico's own" if asn in ours else "its router's"
            yield Fault(
                where,
                f"AS {asn} is written into Calico's objects as {whose} number, and Calico 3.32 refuses what is "
                f"greater than {CALICO_LIMIT} (calico#13494).",
                f"Write a private number of two bytes, such as {_free(network)}.",
            )


@rule("AS005", "Router and nodes have different AS numbers", Severity.WARNING)
def external_sessions(network: Network) -> Iterator[Fault]:
    """One AS number on both sides turns the session into iBGP, which has other laws.

    `maximum-paths` does not count for it (`maximum-paths ibgp` does), so all traffic may take one node. The
    router passes nothing on to its other iBGP peers unless it reflects, next hops stay those of the nodes
    unless `next-hop-self` is set, and Calico sends LOCAL_PREF 2147482623, which beats everything. A router whose
    configuration has a word for neighbours of its own AS was meant so, and this only says what it costs; what it lacks
    is SESS013 and RT003.

    Source: RFC 4271 section 9.2.1.1; FRR documentation of maximum-paths; projectcalico/calico#1515.
    """
    meant = meant_internal(network)
    routers = {router.asn: router.name for router in sorted(network.routers, key=lambda r: r.name not in meant)}
    groups: dict[int, list[Numbered]] = defaultdict(list)
    for entry in numbered(network):
        if entry.asn in routers and not entry.whose.startswith(("router ", "peer ")):
            groups[entry.asn].append(entry)
    for asn, entries in sorted(groups.items()):
        if routers[asn] in meant:
            yield Fault(
                entries[0].where,
                f"AS {asn} is that of router {routers[asn]} and of {several(entry.whose for entry in entries)}: the "
                "sessions are iBGP, so the router tells its other neighbours in this AS nothing of the nodes unless it "
                "reflects, and Calico's LOCAL_PREF wins over every other path unless the router sets another.",
                f"Nothing, if it is meant so; else give the nodes a number of their own, such as {_free(network)}.",
                Severity.INFO,
            )
            continue
        yield Fault(
            entries[0].where,
            f"AS {asn} is that of router {routers[asn]} and of {several(entry.whose for entry in entries)}: the "
            "sessions are iBGP, so the router uses one next hop only unless it says `maximum-paths ibgp`.",
            f"Give the nodes a number of their own, such as {_free(network)}.",
        )


@rule("AS006", "One prefix comes from one AS", Severity.WARNING)
def one_origin(network: Network) -> Iterator[Fault]:
    """Paths through different AS numbers are not equal, so a router does not spread over them.

    It compares the AS paths themselves, not only their lengths, unless `bestpath as-path multipath-relax` is
    set. One node then carries everything. Racks with a number each are fine as long as each has its own router.

    Source: FRR documentation, bgp bestpath as-path multipath-relax.
    """
    refused = {id(s.node) for s in pair(network).sessions if s.router.peer_asn != s.node.asn}  # SESS002
    numbers: dict[IPAddress, dict[tuple[str, Software], int]] = defaultdict(dict)
    relaxed = {address for router in network.routers if router.relaxed for address in router.addresses}
    for end in network.ends:
        if not on_router(end) and id(end) not in refused and end.peer not in relaxed:
            numbers[end.peer][end.host, end.software] = end.asn
    groups: dict[tuple[int, ...], dict[IPNetwork, Place]] = defaultdict(dict)
    for announcement in network.announcements:
        for known in numbers.values():
            heard = {known.get((name, announcement.software)) for name in announcement.hosts}
            origins = tuple(sorted(asn for asn in heard if asn is not None))
            if len(origins) > 1:
                groups[origins].setdefault(announcement.prefix, announcement.where)
    for origins, items in sorted(groups.items()):
        yield Fault(
            next(iter(items.values())),
            f"{several(map(str, items))} is announced from AS {several(map(str, origins))}: "
            "paths of different AS numbers are not spread over by default.",
            "Use one AS number for all of them, or set `bgp bestpath as-path multipath-relax` on the routers.",
        )


def _in(asn: int, ranges: tuple[range, ...]) -> bool:
    return any(asn in numbers for numbers in ranges)
