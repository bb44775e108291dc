"""Flux's objects: what they are, and what they call one another by."""

from __future__ import annotations

from anycastle.reader.documents import Object
from anycastle.schemas.shape import mappings, text

KUSTOMIZE, HELM, SOURCE = (f"{name}.toolkit.fluxcd.io" for name in ("kustomize", "helm", "source"))


def is_kustomization(item: Object) -> bool:
    """Whether Flux builds and applies a folder with it."""
    return item.group == KUSTOMIZE and item.kind == "Kustomization"


def is_release(item: Object) -> bool:
    """Whether Flux installs a chart with it."""
    return item.group == HELM and item.kind == "HelmRelease"


def identity(item: Object) -> str:
    """Kind, namespace and name: what `dependsOn` means inside one kind."""
    return f"{item.kind} {item.namespace or 'flux-system'}/{item.name}"


def after(item: Object) -> tuple[str, ...]:
    """What an object waits for, as identities."""
    return tuple(
        f"{item.kind} {text(entry, 'namespace') or item.namespace or 'flux-system'}/{text(entry, 'name')}"
        for _keys, entry in mappings(item.spec, "dependsOn")
    )
