"""Definitions and the network: applied by the server, never pruned, not tried before their kinds exist."""

from __future__ import annotations

import json
from collections.abc import Iterator

from anycastle.reader import argocd
from anycastle.reader.agreement import bootstrap
from anycastle.reader.agreement.applications import applications
from anycastle.reader.agreement.chart_kinds import DEFINING
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.argocd import Application
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, sequence

_FOUNDATION = ("operator.tigera.io", "projectcalico.org", "crd.projectcalico.org")
_CALICO = frozenset(("crd.projectcalico.org.v1", "projectcalico.org.v3"))
_DEFINING = {
    "traefik.io": frozenset(("traefik",)),
    "bitnami.com": frozenset(("sealed-secrets",)),
    "external-secrets.io": frozenset(("external-secrets",)),
}


def check(subject: Subject, notes: Notes) -> None:
    """Every Application that brings a part of the foundation."""
    units = {unit.name: unit for unit in subject.units}
    for item in applications(subject):
        if (unit := units.get(item.name)) is not None:
            _kept(item, unit, subject, notes)


def _kept(item: Object, unit: Application, subject: Subject, notes: Notes) -> None:
    kinds = {(made.group, made.kind) for source in unit.sources for made in _made(source.path, subject)}
    charts = {source.path for source in unit.sources}
    definitions = any(chart in DEFINING for chart in charts)
    options = sequence(item.spec, "syncPolicy", "syncOptions")
    large = charts & _CALICO or any(_is_large(made) for source in unit.sources for made in _made(source.path, subject))
    if large and not {"ServerSideApply=true", "Replace=true"} & set(map(str, options)):
        notes.add(
            "ARGO017",
            item.place(("spec", "syncPolicy")),
            f"{item.name} brings definitions, some of which are too large for a client-side apply.",
            "Add ServerSideApply=true to syncOptions.",
        )
    custom = any(_tried_too_early(group, unit, subject) for group, _kind in kinds)
    if custom and not definitions and "SkipDryRunOnMissingResource=true" not in options:
        notes.add(
            "ARGO018",
            item.place(("spec", "syncPolicy")),
            f"{item.name} has objects whose kinds another Application defines; the dry run fails until it has.",
            "Add SkipDryRunOnMissingResource=true to syncOptions.",
        )
    foundation = any(group in _FOUNDATION for group, _kind in kinds) or charts & {"tigera-operator", *_CALICO}
    automated = mapping(item.spec, "syncPolicy", "automated")
    if foundation and automated.get("prune") is True:
        notes.add(
            "ARGO016",
            item.place(("spec", "syncPolicy", "automated", "prune")),
            f"{item.name} brings the network and deletes what vanishes from its source.",
            "Write prune: false.",
        )
    protection = str(item.annotations.get(argocd.OPTIONS, ""))
    if foundation and protection and not unit.protected and automated.get("prune") is not True:
        notes.add(
            "ARGO016",
            item.place(("metadata", "annotations", argocd.OPTIONS)),
            f"{item.name} brings the network; {protection} does not keep its Application from being deleted.",
            "Write Prune=false,Delete=false.",
        )


def _is_large(item: Object) -> bool:
    """Whether an object does not fit into the annotation of a client-side apply."""
    return item.kind == "CustomResourceDefinition" and len(json.dumps(item.value, default=str)) > bootstrap.LARGEST


def _tried_too_early(group: str, unit: Application, subject: Subject) -> bool:
    """Whether another Application brings the definitions of a group.

    In files of one hand every such Application has the option; elsewhere one in an earlier wave is there in time.
    """
    charts = _CALICO if group in _FOUNDATION else _DEFINING.get(group, frozenset())
    return any(
        source.path in charts and (subject.one_hand or other.wave >= unit.wave)
        for other in subject.units
        for source in other.sources
    )


def _made(path: str, subject: Subject) -> Iterator[Object]:
    return (item for item in subject.objects if item.source.startswith(f"{path}/"))
