"""One order for everything in a network, so that equal meanings are equal values."""

from __future__ import annotations

from dataclasses import replace

from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.network.bgp import Acceptance, Announcement, End, Router
from anycastle.network.model import Network

_NetKey = tuple[int, int, int]


def network_key(network: IPNetwork) -> _NetKey:
    """Family, first address, prefix length."""
    return (network.version, int(network.network_address), network.prefixlen)


def address_key(address: IPAddress) -> tuple[int, int]:
    """Family, then value."""
    return (address.version, int(address))


def _announcement(item: Announcement) -> tuple[_NetKey, str, int, int]:
    return (network_key(item.prefix), item.software, item.shortest, item.longest)


def _acceptance(item: Acceptance) -> tuple[str, _NetKey, int, int, tuple[tuple[int, int], ...]]:
    peers = tuple(map(address_key, item.peers))
    return (item.router, network_key(item.prefix), item.shortest, item.longest, peers)


def _end(end: End) -> tuple[str, str, tuple[int, int], tuple[int, int]]:
    return (end.host, end.software, address_key(end.peer), address_key(end.address))


def _router(router: Router) -> Router:
    return replace(
        router,
        further=tuple(sorted(router.further, key=address_key)),
        discards=tuple(sorted(router.discards, key=network_key)),
        hairpin=tuple(sorted(router.hairpin, key=network_key)),
        one_way=tuple(sorted(router.one_way, key=network_key)),
        reaches=tuple(sorted(router.reaches, key=lambda way: (network_key(way[0]), address_key(way[1])))),
    )


def canonical(network: Network) -> Network:
    """The same network with every tuple in its one order."""
    return replace(
        network,
        nodes=tuple(sorted(network.nodes, key=lambda n: n.name)),
        subnets=tuple(sorted(network.subnets, key=lambda s: network_key(s.cidr))),
        reserved=tuple(sorted(network.reserved, key=lambda r: (network_key(r.cidr), r.name))),
        routers=tuple(sorted(map(_router, network.routers), key=lambda r: r.name)),
        speakers=tuple(sorted(network.speakers, key=lambda s: (s.host, s.software, address_key(s.address)))),
        ends=tuple(sorted(network.ends, key=_end)),
        inside=tuple(sorted(network.inside, key=_end)),
        announcements=tuple(sorted(network.announcements, key=_announcement)),
        acceptances=tuple(sorted(network.acceptances, key=_acceptance)),
        filters=tuple(sorted(network.filters, key=lambda f: f.name)),
        pools=tuple(sorted(network.pools, key=lambda p: (network_key(p.cidr), p.name))),
        service_ranges=tuple(sorted(network.service_ranges, key=lambda s: network_key(s.cidr))),
        services=tuple(sorted(network.services, key=lambda s: (s.namespace, s.name))),
        reservations=tuple(
            sorted(
                (replace(r, cidrs=tuple(sorted(r.cidrs, key=network_key))) for r in network.reservations),
                key=lambda r: r.name,
            )
        ),
        kube_vips=tuple(sorted(network.kube_vips, key=lambda k: k.node)),
        apps=tuple(sorted(network.apps)),
        versions=tuple(sorted(network.versions)),
        mirrors=tuple(sorted(network.mirrors, key=lambda m: (m.node, m.registry))),
        proxies=tuple(sorted(network.proxies, key=lambda p: (p.node, p.program))),
        trusts=tuple(sorted(network.trusts, key=lambda t: (t.node, t.program))),
    )
