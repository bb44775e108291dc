"""`argocd/`: the project, the root Application, and one Application per app.

The waves stand on the Application objects and order their creation, and every later change of their spec. A
change that only touches a values file reaches its Application directly: the root sees no difference (argo-cd#8778).
"""

from __future__ import annotations

from collections.abc import Mapping

from anycastle import yamlio
from anycastle.network.model import App, Network
from anycastle.network.order import Part
from anycastle.render.release import Release, releases
from anycastle.site.model import Site
from anycastle.yamlio import Comments

PROJECT = "platform"
NAMESPACE = "argocd"
SERVER = "https://kubernetes.default.svc"

WAVE = "argocd.argoproj.io/sync-wave"
SYNC_OPTIONS = "argocd.argoproj.io/sync-options"
COMPARE_OPTIONS = "argocd.argoproj.io/compare-options"

_NEEDS_DEFINITIONS = frozenset((Part.BGP, Part.INSTALLATION, Part.POOLS, Part.EDGE, Part.SMOKE_TEST))
"""Apps with custom resources whose definitions another app brings."""

_CLUSTER_KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("", ("Namespace",)),
    ("apiextensions.k8s.io", ("CustomResourceDefinition",)),
    ("operator.tigera.io", ("APIServer", "Installation")),
    (
        "projectcalico.org",
        (
            "BGPConfiguration",
            "BGPFilter",
            "BGPPeer",
            "FelixConfiguration",
            "IPPool",
            "KubeControllersConfiguration",
        ),
    ),
    ("rbac.authorization.k8s.io", ("ClusterRole", "ClusterRoleBinding")),
    ("scheduling.k8s.io", ("PriorityClass",)),
)
"""Cluster-wide kinds that the apps bring, Traefik's class aside; the project denies all others."""

_Object = dict[str, object]


def files(site: Site, network: Network) -> dict[str, bytes]:
    """All objects of the engine."""
    by_app = releases(site, network)
    result = {
        "argocd/project.yaml": _file(_PROJECT_HEADER, _project(site, by_app), _PROJECT_COMMENTS),
        "argocd/root.yaml": _file(_ROOT_HEADER, _root(site), _ROOT_COMMENTS),
    }
    for app in network.apps:
        application = _application(site, app, by_app[app.name])
        result[f"argocd/apps/{app.name}.yaml"] = _file(_header(app), application, _comments(app))
    return result


def _file(header: str, value: Mapping[str, object], comments: Comments) -> bytes:
    return (yamlio.header(header) + yamlio.dump_commented(value, comments)).encode()


def _metadata(name: str, **more: object) -> _Object:
    return {"name": name, "namespace": NAMESPACE, **more}


def _project(site: Site, by_app: Mapping[str, Release]) -> _Object:
    repositories = {release.repository for release in by_app.values() if not release.local}
    namespaces = {release.namespace for release in by_app.values()} | {NAMESPACE}
    kinds = _cluster_kinds(site)
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "AppProject",
        "metadata": _metadata(PROJECT, finalizers=["resources-finalizer.argocd.argoproj.io"]),
        "spec": {
            "description": f"The network, the ingress and Argo CD of {site.name}",
            "sourceRepos": [site.gitops.repository, *sorted(repositories)],
            "destinations": [{"server": SERVER, "namespace": name} for name in sorted(namespaces)],
            "clusterResourceWhitelist": [
                {"group": group, "kind": kind} for group, names in sorted(kinds) for kind in names
            ],
        },
    }


def _cluster_kinds(site: Site) -> list[tuple[str, tuple[str, ...]]]:
    reserved = ("IPReservation",) if site.load_balancer.reserved else ()
    kinds = [
        (group, tuple(sorted((*names, *reserved))) if group == "projectcalico.org" else names)
        for group, names in _CLUSTER_KINDS
    ]
    return [*kinds, *([("networking.k8s.io", ("IngressClass",))] if site.ingress else [])]


def _root(site: Site) -> _Object:
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": _metadata("root"),
        "spec": {
            "project": PROJECT,
            "source": {
                "repoURL": site.gitops.repository,
                "targetRevision": site.gitops.revision,
                "path": "argocd/apps",
            },
            "destination": {"server": SERVER, "namespace": NAMESPACE},
            "syncPolicy": _sync_policy(prune=True, options=["ServerSideApply=true", "FailOnSharedResource=true"]),
        },
    }


def _application(site: Site, app: App, release: Release) -> _Object:
    annotations = {WAVE: str(app.wave), COMPARE_OPTIONS: "ServerSideDiff=true"}
    if app.protected:
        annotations[SYNC_OPTIONS] = "Prune=false,Delete=false"
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": _metadata(release.app, annotations=annotations),
        "spec": {
            "project": PROJECT,
            "sources": _sources(site, release),
            "destination": {"server": SERVER, "namespace": release.namespace},
            "syncPolicy": _sync_policy(prune=not app.protected, options=_options(app)),
        },
    }


def _sources(site: Site, release: Release) -> list[_Object]:
    """The chart, and this repository as `$values`."""
    git: _Object = {"repoURL": site.gitops.repository, "targetRevision": site.gitops.revision}
    chart: _Object = (
        {**git, "path": release.path}
        if release.local
        else {"repoURL": release.repository, "chart": release.chart, "targetRevision": release.version}
    )
    files = [f"$values/{path}" for path in release.values]
    helm: _Object = {"releaseName": release.name, "valueFiles": files}
    if not release.definitions:
        helm["skipCrds"] = True
    return [{**chart, "helm": helm}, {**git, "ref": "values"}]


def _options(app: App) -> list[str]:
    options = ["ServerSideApply=true", "FailOnSharedResource=true"]
    if app.name in _NEEDS_DEFINITIONS:
        options.append("SkipDryRunOnMissingResource=true")
    if app.name == Part.INGRESS:
        options.append("Prune=confirm")
    return options


def _sync_policy(*, prune: bool, options: list[str]) -> _Object:
    return {
        "automated": {"prune": prune, "selfHeal": True},
        "syncOptions": options,
        "retry": {
            "limit": -1,
            "refresh": True,
            "backoff": {"duration": "10s", "factor": 2, "maxDuration": "1m"},
        },
    }


def _header(app: App) -> str:
    origin = "Follows from site.yaml: gitops, versions. The order of the waves: docs/waves.svg."
    return f"{origin}\nPart of the foundation: never pruned, never deleted with the root." if app.protected else origin


def _comments(app: App) -> Comments:
    comments: dict[tuple[str | int, ...], str] = {
        ("spec", "syncPolicy", "retry"): "Without an end, and each time with the newest commit: bringing up a network "
        "takes longer than five tries.",
    }
    if app.protected:
        comments["metadata", "annotations", SYNC_OPTIONS] = (
            "For the root: leave this Application alone when its file vanishes or the root is deleted."
        )
        comments["spec", "syncPolicy", "automated"] = "What vanishes from the chart stays in the cluster."
    if app.name in _NEEDS_DEFINITIONS:
        comments["spec", "syncPolicy", "syncOptions"] = (
            "SkipDryRun...: the kinds are defined by another app, and are not known before it has synced."
        )
    if app.name == Part.INGRESS:
        comments["spec", "syncPolicy", "syncOptions"] = (
            "Prune=confirm: the chart brings the definition of IngressRoute. Should a release drop it, all routes\n"
            "would go; somebody has to say yes first."
        )
    return comments


_PROJECT_HEADER = """Follows from site.yaml: gitops, ingress.
Where the Applications may fetch from, and what they may write. Applied by hand, and again when it has changed: if
Argo CD applied it, a commit could widen what commits may do.
  kubectl apply --server-side -f argocd/project.yaml"""

_PROJECT_COMMENTS: Comments = {
    ("metadata", "finalizers"): "The project stays as long as an Application refers to it.",
    (
        "spec",
        "destinations",
    ): "Whoever writes to the namespace argocd is its administrator; the apps below are trusted.",
}

_ROOT_HEADER = """Follows from site.yaml: gitops.
The one Application that is applied by hand: it brings all others, wave by wave, and waits for the health of each
(the check is in apps/argo-cd/values.yaml)."""

_ROOT_COMMENTS: Comments = {
    ("spec", "syncPolicy", "automated"): "An app whose file is removed goes; those of the foundation refuse.",
}
