"""Options and finalizers of Applications and projects that Argo CD does not know."""

from __future__ import annotations

import difflib

from anycastle.reader import argocd
from anycastle.reader.agreement.applications import applications, projects
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import sequence

_NEAR, _NEARER = 0.75, 0.85
_OPTIONS = frozenset(
    [
        "ApplyOutOfSyncOnly",
        "ClientSideApplyMigration",
        "CreateNamespace",
        "Delete",
        "FailOnSharedResource",
        "Force",
        "Prune",
        "PruneLast",
        "PrunePropagationPolicy",
        "Replace",
        "RespectIgnoreDifferences",
        "ServerSideApply",
        "ServerSideDiff",
        "SkipDryRunOnMissingResource",
        "Validate",
        "IncludeMutationWebhook",
    ]
)
_VALUES = {
    "Prune": ("true", "false", "confirm"),
    "Delete": ("true", "false", "confirm"),
    "PrunePropagationPolicy": ("foreground", "background", "orphan"),
}
_FINALIZERS = frozenset(
    f"resources-finalizer.argocd.argoproj.io{suffix}" for suffix in ("", "/foreground", "/background")
)


def check(subject: Subject, notes: Notes) -> None:
    """Every Application and project."""
    for item in (*applications(subject), *projects(subject).values()):
        _finalizers(item, notes)
        _options(item, notes)


def _options(item: Object, notes: Notes) -> None:
    listed: list[tuple[tuple[str | int, ...], str]] = [
        (("spec", "syncPolicy", "syncOptions", index), str(option))
        for index, option in enumerate(sequence(item.spec, "syncPolicy", "syncOptions"))
    ]
    for key in (argocd.OPTIONS, "argocd.argoproj.io/compare-options"):
        for option in str(item.annotations.get(key, "")).split(","):
            if option.strip():
                listed.append((("metadata", "annotations", key), option.strip()))
    for keys, option in listed:
        name, _, value = option.partition("=")
        if name in _OPTIONS and value not in _VALUES.get(name, ("true", "false")):
            notes.add(
                "ARGO009",
                item.place(keys),
                f"{option} is no value that Argo CD knows, and it passes over it.",
                f"Write one of {', '.join(_VALUES.get(name, ('true', 'false')))}.",
            )
        near = [] if name in _OPTIONS else difflib.get_close_matches(name, sorted(_OPTIONS), 1, _NEAR)
        if near:
            notes.add(
                "ARGO018" if near[0].startswith("SkipDryRun") else "ARGO009",
                item.place(keys),
                f"Argo CD has no option {name} and passes over it.",
                f"Write {near[0]}.",
            )


def _finalizers(item: Object, notes: Notes) -> None:
    for index, name in enumerate(sequence(item.value, "metadata", "finalizers")):
        known = not isinstance(name, str) or name in _FINALIZERS
        near = [] if known else difflib.get_close_matches(name, sorted(_FINALIZERS), 1, _NEARER)
        if near:
            notes.add(
                "ARGO014",
                item.place(("metadata", "finalizers", index)),
                f"Nothing takes the finalizer {name} away: {item.kind} {item.name} can never be deleted.",
                f"Write {near[0]}.",
            )
