"""Nodes: what kubelet registered, and what Calico wrote into their annotations."""

from __future__ import annotations

from collections.abc import Mapping

from anycastle import fields
from anycastle.importing.facts import Notes
from anycastle.importing.objects import Object
from anycastle.importing.words import CONTROL_PLANE, WORKER, parse_interface_address, parse_name, parse_release
from anycastle.network.cluster import CONTROL_PLANE_LABEL, EXCLUDE_LABEL

_CALICO = "projectcalico.org/"
_OLD_CONTROL_PLANE_LABEL = "node-role.kubernetes.io/master"
_KUBELET_MAY_SET = ("kubelet.kubernetes.io/", "node.kubernetes.io/", "topology.kubernetes.io/")
"""Of the Kubernetes domains; the others come from kubelet, kubeadm and controllers by themselves (KEP-279)."""


def nodes(items: list[Object], notes: Notes) -> None:
    """Each node of the list."""
    for item in items:
        _node(item, notes)


def _node(item: Object, notes: Notes) -> None:
    where = item.place("metadata", "name")
    name = notes.parse(("nodes", item.name[:63], "name"), parse_name, item.name, where)
    if name is None:
        return
    at = ("nodes", str(name))
    labels = item.labels
    control = CONTROL_PLANE_LABEL in labels or _OLD_CONTROL_PLANE_LABEL in labels
    notes.say((*at, "in_source"), True, where)
    notes.say((*at, "role"), CONTROL_PLANE if control else WORKER, where)
    _addresses(item, at, notes)
    notes.parse((*at, "asn"), fields.parse_asn, item.annotations.get(f"{_CALICO}ASNumber"), item.place("metadata"))
    if own := _own(labels):
        notes.say((*at, "labels"), own, item.place("metadata", "labels"))
    if labels.get(EXCLUDE_LABEL) == "true":
        notes.say((*at, "announce_services"), False, item.place("metadata", "labels", EXCLUDE_LABEL))
    if control and item.spec:
        notes.say((*at, "workloads"), not _tainted(item), item.place("spec"))
    version = item.mapping("status", "nodeInfo").get("kubeletVersion")
    notes.parse(
        ("kubernetes", "version"),
        parse_release,
        version,
        item.place("status", "nodeInfo", "kubeletVersion"),
        firm=False,
    )


def _addresses(item: Object, at: tuple[str, ...], notes: Notes) -> None:
    """Calico's annotations bring the prefix length; what kubelet registered stands where they are absent."""
    found = [
        (str(entry.get("address")), "status")
        for entry in item.mappings("status", "addresses")
        if entry.get("type") == "InternalIP"
    ]
    said = [(item.annotations.get(f"{_CALICO}IPv{family}Address"), "metadata") for family in (4, 6)]
    texts = {":" in text: (text, part) for text, part in [*found, *said] if text}
    for key, (text, part) in zip(("address", "second"), texts.values(), strict=False):  # kubelet's first one first
        notes.parse((*at, key), parse_interface_address, text, item.place(part))


def _own(labels: Mapping[str, str]) -> dict[str, str]:
    """Labels that somebody chose: not those that kubelet, kubeadm and cloud controllers set themselves."""
    return {key: value for key, value in sorted(labels.items()) if key != EXCLUDE_LABEL and not _implied(key)}


def _implied(key: str) -> bool:
    domain = key.rpartition("/")[0]
    ours = domain.endswith(("kubernetes.io", "k8s.io"))
    return (ours and not key.startswith(_KUBELET_MAY_SET)) or key.startswith("node.kubernetes.io/instance-type")


def _tainted(item: Object) -> bool:
    return any(
        taint.get("key") in (CONTROL_PLANE_LABEL, _OLD_CONTROL_PLANE_LABEL) and taint.get("effect") == "NoSchedule"
        for taint in item.mappings("spec", "taints")
    )
