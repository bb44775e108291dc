"""Racks and routers in the site file: names that point at nothing, and answers that place a node nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Finding, Place, Severity
from anycastle.site.model import Node, Site
from anycastle.site.reflection import reflection
from anycastle.site.topology import KUBE_VIP, Topology, topology


def placement(site: Site) -> Iterator[Finding]:
    """Everything that is wrong with where nodes stand and whom they speak with."""
    yield from _names(site)
    yield from _nodes(site)
    yield from _numbers(site)
    yield from _routers(site)
    yield from reflection(site)


def _names(site: Site) -> Iterator[Finding]:
    subnets, routers = {net.name for net in site.networks.nodes}, {router.name for router in site.routers}
    for index, rack in enumerate(site.racks):
        if rack.subnet not in subnets:
            yield _finding(
                "SITE006",
                f"racks[{index}].subnet",
                f"There is no node subnet {rack.subnet}, so nobody knows where the nodes of rack {rack.name} are.",
                f"Name one of: {', '.join(sorted(subnets))}.",
            )
        for number, name in enumerate(rack.routers):
            if name not in routers:
                yield _finding(
                    "SITE006",
                    f"racks[{index}].routers[{number}]",
                    f"There is no router {name}, so the nodes of rack {rack.name} would dial nobody.",
                    f"Name one of: {', '.join(sorted(routers))}.",
                )


def _nodes(site: Site) -> Iterator[Finding]:
    known = topology(site)
    subnets = {net.name: net.cidr for net in site.networks.nodes}
    for index, node in enumerate(site.nodes):
        rack = known.rack(node)
        if rack is None:
            if node.rack is None and site.racks and not known.others and _dials_routers(known, node):
                yield _finding(
                    "SITE007",
                    f"nodes[{index}].rack",
                    f"{node.name} is in no rack, and every router belongs to one: the node would dial nobody.",
                    "Name its rack, or write peer: false.",
                )
            continue
        cidr = subnets.get(rack.subnet)
        if cidr is not None and node.address.version == cidr.version and node.address not in cidr:
            yield _finding(
                "SITE011",
                f"nodes[{index}].rack",
                f"{node.name} has the address {node.address}, and rack {rack.name} is {cidr}: the routers of the rack "
                "would wait for a node that is not on their link.",
                "Correct the address or the rack.",
            )
        if node.labels.get(rack.label, rack.name) != rack.name:
            yield _finding(
                "SITE011",
                f"nodes[{index}].labels",
                f"{node.name} says {rack.label}={node.labels[rack.label]}, and its rack makes it {rack.name}: no "
                "BGPPeer would select the node.",
                "Take the label out.",
            )


def _dials_routers(known: Topology, node: Node) -> bool:
    """Whether a node is meant to hold a session with a router: not one that has those with route reflectors alone."""
    vip = node.role == "control-plane" and bool(known.site.kubernetes.api.vips)
    return node.peer and (vip or not known.inside(node))


def _numbers(site: Site) -> Iterator[Finding]:
    """AS numbers that kube-vip lacks, and those that nobody would have."""
    known = topology(site)
    if site.kubernetes.api.vips and not known.vip_speakers() and any(n.role == "control-plane" for n in site.nodes):
        yield _finding(
            "SITE007",
            "kubernetes.api.vips",
            "No control plane holds a session, so nobody would announce the API address.",
            "Let one of them speak with a router, or take the address out.",
        )
    if any(known.control_plane_asn(node) is None for node in known.vip_speakers()):
        yield _finding(
            "SITE007",
            "bgp.control_plane_asn",
            "The API address is announced by kube-vip, which needs an AS number, or takes 65000 in silence.",
            "Write bgp.control_plane_asn, different from the router's.",
        )
    vips = {node.name for node in known.vip_speakers()}
    for index, node in enumerate(site.nodes):
        if node.asn is not None and not (known.calico_speaks(node) or known.inside(node) or node.name in vips):
            yield _finding(
                "SITE007",
                f"nodes[{index}].asn",
                f"No speaker on {node.name} holds a session, so its AS number would change nothing.",
                "Take the key out.",
            )


def _routers(site: Site) -> Iterator[Finding]:
    known = topology(site)
    speaking = {node.name for node in (*known.calico_peers(), *known.vip_speakers())}
    speaking |= {node.name for node in site.nodes if any(speaker.name != KUBE_VIP for speaker in node.speakers)}
    spoken_with = {router.name for node in site.nodes if node.name in speaking for router in known.routers(node)}
    for index, router in enumerate(site.routers):
        if router.reachable_by is not None and router.multihop is None:
            yield _finding(
                "SITE007",
                f"routers[{index}].reachable_by",
                f"Router {router.name} is behind a gateway, and without multihop its packets die there.",
                "Write multihop as well: the number of hops, the last one included.",
            )
        if site.racks and router.name not in spoken_with:
            which, other = ("node", "nodes") if not known.reflectors else ("route reflector", "a reflector")
            yield _finding(
                "SITE007",
                f"routers[{index}].name",
                f"No {which} is in a rack of router {router.name}, so it would have no session.",
                f"List it under routers of a rack that has {other}, or take it out.",
            )


def _finding(code: str, key: str, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(key=key), message, fix)
