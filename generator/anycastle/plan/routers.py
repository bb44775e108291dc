"""Routers: what each must do for the addresses, and what it lets in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_network

from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.network.bgp import Acceptance, Announcement, Router, Software
from anycastle.network.canonical import address_key
from anycastle.network.platforms import PLATFORMS
from anycastle.network.prefixes import Prefixes
from anycastle.network.questions import host
from anycastle.plan import further
from anycastle.plan.inside import insiders
from anycastle.plan.links import Session, addresses_in_use, by_router, sessions
from anycastle.plan.ranges import advertised
from anycastle.plan.routing import announcements
from anycastle.plan.who import at, node_addresses, of_family, router_addresses, router_id
from anycastle.site import model as site_model
from anycastle.site.model import Site
from anycastle.site.topology import Topology, topology

MULTIPATH_LIMIT = 256  # Debian's and most vendors' builds of FRR
EVERYTHING: tuple[IPNetwork, ...] = (ip_network("0.0.0.0/0"), ip_network("::/0"))


def routers(site: Site) -> Iterator[Router]:
    """The routers with what they must do for the addresses."""
    meant = sessions(site)
    mine_of = by_router(meant)
    prefixes = frozenset(_announced_prefixes(site))
    turning = (*_announced_prefixes(site), *further.prefixes(meant))
    known, reached = topology(site), ways(site)
    gateways = Prefixes((subnet.cidr, subnet.gateway) for subnet in site.networks.nodes)
    announced = tuple(a for a in announcements(site) if a.prefix in prefixes)
    for index, router in enumerate(site.routers):
        mine = mine_of[router.name]
        address, *others = addresses_in_use(router, mine)
        platform = PLATFORMS[Software(router.software)]
        unruled = not platform.turns or _sees_half(known, router, mine, gateways)
        most = platform.width(multipath(site, mine))
        yield Router(
            name=router.name,
            software=Software(router.software),
            address=address,
            further=tuple(others),
            asn=router.asn,
            router_id=router_id(router_addresses(router), router.router_id),
            multipath=most,
            multipath_internal=most if platform.shares or any(session.asn == router.asn for session in mine) else 0,
            relaxed=platform.relaxes or (_several_origins(mine) and platform.limit > 1),
            graceful_restart=site.bgp.graceful_restart,
            discards=tuple(_discards(site, mine, announced)),
            hairpin=EVERYTHING if unruled else turning,
            one_way=EVERYTHING if unruled else (),
            hash_ports=True,
            redirects=False,
            reaches=tuple(reached[router.name]),
            where=at(f"routers[{index}].address"),
        )


def ways(site: Site) -> Mapping[str, list[tuple[IPNetwork, IPAddress]]]:
    """By router, the address of each node behind a link of it, and the node's end of that link."""
    found: dict[str, list[tuple[IPNetwork, IPAddress]]] = defaultdict(list)
    for node in site.nodes:
        for link in node.links:
            own = of_family(node_addresses(node), link.address.version)
            if own is not None:
                found[link.router].append((host(own), link.address))
    return found


def _sees_half(
    known: Topology, router: site_model.Router, mine: Iterable[Session], gateways: Prefixes[IPAddress | None]
) -> bool:
    """Whether a router may see one direction of a connection only: the other one goes by another router.

    So it is where a node has several routers, where another machine is the gateway of a node's subnet, and where the
    router is not on that subnet at all. Nodes behind links turn around in no subnet, so nothing is held back there.
    """
    if router.multihop is not None:
        return True
    own = {None, *router_addresses(router)}
    return any(
        session.link.wired
        or len(known.routers(session.node)) > 1
        or not own.issuperset(gateways.around(host(session.link.source)))
        for session in mine
    )


def _several_origins(mine: Iterable[Session]) -> bool:
    """Whether one prefix may come from several AS numbers, as paths that are otherwise equal."""
    numbers: dict[Software, set[int]] = defaultdict(set)
    for session in mine:
        numbers[session.software].add(session.asn)
    return any(len(found) > 1 for found in numbers.values())


def _discards(site: Site, mine: Iterable[Session], announced: Iterable[Announcement]) -> Iterator[IPNetwork]:
    """Prefixes that end at a router where no node announces them: those of which it hears every announcer.

    A router that hears some of them only, as in a rack, finds the others by way of its uplink. Pods are no such prefix:
    a node has a route of its own for its block. Behind a route reflector every node is heard.
    """
    heard = _heard(site, mine)
    for announcement in announced:
        mine_too = heard[announcement.software]
        if len(mine_too) >= len(announcement.hosts) and mine_too.issuperset(announcement.hosts):
            yield announcement.prefix


def _heard(site: Site, mine: Iterable[Session]) -> dict[Software, set[str]]:
    """The nodes whose routes come over some sessions; over one with a route reflector those of every node inside."""
    heard: dict[Software, set[str]] = defaultdict(set)
    for session in mine:
        heard[session.software].add(session.node.name)
    if heard[Software.CALICO]:
        heard[Software.CALICO] |= {node.name for node in insiders(site)}
    return heard


def _announced_prefixes(site: Site) -> tuple[IPNetwork, ...]:
    vips = tuple(host(vip) for vip in site.kubernetes.api.vips)
    return (*vips, *advertised(site))


def multipath(site: Site, mine: Iterable[Session]) -> int:
    """Next hops that a router may use at once: every speaker of one prefix, at least 8, at most 256."""
    nodes = _heard(site, mine)
    return min(MULTIPATH_LIMIT, max([8, *(len(names) for names in nodes.values())]))


def acceptances(site: Site) -> Iterator[Acceptance]:
    """What each router lets in: exactly what is announced, from each AS by a list of its own."""
    mine_of = by_router(sessions(site))
    announced = tuple(announcements(site))
    for index, router in enumerate(site.routers):
        peers: dict[tuple[Software, int], dict[int, list[IPAddress]]] = defaultdict(lambda: defaultdict(list))
        for session in mine_of[router.name]:
            source = session.link.source
            peers[session.software, source.version][session.asn].append(source)
        for announcement in announced:
            for sources in peers[announcement.software, announcement.prefix.version].values():
                yield Acceptance(
                    router=router.name,
                    prefix=announcement.prefix,
                    shortest=announcement.shortest,
                    longest=announcement.longest,
                    peers=tuple(sorted(sources, key=address_key)),
                    where=at(f"routers[{index}].address"),
                )
        yield from further.acceptances(router.name, mine_of[router.name])
