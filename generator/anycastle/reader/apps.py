"""What each unit of the GitOps engine brings: parts in the words of `network.order`, and pinned versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from anycastle.network.cluster import App, Version
from anycastle.network.order import Part
from anycastle.reader import documents
from anycastle.reader.argocd import Application, Form, Source
from anycastle.reader.documents import Family, Object
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mappings, sequence, text
from anycastle.yamlio import Document

_CHARTS: Mapping[str, Part] = {
    "crd.projectcalico.org.v1": Part.CALICO_CRDS,
    "projectcalico.org.v3": Part.CALICO_CRDS,
    "tigera-operator": Part.OPERATOR,
    "argo-cd": Part.ENGINE,
    "traefik": Part.INGRESS,
    "whoami": Part.SMOKE_TEST,
    "sealed-secrets": Part.SEALED_SECRETS,
    "external-secrets": Part.EXTERNAL_SECRETS,
}
_COMPONENTS: Mapping[str, str] = {
    "crd.projectcalico.org.v1": "calico-crds",
    "projectcalico.org.v3": "calico-crds",
    "tigera-operator": "calico",
    "argo-cd": "argo-cd-chart",
    "traefik": "traefik-chart",
    "sealed-secrets": "sealed-secrets-chart",
    "external-secrets": "external-secrets-chart",
}
_KINDS: Mapping[tuple[str, str], Part] = {
    ("", "Namespace"): Part.NAMESPACES,
    ("operator.tigera.io", "Installation"): Part.INSTALLATION,
    ("projectcalico.org", "BGPConfiguration"): Part.BGP,
    ("projectcalico.org", "BGPPeer"): Part.BGP,
    ("projectcalico.org", "BGPFilter"): Part.BGP,
    ("traefik.io", "TLSOption"): Part.EDGE,
    ("traefik.io", "TLSStore"): Part.EDGE,
    ("traefik.io", "Middleware"): Part.EDGE,
}
_SECRETS = frozenset(
    (
        ("", "Secret"),
        ("bitnami.com", "SealedSecret"),
        *(("external-secrets.io", kind) for kind in ("ExternalSecret", "SecretStore", "ClusterSecretStore")),
    )
)
"""What an app that brings Secrets consists of, and nothing else."""
_NAMESPACED = frozenset(("Namespace", "PriorityClass", "ResourceQuota", "LimitRange", "NetworkPolicy", "RoleBinding"))
_FOUNDATION = frozenset(("tigera-operator", "calico-system", "calico-apiserver"))
"""Namespaces whose loss takes the network along; others are their apps' own."""
_HOOK = "argocd.argoproj.io/hook"


def apps(found: Iterable[Application], brought: Mapping[str, Sequence[Object]]) -> Iterator[App]:
    """Every Application but those that only bring others; `brought` are its objects by its key."""
    for app in found:
        items = brought.get(app.key, ())
        weighty = [item for item in items if item.kind != "ConfigMap"]  # values and certificates of what is brought
        if weighty and all(item.family is Family.ENGINE for item in weighty):
            continue
        parts = {part for source in app.sources for part in _of_chart(source.path)}
        parts |= {part for item in items for part in _of_object(item)}
        spaces = {item.name for item in items if item.kind == "Namespace"}
        if spaces.isdisjoint(_FOUNDATION) or any(item.kind not in _NAMESPACED for item in items):
            parts.discard(Part.NAMESPACES)  # an app may bring its own namespace along
        if items and all((item.group, item.kind) in _SECRETS for item in items):
            parts.add(Part.SECRETS)
        yield App(
            wave=app.wave,
            name=app.name,
            provides=tuple(part for part in Part if part in parts),
            protected=app.protected,
            where=app.where,
        )


def _of_chart(path: str) -> Iterator[Part]:
    part = _CHARTS.get(path.rpartition("/")[2])
    if part is not None:
        yield part


def _of_object(item: Object) -> Iterator[Part]:
    if (part := _KINDS.get((item.group, item.kind))) is not None:
        yield part
    elif item.kind == "IPPool" and "LoadBalancer" in sequence(item.spec, "allowedUses"):
        yield Part.POOLS
    elif item.kind == "CustomResourceDefinition" and text(item.spec, "group").endswith("projectcalico.org"):
        yield Part.CALICO_CRDS
    elif item.kind == "Job" and "PostSync" in str(item.annotations.get(_HOOK, "")):
        yield Part.SMOKE_TEST
    elif item.kind in ("Deployment", "DaemonSet"):
        yield from _of_workload(item)


def _of_workload(item: Object) -> Iterator[Part]:
    pod = item.spec.get("template")
    for _keys, container in mappings(pod.get("spec") if isinstance(pod, dict) else {}, "containers"):
        name = text(container, "image").partition("@")[0].rpartition("/")[2].partition(":")[0]
        if name == "traefik":
            yield Part.INGRESS
        elif name == "operator" and "tigera" in item.name:
            yield Part.OPERATOR


def versions(found: Iterable[Application], tree: Tree, notes: Notes) -> Iterator[Version]:
    """Versions of upstream's charts, wherever they stand; one that lies here says its own."""
    for app in found:
        for source in app.sources:
            component = _COMPONENTS.get(source.path.rpartition("/")[2])
            if component is None:
                continue
            if source.form is Form.UPSTREAM:
                where = source.version_where if source.version_where.path else source.where
                yield Version(component=component, version=source.version, where=where)
            elif source.form is Form.CHART and (chart := _chart_of(source, tree, notes)) is not None:
                version = text(chart.value, "version").removeprefix("v")
                yield Version(component=component, version=version, where=chart.place("version"))


def _chart_of(source: Source, tree: Tree, notes: Notes) -> Document | None:
    path = f"{source.path}/Chart.yaml"
    data = tree.data(path, notes) if tree.has_file(path) else None
    return next(iter(documents.load(data, path).documents), None) if data is not None else None
