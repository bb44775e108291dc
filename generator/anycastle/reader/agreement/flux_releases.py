"""Where a HelmRelease puts what its chart makes."""

from __future__ import annotations

from anycastle.reader import flux
from anycastle.reader.agreement.projects import missing_namespaces
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.schemas.placeholders import is_hole
from anycastle.schemas.shape import mapping, text


def check(subject: Subject, notes: Notes) -> None:
    """Its namespace is one that something makes."""
    placed = [(item, space) for item in subject.engine if (space := _place(item))]
    lacking, made = missing_namespaces({space for _item, space in placed}, subject)
    for item, space in placed:
        if space in lacking:
            notes.add(
                "ARGO012",
                item.place(("spec", "targetNamespace")),
                f"Nothing makes the namespace {space}, so the objects of {item.name} have no place.",
                f"Write one of {', '.join(sorted(made))}, or add the namespace.",
            )


def _place(item: Object) -> str:
    """The namespace that a release names and does not make; empty where there is none."""
    space = text(item.spec, "targetNamespace") if flux.is_release(item) and not item.unsettled else ""
    makes = mapping(item.spec, "install").get("createNamespace") is True
    return "" if makes or is_hole(space) else space
