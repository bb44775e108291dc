"""Values of the chart argo-cd that Argo CD would pass over, or that take its definitions away."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

from anycastle import yamlio
from anycastle.reader.agreement.references import place, values
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.argocd import Source
from anycastle.reader.charts import Answered
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, mappings, text

_NEAR = 0.85
_SETTINGS = frozenset(
    (
        "accounts.admin",
        "admin.enabled",
        "application.instanceLabelKey",
        "application.resourceTrackingMethod",
        "application.sync.impersonation.enabled",
        "dex.config",
        "exec.enabled",
        "globalProjects",
        "kustomize.buildOptions",
        "oidc.config",
        "resource.compareoptions",
        "resource.customizations",
        "resource.exclusions",
        "resource.ignoreResourceUpdatesEnabled",
        "resource.inclusions",
        "resource.links",
        "server.rbac.log.enforce.enable",
        "statusbadge.enabled",
        "timeout.hard.reconciliation",
        "timeout.reconciliation",
        "timeout.reconciliation.jitter",
        "ui.bannercontent",
        "users.anonymous.enabled",
        "users.session.duration",
    )
)
"""Keys of the ConfigMap argocd-cm."""
_VARIABLES = frozenset(
    (
        "ARGOCD_APPLICATION_NAMESPACES",
        "ARGOCD_APPLICATION_TREE_SHARD_SIZE",
        "ARGOCD_CLUSTER_CACHE_ATTEMPT_LIMIT",
        "ARGOCD_CLUSTER_CACHE_RETRY_USE_BACKOFF",
        "ARGOCD_CONTROLLER_REPLICAS",
        "ARGOCD_ENABLE_DYNAMIC_CLUSTER_DISTRIBUTION",
        "ARGOCD_RECONCILIATION_TIMEOUT",
        "ARGOCD_SYNC_WAVE_DELAY",
    )
)
_LISTED = ("resource.exclusions", "resource.inclusions")
_OF_ENTRY = frozenset(("apiGroups", "kinds", "clusters"))


def check(subject: Subject, notes: Notes) -> None:
    """Every Argo CD that the repository brings."""
    for source, given in values(subject, "argo-cd"):
        _settings(source, given, notes)
        _lists(source, given, notes)
        _variables(source, given, notes)
        _definitions(source, given, notes)


def _passed_over(source: Source, given: Answered, keys: tuple[str, ...], name: str, fix: str, notes: Notes) -> None:
    where = place(source, given, *keys)
    notes.add("ARGO019", where, f"Argo CD knows no {name} and passes over it: nothing is set.", fix)


def _settings(source: Source, given: Answered, notes: Notes) -> None:
    for key in mapping(given.values, "configs", "cm"):
        plain = key if key in _SETTINGS or key.startswith("resource.customizations.") else ""
        near = [] if plain else difflib.get_close_matches(key, sorted(_SETTINGS), 1, _NEAR)
        if near:
            _passed_over(source, given, ("configs", "cm", key), f"setting {key}", f"Write {near[0]}.", notes)


def _lists(source: Source, given: Answered, notes: Notes) -> None:
    """Lists of kinds are YAML inside a text."""
    for name in _LISTED:
        written = text(given.values, "configs", "cm", name)
        for document in yamlio.load(written, name).documents[:1] if written else ():
            for key in sorted(set(_keys(document.value)) - _OF_ENTRY):
                fix = f"Write one of {', '.join(sorted(_OF_ENTRY))}."
                _passed_over(source, given, ("configs", "cm", name), f"key {key} in {name}", fix, notes)


def _keys(value: object) -> Iterator[str]:
    for entry in value if isinstance(value, list) else ():
        yield from entry if isinstance(entry, dict) else ()


def _variables(source: Source, given: Answered, notes: Notes) -> None:
    for component in ("controller", "server", "repoServer", "applicationSet"):
        for _keys_of, entry in mappings(mapping(given.values, component), "env"):
            name = text(entry, "name")
            near = [] if name in _VARIABLES else difflib.get_close_matches(name, sorted(_VARIABLES), 1, _NEAR)
            if near:
                _passed_over(source, given, (component, "env"), f"variable {name}", f"Write {near[0]}.", notes)


def _definitions(source: Source, given: Answered, notes: Notes) -> None:
    crds: dict[str, Any] = mapping(given.values, "crds")
    if crds.get("keep") is False:
        notes.add(
            "ARGO020",
            place(source, given, "crds", "keep"),
            "The definition of Application goes with the chart, and every Application with it.",
            "Write crds.keep: true.",
        )
    if crds.get("install") is False:
        notes.add(
            "ARGO020",
            place(source, given, "crds", "install"),
            "Nothing here brings the definition of Application: an update of Argo CD leaves the old one.",
            "Write crds.install: true.",
        )
