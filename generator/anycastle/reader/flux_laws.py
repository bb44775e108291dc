"""What must hold between Flux's objects: dependencies exist, wait, and go in one direction; secrets are decrypted."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from anycastle.network.model import Unread
from anycastle.reader.documents import Family, Object
from anycastle.reader.files import Tree
from anycastle.reader.flux import after, identity, is_kustomization, is_release
from anycastle.reader.levels import circles
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, mappings, sequence, text

_SLOW = frozenset(
    (
        *("HelmRelease", "HelmChart", "Kustomization", "Deployment", "DaemonSet", "StatefulSet", "Job"),
        *("Installation", "APIServer", "CustomResourceDefinition", "Certificate"),
        *("SealedSecret", "ExternalSecret"),
    )
)
"""Kinds that are not ready when they are applied."""
_DEFINED_BY = {
    "operator.tigera.io": ("tigera-operator", "crd.projectcalico.org.v1"),
    "projectcalico.org": ("tigera-operator", "crd.projectcalico.org.v1", "projectcalico.org.v3"),
    "traefik.io": ("traefik", "traefik-crds"),
    "cert-manager.io": ("cert-manager",),
    "bitnami.com": ("sealed-secrets",),
    "external-secrets.io": ("external-secrets",),
}
"""API groups and the charts that bring their definitions."""
_SOPS = b"\nsops:"


Files = Mapping[str, frozenset[str]]
"""The files that each Kustomization applies."""


def check(items: Sequence[Object], manifests: Sequence[Object], files: Files, tree: Tree, notes: Notes) -> None:
    """Every law of Flux."""
    own = {identity(item): item for item in items if is_kustomization(item) or is_release(item)}
    _names(own, notes)
    _circles(own, notes)
    applied = _applied((*items, *manifests), files)
    _waits(own, applied, notes)
    _apart(own, applied, tree, notes)
    _encrypted(own, files, tree, notes)


def _names(own: Mapping[str, Object], notes: Notes) -> None:
    for item in own.values():
        for (keys, entry), wanted in zip(mappings(item.spec, "dependsOn", ("spec",)), after(item), strict=True):
            if wanted in own or item.unsettled or _elsewhere(item.kind, text(entry, "name"), own, notes):
                continue
            notes.unread(Unread.ORDER)
            near = sorted(known.rpartition("/")[2] for known in own if known.startswith(f"{item.kind} "))
            notes.add(
                "FLUX001",
                item.place((*keys, "name")),
                f"{item.kind} {item.name} depends on {text(entry, 'name')}, and there is no such {item.kind}: it is "
                "never applied.",
                f"Name one of: {', '.join(name for name in near if name != item.name)}.",
            )


def _elsewhere(kind: str, name: str, own: Mapping[str, Object], notes: Notes) -> bool:
    """Whether there is such an object and only its namespace, or what becomes of it, is unknown."""
    return (kind, name) in notes.aside or any(
        item.kind == kind and item.name == name and not item.namespace for item in own.values()
    )


def _circles(own: Mapping[str, Object], notes: Notes) -> None:
    for circle in circles({name: after(item) for name, item in own.items()}):
        item = own.get(circle[0])
        if item is not None:
            notes.unread(Unread.ORDER)
            names = " after ".join(name.rpartition("/")[2] for name in (*circle, circle[0]))
            notes.add(
                "FLUX003",
                item.place(("spec", "dependsOn")),
                f"{names}: each waits for the next, and none is ever applied.",
                "Take one dependsOn out.",
            )


def _applied(items: Sequence[Object], files: Files) -> Mapping[str, Sequence[Object]]:
    """The objects of each Kustomization, in their order."""
    standing: defaultdict[str, list[int]] = defaultdict(list)
    for number, item in enumerate(items):
        standing[item.source].append(number)
    return {
        name: [items[number] for number in sorted(number for path in listed for number in standing.get(path, ()))]
        for name, listed in files.items()
    }


def _waits(own: Mapping[str, Object], applied: Mapping[str, Sequence[Object]], notes: Notes) -> None:
    waited_for = {name: item for item in own.values() for name in after(item)}
    for name, dependent in sorted(waited_for.items()):
        item = own.get(name)
        if item is None or not is_kustomization(item):
            continue
        ready = item.spec.get("wait") is True or bool(sequence(item.spec, "healthChecks"))
        slow = next((one for one in applied[name] if one.kind in _SLOW), None)
        if slow is not None and not ready and not item.unsettled:
            notes.add(
                "FLUX002",
                item.place(("spec",)),
                f"{dependent.name} depends on Kustomization {item.name}, which waits for nothing: it is ready when "
                f"{slow.kind} {slow.name} is applied, and not when that is done.",
                "Add wait: true (and a timeout), or healthChecks.",
            )


def _apart(own: Mapping[str, Object], applied: Mapping[str, Sequence[Object]], tree: Tree, notes: Notes) -> None:
    for name, items in sorted(applied.items()):
        charts = {chart: one for one in items if is_release(one) and (chart := _chart(one))}
        for one in items if charts else ():
            defining = [charts[chart] for chart in _DEFINED_BY.get(one.group, ()) if chart in charts]
            known = defining and one.family is Family.MANIFEST and _defined_before(defining[0], tree, notes)
            if defining and one.family is Family.MANIFEST and not known:
                notes.add(
                    "FLUX004",
                    one.place(("kind",)),
                    f"{one.kind} {one.name} is applied by Kustomization {own[name].name} together with HelmRelease "
                    f"{defining[0].name}, which defines its kind: the dry run fails, and neither is applied.",
                    "Move it into a Kustomization of its own that depends on this one, which has wait: true.",
                )
                break


def _defined_before(release: Object, tree: Tree, notes: Notes) -> bool:
    """Whether something else brings what a chart defines: its values leave that out, or a helmfile does so first."""
    values = mapping(release.spec, "values")
    if values.get("installCRDs") is False or mapping(values, "crds").get("enabled") is False:
        return True
    named = re.compile(rf"^[ \t]*(?:- )?(?:name|chart):.*(?<![\w-]){re.escape(_chart(release))}(?![\w-])", re.MULTILINE)
    helmfiles = (tree.text(path, notes) for path in tree.paths if "helmfile" in path)
    return any(named.search(found or "") for found in helmfiles)


def _chart(item: Object) -> str:
    return text(mapping(item.spec, "chart", "spec"), "chart") or text(item.spec, "chartRef", "name")


def _encrypted(own: Mapping[str, Object], files: Files, tree: Tree, notes: Notes) -> None:
    for name, listed in sorted(files.items()):
        item = own[name]
        provided = text(item.spec, "decryption", "provider")
        told = provided or item.unsettled  # what nobody imitates may have given it one
        found = next(_sealed(sorted(listed), tree, notes), "") if not told else ""
        if found:
            notes.add(
                "FLUX005",
                item.place(("spec",)),
                f"{found} is encrypted with SOPS, and Kustomization {item.name} has no decryption: what is applied is "
                "ciphertext.",
                "Add decryption: {provider: sops, secretRef: {name: NAME}}.",
            )


def _sealed(paths: Sequence[str], tree: Tree, notes: Notes) -> Iterator[str]:
    for path in paths:
        if path.endswith((".yaml", ".yml")) and _SOPS in (tree.data(path, notes) or b""):
            yield path
