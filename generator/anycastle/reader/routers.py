"""The routers' half: from `frr.conf`, `nftables.conf` and `sysctl.conf` to routers, session ends and acceptances."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address

from anycastle.finding import Place
from anycastle.network.model import (
    End,
    IPAddress,
    Router,
    Software,
)
from anycastle.reader import firewall, frr, frr_statements, sysctl
from anycastle.reader.files import Tree
from anycastle.reader.neighbours import Neighbourhood, Reading
from anycastle.reader.notes import Notes

_OTHERS = frozenset(("bird.conf", "bird6.conf", "gobgpd.conf", "gobgpd.toml", "config.boot"))


@dataclass(frozen=True, slots=True)
class NodeSide:
    """What the nodes know of routers: their ends, and the address under which a BGPPeer names each router."""

    ends: Sequence[End]
    named: Mapping[str, IPAddress]


def read(tree: Tree, nodes: NodeSide, notes: Notes) -> Iterator[Reading]:
    """Every router of the tree. Node ends are needed for peers that a router does not name one by one."""
    callers: dict[IPAddress, list[End]] = {}
    for end in nodes.ends:
        callers.setdefault(end.peer, []).append(end)
    for path in tree.paths:
        folder, _, name = path.rpartition("/")
        if name in _OTHERS:
            notes.add("READ008", Place(path), "Only FRR's configuration is read; this router was not checked.")
        elif name == "frr.conf" and (text := tree.text(path, notes)) is not None:
            config = frr_statements.parse(text, path, notes)
            found = _Files(tree, folder, config)
            known = (nodes.named[found.name],) if found.name in nodes.named else tuple(callers)
            router = _router(found, known, notes) if config.asn else None
            if router is not None:
                yield Neighbourhood(config, router, callers, notes).reading()


@dataclass(frozen=True, slots=True)
class _Files:
    """The folder of one router."""

    tree: Tree
    folder: str
    config: frr.Config

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.rpartition("/")[2] or "router"

    def text(self, name: str, notes: Notes) -> str:
        """Another file beside frr.conf; empty where there is none."""
        path = self.path(name)
        return (self.tree.text(path, notes) or "") if self.tree.has_file(path) else ""

    def path(self, name: str) -> str:
        """Path of a file in the folder."""
        return posixpath.join(self.folder, name)


def _router(found: _Files, known: Sequence[IPAddress], notes: Notes) -> Router | None:
    config, name = found.config, found.name
    asn = notes.asn(config.asn, config.place(config.asn_line), "the AS number of `router bgp`")
    address = _address(config, known, notes)
    if asn is None or address is None:
        if address is None:
            notes.add(
                "READ001",
                config.place(config.asn_line),
                f"The address of {name} towards the nodes is not in its configuration: no neighbour has an "
                "update-source, no interface an address, and there is no router ID.",
                "Write `neighbor GROUP update-source ADDRESS`.",
            )
        return None
    router_id = (
        notes.address(config.router_id, config.place(config.asn_line), "bgp router-id") if config.router_id else None
    )
    kernel = sysctl.parse(found.text("sysctl.conf", notes))
    rules = found.text("nftables.conf", notes)
    return Router(
        name=name,
        software=Software.FRR,
        address=address,
        asn=asn,
        router_id=router_id if isinstance(router_id, IPv4Address) else None,
        multipath=config.multipath,
        graceful_restart=config.graceful_restart,
        discards=tuple(dict.fromkeys(route.prefix for route in config.static_routes)),
        hairpin=firewall.hairpin(rules, found.path("nftables.conf"), notes),
        hash_ports=kernel.hash_ports,
        redirects=kernel.redirects,
        where=config.place(config.asn_line),
    )


def _address(config: frr.Config, known: Sequence[IPAddress], notes: Notes) -> IPAddress | None:
    """The router's address towards the nodes: what it says itself, else what the nodes know, else a guess."""
    sources = [neighbour.update_source for neighbour in config.neighbours.values()]
    dialled = [str(address) for address in known]
    of_interfaces = [address for address in config.addresses if address in dialled]
    alone = dialled if len(dialled) == 1 else []
    for value in (*sources, *of_interfaces, *alone, *config.addresses, config.router_id):
        if value and (":" in value or value.replace(".", "").isdigit()):
            return notes.address(value, config.place(config.asn_line), "the router's address")
    return None
