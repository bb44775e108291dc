"""Calico's BGP: cluster-wide settings, and which nodes peer with which routers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from anycastle import fields
from anycastle.fields import FieldError
from anycastle.finding import Place
from anycastle.importing import kubectl_bgp_rest, kubectl_reflectors
from anycastle.importing.facts import Notes
from anycastle.importing.kubectl_reflectors import DEFAULT_ASN
from anycastle.importing.objects import Object
from anycastle.network import selector
from anycastle.network.cluster import CONTROL_PLANE_LABEL


def settings(items: list[Object], notes: Notes) -> None:
    """The BGPConfiguration `default`; absent keys have Calico's defaults (AS 64512, mesh on, aggregation on)."""
    for item in items:
        if item.name != "default":
            notes.skip(item.place("metadata", "name"), f"BGPConfiguration {item.name} is for one node")
            continue
        spec = item.spec
        notes.parse(
            ("bgp", "worker_asn"), fields.parse_asn, spec.get("asNumber", DEFAULT_ASN), item.place("spec", "asNumber")
        )
        mesh = spec.get("nodeToNodeMeshEnabled") is not False
        notes.say(("bgp", "node_to_node_mesh"), mesh, item.place("spec", "nodeToNodeMeshEnabled"))
        aggregated = spec.get("serviceLoadBalancerAggregation") != "Disabled"
        where = item.place("spec", "serviceLoadBalancerAggregation")
        notes.say(("bgp", "advertise"), "aggregate" if aggregated else "host-routes", where)
        for number, entry in enumerate(item.mappings("spec", "serviceLoadBalancerIPs")):
            at = item.place("spec", "serviceLoadBalancerIPs", number)
            notes.parse(("advertised", str(entry.get("cidr")), "cidr"), fields.parse_cidr, entry.get("cidr"), at)
        for key in ("serviceClusterIPs", "serviceExternalIPs"):
            if spec.get(key):
                notes.skip(item.place("spec", key), f"Calico also announces {key}")
        kubectl_bgp_rest.of_settings(item, notes)


def peers(items: list[Object], notes: Notes) -> None:
    """Each peer outside of the cluster is a router, those inside of it make route reflectors.

    Who peers follows from what the peers select.
    """
    nodes = [item for item in items if item.kind == "Node"]
    found: dict[str, frozenset[str]] = {}
    for item in items:
        if item.kind != "BGPPeer" or kubectl_reflectors.is_inner(item):
            continue
        if (chosen := _peer(item, nodes, notes)) is not None:
            found[item.name] = chosen
    ring = kubectl_reflectors.reflection(items, found, notes)
    _rest(items, found, notes, reflected=ring is not None)
    if ring is not None:
        _who(ring.inside, nodes, ring.where, notes)
    elif found and nodes:
        where = next(item.place("spec") for item in items if item.kind == "BGPPeer" and item.name in found)
        peering = frozenset[str]().union(*found.values())
        _who(peering, nodes, where, notes)
        for name, chosen in found.items():
            if chosen != peering:
                notes.say(("routers", name, "selects"), tuple(sorted(node.lower() for node in chosen)), where)


def _rest(items: list[Object], routers: Collection[str], notes: Notes, *, reflected: bool) -> None:
    """What the peers say beyond a site; one that is left out as a whole is not taken apart."""
    for item in items:
        if kubectl_reflectors.is_inner(item):
            if reflected:
                kubectl_bgp_rest.of_inner(item, notes)
        elif item.kind == "BGPPeer" and item.name in routers:
            kubectl_bgp_rest.of_router(item, notes, reflected=reflected)


def _who(peering: frozenset[str], nodes: list[Object], where: Place, notes: Notes) -> None:
    """Whose Calico holds sessions: all workers or all nodes, and which of these do not."""
    workers = frozenset(node.name for node in nodes if CONTROL_PLANE_LABEL not in node.labels)
    everybody = frozenset(node.name for node in nodes)
    notes.say(("bgp", "peering"), "workers" if peering <= workers and workers != everybody else "all", where)
    for name in sorted((workers if peering <= workers else everybody) - peering):
        notes.say(("nodes", name.lower(), "peer"), False, where)


def _peer(item: Object, nodes: list[Object], notes: Notes) -> frozenset[str] | None:
    """The names of the nodes that dial a router; None for what is no router."""
    spec = item.spec
    if "localWorkloadSelector" in spec or not spec.get("peerIP"):
        notes.skip(item.place("spec"), f"BGPPeer {item.name} peers inside the cluster")
        return None
    at = ("routers", item.name)
    address = _without_port(str(spec["peerIP"]))
    notes.parse((*at, "address"), fields.parse_address, address, item.place("spec", "peerIP"))
    notes.parse((*at, "asn"), fields.parse_asn, spec.get("asNumber"), item.place("spec", "asNumber"))
    notes.parse(("bgp", "restart_time"), _seconds, spec.get("maxRestartTime"), item.place("spec", "maxRestartTime"))
    if spec.get("reachableBy"):
        notes.parse((*at, "reachable_by"), fields.parse_address, spec["reachableBy"], item.place("spec", "reachableBy"))
    secret = item.mapping("spec", "password", "secretKeyRef")
    if secret:
        text = f"{secret.get('name')}/{secret.get('key')}"
        notes.parse((*at, "password"), fields.parse_secret_ref, text, item.place("spec", "password"))
    chosen = frozenset(_selected(item, nodes, notes))
    for name in sorted(chosen) if "localASNumber" in spec else ():
        where = item.place("spec", "localASNumber")
        notes.parse(("nodes", name.lower(), "asn"), fields.parse_asn, spec["localASNumber"], where)
    return chosen


def _seconds(raw: object) -> int:
    seconds = fields.parse_duration(raw)
    if not 1 <= seconds <= 4095:
        raise FieldError(f"{seconds} s is no restart time.", "BGP carries 1 to 4095 seconds (RFC 4724).")
    return seconds


def _selected(item: Object, nodes: list[Object], notes: Notes) -> Iterator[str]:
    if named := item.spec.get("node"):
        yield str(named)
        return
    text = str(item.spec.get("nodeSelector") or "")
    try:
        wanted = selector.parse(text)
    except selector.SelectorError:
        notes.skip(
            item.place("spec", "nodeSelector"), f"the nodeSelector of BGPPeer {item.name} is none that Calico knows"
        )
        return
    yield from (node.name for node in nodes if wanted.matches(_labels(node)))


def _labels(node: Object) -> Mapping[str, str]:
    return node.labels


def _without_port(value: str) -> str:
    if value.startswith("["):
        return value[1:].partition("]")[0]
    return value.partition(":")[0] if value.count(":") == 1 else value
