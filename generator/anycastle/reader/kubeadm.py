"""kubeadm documents: which machines become nodes, and how the API is reached.

Both forms of extra arguments are read: the list of v1beta4 and the map of v1beta3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from anycastle.finding import Place
from anycastle.network.addresses import IPAddress, ServiceRange
from anycastle.network.cluster import KubeProxy, Node, Role, node_labels
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.records import dataclass
from anycastle.schemas.shape import mapping, number, sequence, text
from anycastle.yamlio import Path as Keys

API_PORT = 6443
"""kubeadm's default."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """What a ClusterConfiguration says."""

    version: str
    endpoint: str
    port: int
    certificate_names: tuple[str, ...]
    service_ranges: tuple[ServiceRange, ...]
    where: Place
    version_where: Place
    form: str = ""
    kube_proxy: KubeProxy | None = None


def node(item: Object, notes: Notes) -> Node | None:
    """The node that an InitConfiguration or JoinConfiguration makes, or None where it has no usable address."""
    registration = mapping(item.value, "nodeRegistration")
    if not (text(registration, "name") or argument(registration, "node-ip")[0] or advertised(item)[0]):
        notes.add("READ025", item.place(), "This document names neither a node nor its address; it was not followed.")
        return None
    name = text(registration, "name") or item.folder.rpartition("/")[2]
    role = _role(item)
    addresses = tuple(_addresses(item, name, notes))
    if not addresses:
        return None
    labels = dict(_labels(argument(registration, "node-labels")[0]))
    workloads = role is Role.CONTROL_PLANE and registration.get("taints") == []
    return Node(
        name=name,
        role=role,
        addresses=addresses,
        labels=node_labels(name, role, labels, workloads=workloads),
        workloads=workloads,
        where=item.place(("nodeRegistration", *argument(registration, "node-ip")[1])),
    )


def _role(item: Object) -> Role:
    control_plane = item.kind == "InitConfiguration" or "controlPlane" in item.value
    return Role.CONTROL_PLANE if control_plane else Role.WORKER


def _addresses(item: Object, name: str, notes: Notes) -> Iterator[IPAddress]:
    value, keys = argument(mapping(item.value, "nodeRegistration"), "node-ip")
    at: Keys = ("nodeRegistration", *keys)
    if not value:
        value, at = advertised(item)
    if not value:
        notes.add(
            "READ004",
            item.place(("nodeRegistration",)),
            f"{name} has no kubelet argument node-ip, so its address is whatever the default route has.",
            "Add {name: node-ip, value: ADDRESS} to nodeRegistration.kubeletExtraArgs.",
        )
    for part in value.split(",") if value else ():
        address = notes.address(part, item.place(at), f"node-ip of {name}")
        if address is not None:
            yield address


def advertised(item: Object) -> tuple[str, Keys]:
    """The address that the API server of a node advertises, and its keys; empty where none is named."""
    for above in ((), ("controlPlane",)):
        keys: Keys = (*above, "localAPIEndpoint", "advertiseAddress")
        if found := text(item.value, *above, "localAPIEndpoint", "advertiseAddress"):
            return found, keys
    return "", ()


def argument(registration: dict[str, Any], name: str) -> tuple[str, Keys]:
    """Value of a kubelet argument (the last one counts) and its keys below nodeRegistration."""
    arguments = registration.get("kubeletExtraArgs")
    if isinstance(arguments, dict):
        return text(arguments, name), ("kubeletExtraArgs", name)
    found: tuple[str, Keys] = ("", ("kubeletExtraArgs",))
    for index, argument in enumerate(sequence(registration, "kubeletExtraArgs")):
        if text(argument, "name") == name:
            found = text(argument, "value"), ("kubeletExtraArgs", index, "value")
    return found


def _labels(value: str) -> Iterator[tuple[str, str]]:
    for part in value.split(","):
        key, separator, label = part.strip().partition("=")
        if key and separator:
            yield key, label


def cluster(item: Object, bind_port: int, notes: Notes) -> Cluster:
    """What a ClusterConfiguration says; `bind_port` is that of the API server where the endpoint names none."""
    host, port = split_endpoint(text(item.value, "controlPlaneEndpoint"))
    names = [name for name in sequence(item.value, "apiServer", "certSANs") if isinstance(name, str)]
    return Cluster(
        version=text(item.value, "kubernetesVersion").removeprefix("v"),
        endpoint=host,
        port=port or bind_port,
        certificate_names=tuple(names),
        service_ranges=tuple(_service_ranges(item, notes)),
        form=text(item.value, "apiVersion").rpartition("/")[2],
        where=item.place(("controlPlaneEndpoint",)),
        version_where=item.place(("kubernetesVersion",)),
    )


def bind_port(item: Object) -> int:
    """Port of the API server that an InitConfiguration starts."""
    return number(item.value, "localAPIEndpoint", "bindPort") or API_PORT


def split_endpoint(endpoint: str) -> tuple[str, int]:
    """`host:port`, `host`, `[v6]:port`; port 0 where none is named."""
    if endpoint.startswith("["):
        host, _, rest = endpoint[1:].partition("]")
        return host, _port(rest.removeprefix(":"))
    host, separator, port = endpoint.partition(":")
    if separator and ":" in port:
        return endpoint, 0
    return host, _port(port)


def _port(value: str) -> int:
    return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else 0


def _service_ranges(item: Object, notes: Notes) -> Iterator[ServiceRange]:
    keys: Keys = ("networking", "serviceSubnet")
    value = text(item.value, "networking", "serviceSubnet")
    for index, part in enumerate(value.split(",") if value else ()):
        cidr = notes.network(part, item.place(keys), "serviceSubnet")
        if cidr is not None:
            yield ServiceRange(cidr=cidr, primary=index == 0, where=item.place(keys))


def kube_proxy(machine: Iterable[Object]) -> KubeProxy | None:
    """kube-proxy, where documents say that kubeadm installs it; where they are silent, an argument may leave it out."""
    found: KubeProxy | None = None
    for item in machine:
        if item.kind == "ClusterConfiguration" and mapping(item.value, "proxy").get("disabled") is False and not found:
            found = KubeProxy(where=item.place(("proxy", "disabled")))
        elif item.kind == "KubeProxyConfiguration":
            found = KubeProxy(mode=text(item.value, "mode"), where=item.place(("mode",)))
    return found
