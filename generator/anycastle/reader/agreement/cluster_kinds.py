"""Which kinds are cluster-wide and which live in a namespace, as far as that is known without their definition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from anycastle.reader.documents import Object
from anycastle.schemas.shape import text

Kind = tuple[str, str]
"""Group and kind."""


def _of(kinds: Mapping[str, str]) -> frozenset[Kind]:
    return frozenset((group, kind) for group, words in kinds.items() for kind in words.split())


_OPERATORS = "APIServer GatewayAPI Goldmane ImageSet Installation TigeraStatus Whisker"

CLUSTER_WIDE = _of(
    {
        "": "Namespace Node PersistentVolume",
        "admissionregistration.k8s.io": "MutatingWebhookConfiguration ValidatingAdmissionPolicy "
        "ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration",
        "apiextensions.k8s.io": "CustomResourceDefinition",
        "apiregistration.k8s.io": "APIService",
        "external-secrets.io": "ClusterExternalSecret ClusterSecretStore",
        "networking.k8s.io": "IngressClass",
        "operator.tigera.io": _OPERATORS,
        "projectcalico.org": "BGPConfiguration BGPFilter BGPPeer CalicoNodeStatus ClusterInformation "
        "FelixConfiguration GlobalNetworkPolicy GlobalNetworkSet HostEndpoint IPAMConfiguration IPPool IPReservation "
        "KubeControllersConfiguration Tier",
        "rbac.authorization.k8s.io": "ClusterRole ClusterRoleBinding",
        "scheduling.k8s.io": "PriorityClass",
        "storage.k8s.io": "CSIDriver StorageClass",
    }
)
"""Cluster-wide kinds of Kubernetes and of what such a cluster is made of."""

NAMESPACED = _of(
    {
        "": "ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate ReplicationController "
        "ResourceQuota Secret Service ServiceAccount",
        "apps": "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet",
        "argoproj.io": "AppProject Application ApplicationSet",
        "autoscaling": "HorizontalPodAutoscaler",
        "batch": "CronJob Job",
        "bitnami.com": "SealedSecret",
        "coordination.k8s.io": "Lease",
        "discovery.k8s.io": "EndpointSlice",
        "external-secrets.io": "ExternalSecret SecretStore",
        "monitoring.coreos.com": "PodMonitor PrometheusRule ServiceMonitor",
        "networking.k8s.io": "Ingress NetworkPolicy",
        "policy": "PodDisruptionBudget",
        "projectcalico.org": "NetworkPolicy NetworkSet",
        "rbac.authorization.k8s.io": "Role RoleBinding",
        "traefik.io": "IngressRoute IngressRouteTCP IngressRouteUDP Middleware MiddlewareTCP ServersTransport "
        "ServersTransportTCP TLSOption TLSStore TraefikService",
    }
)
"""Kinds that live in a namespace."""

WHOLE = frozenset(("", "apps", "batch", "policy", "rbac.authorization.k8s.io"))
"""Groups of Kubernetes that have had the kinds above, and no others, for years."""

DOTLESS = frozenset(("", "apps", "autoscaling", "batch", "extensions", "policy"))
"""Groups without a dot: those of Kubernetes' first years. A definition's group must have one (CRD validation)."""


def scopes(objects: Iterable[Object]) -> dict[Kind, bool]:
    """Whether a kind lives in a namespace: those above, and those that the repository defines."""
    known = {**dict.fromkeys(NAMESPACED, True), **dict.fromkeys(CLUSTER_WIDE, False)}
    return known | dict(_defined(objects))


def _defined(objects: Iterable[Object]) -> Iterator[tuple[Kind, bool]]:
    for item in objects:
        if item.kind == "CustomResourceDefinition":
            kind = (text(item.spec, "group"), text(item.spec, "names", "kind"))
            if (scope := text(item.spec, "scope")) in ("Cluster", "Namespaced"):
                yield kind, scope == "Namespaced"
