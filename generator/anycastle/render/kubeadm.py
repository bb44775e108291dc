"""`kubeadm.yaml` of a node: InitConfiguration and ClusterConfiguration, or JoinConfiguration (v1beta4).

No secret stands in these files. A joining node has placeholders, which `install.sh` fills from the environment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import ip_network
from typing import Any

from anycastle import yamlio
from anycastle.network.addresses import IPNetwork
from anycastle.network.cluster import Api
from anycastle.site.model import Node, Site

API_VERSION = "kubeadm.k8s.io/v1beta4"
CRI_SOCKET = "unix:///run/containerd/containerd.sock"
TOKEN = "@KUBEADM_TOKEN@"  # noqa: S105 - a placeholder
CA_CERT_HASH = "@KUBEADM_CA_CERT_HASH@"
CERTIFICATE_KEY = "@KUBEADM_CERTIFICATE_KEY@"

Value = Mapping[str, Any]


def init(site: Site, api: Api, node: Node, labels: Mapping[str, str]) -> str:
    """The first control plane: it makes the cluster."""
    first = {
        "apiVersion": API_VERSION,
        "kind": "InitConfiguration",
        "nodeRegistration": _registration(node, labels),
        "localAPIEndpoint": _local_endpoint(api, node),
    }
    return (
        yamlio.header(f"{node.name}: the first control plane. Follows from `nodes` and `kubernetes` in site.yaml.")
        + yamlio.dump_commented(first, {**_INIT_COMMENTS, **(_WORKLOADS if node.workloads else {})})
        + "---\n"
        + yamlio.dump_commented(
            cluster(site, api), {**_CLUSTER_COMMENTS, **_PROXY_COMMENTS[site.kubernetes.kube_proxy]}
        )
        + _kube_proxy(site)
    )


def _kube_proxy(site: Site) -> str:
    """A third document where kube-proxy must not take its default mode."""
    if site.kubernetes.kube_proxy == "disabled" or site.kubernetes.dataplane != "nftables":
        return ""
    value = {"apiVersion": "kubeproxy.config.k8s.io/v1alpha1", "kind": "KubeProxyConfiguration", "mode": "nftables"}
    why = "Calico's nftables dataplane and kube-proxy see each other's packets only in the same tables."
    return "---\n" + yamlio.dump_commented(value, {("mode",): why})


def join(api: Api, node: Node, labels: Mapping[str, str]) -> str:
    """Any other node: it joins, as a control plane or as a worker."""
    what = "a control plane" if node.role == "control-plane" else "a worker"
    return (
        yamlio.header(
            f"{node.name}: {what}. Follows from `nodes` and `kubernetes.api` in site.yaml.\n"
            "install.sh fills the words between @ from the environment, in a copy that only root can read."
        )
        + yamlio.dump(_joining(api, node, labels))  # 5,000 workers are rendered: no comment inside
    )


def _joining(api: Api, node: Node, labels: Mapping[str, str]) -> Value:
    value: dict[str, Any] = {
        "apiVersion": API_VERSION,
        "kind": "JoinConfiguration",
        "nodeRegistration": _registration(node, labels),
        "discovery": {
            "bootstrapToken": {
                "apiServerEndpoint": f"{api.name}:{api.port}",
                "token": TOKEN,
                "caCertHashes": [CA_CERT_HASH],
            }
        },
    }
    if node.role == "control-plane":
        value["controlPlane"] = {
            "localAPIEndpoint": _local_endpoint(api, node),
            "certificateKey": CERTIFICATE_KEY,
        }
    return value


def cluster(site: Site, api: Api) -> Value:
    """ClusterConfiguration: what kubeadm stores in the cluster and uses again at every upgrade."""
    value: dict[str, Any] = {
        "apiVersion": API_VERSION,
        "kind": "ClusterConfiguration",
        "clusterName": site.name,
        "kubernetesVersion": f"v{site.kubernetes.version}",
        "controlPlaneEndpoint": f"{api.name}:{api.port}",
        "networking": {
            "serviceSubnet": ",".join(map(str, site.kubernetes.service_cidrs)),
            "podSubnet": ",".join(map(str, pod_subnets(pool.cidr for pool in site.networks.pods))),
            "dnsDomain": site.kubernetes.dns_domain,
        },
        "controllerManager": {"extraArgs": [{"name": "allocate-node-cidrs", "value": "false"}]},
    }
    if api.certificate_names:
        value["apiServer"] = {"certSANs": list(api.certificate_names)}
    value["proxy"] = {"disabled": site.kubernetes.kube_proxy == "disabled"}
    return value


def pod_subnets(pools: Iterable[IPNetwork]) -> tuple[IPNetwork, ...]:
    """One range per family, as kubeadm takes them: the smallest that holds every pool of that family."""
    smallest: dict[int, IPNetwork] = {}
    for cidr in pools:
        smallest[cidr.version] = _common(smallest.get(cidr.version, cidr), cidr)
    return tuple(smallest.values())


def _common(one: IPNetwork, other: IPNetwork) -> IPNetwork:
    first = min(int(one.network_address), int(other.network_address))
    last = max(int(one.broadcast_address), int(other.broadcast_address))
    length = one.max_prefixlen - (first ^ last).bit_length()
    return ip_network((one.network_address, length), strict=False)


def _registration(node: Node, labels: Mapping[str, str]) -> Value:
    arguments = [{"name": "node-ip", "value": ",".join(map(str, (node.address, *node.addresses)))}]
    if labels:
        arguments.append({"name": "node-labels", "value": ",".join(f"{k}={v}" for k, v in sorted(labels.items()))})
    registration: dict[str, Any] = {"name": node.name, "criSocket": CRI_SOCKET}
    if node.workloads and node.role == "control-plane":
        registration["taints"] = []  # left out, kubeadm would set the one that keeps ordinary pods away
    return {**registration, "kubeletExtraArgs": arguments}


def _local_endpoint(api: Api, node: Node) -> Value:
    return {"advertiseAddress": str(node.address), "bindPort": api.port}


_INIT_COMMENTS: yamlio.Comments = {
    ("nodeRegistration", "kubeletExtraArgs"): (
        "The address is named, not guessed: once an API address is on lo, a node has more than one."
    ),
    ("localAPIEndpoint", "advertiseAddress"): (
        "The node's own address, never a shared one: etcd members find each other by it. kubeadm puts it into\n"
        "the certificate, so the health check of this API server can use it."
    ),
}

_CLUSTER_COMMENTS: yamlio.Comments = {
    ("controlPlaneEndpoint",): (
        "A name, so that the address behind it can change without new kubeconfigs. Every node has it in /etc/hosts."
    ),
    ("networking", "podSubnet"): (
        "Calico hands out pod addresses, kubeadm does not. But the Tigera operator reads this field and refuses to\n"
        "work where it is missing or where a pool of its Installation lies outside. One range per family is taken:\n"
        "with several pools, the smallest range that holds them."
    ),
    ("controllerManager",): (
        "podSubnet alone would make the controller manager cut a range for each node, which nothing uses and\n"
        "which runs out at 256 nodes of a /16."
    ),
    ("apiServer", "certSANs"): (
        "Beyond the names that kubeadm adds by itself, so that whoever dials one of these can verify the certificate."
    ),
}

_WORKLOADS: yamlio.Comments = {
    ("nodeRegistration", "taints"): "None: this control plane carries ordinary pods, too.",
}

_PROXY_COMMENTS: Mapping[str, yamlio.Comments] = {
    "disabled": {
        (
            "proxy",
        ): "Calico's eBPF dataplane serves Services. As a field, and not as a skipped phase, it also holds for\n"
        "`kubeadm upgrade`."
    },
    "kept": {("proxy",): "kube-proxy serves Services; Calico's dataplane leaves them to it."},
    "operator": {
        (
            "proxy",
        ): "kube-proxy serves Services until Calico's eBPF dataplane runs; then Calico's operator takes it off\n"
        "the nodes (kubeProxyManagement)."
    },
}
