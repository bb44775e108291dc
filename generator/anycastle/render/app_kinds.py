"""What each app writes into the cluster: kinds, cluster-wide and in namespaces, and the namespaces.

For charts of this project it is what they make of this site's values, and what a comment there invites a person to
switch on; for upstream's it is what they make of our values. `tests/render/test_projects.py` renders the charts and
compares, so a chart that changes makes a test fail and not a sync.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from anycastle.network.model import Network
from anycastle.network.order import Part
from anycastle.records import dataclass
from anycastle.render import passwords, secrets
from anycastle.render.apps import on_argocd
from anycastle.render.release import Release
from anycastle.site.model import Site

RBAC, CALICO, OPERATOR, TRAEFIK = "rbac.authorization.k8s.io", "projectcalico.org", "operator.tigera.io", "traefik.io"
CRD = ("apiextensions.k8s.io", "CustomResourceDefinition")

Kind = tuple[str, str]
"""Group and kind."""

Kinds = tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """What an app writes. `names` are the only names that a cluster-wide kind may have, where they are known.

    `namespaces` are those besides the one of its release.
    """

    cluster: Kinds = ()
    namespaced: Kinds = ()
    names: Mapping[Kind, tuple[str, ...]] = field(default_factory=dict)
    namespaces: tuple[str, ...] = ()


_ROLES: Kinds = ((RBAC, "ClusterRole"), (RBAC, "ClusterRoleBinding"))
_OWN_ROLES: Kinds = ((RBAC, "Role"), (RBAC, "RoleBinding"))

_UPSTREAM: Mapping[str, Written] = {
    "crd.projectcalico.org.v1": Written(cluster=(CRD,)),
    "tigera-operator": Written(
        cluster=_ROLES,
        namespaced=(("", "ServiceAccount"), ("apps", "Deployment"), (RBAC, "RoleBinding")),
    ),
    "argo-cd": Written(
        cluster=(CRD, *_ROLES),
        namespaced=(
            ("", "ConfigMap"),
            ("", "Secret"),
            ("", "Service"),
            ("", "ServiceAccount"),
            ("apps", "Deployment"),
            ("apps", "StatefulSet"),
            ("networking.k8s.io", "NetworkPolicy"),
            *_OWN_ROLES,
        ),
    ),
    "traefik": Written(
        cluster=(("networking.k8s.io", "IngressClass"), *_ROLES),
        namespaced=(("", "Service"), ("", "ServiceAccount"), ("apps", "Deployment")),
    ),
    "sealed-secrets": Written(
        cluster=(CRD, *_ROLES),
        namespaced=(("", "Service"), ("", "ServiceAccount"), ("apps", "Deployment"), *_OWN_ROLES),
    ),
    "external-secrets": Written(
        cluster=(CRD, *_ROLES), namespaced=(("", "ServiceAccount"), ("apps", "Deployment"), *_OWN_ROLES)
    ),
}
"""Charts of upstream with our values; what depends on an answer is added below."""

_MADE: Mapping[Kind, Kinds] = {
    ("apps", "Deployment"): (("apps", "ReplicaSet"), ("", "Pod")),
    ("apps", "StatefulSet"): (("apps", "ControllerRevision"), ("", "Pod")),
    ("batch", "Job"): (("", "Pod"),),
    ("bitnami.com", "SealedSecret"): (("", "Secret"),),
    ("external-secrets.io", "ExternalSecret"): (("", "Secret"),),
}
"""What a controller makes of an object. Argo CD shows that, and its log, only where the project allows its kind
(appcontroller.go, getResourceTree); whoever may write the first gains nothing by the second."""


def of_app(site: Site, network: Network, release: Release, names: Mapping[Kind, tuple[str, ...]]) -> Written:
    """What one app writes; `names` are the names of the app namespaces."""
    if release.folder:
        written = _secrets(site)
    elif release.repository:
        written = _upstream(site, release)
    else:
        written = _own(site, network, Part(release.app), names)
    made = {kind for workload in written.namespaced for kind in _MADE.get(workload, ())}
    return Written(
        tuple(sorted(written.cluster)),
        tuple(sorted({*written.namespaced, *made})),
        written.names,
        written.namespaces,
    )


def _upstream(site: Site, release: Release) -> Written:
    written = _UPSTREAM[release.chart]
    if release.chart != "traefik":
        return written
    several = any(ingress.name == release.name and ingress.replicas > 1 for ingress in site.ingress)
    return Written(
        (*written.cluster, *((CRD,) if release.definitions else ())),
        (*written.namespaced, *((("policy", "PodDisruptionBudget"),) if several else ())),
    )


def _own(site: Site, network: Network, part: Part, names: Mapping[Kind, tuple[str, ...]]) -> Written:
    match part:
        case Part.NAMESPACES:
            return Written(cluster=tuple(names), names=names)
        case Part.INSTALLATION:
            return Written(((OPERATOR, "Installation"), (OPERATOR, "APIServer")), (("", "ConfigMap"),))
        case Part.BGP:
            kinds = ("BGPConfiguration", "BGPFilter", "BGPPeer", "FelixConfiguration")
            return Written(tuple((CALICO, kind) for kind in kinds), _OWN_ROLES if passwords.secrets(site) else ())
        case Part.POOLS:
            kinds = ("IPPool", "KubeControllersConfiguration", *(("IPReservation",) if network.reservations else ()))
            return Written(tuple((CALICO, kind) for kind in kinds))
        case Part.EDGE:
            return _edge(site)
        case _:
            assert part is Part.SMOKE_TEST, part
            return Written(
                namespaced=(("", "Service"), ("apps", "Deployment"), ("batch", "Job"), (TRAEFIK, "IngressRoute"))
            )


_SECRETS: Mapping[str, tuple[Kinds, Kind]] = {
    "sops": ((), ("", "Secret")),
    "sealed-secrets": ((), ("bitnami.com", "SealedSecret")),
    "external-secrets": ((("external-secrets.io", "ClusterSecretStore"),), ("external-secrets.io", "ExternalSecret")),
}
"""What stands in secrets/: cluster-wide, and in namespaces."""


def _secrets(site: Site) -> Written:
    cluster, namespaced = _SECRETS[site.gitops.secrets]
    spaces = {one.namespace for one in secrets.wanted(site)}
    return Written(cluster, (namespaced,), namespaces=tuple(sorted(spaces)))


def _edge(site: Site) -> Written:
    """With Argo CD its route stands beside its Service, where Traefik wants it."""
    kinds = (*(("IngressRoute",) if on_argocd(site) else ()), "Middleware", "TLSOption", "TLSStore")
    return Written(
        namespaced=tuple((TRAEFIK, kind) for kind in kinds), namespaces=("argocd",) if on_argocd(site) else ()
    )
