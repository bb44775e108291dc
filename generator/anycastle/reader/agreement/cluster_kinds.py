"""Cluster-wide kinds: those that are known here, and those that upstream charts bring."""

from __future__ import annotations

from collections.abc import Mapping

OF_CHARTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "tigera-operator": (
        ("rbac.authorization.k8s.io", "ClusterRole"),
        ("rbac.authorization.k8s.io", "ClusterRoleBinding"),
    ),
    "crd.projectcalico.org.v1": (("apiextensions.k8s.io", "CustomResourceDefinition"),),
    "projectcalico.org.v3": (("apiextensions.k8s.io", "CustomResourceDefinition"),),
    "traefik": (
        ("apiextensions.k8s.io", "CustomResourceDefinition"),
        ("networking.k8s.io", "IngressClass"),
        ("rbac.authorization.k8s.io", "ClusterRole"),
        ("rbac.authorization.k8s.io", "ClusterRoleBinding"),
    ),
    "argo-cd": (
        ("apiextensions.k8s.io", "CustomResourceDefinition"),
        ("rbac.authorization.k8s.io", "ClusterRole"),
        ("rbac.authorization.k8s.io", "ClusterRoleBinding"),
    ),
}
"""Cluster-wide kinds of upstream charts with their defaults."""

SWITCHES = {"installation": "Installation", "apiServer": "APIServer", "goldmane": "Goldmane", "whisker": "Whisker"}

CLUSTER_WIDE = frozenset(
    (
        ("", "Namespace"),
        ("scheduling.k8s.io", "PriorityClass"),
        ("networking.k8s.io", "IngressClass"),
        ("apiextensions.k8s.io", "CustomResourceDefinition"),
        ("rbac.authorization.k8s.io", "ClusterRole"),
        ("rbac.authorization.k8s.io", "ClusterRoleBinding"),
        ("operator.tigera.io", "Installation"),
        ("operator.tigera.io", "APIServer"),
        *(
            ("projectcalico.org", kind)
            for kind in (
                "BGPConfiguration",
                "BGPFilter",
                "BGPPeer",
                "FelixConfiguration",
                "IPPool",
                "KubeControllersConfiguration",
            )
        ),
    )
)
