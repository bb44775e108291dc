"""`flux/<app>/`: the HelmRelease of an app, and its value files as a ConfigMap with a hash in its name."""

from __future__ import annotations

from collections.abc import Mapping

from anycastle import yamlio
from anycastle.network.cluster import App
from anycastle.network.order import Part
from anycastle.render import inside
from anycastle.render.release import (
    CALICO_CHARTS,
    EXTERNAL_SECRETS_CHARTS,
    SEALED_SECRETS_CHARTS,
    TRAEFIK_CHARTS,
    Release,
)
from anycastle.site.model import Site
from anycastle.yamlio import Comments

KUSTOMIZE, HELM, SOURCE = (f"{name}.toolkit.fluxcd.io" for name in ("kustomize", "helm", "source"))
NAMESPACE = "flux-system"
FIELD_MANAGER = "helm-controller"
"""Owner of the fields that Flux's Helm applies (helm-controller, main.go)."""

NOT_PRUNED: Mapping[str, str] = {f"{KUSTOMIZE}/prune": "disabled"}
KEPT: Mapping[str, str] = {"helm.sh/resource-policy": "keep"}

REFERENCES = "flux/references.yaml"

RELEASE_TIMEOUT = "10m"
STEP_TIMEOUT = "15m"
"""Longer than one attempt of the release, or the step would give up first."""

_SOURCES: Mapping[str, str] = {
    CALICO_CHARTS: "calico",
    TRAEFIK_CHARTS: "traefik",
    SEALED_SECRETS_CHARTS: "sealed-secrets",
    EXTERNAL_SECRETS_CHARTS: "external-secrets",
}
_WITH_DEFINITIONS = frozenset((Part.CALICO_CRDS, Part.INGRESS, Part.SEALED_SECRETS))

READY = (
    "status.conditions.exists(c, c.type == 'Ready' && c.status == 'True' && "
    "c.observedGeneration == metadata.generation)"
)
"""True for an Installation or APIServer that the operator has brought up in its newest form.

`exists`, as `filter().all()` is true of no condition at all. There is no expression for a failure: the operator says
Degraded in every bring-up. While there is no status the expression is an error, which counts as not ready.
"""

_Object = dict[str, object]


def files(site: Site, app: App, release: Release) -> dict[str, bytes]:
    """What the app's Kustomization applies."""
    return {
        f"flux/{app.name}/kustomization.yaml": _kustomization(release),
        f"flux/{app.name}/release.yaml": _release(site, app, release),
    }


def source_of(release: Release) -> str:
    """Name of the HelmRepository that an upstream chart comes from."""
    return _SOURCES.get(release.repository, "charts")


def references() -> bytes:
    """Where Kustomize finds the name of a ConfigMap inside a HelmRelease, to put the hash there, too."""
    fields = [{"path": "spec/valuesFrom/name", "kind": "HelmRelease"}]
    head = yamlio.header("The same at every site.\nKustomize replaces the name of a generated ConfigMap here, too.")
    return (
        head + yamlio.dump({"nameReference": [{"kind": "ConfigMap", "version": "v1", "fieldSpecs": fields}]})
    ).encode()


def _kustomization(release: Release) -> bytes:
    named = [f"{path.rpartition('/')[2]}=../../{path}" for path in release.values]
    value: _Object = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "namespace": NAMESPACE,
        "resources": ["release.yaml"],
        "configMapGenerator": [{"name": _values(release), "files": named}],
        "configurations": ["../references.yaml"],
    }
    head = yamlio.header(
        f"The same at every site. To see what Flux sees:\n"
        f"  kubectl kustomize --load-restrictor=LoadRestrictionsNone flux/{release.app}"
    )
    why = (
        "The name gets a hash of the content: a changed value changes the release, which is not ready before it has it."
    )
    return (head + yamlio.dump_commented(value, {("configMapGenerator",): why})).encode()


def _release(site: Site, app: App, release: Release) -> bytes:
    metadata: _Object = {"name": release.app, "namespace": NAMESPACE}
    if app.protected:
        metadata["annotations"] = dict(NOT_PRUNED)
    spec: _Object = {
        "interval": "10m",
        "timeout": RELEASE_TIMEOUT,
        "releaseName": release.name,
        "targetNamespace": release.namespace,
        "chart": {"spec": _chart(release)},
        "valuesFrom": [
            {"kind": "ConfigMap", "name": _values(release), "valuesKey": path.rpartition("/")[2]}
            for path in release.values
        ],
        **_actions(app),
        "driftDetection": {"mode": "enabled"},
    }
    if app.name == Part.INSTALLATION:
        spec["healthCheckExprs"] = [
            {"apiVersion": "operator.tigera.io/v1", "kind": kind, "current": READY}
            for kind in ("Installation", "APIServer")
        ]
    if app.protected:
        spec["commonMetadata"] = {"annotations": dict(KEPT)}
    value = {"apiVersion": f"{HELM}/v2", "kind": "HelmRelease", "metadata": metadata, "spec": spec}
    told = inside.placed(site, value)
    return (yamlio.header(_header(release)) + yamlio.dump_commented(told, _comments(app, spec))).encode()


def _values(release: Release) -> str:
    return f"{release.app}-values"


def _chart(release: Release) -> _Object:
    if release.local:
        return {
            "chart": f"./{release.path}",
            "reconcileStrategy": "Revision",
            "sourceRef": {"kind": "GitRepository", "name": "flux-system"},
        }
    return {
        "chart": release.chart,
        "version": release.version,
        "sourceRef": {"kind": "HelmRepository", "name": source_of(release)},
    }


def _actions(app: App) -> _Object:
    """What Helm does, and what it does not do, each time."""
    action: _Object = {"strategy": {"name": "RetryOnFailure", "retryInterval": "1m"}}
    if app.name in _WITH_DEFINITIONS:
        action["crds"] = "CreateReplace"
    if not app.protected:
        return {"install": action, "upgrade": action}
    no_hooks = {"disableHooks": True}
    return {
        "install": {**action, **no_hooks},
        "upgrade": {**action, **no_hooks, "chartNameChangeStrategy": "InPlaceUpdate"},
        "rollback": no_hooks,
        "uninstall": {**no_hooks, "keepHistory": True},
    }


def _header(release: Release) -> str:
    return f"Follows from site.yaml: {'gitops' if release.local else 'versions'}."


def _comments(app: App, spec: Mapping[str, object]) -> Comments:
    comments: dict[tuple[str | int, ...], str] = {
        ("spec", "install"): "A failure is tried again as an upgrade: Flux's default would take the release off first.",
        ("spec", "driftDetection"): "What somebody changed in the cluster by hand is changed back.",
    }
    if app.name in _WITH_DEFINITIONS:
        comments["spec", "upgrade"] = "Helm itself never touches definitions in a chart's crds/ again."
    if app.protected:
        comments["metadata", "annotations"] = "Stays when its file vanishes; without it Helm would uninstall the app."
        comments["spec", "uninstall"] = "Hooks never run here: that of tigera-operator deletes the Installation."
        comments["spec", "commonMetadata"] = "Helm leaves every object of the app in the cluster, whatever goes."
    if "healthCheckExprs" in spec:
        comments["spec", "healthCheckExprs"] = (
            "Ready in its newest form. Degraded is no failure: the operator says it in every bring-up."
        )
    return comments
