"""On which nodes a kube-vip runs: by its folder, its file name, its node name or router ID, or a DaemonSet's selectors.

A static pod stands on one machine, and its file need not say on which. One file that fits no single node is meant for
every control plane. Where others are placed already, a further one that fits nowhere is left out, and that is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from anycastle.network.cluster import Node, Role
from anycastle.network.model import Unread
from anycastle.reader import kubevip
from anycastle.reader.documents import Object, Within
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, sequence, text

Placed = tuple[Object, tuple[Node, ...]]
_OWN = ("bgp_routerid", "bgp_sourceip")


def place(pods: Sequence[Object], nodes: Mapping[str, Node], notes: Notes) -> tuple[Placed, ...]:
    """Every kube-vip with the nodes that run it; the order is that of `pods`."""
    placed: dict[int, tuple[Node, ...]] = {}
    for index, item in enumerate(pods):
        name = item.scope.partition(":")[2] or _in_path(item.source, nodes)
        if name in nodes:
            placed[index] = (nodes[name],)
        elif item.scope.startswith("node:"):
            placed[index] = ()
    taken = {node.name for found in placed.values() for node in found}
    alone = len(pods) - len(placed) == 1 and not taken
    for index, item in enumerate(pods):
        own = _by_addresses(item, nodes.values()) if index not in placed and not alone else None
        if own is not None and own.name not in taken:
            placed[index] = (own,)
            taken.add(own.name)
    left = [index for index in range(len(pods)) if index not in placed]
    masters = tuple(node for node in nodes.values() if node.role is Role.CONTROL_PLANE)
    if alone:
        placed[left.pop()] = masters
    for index in left if nodes else ():
        _not_placed(pods[index], {node.name for node in masters} - taken, notes)
    return tuple((_scoped(item, placed.get(index, ())), placed.get(index, ())) for index, item in enumerate(pods))


def _scoped(item: Object, nodes: tuple[Node, ...]) -> Object:
    """Static pods of different machines may bear one name."""
    return (
        item
        if item.scope.startswith("node:")
        else replace(item, scope=f"node:{' '.join(n.name for n in nodes) or item.source}")
    )


def _in_path(path: str, nodes: Iterable[str]) -> str:
    """The one node whose name is a word of the path."""
    found = [name for name in nodes if re.search(rf"(?:^|[/._-]){re.escape(name)}(?=$|[/._-])", path)]
    longest = max(found, key=len, default="")
    return longest if all(name in longest for name in found) else ""


def _by_addresses(item: Object, nodes: Iterable[Node]) -> Node | None:
    containers = [container for container in sequence(item.spec, "containers") if isinstance(container, dict)]
    values = {
        text(entry, "value")
        for container in containers
        for entry in sequence(container, "env")
        if text(entry, "name") in _OWN
    }
    named = text(item.spec, "nodeName")
    return next((node for node in nodes if node.name == named or values & {str(one) for one in node.addresses}), None)


def _not_placed(item: Object, without: set[str], notes: Notes) -> None:
    if without:
        notes.unread(Unread.KUBE_VIP)
    notes.add(
        "READ014",
        item.place(),
        "It cannot be told on which node this kube-vip runs: others are placed, and neither its path nor its router ID "
        "names a node that has none. It was not checked.",
        "Put it into a folder with the name of its node.",
    )


def daemon_sets(objects: Iterable[Object], nodes: Iterable[Node]) -> Iterator[Placed]:
    """kube-vip as a DaemonSet: its pod, and the nodes that its selectors choose."""
    listed = tuple(nodes)
    for item in objects:
        if item.kind != "DaemonSet" or item.group != "apps":
            continue
        template = mapping(item.spec, "template")
        pod = replace(
            item,
            value={"apiVersion": "v1", "kind": "Pod", **template, "metadata": item.value.get("metadata")},
            locator=Within(item.locator, ("spec", "template")),
        )
        if kubevip.is_kube_vip(pod):
            yield pod, tuple(node for node in listed if chosen(mapping(template, "spec"), dict(node.labels)))


def asked_labels(spec: dict[str, Any]) -> Iterator[str]:
    """The labels of nodes that a pod's selectors speak of."""
    yield from mapping(spec, "nodeSelector")
    required = mapping(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    for term in sequence(required, "nodeSelectorTerms"):
        for expression in sequence(term, "matchExpressions"):
            yield text(expression, "key")


def chosen(spec: dict[str, Any], labels: Mapping[str, str]) -> bool:
    """Whether a pod's own selectors choose a node with these labels."""
    wanted = mapping(spec, "nodeSelector")
    required = mapping(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    terms = sequence(required, "nodeSelectorTerms")
    by_selector = all(labels.get(key) == value for key, value in wanted.items())
    return by_selector and (not terms or any(_fits(sequence(term, "matchExpressions"), labels) for term in terms))


def _fits(expressions: Iterable[Any], labels: Mapping[str, str]) -> bool:
    return all(_holds(expression, labels) for expression in expressions)


def _holds(expression: Any, labels: Mapping[str, str]) -> bool:
    key, values = text(expression, "key"), sequence(expression, "values")
    match text(expression, "operator"):
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
        case "In":
            return labels.get(key) in values
        case "NotIn":
            return labels.get(key) not in values
        case _:
            return True
