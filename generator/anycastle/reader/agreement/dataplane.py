"""What kubeadm, kube-proxy and Calico must agree on: who serves Services, for which pods, on which interface."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network, ip_network

from anycastle.finding import Place
from anycastle.network.addresses import IPNetwork
from anycastle.network.cluster import KubeVip
from anycastle.reader import kubeadm
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, sequence, text

_PROXY_PHASE = "addon/kube-proxy"
_BUILT_IN = r"^((en|wl|ww|sl|ib)[Popsx].*|(eth|wlan|wwan|bond).*)"
"""bpfDataIfacePattern of Felix 3.32."""
_PLAIN = re.compile(r"[\w.-]+\Z")
_POSSESSIVE = re.compile(r"(?<!\\)(?:[*+?}]\+|\(\?[=!<>])")
"""What Python's expressions have and Go's (RE2) have not: possessive quantifiers, and looking around."""


def check(subject: Subject, notes: Notes) -> None:
    """All laws of this module."""
    clusters = [item for item in subject.machine if item.kind == "ClusterConfiguration"]
    for item in (*subject.machine, *subject.objects):
        if item.kind == "KubeProxyConfiguration" and item.group == "kubeproxy.config.k8s.io":
            _cluster_cidr(item, clusters, notes)
        elif item.kind == "InitConfiguration" and subject.network.calico is not None:
            _skipped(item, clusters, notes)
    if subject.network.calico is not None and subject.network.calico.dataplane == "BPF":
        _interfaces(subject, notes)
    _autodetection(subject, notes)


def _ranges(value: str) -> Iterator[IPNetwork]:
    for part in value.split(","):
        try:
            yield ip_network(part.strip())
        except ValueError:
            continue


def _cluster_cidr(item: Object, clusters: list[Object], notes: Notes) -> None:
    pods = [cidr for one in clusters for cidr in _ranges(text(one.value, "networking", "podSubnet"))]
    for cidr in _ranges(text(item.value, "clusterCIDR")):
        same = [one for one in pods if one.version == cidr.version]
        if same and not any(_covers(cidr, one) for one in same):
            notes.add(
                "NODE012",
                item.place(("clusterCIDR",)),
                f"kube-proxy takes {cidr} for the pods, and kubeadm gives them {', '.join(map(str, same))}: it "
                "masquerades the wrong packets.",
                f"Write {','.join(map(str, pods))}.",
            )


def _covers(outer: IPNetwork, inner: IPNetwork) -> bool:
    if isinstance(outer, IPv4Network) and isinstance(inner, IPv4Network):
        return inner.subnet_of(outer)
    return isinstance(outer, IPv6Network) and isinstance(inner, IPv6Network) and inner.subnet_of(outer)


def _skipped(item: Object, clusters: list[Object], notes: Notes) -> None:
    """v1beta4 has a place where kubeadm remembers it; older forms have not.

    Whoever runs another network than Calico may have a reason of his own, and his tools may see to it: Cilium's
    kubeProxyReplacement, for one, does not mind where the phase was left out.
    """
    phases = sequence(item.value, "skipPhases")
    current = [one for one in clusters if text(one.value, "apiVersion").endswith("/v1beta4")]
    if _PROXY_PHASE in phases and current and all("disabled" not in mapping(one.value, "proxy") for one in current):
        notes.add(
            "NODE013",
            item.place(("skipPhases", phases.index(_PROXY_PHASE))),
            "kubeadm init leaves kube-proxy out and does not remember it: the next upgrade installs it.",
            "Write proxy: {disabled: true} into the ClusterConfiguration as well.",
        )


def _interfaces(subject: Subject, notes: Notes) -> None:
    felix = next((i for i in subject.objects if i.kind == "FelixConfiguration" and i.name == "default"), None)
    pattern = text(felix.spec, "bpfDataIfacePattern") if felix is not None else ""
    where = felix.place(("spec", "bpfDataIfacePattern")) if felix is not None and pattern else None
    try:
        matches = re.compile(pattern or _BUILT_IN)
    except re.error as error:
        _unreadable(pattern, str(error), where, notes)
        return
    if _POSSESSIVE.search(pattern):
        _unreadable(pattern, "Go's expressions neither look around nor are possessive", where, notes)
        return
    for name, named_at in _links(subject):
        if not matches.search(name):
            notes.add(
                "NODE014",
                where or named_at,
                f"The nodes have their addresses on {name} ({named_at}), and bpfDataIfacePattern "
                f"{pattern or 'by default'} does not match it: packets that come in there pass Calico by.",
                f"Write an expression for the interfaces with addresses, such as ^{re.escape(name)}$.",
            )


def _unreadable(pattern: str, why: str, where: Place | None, notes: Notes) -> None:
    notes.add(
        "NODE014",
        where or Place(),
        f"bpfDataIfacePattern {pattern!r} is no regular expression ({why}): Felix goes on with its default.",
        "Write one in Go's notation (RE2), such as ^(bond0|eth0)$.",
    )


def _links(subject: Subject) -> Iterator[tuple[str, Place]]:
    """Interfaces with the nodes' addresses, as far as a file names them and not a pattern of them."""
    for item, family in _autodetected(subject):
        name = text(item.spec, "calicoNetwork", family, "interface")
        if _PLAIN.match(name) and name != "lo":
            yield name, item.place(("spec", "calicoNetwork", family, "interface"))


def _autodetected(subject: Subject) -> Iterator[tuple[Object, str]]:
    for item in subject.objects:
        if item.kind == "Installation" and item.group == "operator.tigera.io":
            for family in ("nodeAddressAutodetectionV4", "nodeAddressAutodetectionV6"):
                if mapping(item.spec, "calicoNetwork", family):
                    yield item, family


def _autodetection(subject: Subject, notes: Notes) -> None:
    """How Calico finds a node's address: not by taking what it meets first, and not by kubelet's guess."""
    vips = [pod for pod in subject.network.kube_vips if pod.vips]
    on_card = next((pod for pod in vips if pod.interface != "lo" and not pod.interface.startswith("dummy")), None)
    if on_card is not None:
        for item in subject.objects:
            if item.kind == "Installation" and item.group == "operator.tigera.io":
                _first_found(item, on_card, notes)
    asked = any(
        text(item.spec, "calicoNetwork", family, "kubernetes") == "NodeInternalIP"
        for item, family in _autodetected(subject)
    )
    own = [item for item in subject.machine if item.describes_node and _node_ip(item)]
    if on_card is not None or (asked and own):  # where no machine names one, they have a single card
        _without_node_ip(subject, notes)


def _first_found(item: Object, pod: KubeVip, notes: Notes) -> None:
    """`firstFound` is what the operator takes where nothing is said (IPv4)."""
    for vip in pod.vips:
        family = f"nodeAddressAutodetectionV{vip.version}"
        method = mapping(item.spec, "calicoNetwork", family)
        if method.get("firstFound") or (not method and vip.version == 4):
            notes.add(
                "REF011",
                item.place(("spec", "calicoNetwork", family, "firstFound")),
                f"kube-vip puts {vip} on {pod.interface or 'a card'} of {pod.node}, and Calico may find it there first "
                "and take it for the node's address.",
                "Write kubernetes: NodeInternalIP, with kubelet's node-ip on every node, or the cidrs of the nodes.",
            )


def _node_ip(item: Object) -> str:
    return kubeadm.argument(mapping(item.value, "nodeRegistration"), "node-ip")[0]


def _without_node_ip(subject: Subject, notes: Notes) -> None:
    for item in subject.machine:
        advertised = kubeadm.advertised(item)[0]
        if item.describes_node and advertised and not _node_ip(item):  # without either, it was said already
            notes.add(
                "READ004",
                item.place(("nodeRegistration",)),
                "Calico takes the address that kubelet registers, and without the argument node-ip that is whatever "
                "the default route has: another card's, or the API address.",
                f"Add {{name: node-ip, value: {advertised}}} to nodeRegistration.kubeletExtraArgs.",
            )
