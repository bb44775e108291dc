"""Links of two addresses in the site file, beside the sessions and static routes of the files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from anycastle.finding import NOWHERE
from anycastle.network.addresses import IPAddress
from anycastle.network.questions import host, on_router
from anycastle.reader.agreement.difference import Difference, Keys, Site, address

Entry = tuple[Keys, dict[str, object]]


def _links(site: Site) -> Iterator[tuple[str, Entry]]:
    """Every link with the node it is of."""
    for keys, node in site.entries("nodes"):
        if node.get("links"):
            yield from ((str(node.get("name")), link) for link in site.entries(*keys, "links"))


def by_router(site: Site) -> Mapping[str, list[Entry]]:
    """The links of each router."""
    found: dict[str, list[Entry]] = defaultdict(list)
    for _node, (keys, link) in _links(site):
        found[str(link.get("router"))].append((keys, link))
    return found


def on_a_subnet(site: Site, links: Mapping[str, list[Entry]], router: str) -> bool:
    """Whether a router may speak with some node that has no link: one without any link is on a subnet."""
    if router not in links:
        return True
    linked = {node for node, _link in _links(site)}
    network = site.subject.network
    own = {address for one in network.routers if one.name == router for address in one.addresses}
    return any(end.peer in own and not on_router(end) and end.host not in linked for end in network.ends)


def differences(site: Site) -> Iterator[Difference]:
    """A link over which no session goes, and a node whose own address a router sends elsewhere."""
    network = site.subject.network
    linked = tuple(_links(site))
    if not linked:
        return
    spoken: dict[str, set[tuple[IPAddress, IPAddress]]] = defaultdict(set)
    for end in network.ends:
        if not on_router(end):
            spoken[end.host].add((end.address, end.peer))
    routers = {router.name: router for router in network.routers}
    own = {node.name: node.addresses for node in network.nodes}
    for name, (keys, link) in linked:
        mine, peer = address(link.get("address")), address(link.get("peer"))
        if mine is None or peer is None:
            continue
        if spoken[name] and (mine, peer) not in spoken[name]:
            found = sorted(f"{one} with {other}" for one, other in spoken[name])
            yield Difference((*keys, "address"), f"{mine} with {peer}", found, NOWHERE)
        router = routers.get(str(link.get("router")))
        for identity in own.get(name, ()) if router is not None else ():
            ways = [via for prefix, via in router.reaches if prefix == host(identity)] if router else []
            if identity.version == mine.version and ways and mine not in ways:
                yield Difference((*keys, "address"), mine, ways, router.where if router else NOWHERE)
