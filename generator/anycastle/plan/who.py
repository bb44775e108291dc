"""Who takes part in what: the choices that several parts of the plan share."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address

from anycastle.finding import Place
from anycastle.network.addresses import IPAddress
from anycastle.site import model as site_model
from anycastle.site.model import Site
from anycastle.site.topology import topology


def at(key: str) -> Place:
    """The place of an answer."""
    return Place(key=key)


def control_planes(site: Site) -> tuple[site_model.Node, ...]:
    """The control-plane nodes, in the order of the site file."""
    return tuple(node for node in site.nodes if node.role == "control-plane")


def calico_peers(site: Site) -> tuple[site_model.Node, ...]:
    """The nodes whose Calico holds sessions with the routers."""
    return topology(site).calico_peers()


def vip_speakers(site: Site) -> tuple[site_model.Node, ...]:
    """The nodes whose kube-vip holds sessions with the routers."""
    return topology(site).vip_speakers()


def node_addresses(node: site_model.Node) -> tuple[IPAddress, ...]:
    """The addresses of a node, the primary one first."""
    return (node.address, *node.addresses)


def router_addresses(router: site_model.Router) -> tuple[IPAddress, ...]:
    """The addresses of a router towards the nodes."""
    return (router.address, *router.addresses)


def of_family(addresses: Iterable[IPAddress], version: int) -> IPAddress | None:
    """The first address of a family."""
    return next((address for address in addresses if address.version == version), None)


def families_of(addresses: Iterable[IPAddress]) -> frozenset[int]:
    """The families of some addresses."""
    return frozenset(address.version for address in addresses)


def router_id(addresses: Iterable[IPAddress], own: IPAddress | None) -> IPv4Address | None:
    """The router ID: the one asked for, else the first IPv4 address."""
    chosen = own or of_family(addresses, 4)
    return chosen if isinstance(chosen, IPv4Address) else None


def indexes(site: Site) -> dict[str, int]:
    """Position of each node in the site file, by name."""
    return {node.name: index for index, node in enumerate(site.nodes)}
