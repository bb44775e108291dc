"""Speakers that a node runs beside kube-vip and Calico: what follows from their ends, whoever says those."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from anycastle.finding import Place
from anycastle.network.addresses import IPNetwork
from anycastle.network.bgp import Announcement, Condition, End, Software, Speaker
from anycastle.network.canonical import address_key


def speakers(ends: Iterable[End]) -> Iterator[Speaker]:
    """The speakers of such ends, one on each node; nobody here knows their router IDs."""
    mine: dict[str, list[End]] = defaultdict(list)
    for end in ends:
        mine[end.host].append(end)
    for host, own in mine.items():
        first = min(own, key=lambda end: address_key(end.address))
        yield Speaker(host=host, software=Software.OTHER, address=first.address, asn=first.asn, where=first.where)


def announcements(
    hosts: Mapping[IPNetwork, Iterable[str]], places: Mapping[IPNetwork, Place]
) -> Iterator[Announcement]:
    """What they may announce, by prefix, with the nodes that hold a session for it."""
    for prefix, names in hosts.items():
        yield Announcement(
            prefix=prefix,
            shortest=prefix.prefixlen,
            longest=prefix.max_prefixlen,
            software=Software.OTHER,
            hosts=tuple(sorted(names)),
            when=Condition.UNTOLD,
            where=places[prefix],
        )
