"""`routers/<router>/`: the router's half of every session, its firewall and its kernel settings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

from anycastle.network.model import Acceptance, End, Network, Router, Software
from anycastle.network.questions import on_router
from anycastle.render.routers import firewall, frr, sysctl
from anycastle.render.routers.session import Side, names_of_nodes
from anycastle.site.model import Site

SOFTWARE: Mapping[Software, Callable[[Side], Mapping[str, str]]] = {Software.FRR: frr.texts}


def files(site: Site, network: Network) -> Iterator[tuple[str, bytes]]:
    """Path and content of every file of every router, in the order of their names."""
    interfaces = {router.name: router.interface for router in site.routers}
    for side in _sides(network):
        interface = interfaces[side.router.name]
        texts = {
            **SOFTWARE[side.router.software](side),
            "nftables.conf": firewall.text(network, side, interface),
            "sysctl.conf": sysctl.text(side, interface),
        }
        for name, text in texts.items():
            yield f"routers/{side.router.name}/{name}", text.encode()


def _sides(network: Network) -> Iterator[Side]:
    """Each router with what concerns it; the network is walked once, however many nodes it has."""
    ends: dict[str, list[End]] = defaultdict(list)
    acceptances: dict[str, list[Acceptance]] = defaultdict(list)
    softwares: dict[str, dict[object, Software]] = defaultdict(dict)
    by_address: Mapping[object, Router] = {router.address: router for router in network.routers}
    for end in network.ends:
        if on_router(end):
            ends[end.host].append(end)
        elif end.peer in by_address:
            softwares[by_address[end.peer].name][end.address] = end.software
    for acceptance in network.acceptances:
        acceptances[acceptance.router].append(acceptance)
    nodes = names_of_nodes(network)
    for router in network.routers:
        yield Side(
            router=router,
            ends=tuple(ends[router.name]),
            acceptances=tuple(acceptances[router.name]),
            software_at=softwares[router.name],
            node_at=nodes,
        )
