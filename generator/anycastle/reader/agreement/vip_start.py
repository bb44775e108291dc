"""What kube-vip needs before it can announce anything: a file of its machine, and a way to the API server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from anycastle.reader import kubevip
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.documents import Object
from anycastle.reader.environment import Environment, environment
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, sequence, text

_SUPER_ADMIN = "/etc/kubernetes/super-admin.conf"
_WAYS = frozenset(("KUBERNETES_SERVICE_HOST", "kubernetes_addr", "k8s_config_file"))
"""Variables that lead kube-vip to an API server without the Service `kubernetes`."""
_ASKING = ("svc_enable", "vip_leaderelection", "vip_arp", "enable_node_labeling")
"""What makes kube-vip ask the API server."""


def check(subject: Subject, notes: Notes) -> None:
    """Static pods and DaemonSets."""
    first = {item.scope.partition(":")[2] for item in subject.machine if item.kind == "InitConfiguration"}
    for item in subject.pods:
        if kubevip.is_kube_vip(item) and item.scope.startswith("node:"):
            _super_admin(item, set(item.scope.partition(":")[2].split()) - first, notes)
    if _proxy_gone(subject):
        for item in subject.objects:
            if item.kind in ("DaemonSet", "Deployment") and item.group == "apps":
                _own_way(item, notes)


def _super_admin(item: Object, others: set[str], notes: Notes) -> None:
    for index, volume in enumerate(sequence(item.spec, "volumes")):
        if others and text(volume, "hostPath", "path") == _SUPER_ADMIN:
            notes.add(
                "KVIP009",
                item.place(("spec", "volumes", index, "hostPath", "path")),
                f"{_SUPER_ADMIN} exists where kubeadm ran init, and not on {', '.join(sorted(others))}: kube-vip does "
                "not start there.",
                "Write /etc/kubernetes/admin.conf.",
            )


def _proxy_gone(subject: Subject) -> bool:
    """Whether kube-proxy is left out, so that nobody serves the Service `kubernetes` before Calico."""
    clusters = [item for item in subject.machine if item.kind == "ClusterConfiguration"]
    return any(mapping(item.value, "proxy").get("disabled") is True for item in clusters)


def _own_way(item: Object, notes: Notes) -> None:
    template = mapping(item.spec, "template")
    pod = replace(item, value={"apiVersion": "v1", "kind": "Pod", **template})
    if not kubevip.is_kube_vip(pod):
        return
    for env in _environments(pod):
        asking = any(env.true(name) for name in _ASKING)
        on_host = mapping(template, "spec").get("hostNetwork") is True
        if env.true("cp_enable") and (not on_host or (asking and not _WAYS & set(env.named))):
            notes.add(
                "KVIP010",
                item.place(("metadata", "name")),
                f"{item.kind} {item.name} brings the API address and "
                + ("starts behind Calico's network" if not on_host else "asks for the API server at its Service")
                + ", which Calico serves only when it has reached the API server at that address.",
                "Run kube-vip as a static pod, or set KUBERNETES_SERVICE_HOST from status.hostIP, with hostNetwork.",
            )


def _environments(pod: Object) -> Iterator[Environment]:
    containers: list[Any] = sequence(pod.spec, "containers")
    for index, container in enumerate(containers):
        if isinstance(container, dict) and text(container, "image").find("kube-vip") >= 0:
            yield environment(pod, index, container)
