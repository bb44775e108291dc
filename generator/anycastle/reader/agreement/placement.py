"""Where the pods of a Local Service may run: on a node that announces its address."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from anycastle.network.bgp import Software
from anycastle.network.cluster import Node
from anycastle.network.model import Unread
from anycastle.reader import placing
from anycastle.reader.agreement.references import place, values
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, text

_KINDS = frozenset(("Deployment", "DaemonSet", "StatefulSet"))


def check(subject: Subject, notes: Notes) -> None:
    """Every Service of type LoadBalancer whose pods stand here."""
    if not subject.network.knows(Unread.NODES, Unread.PEERS, Unread.SETTINGS) or not subject.network.nodes:
        return
    announcing = _announcing(subject)
    if not announcing:
        return  # ANN002
    _of_traefik(subject, announcing, notes)
    for service in subject.objects:
        if service.kind != "Service" or text(service.spec, "type") != "LoadBalancer":
            continue
        if text(service.spec, "externalTrafficPolicy") != "Local":
            continue
        for item in _behind(service, subject):
            may = _candidates(mapping(item.spec, "template", "spec"), subject)
            if may is not None and not may & announcing:
                notes.add(
                    "REF013",
                    item.place(("spec", "template", "spec", "nodeSelector")),
                    f"{item.kind} {item.name} runs on {', '.join(sorted(may)) or 'no node'}, where the address of "
                    f"Service {service.namespace}/{service.name} is not announced: it is Local, so nobody reaches it.",
                    "Let it run on nodes that a BGPPeer selects, or let a BGPPeer select those nodes.",
                )


def _of_traefik(subject: Subject, announcing: set[str], notes: Notes) -> None:
    """Its chart is not here; its values say where the pods go."""
    for source, given in values(subject, "traefik"):
        local = text(given.values, "service", "spec", "externalTrafficPolicy") == "Local"
        spec: dict[str, Any] = {key: given.values[key] for key in ("nodeSelector", "affinity") if key in given.values}
        may = _candidates(spec, subject) if local and spec else None
        if may is not None and not may & announcing:
            notes.add(
                "REF013",
                place(source, given, "nodeSelector"),
                f"Traefik runs on {', '.join(sorted(may)) or 'no node'}, where the address of its Service is not "
                "announced: it is Local, so nobody reaches it.",
                "Let it run on nodes that a BGPPeer selects, or let a BGPPeer select those nodes.",
            )


def _announcing(subject: Subject) -> set[str]:
    return {
        name
        for announcement in subject.network.announcements
        if announcement.software is Software.CALICO
        for name in announcement.hosts
    } - {node.name for node in subject.network.nodes if node.excluded}


def _behind(service: Object, subject: Subject) -> Iterator[Object]:
    wanted = mapping(service.spec, "selector")
    for item in subject.objects:
        labels = mapping(item.spec, "template", "metadata", "labels")
        if item.kind in _KINDS and item.namespace == service.namespace and wanted and _holds(wanted, labels):
            yield item


def _holds(wanted: Mapping[str, object], labels: Mapping[str, object]) -> bool:
    return all(labels.get(key) == value for key, value in wanted.items())


def _candidates(spec: dict[str, Any], subject: Subject) -> set[str] | None:
    """Nodes that the pod's own selectors choose; None where a label is asked for that no file sets on any node."""
    nodes: tuple[Node, ...] = subject.network.nodes
    known = {key for node in nodes for key, _value in node.labels}
    if not set(placing.asked_labels(spec)) <= known:
        return None
    return {node.name for node in nodes if placing.chosen(spec, dict(node.labels))}
