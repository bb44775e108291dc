"""Racks in the site file: which routers and AS numbers it gives to a machine.

Read as plain YAML, like everything here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from anycastle.network.bgp import End, Software
from anycastle.reader.agreement.difference import Keys, Site
from anycastle.records import dataclass

_KEYS = {Software.CALICO: "worker_asn", Software.KUBE_VIP: "control_plane_asn"}


@dataclass(frozen=True, slots=True)
class Racks:
    """The entries of machines and racks by their names, with their keys."""

    site: Site
    nodes: Mapping[str, tuple[Keys, Mapping[str, object]]] = field(default_factory=dict)
    racks: Mapping[str, tuple[Keys, Mapping[str, object]]] = field(default_factory=dict)

    def number(self, end: End) -> tuple[Keys, object] | None:
        """Where the site file says the AS number of a node's end, and what it says; None where it says nothing."""
        name = _KEYS[end.software]
        keys, node = self.nodes.get(end.host, ((), {}))
        if end.software is Software.KUBE_VIP:
            listed = node.get("speakers")
            for index, one in enumerate(listed if isinstance(listed, list) else ()):
                if isinstance(one, dict) and one.get("name") == "kube-vip" and one.get("asn") is not None:
                    return (*keys, "speakers", index, "asn"), one["asn"]
        if node.get("asn") is not None:
            return (*keys, "asn"), node["asn"]
        at, rack = self.racks.get(str(node.get("rack")), ((), {}))
        if rack.get(name) is not None:
            return (*at, name), rack[name]
        says = self.site.value("bgp", name)
        return None if says is None else (("bgp", name), says)

    @property
    def reflectors(self) -> frozenset[str]:
        """The names of the route reflectors."""
        named = self.site.value("bgp", "route_reflectors", "nodes")
        return frozenset(map(str, named if isinstance(named, list) else ()))

    def peers(self, name: str) -> bool:
        """Whether the site file lets a machine hold sessions."""
        return self.nodes.get(name, ((), {}))[1].get("peer") is not False

    def routers(self, name: str) -> tuple[Keys, frozenset[str]]:
        """The names of the routers that a machine speaks with, and where that is said."""
        _keys, node = self.nodes.get(name, ((), {}))
        if "rack" in node:
            at, rack = self.racks.get(str(node["rack"]), ((), {}))
            return (*at, "routers"), _names(rack)
        taken = frozenset().union(*(_names(rack) for _keys, rack in self.racks.values()))
        named = frozenset(str(entry.get("name")) for _keys, entry in self.site.entries("routers"))
        return ("routers",), named - taken


def _names(rack: Mapping[str, object]) -> frozenset[str]:
    named = rack.get("routers")
    return frozenset(map(str, named if isinstance(named, list) else ()))


def racks(site: Site) -> Racks:
    """The racks of a site file."""
    return Racks(
        site,
        {str(entry.get("name")): (keys, entry) for keys, entry in site.entries("nodes")},
        {str(entry.get("name")): (keys, entry) for keys, entry in site.entries("racks")},
    )
