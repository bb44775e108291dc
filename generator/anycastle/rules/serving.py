"""Who serves Services inside the cluster, and who carries ordinary pods."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.network.cluster import Role
from anycastle.network.model import Network, Unread
from anycastle.rules.registry import Fault, rule

_MODES = {"Iptables": ("", "iptables", "ipvs"), "Nftables": ("nftables",)}
"""Modes of kube-proxy that go with a dataplane of Calico."""


@rule("PRXY001", "kube-proxy and Calico's dataplane go together")
def proxy_fits(network: Network) -> Iterator[Fault]:
    """Calico's iptables and nftables dataplanes leave Services to kube-proxy, and eBPF does not.

    With iptables here and nftables there, each side marks packets where the other does not look: policy and address
    translation contradict each other. The operator can switch kube-proxy off for eBPF only.

    Source: Calico documentation, nftables dataplane (kube-proxy in nftables mode); tigera/operator,
    kubeProxyManagement.
    """
    calico, proxy = network.calico, network.kube_proxy
    if calico is None or not network.knows(Unread.INSTALLATION):
        return
    if calico.manages_proxy and calico.dataplane != "BPF":
        yield Fault(
            calico.where,
            f"kubeProxyManagement is Enabled with the dataplane {calico.dataplane}: kube-proxy would go, and nothing "
            "would serve Services.",
            "Write linuxDataplane: BPF, or leave kubeProxyManagement out.",
        )
    elif proxy is not None and proxy.mode not in _MODES.get(calico.dataplane, (proxy.mode,)):
        wanted = _MODES[calico.dataplane][0] or "iptables"
        yield Fault(
            proxy.where,
            f"kube-proxy has the mode {proxy.mode or 'iptables'} and Calico the dataplane {calico.dataplane}: the two "
            "do not see each other's packets.",
            f"Write mode: {wanted} in the KubeProxyConfiguration.",
        )


@rule("WORK001", "Ordinary pods find a node")
def somebody_carries(network: Network) -> Iterator[Fault]:
    """A control plane gets a taint from kubeadm, and an ordinary pod tolerates none.

    With control planes alone the network comes up, and everything behind it stays pending: the GitOps engine, the
    ingress, every Service. A repository with none of these says nothing about who else joins.

    Source: kubeadm, nodeRegistration.taints (unset: the control-plane taint; an empty list: none).
    """
    awaited = network.apps or network.services
    if network.nodes and awaited and not any(node.role is Role.WORKER or node.workloads for node in network.nodes):
        yield Fault(
            network.nodes[0].where,
            "Every node is a control plane that takes no ordinary pods: the GitOps engine and the ingress stay "
            "pending.",
            "Add a worker, or let a control plane carry workloads (in a site file: workloads: true; in kubeadm: "
            "nodeRegistration.taints: []).",
        )
