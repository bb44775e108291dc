"""`argocd/`: the root Application, and one Application and one project per app.

The waves stand on the Application objects and order their creation, and every later change of their spec. A
change that only touches a values file reaches its Application directly: the root sees no difference (argo-cd#8778).
"""

from __future__ import annotations

from collections.abc import Mapping

from anycastle import yamlio
from anycastle.network.cluster import App
from anycastle.network.model import Network
from anycastle.network.order import Part
from anycastle.render import argo_cd_sops, inside, projects
from anycastle.render.projects import NAMESPACE, ROOT, SERVER
from anycastle.render.release import Release, releases
from anycastle.site.model import Site
from anycastle.yamlio import Comments

WAVE = "argocd.argoproj.io/sync-wave"
SYNC_OPTIONS = "argocd.argoproj.io/sync-options"
COMPARE_OPTIONS = "argocd.argoproj.io/compare-options"

_NEEDS_DEFINITIONS = frozenset((Part.BGP, Part.INSTALLATION, Part.POOLS, Part.EDGE, Part.SMOKE_TEST))
"""Apps with custom resources whose definitions another app brings."""

_Object = dict[str, object]


def files(site: Site, network: Network) -> dict[str, bytes]:
    """All objects of the engine."""
    by_app = releases(site, network)
    result = projects.files(site, network)
    result["argocd/root.yaml"] = _file(_ROOT_HEADER, inside.placed(site, _root(site)), _ROOT_COMMENTS)
    for app in network.apps:
        application = inside.placed(site, _application(site, app, by_app[app.name]))
        result[f"argocd/apps/{app.name}.yaml"] = _file(_header(app), application, _comments(site, app))
    return result


def _file(header: str, value: Mapping[str, object], comments: Comments) -> bytes:
    return (yamlio.header(header) + yamlio.dump_commented(value, comments)).encode()


def _metadata(name: str, **more: object) -> _Object:
    return {"name": name, "namespace": NAMESPACE, **more}


def _root(site: Site) -> _Object:
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": _metadata(ROOT),
        "spec": {
            "project": ROOT,
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
            "project": release.app,
            **_sources(site, release),
            "destination": {"server": SERVER, "namespace": release.namespace},
            "syncPolicy": _sync_policy(prune=not app.protected, options=_options(site, app)),
        },
    }


def _sources(site: Site, release: Release) -> _Object:
    """The chart, and this repository as `$values`; or a folder, which SOPS decrypts where that is its tool."""
    git: _Object = {"repoURL": site.gitops.repository, "targetRevision": site.gitops.revision}
    if release.folder:
        by_plugin = {"plugin": {"name": argo_cd_sops.NAME}} if argo_cd_sops.needed(site) else {}
        return {"source": {**git, "path": release.path, **by_plugin}}
    chart: _Object = (
        {**git, "path": release.path}
        if release.local
        else {"repoURL": release.repository, "chart": release.chart, "targetRevision": release.version}
    )
    files = [f"$values/{path}" for path in release.values]
    helm: _Object = {"releaseName": release.name, "valueFiles": files}
    if not release.definitions:
        helm["skipCrds"] = True
    return {"sources": [{**chart, "helm": helm}, {**git, "ref": "values"}]}


def _needs_definitions(site: Site, app: App) -> bool:
    """Whether its kinds are not known before another app has synced. What SOPS encrypted is an ordinary Secret."""
    return app.name in _NEEDS_DEFINITIONS or (app.name == Part.SECRETS and not argo_cd_sops.needed(site))


def _options(site: Site, app: App) -> list[str]:
    options = ["ServerSideApply=true", "FailOnSharedResource=true"]
    if _needs_definitions(site, app):
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


def _comments(site: Site, app: App) -> Comments:
    comments: dict[tuple[str | int, ...], str] = {
        ("spec", "syncPolicy", "retry"): "Without an end, and each time with the newest commit: bringing up a network "
        "takes longer than five tries.",
    }
    if app.protected:
        comments["metadata", "annotations", SYNC_OPTIONS] = (
            "For the root: leave this Application alone when its file vanishes or the root is deleted."
        )
        source = "secrets/" if app.name == Part.SECRETS else "the chart"
        comments["spec", "syncPolicy", "automated"] = f"What vanishes from {source} stays in the cluster."
    if _needs_definitions(site, app):
        comments["spec", "syncPolicy", "syncOptions"] = (
            "SkipDryRun...: the kinds are defined by another app, and are not known before it has synced."
        )
    if app.name == Part.INGRESS:
        comments["spec", "syncPolicy", "syncOptions"] = (
            "Prune=confirm: the chart brings the definition of IngressRoute. Should a release drop it, all routes\n"
            "would go; somebody has to say yes first."
        )
    return comments


_ROOT_HEADER = """Follows from site.yaml: gitops.
The one Application that is applied by hand: it brings all others, wave by wave, and waits for the health of each
(the check is in apps/argo-cd/values.yaml)."""

_ROOT_COMMENTS: Comments = {
    ("spec", "syncPolicy", "automated"): "An app whose file is removed goes; those of the foundation refuse.",
}
