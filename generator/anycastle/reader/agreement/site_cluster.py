"""The cluster in the site file: its name, endpoint, releases, machines."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address

from anycastle.finding import NOWHERE, Place
from anycastle.network.bgp import Software, Speaker
from anycastle.network.cluster import Node
from anycastle.reader.agreement.difference import Difference, Keys, Site, address, network, texts
from anycastle.reader.agreement.hosts import entries
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, text

_COMPONENTS = {
    "kube_vip": ("kube-vip",),
    "calico": ("calico", "calico-crds"),
    "traefik_chart": ("traefik-chart",),
    "argocd_chart": ("argo-cd-chart",),
}


def differences(site: Site) -> Iterator[Difference]:
    """All of them."""
    yield from _kubeadm(site)
    yield from _endpoint(site)
    yield from _versions(site)
    yield from _nodes(site)
    yield from _hosts(site)


def _kubeadm(site: Site) -> Iterator[Difference]:
    for item in site.subject.machine:
        if item.kind != "ClusterConfiguration":
            continue
        for keys, at, default in (
            (("name",), ("clusterName",), None),
            (("kubernetes", "dns_domain"), ("networking", "dnsDomain"), "cluster.local"),
        ):
            if found := text(item.value, *at):
                yield from site.same(keys, found, item.place(at), default)
        disabled = mapping(item.value, "proxy").get("disabled")
        if isinstance(disabled, bool):
            says = site.value("kubernetes", "kube_proxy") or "disabled"
            if (says == "disabled") != disabled:
                found = "disabled" if disabled else "kept"
                yield Difference(("kubernetes", "kube_proxy"), says, found, item.place(("proxy", "disabled")))


def _endpoint(site: Site) -> Iterator[Difference]:
    api, keys = site.subject.network.api, ("kubernetes", "api")
    if api is None:
        return
    if api.name:
        endpoint = next(
            (i.place(("controlPlaneEndpoint",)) for i in site.subject.machine if i.kind == "ClusterConfiguration"),
            api.where,
        )
        yield from site.same((*keys, "name"), api.name, endpoint)
        yield from site.same((*keys, "port"), api.port, endpoint, 6443)
    vips = {address(item) for item in texts(site.value(*keys, "vips"))} - {None}
    if site.value(*keys) and vips != set(api.vips):
        yield Difference((*keys, "vips"), vips, api.vips, api.where)
    for name in texts(site.value(*keys, "certificate_names")):
        if name not in api.certificate_names:
            yield Difference((*keys, "certificate_names"), name, api.certificate_names, api.where)
    says = {network(item) for item in texts(site.value("kubernetes", "service_cidrs"))} - {None}
    ranges = site.subject.network.service_ranges
    if says and ranges and says != {item.cidr for item in ranges}:
        yield Difference(("kubernetes", "service_cidrs"), says, {item.cidr for item in ranges}, ranges[0].where)


def _versions(site: Site) -> Iterator[Difference]:
    for version in site.subject.network.versions:
        if version.component == "kubernetes":
            yield from site.same(("kubernetes", "version"), version.version, version.where)
        for key, components in _COMPONENTS.items():
            if version.component in components:
                yield from site.same(("versions", key), version.version, version.where)


def _nodes(site: Site) -> Iterator[Difference]:
    nodes = {node.name: node for node in site.subject.network.nodes}
    said = {str(entry.get("name")): (keys, entry) for keys, entry in site.entries("nodes")}
    if not said or not nodes:
        return
    ids = {
        speaker.host: speaker
        for speaker in site.subject.network.speakers
        if speaker.software is Software.KUBE_VIP and speaker.router_id
    }
    for name, (keys, entry) in said.items():
        if name not in nodes:
            yield Difference((*keys, "name"), name, "no machine of that name", NOWHERE)
        else:
            yield from _node(site, keys, entry, nodes[name])
            if name in ids:
                yield from _router_id(keys, entry, nodes[name], ids[name])
    for name, node in nodes.items():
        if name not in said:
            yield Difference(("nodes",), "no machine of that name", name, node.where)


def _node(site: Site, keys: Keys, entry: dict[str, object], node: Node) -> Iterator[Difference]:
    yield from site.same((*keys, "role"), str(node.role), node.where)
    says = [address(entry.get("address")), *(address(item) for item in texts(entry.get("addresses")))]
    if None not in says and tuple(says) != node.addresses:
        yield Difference((*keys, "address"), says, node.addresses, node.where)
    announces = entry.get("announce_services") is not False
    announces = announces and (entry.get("peer") is not False or entry.get("role") == "control-plane")
    labels = entry.get("labels")
    if announces is node.excluded and not labels:
        yield Difference((*keys, "announce_services"), announces, not node.excluded, node.where)
    has = dict(node.labels)
    for label, value in (labels if isinstance(labels, dict) else {}).items():
        if has.get(label) != str(value):
            yield Difference((*keys, "labels", label), value, has.get(label), node.where)


def _router_id(keys: Keys, entry: dict[str, object], node: Node, speaker: Speaker) -> Iterator[Difference]:
    own = next((item for item in node.addresses if isinstance(item, IPv4Address)), None)
    wanted = address(entry.get("router_id")) or own
    if wanted and speaker.router_id != wanted:
        yield Difference((*keys, "router_id"), wanted, speaker.router_id, speaker.where)


def _hosts(site: Site) -> Iterator[Difference]:
    """The full name of a machine is its name below the domain, unless it has a dot."""
    domain = site.value("domain")
    for path, node, content in site.subject.beside("hosts", Notes()):
        names = {name: place for _address, found, place in entries(content, path, Notes()) for name in found}
        if isinstance(domain, str) and "." not in node.name and f"{node.name}.{domain}" not in names:
            place = next((p for name, p in names.items() if name.startswith(node.name)), Place(path, 1))
            here = [name for name in names if names[name] == place]
            yield Difference(("domain",), domain, here, place)
