"""What Flux and Helm look for and do not find: words in annotations, values, and kinds whose health is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from anycastle.reader import kustomize, kustomize_laws
from anycastle.reader.argocd import Application
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, mappings, text
from anycastle.yamlio import Path

_WORDS: Mapping[str, tuple[str, ...]] = {
    "helm.sh/resource-policy": ("keep",),
    "kustomize.toolkit.fluxcd.io/prune": ("disabled", "enabled"),
    "kustomize.toolkit.fluxcd.io/reconcile": ("disabled", "enabled"),
    "kustomize.toolkit.fluxcd.io/substitute": ("disabled", "enabled"),
    "kustomize.toolkit.fluxcd.io/force": ("enabled", "disabled"),
    "kustomize.toolkit.fluxcd.io/ssa": ("Override", "Merge", "IfNotPresent", "Ignore"),
    "helm.toolkit.fluxcd.io/driftDetection": ("disabled", "enabled"),
}
"""Annotations whose every other value does nothing (Helm, Charts Tips and Tricks; Flux, kustomization.md)."""
_AT: tuple[Path, ...] = (
    ("metadata", "annotations"),
    ("metadata", "labels"),
    ("spec", "commonMetadata", "annotations"),
)


def check(items: Sequence[Object], manifests: Sequence[Object], tree: Tree, notes: Notes) -> None:
    """Both laws."""
    for item in (*items, *manifests):
        _words(item, notes)
    for item in items:
        if item.kind == "HelmRelease" and not item.unsettled:
            _values(item, manifests, tree, notes)


def _words(item: Object, notes: Notes) -> None:
    for above in _AT:
        for key, value in mapping(item.value, *map(str, above)).items():
            known = _WORDS.get(key)
            if known and isinstance(value, str) and value.lower() not in {word.lower() for word in known}:
                notes.add(
                    "FLUX009",
                    item.place((*above, key)),
                    f"{key} is {value}, which nothing looks for: {item.kind} {item.name} is treated as if the "
                    "annotation were not there.",
                    f"Write {' or '.join(known)}.",
                )


def _values(item: Object, manifests: Sequence[Object], tree: Tree, notes: Notes) -> None:
    for keys, entry in mappings(item.spec, "valuesFrom", ("spec",)):
        if text(entry, "kind") == "ConfigMap" and entry.get("optional") is not True:
            _from(item, keys, entry, manifests, tree, notes)
    name = kustomize_laws.unfollowed(tree, item, notes)
    if name:
        notes.add(
            "FLUX008",
            item.place(("spec", "valuesFrom")),
            f"Kustomize hangs a hash on the name of ConfigMap {name}, and {item.name} goes on asking for it without "
            "one: the release never becomes ready.",
            "Name a file in `configurations` with a nameReference for spec/valuesFrom/name of HelmRelease, or set "
            "generatorOptions.disableNameSuffixHash.",
        )


def _from(
    item: Object, keys: Path, entry: Mapping[str, object], manifests: Sequence[Object], tree: Tree, notes: Notes
) -> None:
    """One source of values: a ConfigMap that lacks the key, or that the folder would have to generate."""
    name, key = text(entry, "name"), text(entry, "valuesKey") or "values.yaml"
    maps = [one for one in manifests if one.kind == "ConfigMap" and one.group == ""]
    found = [one for one in maps if one.name == name]
    made = {one.name for one in maps if one.source == kustomize.file_of(tree, item.folder)}
    if found and not any(key in mapping(one.value, block) for one in found for block in ("data", "binaryData")):
        known = sorted(key for one in found for key in mapping(one.value, "data"))
        what, at = f"ConfigMap {name} has no key {key}", (*keys, "valuesKey")
        cure = f"Write {', '.join(known)}." if known else "Add the key."
    elif not found and made and ("ConfigMap", name) not in notes.aside:
        what, at = f"There is no ConfigMap {name}, and the kustomization beside it makes others", (*keys, "name")
        cure = f"Write {', '.join(sorted(made))}."
    else:
        return
    notes.add("FLUX007", item.place(at), f"{what}: {item.name} never gets its values and is not installed.", cure)


def asked(
    items: Sequence[Object], units: Sequence[Application], brought: Mapping[str, Sequence[Object]], notes: Notes
) -> None:
    """Whether the charts make what the expressions about health are asked of; `brought` are objects by unit."""
    applied = {unit.where: brought.get(unit.key, ()) for unit in units}
    for item in items:
        if item.kind == "HelmRelease" and not item.unsettled:
            _ready(item, applied.get(item.place(("metadata", "name")), ()), notes)


def _ready(item: Object, made: Sequence[Object], notes: Notes) -> None:
    """An expression for a kind that the chart does not make is never asked (Flux, helmreleases.md)."""
    kinds = {(text(one.value, "apiVersion"), one.kind) for one in made}
    for keys, entry in mappings(item.spec, "healthCheckExprs", ("spec",)):
        asked = text(entry, "apiVersion"), text(entry, "kind")
        if made and asked not in kinds:
            wrong = "kind" if asked[0] in {version for version, _kind in kinds} else "apiVersion"
            notes.add(
                "FLUX010",
                item.place((*keys, wrong)),
                f"{item.name} makes no {' '.join(asked)}, so this is never asked, and the release is ready before its "
                "objects are.",
                f"Write apiVersion and kind of one of them: {', '.join(sorted(kind for _version, kind in kinds))}.",
            )
