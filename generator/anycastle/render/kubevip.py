"""`kube-vip.yaml` of a control plane: a static pod that announces the API address by BGP.

Why its environment is what it is, and where it departs from what is usually copied, stands in
docs/decisions/0003-kube-vip-environment.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from anycastle import yamlio
from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import End, Speaker
from anycastle.network.cluster import Api, KubeVip
from anycastle.render import passwords

IMAGE = "ghcr.io/kube-vip/kube-vip"
ADMIN = "/etc/kubernetes/admin.conf"
SUPER_ADMIN = "/etc/kubernetes/super-admin.conf"

Entry = dict[str, Any]


def manifest(api: Api, pod: KubeVip, speaker: Speaker, ends: Sequence[End]) -> str:
    """The manifest that stays."""
    return yamlio.header(
        f"kube-vip on {pod.node}. Follows from `kubernetes.api` and `bgp` in site.yaml.\n"
        "install.sh puts it into /etc/kubernetes/manifests, after kubeadm has finished."
    ) + yamlio.dump_commented(_pod(api, pod, speaker, ends, ADMIN), _COMMENTS)


def init_manifest(api: Api, pod: KubeVip, speaker: Speaker, ends: Sequence[End]) -> str:
    """The manifest of the first control plane while `kubeadm init` runs."""
    return yamlio.header(
        f"kube-vip on {pod.node} while `kubeadm init` runs, and only then: kubeadm itself dials the API address, so\n"
        "somebody must announce it before the first control plane is complete. It differs from kube-vip.yaml in one\n"
        "path: until kubeadm (1.29 and later) has given admin.conf its rights, super-admin.conf has them. install.sh\n"
        "puts kube-vip.yaml in its place afterwards, which restarts one speaker before anybody depends on it."
    ) + yamlio.dump_commented(_pod(api, pod, speaker, ends, SUPER_ADMIN), _COMMENTS)


def _pod(api: Api, pod: KubeVip, speaker: Speaker, ends: Sequence[End], kubeconfig: str) -> Entry:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "kube-vip", "namespace": "kube-system"},
        "spec": {
            "containers": [_container(api, pod, speaker, ends)],
            "hostAliases": [{"hostnames": ["kubernetes"], "ip": "127.0.0.1"}],
            "hostNetwork": True,
            "priorityClassName": "system-node-critical",
            "volumes": list(_volumes(pod, kubeconfig)),
        },
    }


def _container(api: Api, pod: KubeVip, speaker: Speaker, ends: Sequence[End]) -> Entry:
    mounts = [{"mountPath": ADMIN, "name": "kubeconfig", "readOnly": True}]
    if pod.health_ca:
        mounts.append({"mountPath": pod.health_ca, "name": "ca-cert", "readOnly": True})
    return {
        "name": "kube-vip",
        "image": f"{IMAGE}:v{pod.version}",
        "imagePullPolicy": "IfNotPresent",
        "args": ["manager"],
        "env": list(_environment(api, pod, speaker, ends)),
        "resources": {"requests": {"memory": "64Mi"}, "limits": {"memory": "512Mi"}},
        "securityContext": {"capabilities": {"add": ["NET_ADMIN", "NET_RAW"], "drop": ["ALL"]}},
        "volumeMounts": mounts,
    }


def _volumes(pod: KubeVip, kubeconfig: str) -> Iterator[Entry]:
    yield {"name": "kubeconfig", "hostPath": {"path": kubeconfig, "type": "File"}}
    if pod.health_ca:
        yield {"name": "ca-cert", "hostPath": {"path": pod.health_ca, "type": "File"}}


def _environment(api: Api, pod: KubeVip, speaker: Speaker, ends: Sequence[End]) -> Iterator[Entry]:
    """In the order in which people read it: the address, the node, the session, the health check."""
    yield _env("address", ",".join(map(str, pod.vips)))
    yield _env("port", api.port)
    yield _env("vip_subnet", _masks(pod.vips))
    yield _env("vip_interface", pod.interface)
    yield _env("vip_arp", "false")
    yield {"name": "vip_nodename", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}
    yield _env("cp_enable", "true")
    yield _env("cp_namespace", "kube-system")
    yield _env("bgp_enable", "true")
    yield _env("bgp_as", speaker.asn)
    if speaker.router_id is not None:
        yield _env("bgp_routerid", speaker.router_id)
    if pod.source is not None:
        yield _env("bgp_sourceip", pod.source)
    yield from _peers(ends)
    yield from _health(pod)
    yield _env("prometheus_server", ":2112")


def _env(name: str, value: object) -> Entry:
    return {"name": name, "value": str(value)}


def _masks(vips: Sequence[IPAddress]) -> str:
    """Bare numbers, IPv4 first whatever the order of the addresses (kube-vip SelectSubnet)."""
    return ",".join(str(length) for length in sorted({vip.max_prefixlen for vip in vips}))


def _peers(ends: Sequence[End]) -> Iterator[Entry]:
    """One router in the two plain variables, several as a list; never both for one address (kube-vip#242).

    A router with a password is listed, too: in an element of the list nothing that stands for the mark below can turn
    the text into a number or a truth value, which kubelet would refuse.
    """
    if len(ends) == 1 and not ends[0].password:
        yield _env("bgp_peeraddress", ends[0].peer)
        yield _env("bgp_peeras", ends[0].peer_asn)
        if ends[0].hops > 1:
            yield _env("bgp_multihop", "true")
    else:
        yield _env("bgp_peers", ",".join(map(_peer, ends)))
    if ends[0].hold:
        yield _env("bgp_hold_time", ends[0].hold)
        yield _env("bgp_keepalive_interval", ends[0].keepalive)


def _peer(end: End) -> str:
    host = f"[{end.peer}]" if end.peer.version == 6 else str(end.peer)
    return f"{host}:{end.peer_asn}:{passwords.mark(end.password)}:{'true' if end.hops > 1 else 'false'}"


def _health(pod: KubeVip) -> Iterator[Entry]:
    if not pod.health_url:
        return
    prefix = "control_plane_health_check_"
    yield _env(prefix + "address", pod.health_url)
    yield _env(prefix + "ca_path", pod.health_ca)
    yield _env(prefix + "period_seconds", pod.period)
    yield _env(prefix + "timeout_seconds", pod.timeout)
    yield _env(prefix + "failure_threshold", pod.threshold)


_COMMENTS: yamlio.Comments = {
    ("spec", "containers", 0, "env"): (
        "vip_subnet is a bare number, and the address stands on lo, where nothing answers to ARP for it.\n"
        "There is no leader election: every control plane announces, the router spreads, and the health check\n"
        "takes a node out whose API server is dead. It asks the node's own address, which kubeadm always puts\n"
        "into the certificate; it never puts localhost there. Nothing sets a hold time: the router's is lower,\n"
        "and the lower one counts."
    ),
    ("spec", "containers", 0, "resources"): (
        "The limit is a belt: releases 1.2.0 to 1.2.3 leak about 18 MB an hour with the health check on."
    ),
    ("spec", "volumes"): (
        "`type: File` makes kubelet wait for kubeadm; without it containerd would make a directory of that name."
    ),
}
