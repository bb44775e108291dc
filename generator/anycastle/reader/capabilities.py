"""What a cluster says that it serves: charts ask for it before they choose the version of an object.

`helm template` alone knows groups and versions only. Argo CD and Flux pass on what the cluster has, kinds included, so
a chart that asks for `policy/v1/PodDisruptionBudget` gets another answer from them.
"""

from __future__ import annotations

from functools import cache

_KINDS = """
admissionregistration.k8s.io/v1 MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingWebhookConfiguration
apiextensions.k8s.io/v1 CustomResourceDefinition
apiregistration.k8s.io/v1 APIService
apps/v1 ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet
autoscaling/v1 HorizontalPodAutoscaler
autoscaling/v2 HorizontalPodAutoscaler
batch/v1 CronJob Job
certificates.k8s.io/v1 CertificateSigningRequest
coordination.k8s.io/v1 Lease
discovery.k8s.io/v1 EndpointSlice
events.k8s.io/v1 Event
flowcontrol.apiserver.k8s.io/v1 FlowSchema PriorityLevelConfiguration
networking.k8s.io/v1 Ingress IngressClass NetworkPolicy
node.k8s.io/v1 RuntimeClass
policy/v1 PodDisruptionBudget
rbac.authorization.k8s.io/v1 ClusterRole ClusterRoleBinding Role RoleBinding
scheduling.k8s.io/v1 PriorityClass
storage.k8s.io/v1 CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment
v1 ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume PersistentVolumeClaim Pod ResourceQuota Secret
v1 Service ServiceAccount
"""
"""What every release from 1.32 on serves, by apiVersion (Kubernetes API reference)."""


@cache
def served() -> tuple[str, ...]:
    """`group/version` and `group/version/Kind`, sorted."""
    found: set[str] = set()
    for line in _KINDS.split("\n"):
        version, _, kinds = line.partition(" ")
        if version:
            found |= {version, *(f"{version}/{kind}" for kind in kinds.split())}
    return tuple(sorted(found))
