"""Kinds that upstream charts bring, which are not in the repository: always, and where their values say so.

Held against the charts themselves by tests/reader/test_chart_kinds.py, where these are at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from anycastle.reader.agreement.cluster_kinds import Kind
from anycastle.records import dataclass
from anycastle.schemas.shape import mapping

RBAC = "rbac.authorization.k8s.io"
CRD = ("apiextensions.k8s.io", "CustomResourceDefinition")
_ROLES: tuple[Kind, ...] = ((RBAC, "ClusterRole"), (RBAC, "ClusterRoleBinding"))
_OWN_ROLES: tuple[Kind, ...] = ((RBAC, "Role"), (RBAC, "RoleBinding"))


@dataclass(frozen=True, slots=True)
class Switch:
    """A boolean of the values, and what the chart brings only if it is `on`; `default` is that of the chart."""

    path: tuple[str, ...]
    kinds: tuple[Kind, ...]
    default: bool = False

    def on(self, values: Mapping[str, Any]) -> bool:
        """Whether these values switch it on."""
        *parents, last = self.path
        return mapping(values, *parents).get(last, self.default) is True


def _switch(path: str, *kinds: Kind, default: bool = False) -> Switch:
    return Switch(tuple(path.split(".")), kinds, default)


ALWAYS: Mapping[str, tuple[Kind, ...]] = {
    "crd.projectcalico.org.v1": (CRD,),
    "projectcalico.org.v3": (CRD,),
    "tigera-operator": (*_ROLES, ("", "ServiceAccount"), ("apps", "Deployment"), (RBAC, "RoleBinding")),
    "sealed-secrets": (("apps", "Deployment"), ("", "Service")),
    "external-secrets": (("apps", "Deployment"),),
    "argo-cd": (*_OWN_ROLES, ("", "ConfigMap"), ("", "Service"), ("", "ServiceAccount"), ("apps", "Deployment")),
}
"""With any values."""

SWITCHES: Mapping[str, tuple[Switch, ...]] = {
    "tigera-operator": tuple(
        _switch(f"{key}.enabled", ("operator.tigera.io", kind), default=True)
        for key, kind in (
            ("installation", "Installation"),
            ("apiServer", "APIServer"),
            ("goldmane", "Goldmane"),
            ("whisker", "Whisker"),
        )
    ),
    "traefik": (
        _switch("rbac.enabled", *_ROLES, default=True),
        _switch("ingressClass.enabled", ("networking.k8s.io", "IngressClass"), default=True),
        _switch("service.enabled", ("", "Service"), default=True),
        _switch("podDisruptionBudget.enabled", ("policy", "PodDisruptionBudget")),
        _switch("autoscaling.enabled", ("autoscaling", "HorizontalPodAutoscaler")),
        _switch("persistence.enabled", ("", "PersistentVolumeClaim")),
        _switch("ingressRoute.dashboard.enabled", ("traefik.io", "IngressRoute")),
    ),
    "argo-cd": (
        _switch("crds.install", CRD, default=True),
        _switch("createClusterRoles", *_ROLES, default=True),
        _switch("configs.secret.createSecret", ("", "Secret"), default=True),
        _switch("server.ingress.enabled", ("networking.k8s.io", "Ingress")),
        _switch("server.autoscaling.enabled", ("autoscaling", "HorizontalPodAutoscaler")),
        _switch("repoServer.autoscaling.enabled", ("autoscaling", "HorizontalPodAutoscaler")),
        _switch("server.pdb.enabled", ("policy", "PodDisruptionBudget")),
        _switch("repoServer.pdb.enabled", ("policy", "PodDisruptionBudget")),
    ),
}
"""Where the values say so."""

DEFINING = frozenset(
    ("crd.projectcalico.org.v1", "projectcalico.org.v3", "traefik", "argo-cd", "sealed-secrets", "external-secrets")
)
"""Charts with definitions."""
_IN_CRDS = frozenset(("traefik", "sealed-secrets"))
"""Those that have them in crds/, which `skipCrds` leaves out."""


def of_chart(chart: str, values: Mapping[str, Any], *, definitions: bool) -> Iterator[Kind]:
    """What a chart brings for certain; nothing of a chart that is not known."""
    yield from ALWAYS.get(chart, ())
    for switch in SWITCHES.get(chart, ()):
        if switch.on(values):
            yield from switch.kinds
    if definitions and chart in _IN_CRDS:
        yield CRD
    if chart == "traefik" and mapping(values, "deployment").get("enabled", True) is True:
        kind = mapping(values, "deployment").get("kind", "Deployment")
        if kind in ("Deployment", "DaemonSet"):
            yield "apps", str(kind)
