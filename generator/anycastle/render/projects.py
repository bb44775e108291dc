"""`argocd/projects/`: an AppProject for each app, which allows what the app writes and nothing else.

One for each app, because the lists of a project multiply: in a common one whoami could write what calico-bgp writes,
where edge writes (docs/decisions/0011-a-project-for-each-app.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anycastle import yamlio
from anycastle.network.model import Network
from anycastle.render import app_kinds, namespaces
from anycastle.render.app_kinds import Kind, Written
from anycastle.render.release import Release, releases
from anycastle.site.model import Site
from anycastle.yamlio import Comments

FOLDER = "argocd/projects"
NAMESPACE = "argocd"
SERVER = "https://kubernetes.default.svc"
ROOT = "root"

_Object = dict[str, object]


def files(site: Site, network: Network) -> dict[str, bytes]:
    """A project for each app, one for the root, and the lock of Argo CD's own."""
    names = namespaces.names(site, network)
    result = {
        f"{FOLDER}/{app}.yaml": _of_app(site, release, app_kinds.of_app(site, network, release, names))
        for app, release in releases(site, network).items()
    }
    result[f"{FOLDER}/{ROOT}.yaml"] = _of_root(site)
    result[f"{FOLDER}/default.yaml"] = _file(_LOCK, _project("default", _NOTHING, finalizers=False), {})
    return result


def _of_app(site: Site, release: Release, written: Written) -> bytes:
    spec = {
        "description": f"What the app {release.app} of {site.name} writes",
        "sourceRepos": [site.gitops.repository, *([] if release.local else [release.repository])],
        "destinations": _destinations(sorted({release.namespace, *written.namespaces})),
        **({"clusterResourceWhitelist": list(_cluster(written))} if written.cluster else {}),
        **_namespaced(written.namespaced),
    }
    return _file(_HEADER, _project(release.app, spec), _comments(release, written))


def _of_root(site: Site) -> bytes:
    spec = {
        "description": f"The Applications of {site.name}",
        "sourceRepos": [site.gitops.repository],
        "destinations": _destinations([NAMESPACE]),
        **_namespaced([("argoproj.io", "Application")]),
    }
    return _file(_HEADER, _project(ROOT, spec), {})


def _destinations(spaces: Sequence[str]) -> list[_Object]:
    return [{"server": SERVER, "namespace": space} for space in spaces]


def _cluster(written: Written) -> Iterator[_Object]:
    for kind in written.cluster:
        for name in written.names.get(kind, ("",)):
            yield {**_entry(kind), **({"name": name} if name else {})}


def _namespaced(kinds: Sequence[Kind]) -> _Object:
    """An empty list of what is allowed would get lost on the way, and a missing one allows everything."""
    if kinds:
        return {"namespaceResourceWhitelist": [_entry(kind) for kind in kinds]}
    return {"namespaceResourceBlacklist": [_entry(("*", "*"))]}


def _entry(kind: Kind) -> _Object:
    return {"group": kind[0], "kind": kind[1]}


_NOTHING: Mapping[str, object] = {
    "description": "Nothing: every Application has a project of its own",
    "sourceRepos": [],
    "destinations": [],
    "clusterResourceWhitelist": [],
    **_namespaced(()),
}


def _project(name: str, spec: Mapping[str, object], *, finalizers: bool = True) -> _Object:
    kept = {"finalizers": ["resources-finalizer.argocd.argoproj.io"]} if finalizers else {}
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "AppProject",
        "metadata": {"name": name, "namespace": NAMESPACE, **kept},
        "spec": dict(spec),
    }


def _file(header: str, value: Mapping[str, object], comments: Comments) -> bytes:
    return (yamlio.header(header) + yamlio.dump_commented(value, comments)).encode()


_HEADER = """Follows from site.yaml. What Argo CD may fetch for this app, and what it may write. Applied by hand, and
again before a push that changes it: kubectl apply --server-side --force-conflicts -f argocd/projects"""

_LOCK = """The same at every site. The project that Argo CD makes by itself allows everything; here it allows
nothing, or an Application in it would get round all others."""


def _comments(release: Release, written: Written) -> Comments:
    comments: dict[tuple[str | int, ...], str] = {}
    if NAMESPACE in (release.namespace, *written.namespaces):
        comments["spec", "destinations"] = (
            "Whoever writes workloads or Secrets there is Argo CD's administrator."
            if release.namespace == NAMESPACE
            else "In argocd stands the route to Argo CD; of the kinds below none reads or runs anything."
        )
    return comments
