"""Who takes part in what: the choices that several parts of the plan share."""

from __future__ import annotations

from ipaddress import IPv4Address

from anycastle.finding import Place
from anycastle.network.model import IPAddress
from anycastle.site import model as site_model
from anycastle.site.model import Site


def at(key: str) -> Place:
    """The place of an answer."""
    return Place(key=key)


def control_planes(site: Site) -> tuple[site_model.Node, ...]:
    """The control-plane nodes, in the order of the site file."""
    return tuple(node for node in site.nodes if node.role == "control-plane")


def calico_peers(site: Site) -> tuple[site_model.Node, ...]:
    """The nodes whose Calico holds sessions with the routers."""
    everybody = site.bgp.peering == "all"
    return tuple(node for node in site.nodes if node.peer and (everybody or node.role == "worker"))


def vip_speakers(site: Site) -> tuple[site_model.Node, ...]:
    """The nodes whose kube-vip holds sessions with the routers."""
    return tuple(node for node in control_planes(site) if node.peer) if site.kubernetes.api.vips else ()


def router_id(address: IPAddress, own: IPAddress | None) -> IPv4Address | None:
    """The router ID: the one asked for, else the address where it is IPv4."""
    chosen = own or address
    return chosen if isinstance(chosen, IPv4Address) else None


def indexes(site: Site) -> dict[str, int]:
    """Position of each node in the site file, by name."""
    return {node.name: index for index, node in enumerate(site.nodes)}
