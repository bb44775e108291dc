"""Argo CD's Applications against one another, their project and what they bring."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anycastle.reader import argocd
from anycastle.reader.agreement.flat import FEWEST, Fact, Member, facts, odd, said
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.reader.value_files import sources, spelled
from anycastle.schemas.shape import sequence, text

_GROUP = "argoproj.io"
_KINDS = frozenset(("Application", "ApplicationSet", "AppProject"))
_ALIKE = (
    "metadata.namespace",
    "metadata.annotations.argocd.argoproj.io/compare-options",
    "metadata.finalizers",
    "spec.project",
    "spec.destination.server",
    "spec.syncPolicy.retry",
    "spec.syncPolicy.automated.selfHeal",
    "spec.syncPolicy.syncOptions[ServerSideApply]",
    "spec.syncPolicy.syncOptions[FailOnSharedResource]",
    "repository",
    "revision",
)
_HOMES: Mapping[str, tuple[str, ...]] = {
    "tigera-operator": ("docs.tigera.io/calico/charts", "docs.projectcalico.org/charts"),
    "crd.projectcalico.org.v1": ("docs.tigera.io/calico/charts",),
    "projectcalico.org.v3": ("docs.tigera.io/calico/charts",),
    "traefik": ("traefik.github.io/charts", "helm.traefik.io/traefik", "ghcr.io/traefik/helm"),
    "argo-cd": ("argoproj.github.io/argo-helm", "ghcr.io/argoproj/argo-helm"),
    "sealed-secrets": ("bitnami-labs.github.io/sealed-secrets",),
    "external-secrets": ("charts.external-secrets.io/", "ghcr.io/external-secrets/charts"),
}
_NEAR = 0.85
_VALUES = " of the values"
_PRUNE = "spec.syncPolicy.automated.prune"


def applications(subject: Subject) -> list[Object]:
    """Every Application."""
    return [item for item in subject.engine if argocd.is_application(item)]


def check(subject: Subject, notes: Notes) -> None:
    """All laws about Applications."""
    found = applications(subject)
    if subject.one_hand:
        _alike(found, notes)
    _groups(subject, notes)
    for item in found:
        _charts(item, notes)
        if subject.one_hand:
            _names(item, subject, notes)


def _alike(found: Sequence[Object], notes: Notes) -> None:
    members = [Member(item.name, item, dict(_facts(item))) for item in found]
    brought = [member for member in members if argocd.WAVE in member.item.annotations]
    others = [member for member in members if argocd.WAVE not in member.item.annotations]
    kept = [member for member in brought if argocd.OPTIONS in member.item.annotations]
    pruned = [member for member in members if argocd.OPTIONS not in member.item.annotations]
    pruning = [one for group in (kept, pruned) for one in odd(group) if one.key == _PRUNE]
    for one in (*odd(brought), *_root(others, brought), *pruning):
        without_values = one.key.endswith(_VALUES) and not _has_values(one.member.item)
        if (one.key.startswith(_ALIKE) or one in pruning) and not without_values:
            notes.add(
                "ARGO009",
                one.member.place(one.key),
                f"{one.key} is {said(one.value)} in {one.member.name} and {said(one.usual)} in all others.",
                f"Write {one.usual}, or change it everywhere." if one.usual else "Take it out.",
            )


def _has_values(item: Object) -> bool:
    """Whether a source of the Application is a chart: manifests have no values."""
    return any("helm" in entry for _keys, entry in sources(item))


def _root(others: Sequence[Member], brought: Sequence[Member]) -> Iterator[Any]:
    """What the Application that brings the others has in common with them."""
    for member in others:
        yield from (one for one in odd([*brought, member], missing=False) if one.member is member)


def _facts(item: Object) -> Iterator[tuple[str, Fact]]:
    for key, fact in facts(item.value).items():
        if not key.startswith(("spec.source", "metadata.name")) or key.startswith("metadata.namespace"):
            yield key, fact
    for keys, entry in sources(item):
        if not text(entry, "chart"):
            last = keys[-1] if isinstance(keys[-1], int) and text(entry, "ref") else 0
            suffix = _VALUES if last else ""
            yield f"repository{suffix}", Fact(text(entry, "repoURL"), (*keys, "repoURL"))
            yield f"revision{suffix}", Fact(text(entry, "targetRevision"), (*keys, "targetRevision"))


def _groups(subject: Subject, notes: Notes) -> None:
    """A kind of Argo CD's under a group that is none, beside some that are right."""
    right = {item.value["apiVersion"] for item in subject.engine if item.kind in _KINDS}
    for item in (*subject.objects, *subject.engine):
        version = text(item.value, "apiVersion")
        near = difflib.get_close_matches(version, sorted(right | {f"{_GROUP}/v1alpha1"}), 1, _NEAR)
        if item.kind in _KINDS and version != f"{_GROUP}/v1alpha1" and near:
            notes.add(
                "ARGO014",
                item.place(("apiVersion",)),
                f"Nothing serves {version}, so the API server refuses {item.kind} {item.name}.",
                f"Write {_GROUP}/v1alpha1.",
            )


def _charts(item: Object, notes: Notes) -> None:
    for keys, entry in sources(item):
        homes = _HOMES.get(text(entry, "chart"), ())
        url = spelled(text(entry, "repoURL"))
        near = difflib.get_close_matches(url, homes, 1, _NEAR)
        scheme = text(entry, "repoURL").partition("://")[0]
        if homes and url not in homes and near:
            notes.add(
                "ARGO013",
                item.place((*keys, "repoURL")),
                f"The chart {entry['chart']} is not in {entry['repoURL']}.",
                f"Write https://{near[0]}.",
            )
        elif "://" in text(entry, "repoURL") and scheme not in ("http", "https", "ssh", "git", "oci", "file"):
            notes.add(
                "ARGO013",
                item.place((*keys, "repoURL")),
                f"{entry['repoURL']} begins with no scheme that Argo CD knows.",
                "Write https://.",
            )
    for keys, entry in sources(item):
        chart = text(entry, "chart")
        near = [] if chart in _HOMES else difflib.get_close_matches(chart, sorted(_HOMES), 1, _NEAR)
        if chart and near and spelled(text(entry, "repoURL")) in _HOMES[near[0]]:
            notes.add(
                "ARGO013",
                item.place((*keys, "chart")),
                f"There is no chart {chart} in {entry['repoURL']}.",
                f"Write {near[0]}.",
            )


def _names(item: Object, subject: Subject, notes: Notes) -> None:
    """The folder of an app's values, the release and the Application bear one name where most do."""
    space = text(item.spec, "destination", "namespace")
    for keys, entry in sources(item):
        release = text(entry, "helm", "releaseName")
        if release and release not in (item.name, space) and _mostly(subject, item.name):
            notes.add(
                "ARGO015",
                item.place((*keys, "helm", "releaseName")),
                f"The release of {item.name} is called {release}: names of its objects follow from that.",
                f"Write {item.name}, or {space}.",
            )
        for index, file in enumerate(sequence(entry, "helm", "valueFiles")):
            named = _folder(file, subject)
            if named not in ("", item.name) and _own_folders(subject, named, item.name):
                notes.add(
                    "ARGO015",
                    item.place((*keys, "helm", "valueFiles", index)),
                    f"{item.name} reads {file}, while each other Application reads the folder of its own name.",
                    f"Write {str(file).replace(f'apps/{named}', f'apps/{item.name}', 1)}.",
                )


def _folder(file: object, subject: Subject) -> str:
    """The folder below `apps/` of a value file such as `$values/apps/traefik/values.yaml`."""
    inside = str(file).partition("/")[2].removeprefix(f"{subject.tree.folder}/").split("/")
    return inside[1] if len(inside) == 3 and inside[0] == "apps" else ""


def _own_folders(subject: Subject, named: str, name: str) -> bool:
    """Whether each other Application reads the folder of its own name, and none has the name of this file's folder."""
    read = {
        item.name: {
            _folder(file, subject) for _keys, entry in sources(item) for file in sequence(entry, "helm", "valueFiles")
        }
        - {""}
        for item in applications(subject)
        if item.name != name
    }
    same = [folders == {other} for other, folders in read.items() if folders]
    return named not in read and len(same) >= FEWEST and all(same)


def _mostly(subject: Subject, name: str) -> bool:
    """Whether releases of this repository are called like their Application or namespace."""
    same = [
        text(entry, "helm", "releaseName") in (item.name, text(item.spec, "destination", "namespace"))
        for item in applications(subject)
        if item.name != name
        for _keys, entry in sources(item)
        if text(entry, "helm", "releaseName")
    ]
    return len(same) > 2 and all(same)


def projects(subject: Subject) -> dict[str, Object]:
    """The projects that stand here, by name."""
    return {item.name: item for item in subject.engine if item.kind == "AppProject" and item.group == _GROUP}
