"""`routers/<router>/`: the router's half of every session, its firewall and its kernel settings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from anycastle.network.bgp import Acceptance, End, Router, Software
from anycastle.network.model import Network
from anycastle.network.questions import on_router, wired
from anycastle.render.routers import appliances, firewall, frr, sysctl
from anycastle.render.routers.session import Side, names_of_nodes
from anycastle.site.model import Site
from anycastle.site.topology import topology

ON_LINUX = frozenset((Software.FRR, Software.BIRD))
"""Daemons on a Linux of which we know the kernel and the firewall."""


def files(site: Site, network: Network) -> Iterator[tuple[str, bytes]]:
    """Path and content of every file of every router, in the order of their names."""
    interfaces = _interfaces(site)
    for side in _sides(network):
        for name, text in _texts(network, side, interfaces[side.router.name]).items():
            yield f"routers/{side.router.name}/{name}", text.encode()


def _interfaces(site: Site) -> Mapping[str, tuple[str, ...]]:
    """By router, the interfaces to the nodes: those of links, and the one to a subnet where a node is on one."""
    linked: dict[str, dict[str, None]] = defaultdict(dict)
    for link in (link for node in site.nodes for link in node.links):
        linked[link.router][link.interface] = None
    known = topology(site)
    shared = {router.name for node in site.nodes if linked and not node.links for router in known.routers(node)}
    return {
        router.name: tuple({router.interface: None, **own} if router.name in shared or not own else own)
        for router in site.routers
        for own in (linked.get(router.name, {}),)
    }


def _texts(network: Network, side: Side, interfaces: Sequence[str]) -> Mapping[str, str]:
    own = frr.texts(side) if side.router.software is Software.FRR else appliances.texts(network, side, interfaces[0])
    if side.router.software not in ON_LINUX:
        return own
    rules, kernel = firewall.text(network, side, interfaces), sysctl.text(side, interfaces)
    return {**own, "nftables.conf": rules, "sysctl.conf": kernel}


def _sides(network: Network) -> Iterator[Side]:
    """Each router with what concerns it; the network is walked once, however many nodes it has."""
    ends: dict[str, list[End]] = defaultdict(list)
    acceptances: dict[str, list[Acceptance]] = defaultdict(list)
    softwares: dict[str, dict[object, Software]] = defaultdict(dict)
    by_address: Mapping[object, Router] = {
        address: router for router in network.routers for address in router.addresses
    }
    for end in network.ends:
        if on_router(end):
            ends[end.host].append(end)
        elif end.peer in by_address:
            softwares[by_address[end.peer].name][end.address] = end.software
    reflecting = {end.peer for end in wired(network) if end.keeps_next_hop and end.asn != end.peer_asn}
    for acceptance in network.acceptances:
        acceptances[acceptance.router].append(acceptance)
    nodes = names_of_nodes(network)
    called: Mapping[object, str] = {end.address: end.called for end in network.ends if end.called}
    for router in network.routers:
        yield Side(
            router=router,
            ends=tuple(ends[router.name]),
            acceptances=tuple(acceptances[router.name]),
            software_at=softwares[router.name],
            node_at=nodes,
            called_at=called,
            off_link=not reflecting.isdisjoint(router.addresses),
        )
