"""What Calico's filters (BGPFilter) let out: the rules of a peer, asked one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from heapq import merge
from ipaddress import ip_network

from anycastle.network.addresses import IPNetwork
from anycastle.network.bgp import Announcement, End, Filter, FilterRule, Software
from anycastle.network.model import Network
from anycastle.network.prefixes import Prefixes
from anycastle.records import dataclass
from anycastle.rules.memo import asked_again
from anycastle.rules.ranges import within


def export_rules(filters: Iterable[str], known: Mapping[str, Filter]) -> tuple[FilterRule, ...]:
    """The export rules of a peer, in the order of its filters."""
    return tuple(rule for name in filters for rule in known[name].rules if rule.export)


class Verdicts:
    """What a list of rules says of prefixes; made once, asked often."""

    def __init__(self, rules: tuple[FilterRule, ...]) -> None:
        self._rules = rules
        numbered = list(enumerate(rules))
        near = [(rule.cidr, at) for at, rule in numbered if rule.cidr is not None and rule.operator in _NEAR]
        self._near = Prefixes(near)
        self._other = [at for at, rule in numbered if rule.cidr is None or rule.operator not in _NEAR]

    def of(self, prefix: IPNetwork, *, learnt: bool = False) -> str:
        """The action of the first rule that matches; empty where none does, so that Calico's own rules decide.

        `learnt` = the route came from another node by BGP.
        """
        for at in merge(self._near.around(prefix), self._other):
            rule = self._rules[at]
            if rule.cidr is None and rule.family != prefix.version:
                continue
            if rule.source == "RemotePeers" and not learnt:
                continue
            if rule.cidr is None or _matches(rule.operator, rule.cidr, prefix):
                return rule.action
        return ""


_NEAR = frozenset(("Equal", "In"))
"""Operators that can only match where the rule's network contains the prefix."""


def _matches(operator: str, cidr: IPNetwork, prefix: IPNetwork) -> bool:
    if cidr.version != prefix.version:
        return False
    equal, inside = cidr == prefix, within(prefix, (cidr,))
    return {"Equal": equal, "NotEqual": not equal, "In": inside, "NotIn": not inside}.get(operator, False)


@dataclass(frozen=True, slots=True)
class KeptBack:
    """Announcements that the filters of a peer reject."""

    end: End
    filter: Filter
    announcements: tuple[Announcement, ...]


@asked_again
def rejections(network: Network) -> tuple[KeptBack, ...]:
    """What filters keep on the nodes though it is announced, once for each set of filters and announcements."""
    known = {item.name: item for item in network.filters}
    wanted = [(a, frozenset(a.hosts)) for a in network.announcements if a.software is Software.CALICO]
    seen: set[tuple[tuple[str, ...], tuple[IPNetwork, ...]]] = set()
    found: list[KeptBack] = []
    for end in network.ends:
        if end.software is not Software.CALICO or not end.filters or not all(name in known for name in end.filters):
            continue
        mine = [a for a, hosts in wanted if end.host in hosts and a.prefix.version == end.peer.version]
        judged = (end.filters, tuple(a.prefix for a in mine))
        if judged in seen:
            continue
        seen.add(judged)
        verdicts = Verdicts(export_rules(end.filters, known))
        lost = tuple(a for a in mine if any(verdicts.of(prefix) == "Reject" for prefix in _probes(a)))
        if lost:
            found.append(KeptBack(end, known[end.filters[0]], lost))
    return tuple(found)


def kept_back(network: Network, announcement: Announcement) -> bool:
    """Whether some filter keeps an announcement on the nodes."""
    return id(announcement) in _kept(network)


@asked_again
def _kept(network: Network) -> frozenset[int]:
    return frozenset(id(announcement) for item in rejections(network) for announcement in item.announcements)


def _probes(announcement: Announcement) -> Iterator[IPNetwork]:
    """The first and last prefix of each announced length; block sizes that no pool can have are POOL001's matter."""
    prefix = announcement.prefix
    for length in {announcement.shortest, announcement.longest}:
        possible = min(max(length, prefix.prefixlen), prefix.max_prefixlen)
        for address in (prefix.network_address, prefix.broadcast_address):
            yield ip_network((address, possible), strict=False)
