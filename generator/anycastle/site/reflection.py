"""Route reflectors in the site file: nodes that cannot reflect, and answers that they contradict."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Finding, Place, Severity
from anycastle.site.model import Node, RouteReflectors, Site
from anycastle.site.topology import REFLECTOR_LABEL, Topology, topology

_KEY = "bgp.route_reflectors"


def reflection(site: Site) -> Iterator[Finding]:
    """Everything that is wrong with route reflectors, where the site has any."""
    reflectors = site.bgp.route_reflectors
    if reflectors is None:
        return
    yield from _named(site, reflectors)
    if site.bgp.node_to_node_mesh:
        yield _finding(
            "SITE011",
            "bgp.node_to_node_mesh",
            "With the mesh every node holds a session with every other one anyway: the reflectors would save none, and "
            "routes come twice.",
            "Write node_to_node_mesh: false, or take route_reflectors out.",
        )
    known = topology(site)
    for index, rack in enumerate(site.racks):
        if rack.worker_asn not in (None, site.bgp.worker_asn):
            yield _other_as(site, f"racks[{index}].worker_asn", f"in rack {rack.name}", rack.worker_asn)
    for index, node in enumerate(site.nodes):
        yield from _labelled(known, index, node)
        if known.inside(node) and node.asn not in (None, site.bgp.worker_asn):
            yield _other_as(site, f"nodes[{index}].asn", f"on {node.name}", node.asn)


def _other_as(site: Site, key: str, where: str, asn: int | None) -> Finding:
    return _finding(
        "SITE011",
        key,
        f"Calico {where} would have AS {asn}, and the reflectors have {site.bgp.worker_asn}: a reflector passes routes "
        "on between nodes of its own AS only.",
        "Use one AS number on every node, or take route_reflectors out.",
    )


def _named(site: Site, reflectors: RouteReflectors) -> Iterator[Finding]:
    """Names that are no node's, or stand twice, or belong to a node whose Calico holds no session."""
    known, nodes = topology(site), {node.name: node for node in site.nodes}
    for index, name in enumerate(reflectors.nodes):
        key = f"{_KEY}.nodes[{index}]"
        node = nodes.get(name)
        if node is None:
            yield _finding(
                "SITE006",
                key,
                f"There is no node {name}, so nothing would reflect there.",
                "Name one of the nodes.",
            )
        elif name in reflectors.nodes[:index]:
            yield _finding("SITE005", key, f"{name} is named twice as a reflector.", "Name each one once.")
        elif not known.chosen(node):
            why = "is a control plane, and bgp.peering is workers" if node.peer else "holds no session (peer: false)"
            yield _finding(
                "SITE011",
                key,
                f"{name} {why}: every other node would wait for a reflector that does not speak.",
                "Name a worker that peers, or write bgp.peering: all.",
            )
        elif not known.routers(node):
            yield _finding(
                "SITE011",
                key,
                f"{name} is in no rack, and every router belongs to one: what it hears would go no further.",
                "Name its rack, or another node.",
            )


def _labelled(known: Topology, index: int, node: Node) -> Iterator[Finding]:
    said = node.labels.get(REFLECTOR_LABEL)
    wanted = "true" if known.reflects(node) else None
    if said is not None and said != wanted:
        yield _finding(
            "SITE011",
            f"nodes[{index}].labels",
            f"{node.name} says {REFLECTOR_LABEL}={said}, the label by which BGPPeers find the reflectors, which this "
            f"node {'is' if wanted else 'is not'}.",
            "Take the label out; bgp.route_reflectors.nodes sets it.",
        )


def _finding(code: str, key: str, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(key=key), message, fix)
