"""A cluster as `kubectl get` would print it, made from the rendered repository of a site."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from anycastle import yamlio
from anycastle.network.addresses import IPAddress
from anycastle.network.cluster import Role
from anycastle.network.model import Network
from anycastle.reader import read
from anycastle.render import render
from anycastle.site.model import Site

WANTED = frozenset(
    ("BGPPeer", "BGPConfiguration", "KubeControllersConfiguration", "Pod", "IPPool", "IPReservation", "Installation")
)
V3 = "projectcalico.org/v3"
CLUSTER_ID = "projectcalico.org/RouteReflectorClusterID"
MODES = {
    "VXLANCrossSubnet": {"vxlanMode": "CrossSubnet"},
    "VXLAN": {"vxlanMode": "Always"},
    "IPIP": {"ipipMode": "Always"},
    "IPIPCrossSubnet": {"ipipMode": "CrossSubnet"},
    "None": {},
}


def kubectl(site: Site, network: Network, folder: Path) -> dict[str, Any]:
    """The `List` that kubectl prints for nodes, Calico's objects, kubeadm's ConfigMap, kube-vip and Traefik."""
    files = render(site, network)
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    found = [item for item in read(folder).objects if item.kind in WANTED]
    objects = [dict(item.value) for item in found]
    for item, value in zip(found, objects, strict=True):
        if item.kind == "Pod":  # a mirror pod bears its node
            value["spec"] = {**value["spec"], "nodeName": item.source.split("/")[1]}
    items = [*nodes(site, network), *objects, *pods(objects), *ingress(site, network), config_map(files)]
    calico = {"name": "default"}, {"calicoVersion": f"v{site.versions.calico}"}
    items.append({"apiVersion": V3, "kind": "ClusterInformation", "metadata": calico[0], "spec": calico[1]})
    items += [api_server(node.name) for node in network.nodes if node.role is Role.CONTROL_PLANE]
    return {"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": items}


def nodes(site: Site, network: Network) -> Iterator[dict[str, Any]]:
    """As kubelet registers them and Calico annotates them."""
    for node in network.nodes:
        taints = [{"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}]
        tainted = node.role is Role.CONTROL_PLANE and not node.workloads
        yield {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "name": node.name,
                "annotations": {
                    "node.alpha.kubernetes.io/ttl": "0",
                    "projectcalico.org/IPv4VXLANTunnelAddr": "172.20.99.64",
                    **({"projectcalico.org/ASNumber": str(node.asn)} if node.asn else {}),
                    **({CLUSTER_ID: str(node.cluster_id)} if node.cluster_id else {}),
                    **{f"projectcalico.org/IPv{a.version}Address": with_length(site, a) for a in node.addresses},
                },
                "labels": {"beta.kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64", **dict(node.labels)},
            },
            "spec": {"podCIDR": "10.244.7.0/24", **({"taints": taints} if tainted else {})},
            "status": {
                "addresses": [
                    *({"type": "InternalIP", "address": str(address)} for address in node.addresses),
                    {"type": "Hostname", "address": node.name},
                ],
                "nodeInfo": {"kubeletVersion": f"v{site.kubernetes.version}", "osImage": "Debian GNU/Linux 13"},
            },
        }


def with_length(site: Site, address: IPAddress) -> str:
    """The address as Calico annotates it."""
    subnets = [one.cidr for one in site.networks.nodes if one.cidr.version == address.version and address in one.cidr]
    return f"{address}/{subnets[0].prefixlen if subnets else address.max_prefixlen}"


def pods(objects: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The pools that the operator makes from its Installation; its API server leaves out what is false."""
    for item in objects:
        if item["kind"] != "Installation":
            continue
        for pool in item["spec"]["calicoNetwork"]["ipPools"]:
            spec: dict[str, Any] = {
                "allowedUses": ["Workload", "Tunnel"],
                "blockSize": pool["blockSize"],
                "cidr": pool["cidr"],
                "ipipMode": "Never",
                "nodeSelector": "all()",
                "vxlanMode": "Never",
            } | MODES[pool["encapsulation"]]
            spec |= {"natOutgoing": True} if pool["natOutgoing"] == "Enabled" else {}
            spec |= {"disableBGPExport": True} if pool.get("disableBGPExport") else {}
            yield {
                "apiVersion": "projectcalico.org/v3",
                "kind": "IPPool",
                "metadata": {"name": pool["name"]},
                "spec": spec,
            }


def ingress(site: Site, network: Network) -> Iterator[dict[str, Any]]:
    """The API server's own Service, and Traefik as its chart makes it."""
    meta = {"name": "kubernetes", "namespace": "default"}
    yield {"apiVersion": "v1", "kind": "Service", "metadata": meta, "spec": {"type": "ClusterIP"}}
    for one in site.ingress:
        asked = ", ".join(f'"{address}"' for address in one.addresses)
        notes = {"projectcalico.org/loadBalancerIPs": f"[{asked}]"} if asked else {}
        asking = next(service for service in network.services if service.name == one.name)
        for family in (4, 6):
            names = [pool.name for pool in network.pools if pool.name in asking.pools and pool.cidr.version == family]
            notes |= {f"projectcalico.org/ipv{family}pools": json.dumps(names)} if names else {}
        yield {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {
                "name": one.name,
                "namespace": one.name,
                "annotations": notes,
                "labels": {
                    "app.kubernetes.io/name": "traefik",
                    "app.kubernetes.io/instance": f"{one.name}-{one.name}",
                },
            },
            "spec": {"type": "LoadBalancer", "externalTrafficPolicy": one.traffic_policy, "clusterIP": "10.96.7.7"},
        }
        yield {
            "apiVersion": "networking.k8s.io/v1",
            "kind": "IngressClass",
            "metadata": {
                "name": one.class_name,
                "annotations": {"ingressclass.kubernetes.io/is-default-class": str(one.default).lower()},
                "labels": {"app.kubernetes.io/instance": f"{one.name}-{one.name}"},
            },
            "spec": {"controller": "traefik.io/ingress-controller"},
        }
        meta = {"name": one.name, "namespace": one.name}
        yield {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta, "spec": {"replicas": one.replicas}}


def api_server(name: str) -> dict[str, Any]:
    """One of the other static pods, so that the list shows what runs in kube-system."""
    containers = [{"name": "kube-apiserver", "image": "registry.example.com/kube-apiserver:v1.36.4"}]
    meta = {"name": f"kube-apiserver-{name}", "namespace": "kube-system"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": {"containers": containers}}


def config_map(files: dict[str, bytes]) -> dict[str, Any]:
    """What kubeadm keeps: the ClusterConfiguration alone."""
    path = next(
        path for path in sorted(files) if path.endswith("/kubeadm.yaml") and b"ClusterConfiguration" in files[path]
    )
    cluster = next(
        document.value
        for document in yamlio.load(files[path]).documents
        if document.value.get("kind") == "ClusterConfiguration"
    )
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "kubeadm-config", "namespace": "kube-system"},
        "data": {"ClusterConfiguration": yamlio.dump(cluster)},
    }
