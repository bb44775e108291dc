"""Namespaces and what they admit, against what runs in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anycastle.reader.agreement.subject import Subject
from anycastle.reader.argocd import Form
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import text

LEVEL = "pod-security.kubernetes.io/enforce"
_ON_THE_HOST = {"tigera-operator": "the operator", "calico-system": "calico-node"}
"""Namespaces whose pods use the host's network."""
_HARMLESS = frozenset(("traefik", "argo-cd", "whoami"))
"""Charts whose pods meet the level restricted."""


def check(subject: Subject, notes: Notes) -> None:
    """Every namespace."""
    levels = {item.name: item for item in subject.objects if item.kind == "Namespace" and not item.group}
    charts: dict[str, set[str]] = {}
    for unit in subject.units:
        for source in unit.sources:
            if source.form is not Form.FOLDER:
                charts.setdefault(source.namespace, set()).add(source.path.rpartition("/")[2])
    for name, item in levels.items():
        level = _level(item.value)
        where = item.place(("metadata", "labels", LEVEL))
        refused = level != "privileged" if subject.one_hand else level not in ("", "privileged")
        if name in _ON_THE_HOST and refused:
            notes.add(
                "REF005",
                where,
                f"{name} does not say that it admits privileged pods; {_ON_THE_HOST[name]} works on the host.",
                f"Write {LEVEL}: privileged.",
            )
        inside = charts.get(name, set())
        if subject.one_hand and level == "privileged" and inside & _HARMLESS and inside <= _HARMLESS | {"edge"}:
            notes.add(
                "REF006",
                where,
                f"{name} admits privileged pods; {', '.join(sorted(inside))} needs none.",
                f"Write {LEVEL}: restricted.",
            )
    if subject.one_hand:
        _unlabelled(levels, notes)


def _unlabelled(levels: Mapping[str, Object], notes: Notes) -> None:
    """Where all namespaces but one have a level, that one was forgotten."""
    without = [item for item in levels.values() if not _level(item.value)]
    if len(without) == 1 and len(levels) > 2:
        notes.add(
            "REF006",
            without[0].place(),
            f"The namespace {without[0].name} has no pod-security level; all others have one.",
            f"Add the label {LEVEL}.",
        )


def _level(value: Mapping[str, Any]) -> str:
    return text(value, "metadata", "labels", LEVEL)
