"""Which laws hold for which kind, whatever the version of its group."""

from __future__ import annotations

from anycastle.schemas import (
    calico_bgp,
    calico_pools,
    calico_rest,
    engines,
    kubeadm,
    pods,
    services,
    stored,
    workloads,
)
from anycastle.schemas.fault import Law

_CALICO = "projectcalico.org"
_OPERATOR = "operator.tigera.io"
_KUBEADM = "kubeadm.k8s.io"
_RBAC = "rbac.authorization.k8s.io"
_RUNNING = (pods.check, workloads.selector, workloads.restart_policy)

LAWS: dict[tuple[str, str], tuple[Law, ...]] = {
    ("", "ConfigMap"): (stored.keys,),
    ("", "Pod"): (pods.check,),
    ("", "PodTemplate"): (pods.check,),
    ("", "ReplicationController"): (pods.check, workloads.restart_policy),
    ("", "Secret"): (stored.keys,),
    ("", "Service"): (
        services.ports,
        services.addresses,
        services.types,
        services.selector,
        services.calico_annotations,
    ),
    ("apiextensions.k8s.io", "CustomResourceDefinition"): (stored.definition,),
    ("apps", "DaemonSet"): (*_RUNNING, workloads.rolling_update),
    ("apps", "Deployment"): (*_RUNNING, workloads.rolling_update),
    ("apps", "ReplicaSet"): _RUNNING,
    ("apps", "StatefulSet"): (*_RUNNING, workloads.rolling_update),
    ("argoproj.io", "Application"): (engines.application,),
    ("argoproj.io", "ApplicationSet"): (engines.application_set,),
    ("batch", "CronJob"): (pods.check, workloads.restart_policy),
    ("batch", "Job"): (pods.check, workloads.restart_policy),
    ("helm.toolkit.fluxcd.io", "HelmRelease"): (engines.helm_release,),
    (_KUBEADM, "ClusterConfiguration"): (kubeadm.arguments, kubeadm.cluster),
    (_KUBEADM, "InitConfiguration"): (kubeadm.arguments, kubeadm.init, kubeadm.registration),
    (_KUBEADM, "JoinConfiguration"): (kubeadm.arguments, kubeadm.join, kubeadm.registration),
    ("kustomize.toolkit.fluxcd.io", "Kustomization"): (engines.remote_cluster,),
    ("networking.k8s.io", "Ingress"): (stored.ingress,),
    ("networking.k8s.io", "NetworkPolicy"): (stored.network_policy,),
    (_OPERATOR, "APIServer"): (calico_rest.fixed_name,),
    (_OPERATOR, "Goldmane"): (calico_rest.fixed_name,),
    (_OPERATOR, "Installation"): (
        calico_rest.fixed_name,
        calico_rest.installation,
        calico_pools.installation_pools,
    ),
    (_OPERATOR, "Whisker"): (calico_rest.fixed_name,),
    ("policy", "PodDisruptionBudget"): (stored.disruption_budget,),
    (_CALICO, "BGPConfiguration"): (calico_bgp.configuration, calico_bgp.password),
    (_CALICO, "BGPFilter"): (calico_bgp.bgp_filter,),
    (_CALICO, "BGPPeer"): (calico_bgp.peer, calico_bgp.password),
    (_CALICO, "FelixConfiguration"): (calico_rest.felix,),
    (_CALICO, "IPAMConfiguration"): (calico_rest.fixed_name, calico_rest.address_management),
    (_CALICO, "IPPool"): (calico_pools.ip_pool,),
    (_CALICO, "KubeControllersConfiguration"): (calico_rest.fixed_name, calico_rest.controllers),
    (_RBAC, "ClusterRoleBinding"): (stored.role_binding,),
    (_RBAC, "RoleBinding"): (stored.role_binding,),
    ("scheduling.k8s.io", "PriorityClass"): (stored.priority_class,),
    ("source.toolkit.fluxcd.io", "GitRepository"): (engines.git_repository,),
    ("traefik.io", "IngressRoute"): (engines.ingress_route,),
    ("traefik.io", "Middleware"): (engines.middleware,),
}
