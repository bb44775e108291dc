"""Which announcements a router hears, and from which addresses."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import Announcement, Router, Software
from anycastle.network.model import Network
from anycastle.network.prefixes import indexed
from anycastle.network.questions import host
from anycastle.rules.exports import kept_back
from anycastle.rules.memo import asked_again
from anycastle.rules.owners import settled_vips
from anycastle.rules.pairs import pair

Heard = dict[tuple[str, Software], dict[str, set[IPAddress]]]


@asked_again
def heard_by(network: Network) -> Heard:
    """(router, software) -> host -> source addresses of its sessions."""
    found: Heard = defaultdict(lambda: defaultdict(set))
    for session in pair(network).sessions:
        found[session.router.host, session.node.software][session.node.host].add(session.node.address)
    return found


@asked_again
def announced(network: Network) -> tuple[Announcement, ...]:
    """Announcements that no other rule finds fault with.

    Left out: API addresses on which the kube-vips disagree (KV005), ranges without a pool (POOL003, POOL004), and
    what the nodes' own filters keep back (ANN005).
    """
    settled = {host(vip) for vip in settled_vips(network)}
    pools = indexed(pool.cidr for pool in network.pools)
    return tuple(
        announcement
        for announcement in network.announcements
        if announcement.prefix in settled
        or announcement.software is Software.OTHER
        or (
            announcement.software is Software.CALICO
            and pools.touch(announcement.prefix)
            and not kept_back(network, announcement)
        )
    )


def sources_of(speakers: Heard, router: Router, announcement: Announcement) -> set[IPAddress]:
    """From which addresses a router hears an announcement."""
    by_host = speakers.get((router.name, announcement.software), {})
    same, hosts = announcement.prefix.version, _hosts(announcement.hosts)
    return {a for name, found in by_host.items() if name in hosts for a in found if a.version == same}


@lru_cache(maxsize=16)
def _hosts(names: tuple[str, ...]) -> frozenset[str]:
    """The hosts of an announcement; every router asks after the same ones."""
    return frozenset(names)
