"""Route reflectors of a cluster: BGPPeers with a peerSelector, as far as a site file can say the same.

A site has one set of reflectors with one cluster ID; every node that peers speaks with all of them, and they alone
speak with routers. Calico allows more, and what is more is left out with its reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv4Address

from anycastle import fields
from anycastle.fields import FieldError
from anycastle.finding import Place
from anycastle.importing.facts import Notes
from anycastle.importing.objects import Object
from anycastle.network import selector
from anycastle.records import dataclass

LABEL = "route-reflector"
"""The label that every site gives its reflectors itself; of a source it is not carried."""
DEFAULT_ASN = 64512
_CLUSTER_ID = "projectcalico.org/RouteReflectorClusterID"
_ASN = "projectcalico.org/ASNumber"


@dataclass(frozen=True, slots=True)
class Reflection:
    """Names of the reflectors and of all nodes that speak with them, these included."""

    reflectors: frozenset[str]
    inside: frozenset[str]
    where: Place


class _NotSaid(Exception):
    """A site file cannot say it; the text goes on after `BGPPeer x peers inside the cluster`."""


def is_inner(item: Object) -> bool:
    """Whether an object is a BGPPeer that finds its far ends among the nodes, by their labels."""
    return item.kind == "BGPPeer" and bool(item.spec.get("peerSelector")) and "localWorkloadSelector" not in item.spec


def reflection(items: list[Object], routers: Mapping[str, frozenset[str]], notes: Notes) -> Reflection | None:
    """What the inner peers say together; None where there are none, or no site can say it.

    `routers` are the nodes that dial a router, by the name of its BGPPeer.
    """
    inner = [item for item in items if is_inner(item)]
    if not inner:
        return None
    try:
        found, cluster_id = _resolved(inner, items)
        _only_reflectors_dial(found.reflectors, items, routers)
    except _NotSaid as why:
        for item in inner:
            notes.skip(item.place("spec", "peerSelector"), f"BGPPeer {item.name} peers inside the cluster{why}")
        return None
    names = tuple(item.name.lower() for item in _nodes(items) if item.name in found.reflectors)
    notes.say(("bgp", "route_reflectors", "nodes"), names, found.where)
    notes.say(("bgp", "route_reflectors", "cluster_id"), str(cluster_id), found.where)
    for item in inner:
        if "password" in item.spec:
            notes.skip(item.place("spec", "password"), f"BGPPeer {item.name} has a password for sessions between nodes")
    return found


def _resolved(inner: list[Object], items: list[Object]) -> tuple[Reflection, IPv4Address]:
    """Who reflects, for whom, and as which cluster."""
    nodes = _nodes(items)
    pairs = [(_matching(item, "nodeSelector", nodes), _matching(item, "peerSelector", nodes)) for item in inner]
    if len({theirs for _mine, theirs in pairs}) > 1:
        raise _NotSaid(", and another one selects other far ends")
    reflectors, mine = pairs[0][1], frozenset[str]().union(*(mine for mine, _theirs in pairs))
    if not reflectors:
        raise _NotSaid(", and its peerSelector matches no node of this source")
    if len(reflectors - mine) > 1:
        raise _NotSaid(", and those that it selects do not peer with each other")
    if any(item.spec.get("reversePeering") == "Manual" for item in inner):
        raise _NotSaid(" in one direction only (reversePeering: Manual)")
    settings = list(_settings(items))
    if not settings or any(item.spec.get("nodeToNodeMeshEnabled") is not False for item in settings):
        raise _NotSaid(" beside the mesh, which no site with route reflectors has")
    inside = mine | reflectors
    if len({str(_asn(node, items)) for node in nodes if node.name in inside}) > 1:
        raise _NotSaid(" between nodes of different AS numbers")
    found = Reflection(reflectors, inside, inner[0].place("spec", "peerSelector"))
    return found, _cluster_id([node for node in nodes if node.name in reflectors])


def _cluster_id(reflectors: list[Object]) -> IPv4Address:
    texts = {node.annotations.get(_CLUSTER_ID, "") for node in reflectors}
    try:
        return IPv4Address(texts.pop() if len(texts) == 1 else "")
    except ValueError:
        raise _NotSaid(f", and those that it selects have no {_CLUSTER_ID} in common") from None


def _only_reflectors_dial(
    reflectors: frozenset[str], items: list[Object], routers: Mapping[str, frozenset[str]]
) -> None:
    if any(dialling != reflectors for dialling in routers.values()):
        raise _NotSaid(", and not exactly those that it selects peer with the routers")
    if any("localASNumber" in item.spec for item in items if item.name in routers):
        raise _NotSaid(", and those that it selects have another AS number towards a router")


def _matching(item: Object, key: str, nodes: list[Object]) -> frozenset[str]:
    """The names of the nodes that a selector of a BGPPeer finds; `node` stands for a nodeSelector."""
    if key == "nodeSelector" and (named := item.spec.get("node")):
        return frozenset((str(named),))
    try:
        wanted = selector.parse(str(item.spec.get(key) or ""))
    except selector.SelectorError:
        raise _NotSaid(f", and its {key} is none that Calico knows") from None
    return frozenset(node.name for node in nodes if wanted.matches(node.labels))


def _nodes(items: list[Object]) -> list[Object]:
    return [item for item in items if item.kind == "Node"]


def _settings(items: list[Object]) -> list[Object]:
    return [item for item in items if item.kind == "BGPConfiguration" and item.name == "default"]


def _asn(node: Object, items: list[Object]) -> object:
    """The number of its Calico: that of its annotation, else of the settings."""
    told = node.annotations.get(_ASN) or next((item.spec.get("asNumber") for item in _settings(items)), None)
    try:
        return fields.parse_asn(told or DEFAULT_ASN)
    except FieldError:
        return told
