"""Who serves Services and who carries pods in the site file: dataplane, reservations, workloads, kube-vip's source."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import NOWHERE, Place
from anycastle.reader.agreement.difference import Difference, Site, address
from anycastle.reader.declared import parse_range
from anycastle.reader.notes import Notes

_DATAPLANES = {"ebpf": "BPF", "iptables": "Iptables", "nftables": "Nftables"}


def differences(site: Site) -> Iterator[Difference]:
    """All of them."""
    yield from _dataplane(site)
    yield from _reserved(site)
    yield from _machines(site)


def _dataplane(site: Site) -> Iterator[Difference]:
    calico = site.subject.network.calico
    installation = next((item for item in site.subject.objects if item.kind == "Installation"), None)
    if calico is None or installation is None or site.value("kubernetes") is None:
        return
    where = installation.place(("spec", "calicoNetwork", "linuxDataplane"))
    usual = "iptables" if site.value("kubernetes", "kube_proxy") == "kept" else "ebpf"
    says = str(site.value("kubernetes", "dataplane") or usual)
    if _DATAPLANES.get(says, says) != calico.dataplane:
        yield Difference(("kubernetes", "dataplane"), says, calico.dataplane, where)
    hands_over = site.value("kubernetes", "kube_proxy") == "operator"
    if hands_over is not calico.manages_proxy:
        found = "operator" if calico.manages_proxy else "nobody switches it off"
        yield Difference(("kubernetes", "kube_proxy"), site.value("kubernetes", "kube_proxy"), found, where)


def _reserved(site: Site) -> Iterator[Difference]:
    found = {item.name: item for item in site.subject.network.reservations}
    said = {str(entry.get("name")): (keys, entry) for keys, entry in site.entries("load_balancer", "reserved")}
    for name, (keys, entry) in said.items():
        cidrs = parse_range(str(entry.get("range")), Place(), Notes())
        item = found.get(name)
        if item is None:
            yield Difference((*keys, "name"), name, "no IPReservation of that name", NOWHERE)
        elif set(cidrs) != set(item.cidrs):
            yield Difference((*keys, "range"), cidrs, item.cidrs, item.where)
    for name, item in found.items():
        if said and name not in said:
            yield Difference(("load_balancer", "reserved"), said.keys(), name, item.where)


def _machines(site: Site) -> Iterator[Difference]:
    """Taints of control planes, and the source address that kube-vip is told."""
    nodes = {node.name: node for node in site.subject.network.nodes}
    pods = {pod.node: pod for pod in site.subject.network.kube_vips}
    for keys, entry in site.entries("nodes"):
        name = str(entry.get("name"))
        if name in nodes:
            yield from site.same((*keys, "workloads"), nodes[name].workloads, nodes[name].where, False)
        if name in pods:
            speakers = entry.get("speakers")
            listed = [one for one in speakers if isinstance(one, dict)] if isinstance(speakers, list) else []
            says = next((address(one.get("source")) for one in listed if one.get("name") == "kube-vip"), None)
            if says != pods[name].source:
                yield Difference((*keys, "speakers"), says, pods[name].source, pods[name].where)
