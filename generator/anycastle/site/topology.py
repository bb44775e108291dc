"""What follows from racks and from single nodes: which routers a node speaks with, from which AS, under which labels.

A node of a rack speaks with the routers that its rack names, any other node with the routers that no rack names.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv4Address

from anycastle.records import dataclass
from anycastle.site.model import Node, Rack, Router, Site

KUBE_VIP = "kube-vip"
"""Name of kube-vip among the further speakers of a node."""
REFLECTOR_LABEL = "route-reflector"
"""Label of route reflectors, by which BGPPeers find them; its value is `true`."""
LOCAL_ASN_SINCE = (3, 31)
"""Calico release whose BGPPeer has localASNumber; before it, only an annotation of the Node says such a number."""


@dataclass(frozen=True, slots=True)
class Topology:
    """The racks and routers of a site by their names; every question about a node takes one step."""

    site: Site
    racks: Mapping[str, Rack]
    named: Mapping[str, tuple[Router, ...]]
    others: tuple[Router, ...]

    def rack(self, node: Node) -> Rack | None:
        """The rack that a node stands in."""
        return self.racks.get(node.rack) if node.rack is not None else None

    def routers(self, node: Node) -> tuple[Router, ...]:
        """The routers that a node holds sessions with, in the order of the site file."""
        if not node.peer:
            return ()
        rack = self.rack(node)
        return self.named[rack.name] if rack is not None else self.others

    def worker_asn(self, node: Node) -> int:
        """AS of Calico on a node."""
        rack = self.rack(node)
        return node.asn or (rack.worker_asn if rack else None) or self.site.bgp.worker_asn

    def annotated_asn(self, node: Node) -> int:
        """The AS number that an annotation of the Node has to say, 0 where none is needed."""
        own = self.worker_asn(node) if self.calico_speaks(node) else self.site.bgp.worker_asn
        return 0 if has_local_asn(self.site) or own == self.site.bgp.worker_asn else own

    def control_plane_asn(self, node: Node) -> int | None:
        """AS of kube-vip on a node; None where nobody says one."""
        rack = self.rack(node)
        told = next((speaker.asn for speaker in node.speakers if speaker.name == KUBE_VIP), None)
        return told or node.asn or (rack.control_plane_asn if rack else None) or self.site.bgp.control_plane_asn

    def labels(self, node: Node) -> Mapping[str, str]:
        """The labels that kubelet is told to set, without the one of `announce_services`."""
        rack = self.rack(node)
        mark = {REFLECTOR_LABEL: "true"} if self.reflects(node) else {}
        return {**node.labels, **({rack.label: rack.name} if rack else {}), **mark}

    def announces(self, node: Node) -> bool:
        """Whether Services may be announced from a node; without a session nothing is."""
        return node.announce_services and (node.peer or node.role == "control-plane")

    def calico_peers(self) -> tuple[Node, ...]:
        """The nodes whose Calico holds sessions with routers."""
        return tuple(node for node in self.site.nodes if self.calico_speaks(node))

    def calico_speaks(self, node: Node) -> bool:
        """Whether Calico of a node holds a session with a router; with route reflectors only these do."""
        mine = self.reflects(node) or not self.reflectors
        return mine and self.chosen(node) and bool(self.routers(node))

    def calico_routers(self) -> tuple[Router, ...]:
        """The routers that BGPPeers name, also where their nodes are still to come."""
        if not self.reflectors:
            return self.site.routers
        met = {router.name for node in self.calico_peers() for router in self.routers(node)}
        return tuple(router for router in self.site.routers if router.name in met)

    def calico_passwords(self) -> tuple[str, ...]:
        """References of the passwords that Calico reads, each once."""
        return tuple(sorted({router.password for router in self.calico_routers() if router.password}))

    def chosen(self, node: Node) -> bool:
        """Whether Calico of a node is meant to hold sessions at all."""
        return node.peer and (self.site.bgp.peering == "all" or node.role == "worker")

    @property
    def reflectors(self) -> tuple[str, ...]:
        """The names of the route reflectors."""
        return self.site.bgp.route_reflectors.nodes if self.site.bgp.route_reflectors is not None else ()

    def reflects(self, node: Node) -> bool:
        """Whether a node is a route reflector."""
        return node.name in self.reflectors

    def cluster_id(self, node: Node) -> IPv4Address | None:
        """The cluster ID that an annotation of a route reflector has to say."""
        reflectors = self.site.bgp.route_reflectors
        return reflectors.cluster_id if reflectors is not None and self.reflects(node) else None

    def inside(self, node: Node) -> bool:
        """Whether Calico of a node holds sessions with route reflectors: every chosen node does, these included."""
        return bool(self.reflectors) and self.chosen(node)

    def vip_speakers(self) -> tuple[Node, ...]:
        """The nodes whose kube-vip holds sessions with routers."""
        if not self.site.kubernetes.api.vips:
            return ()
        return tuple(node for node in self.site.nodes if node.role == "control-plane" and self.routers(node))


def topology(site: Site) -> Topology:
    """The topology of a site; a name that points nowhere (SITE006) counts as nothing."""
    routers = {router.name: router for router in site.routers}
    placed = {name for rack in site.racks for name in rack.routers}
    return Topology(
        site,
        {rack.name: rack for rack in site.racks},
        {rack.name: tuple(routers[name] for name in rack.routers if name in routers) for rack in site.racks},
        tuple(router for router in site.routers if router.name not in placed),
    )


def has_local_asn(site: Site) -> bool:
    """Whether the pinned Calico can be told another AS number for a single peer, and knows nextHopMode."""
    major, minor = site.versions.calico.split(".")[:2]
    return (int(major), int(minor)) >= LOCAL_ASN_SINCE
