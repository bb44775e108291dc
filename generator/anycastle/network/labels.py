"""The labels that kubelet and kubeadm put on a node without being asked."""

from __future__ import annotations

from collections.abc import Mapping

from anycastle.network.model import CONTROL_PLANE_LABEL, EXCLUDE_LABEL, Role


def node_labels(
    name: str, role: Role, own: Mapping[str, str], *, workloads: bool = False
) -> tuple[tuple[str, str], ...]:
    """All labels of a node, sorted: the implied ones, then `own` over them.

    kubeadm marks control planes with the exclude label and an *empty* value, which Kubernetes honours
    and Calico does not (confd client.go compares with "true"). Where a control plane carries `workloads` it is
    taken off again.
    """
    implied = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux"}
    if role is Role.CONTROL_PLANE:
        implied |= {CONTROL_PLANE_LABEL: ""} if workloads else {CONTROL_PLANE_LABEL: "", EXCLUDE_LABEL: ""}
    return tuple(sorted((implied | dict(own)).items()))
