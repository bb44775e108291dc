"""What Kubernetes refuses although its published schemas do not say so: choices, ranges, quantities.

The values are those of the API reference; a name that a release does not have is passed over.
"""

from __future__ import annotations

from typing import Any

_CORE = "io.k8s.api.core.v1."
_PROTOCOLS = ("TCP", "UDP", "SCTP")
_TAINT_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_FAMILIES = ("IPv4", "IPv6")

CHOICES: dict[str, dict[str, tuple[str, ...]]] = {
    f"{_CORE}Container": {
        "imagePullPolicy": ("Always", "IfNotPresent", "Never"),
        "terminationMessagePolicy": ("File", "FallbackToLogsOnError"),
    },
    f"{_CORE}ContainerPort": {"protocol": _PROTOCOLS},
    f"{_CORE}HTTPGetAction": {"scheme": ("HTTP", "HTTPS")},
    f"{_CORE}PersistentVolumeClaimSpec": {"volumeMode": ("Filesystem", "Block")},
    f"{_CORE}PersistentVolumeSpec": {"persistentVolumeReclaimPolicy": ("Retain", "Delete", "Recycle")},
    f"{_CORE}PodSpec": {
        "dnsPolicy": ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"),
        "preemptionPolicy": ("Never", "PreemptLowerPriority"),
        "restartPolicy": ("Always", "OnFailure", "Never"),
    },
    f"{_CORE}SeccompProfile": {"type": ("Localhost", "RuntimeDefault", "Unconfined")},
    f"{_CORE}ServicePort": {"protocol": _PROTOCOLS},
    f"{_CORE}ServiceSpec": {
        "externalTrafficPolicy": ("Cluster", "Local"),
        "internalTrafficPolicy": ("Cluster", "Local"),
        "ipFamilyPolicy": ("SingleStack", "PreferDualStack", "RequireDualStack"),
        "sessionAffinity": ("ClientIP", "None"),
        "type": ("ClusterIP", "NodePort", "LoadBalancer", "ExternalName"),
    },
    f"{_CORE}Taint": {"effect": _TAINT_EFFECTS},
    f"{_CORE}Toleration": {"effect": ("", *_TAINT_EFFECTS), "operator": ("", "Exists", "Equal", "Gt", "Lt")},
    f"{_CORE}TopologySpreadConstraint": {"whenUnsatisfiable": ("DoNotSchedule", "ScheduleAnyway")},
    "io.k8s.api.admissionregistration.v1.MutatingWebhook": {"failurePolicy": ("Ignore", "Fail")},
    "io.k8s.api.admissionregistration.v1.ValidatingWebhook": {"failurePolicy": ("Ignore", "Fail")},
    "io.k8s.api.apps.v1.DaemonSetUpdateStrategy": {"type": ("RollingUpdate", "OnDelete")},
    "io.k8s.api.apps.v1.DeploymentStrategy": {"type": ("Recreate", "RollingUpdate")},
    "io.k8s.api.apps.v1.StatefulSetSpec": {"podManagementPolicy": ("OrderedReady", "Parallel")},
    "io.k8s.api.apps.v1.StatefulSetUpdateStrategy": {"type": ("RollingUpdate", "OnDelete")},
    "io.k8s.api.batch.v1.CronJobSpec": {"concurrencyPolicy": ("Allow", "Forbid", "Replace")},
    "io.k8s.api.networking.v1.HTTPIngressPath": {"pathType": ("Exact", "Prefix", "ImplementationSpecific")},
    "io.k8s.api.networking.v1.NetworkPolicyPort": {"protocol": _PROTOCOLS},
    "io.k8s.api.policy.v1.PodDisruptionBudgetSpec": {"unhealthyPodEvictionPolicy": ("IfHealthyBudget", "AlwaysAllow")},
    "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement": {
        "operator": ("In", "NotIn", "Exists", "DoesNotExist")
    },
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec": {
        "scope": ("Cluster", "Namespaced")
    },
}
_LISTS: dict[str, dict[str, tuple[str, ...]]] = {
    f"{_CORE}PersistentVolumeClaimSpec": {
        "accessModes": ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")
    },
    f"{_CORE}ServiceSpec": {"ipFamilies": _FAMILIES},
    "io.k8s.api.networking.v1.NetworkPolicySpec": {"policyTypes": ("Ingress", "Egress")},
}
_INT32 = 2**31 - 1
RANGES: dict[str, dict[str, tuple[int, int]]] = {
    f"{_CORE}ContainerPort": {"containerPort": (1, 65535), "hostPort": (0, 65535)},
    f"{_CORE}GRPCAction": {"port": (1, 65535)},
    f"{_CORE}PodSpec": {
        "activeDeadlineSeconds": (1, _INT32),
        "terminationGracePeriodSeconds": (0, 2**63 - 1),
    },
    f"{_CORE}Probe": {
        "failureThreshold": (0, _INT32),
        "initialDelaySeconds": (0, _INT32),
        "periodSeconds": (0, _INT32),
        "successThreshold": (0, _INT32),
        "timeoutSeconds": (0, _INT32),
    },
    f"{_CORE}ReplicationControllerSpec": {"replicas": (0, _INT32)},
    f"{_CORE}ServicePort": {"nodePort": (0, 65535), "port": (1, 65535)},
    f"{_CORE}TopologySpreadConstraint": {"maxSkew": (1, _INT32)},
    "io.k8s.api.apps.v1.DaemonSetSpec": {"minReadySeconds": (0, _INT32)},
    "io.k8s.api.apps.v1.DeploymentSpec": {
        "minReadySeconds": (0, _INT32),
        "progressDeadlineSeconds": (0, _INT32),
        "replicas": (0, _INT32),
        "revisionHistoryLimit": (0, _INT32),
    },
    "io.k8s.api.apps.v1.ReplicaSetSpec": {"replicas": (0, _INT32)},
    "io.k8s.api.apps.v1.StatefulSetSpec": {"replicas": (0, _INT32)},
    "io.k8s.api.batch.v1.JobSpec": {
        "backoffLimit": (0, _INT32),
        "completions": (0, _INT32),
        "parallelism": (0, _INT32),
    },
    "io.k8s.api.networking.v1.NetworkPolicyPort": {"endPort": (1, 65535)},
    "io.k8s.api.networking.v1.ServiceBackendPort": {"number": (1, 65535)},
}


def tighten(definitions: dict[str, Any]) -> None:
    """Make the shared definitions of one release stricter, in place."""
    for name, fields in CHOICES.items():
        for field, options in fields.items():
            if (schema := _field(definitions, name, field)) is not None:
                schema["enum"] = [*options, None]
    for name, fields in _LISTS.items():
        for field, options in fields.items():
            if (schema := _field(definitions, name, field)) is not None:
                schema["items"] = {"type": "string", "enum": list(options)}
    for name, ranges in RANGES.items():
        for field, (least, most) in ranges.items():
            if (schema := _field(definitions, name, field)) is not None:
                schema.update(minimum=least, maximum=most)
    _numbers_as_text(definitions)


def _field(definitions: dict[str, Any], name: str, field: str) -> dict[str, Any] | None:
    schema = definitions.get(name, {}).get("properties", {}).get(field)
    return schema if isinstance(schema, dict) else None


def _numbers_as_text(definitions: dict[str, Any]) -> None:
    """The two types that are a number or a text; their published form cannot say what the text looks like."""
    stricter = {
        "io.k8s.apimachinery.pkg.api.resource.Quantity": ("number", "quantity"),
        "io.k8s.apimachinery.pkg.util.intstr.IntOrString": ("integer", None),
    }
    for name, (number, form) in stricter.items():
        if name in definitions:
            definitions[name] = {"type": [number, "string", "null"], **({"format": form} if form else {})}
