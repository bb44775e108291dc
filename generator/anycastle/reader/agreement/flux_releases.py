"""Where a HelmRelease puts what its chart makes."""

from __future__ import annotations

from anycastle.reader import flux
from anycastle.reader.agreement.projects import missing_namespace
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.schemas.placeholders import is_hole
from anycastle.schemas.shape import mapping, text


def check(subject: Subject, notes: Notes) -> None:
    """Its namespace is one that something makes."""
    for item in subject.engine:
        if flux.is_release(item) and not item.unsettled:
            _place(item, subject, notes)


def _place(item: Object, subject: Subject, notes: Notes) -> None:
    space = text(item.spec, "targetNamespace")
    if mapping(item.spec, "install").get("createNamespace") is True or is_hole(space):
        return
    if made := missing_namespace(space, subject):
        notes.add(
            "ARGO012",
            item.place(("spec", "targetNamespace")),
            f"Nothing makes the namespace {space}, so the objects of {item.name} have no place.",
            f"Write one of {', '.join(sorted(made))}, or add the namespace.",
        )
