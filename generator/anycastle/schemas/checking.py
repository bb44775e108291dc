"""The check of objects: schema, laws, duplicates, and what could not be judged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from anycastle.finding import Finding, Place, Severity, in_order
from anycastle.schemas import core, custom, kubeadm, names, placeholders
from anycastle.schemas.codes import CODES
from anycastle.schemas.counted import COUNTED, release_gap, unchecked
from anycastle.schemas.fault import Fault, Path, Subject
from anycastle.schemas.faultless import Faultless, faultless, mark_of
from anycastle.schemas.judged import Item, Judged, finding
from anycastle.schemas.laws import LAWS
from anycastle.schemas.wording import closest, suggestion

if TYPE_CHECKING:
    from anycastle.schemas.fetched import Pack
    from anycastle.schemas.shelf import Shelf

_FILES = ("kubeadm.k8s.io", "audit.k8s.io", "kustomize.config.k8s.io")
_EXPLAINED = frozenset(("OBJ004", "OBJ008"))
_VERSION = re.compile(r"v[1-9]\d*((alpha|beta)[1-9]\d*)?")
"""How versions are called (Kubernetes, CustomResourceDefinition versioning)."""
_CRD = ("apiextensions.k8s.io", "CustomResourceDefinition")


def check(
    items: Sequence[Item], kube_version: str, pack: Pack | None = None, cache: FilePath | None = None
) -> tuple[Finding, ...]:
    """Every finding about the objects, for a Kubernetes version such as `v1.36.4`, in the order of reports.

    Custom resources are judged by their definition where the repository or `pack` has it. `cache` is a folder that
    remembers objects without a fault; it changes nothing but the time.
    """
    used = core.release(kube_version)
    findings: list[Finding] = list(pack.findings) if pack else []
    subjects = [(item, _subject(item.value)) for item in _flat(items)]
    shelf = _shelf([subject for _item, subject in subjects if subject is not None], pack)
    good = faultless(cache, used) if cache is not None and shelf is None else None
    judged: list[Judged] = []
    for item, subject in subjects:
        if subject is not None and placeholders.is_filled_in_later(subject):
            continue
        if subject is None:
            findings.append(finding(item, "", _nameless_kind(item.value)))
        else:
            found = placeholders.without_holes(subject, _faults(subject, used, shelf, good))
            judged.append(Judged(item, subject, tuple(found)))
    if good is not None:
        good.save()
    for each in judged:
        seen = (fault for fault in each.faults if fault.code not in COUNTED)
        findings += (finding(each.item, each.subject.title, fault) for fault in seen)
    findings += _duplicates(judged)
    findings += unchecked(judged)
    findings += release_gap(used, kube_version, judged)
    return in_order(findings)


def _flat(items: Sequence[Item]) -> Iterator[Item]:
    """Lists are only a way of writing several objects; their entries count.

    Entries of a `PodList` are Pods and need not say so; those of a plain `List` must.
    """
    for item in items:
        kind, entries = item.value.get("kind"), item.value.get("items")
        if not (isinstance(kind, str) and kind.endswith("List") and isinstance(entries, list)):
            yield item
            continue
        entry_kind = kind.removesuffix("List")
        told = {"apiVersion": item.value.get("apiVersion"), "kind": entry_kind} if entry_kind else {}
        for index, entry in enumerate(entries):
            value = {**told, **(entry if isinstance(entry, dict) else {})}
            yield from _flat((Item(value, _below(item, index), item.scope, item.space),))


def _below(item: Item, index: int) -> Callable[[Path], Place]:
    return lambda keys: item.place(("items", index, *keys))


def _subject(value: dict[str, Any]) -> Subject | None:
    api_version, kind = value.get("apiVersion"), value.get("kind")
    if not (isinstance(api_version, str) and isinstance(kind, str) and api_version and kind):
        return None
    group, _, version = api_version.rpartition("/")
    return Subject(value, group, version, kind)


def _nameless_kind(value: dict[str, Any]) -> Fault:
    absent = [key for key in ("apiVersion", "kind") if not isinstance(value.get(key), str) or not value[key]]
    return Fault(
        "OBJ001",
        (absent[0],),
        f"the document has no {' and no '.join(absent)}, so it is no object that a cluster could take",
        "Add apiVersion and kind, or move the file out of the folder that is applied.",
    )


def _shelf(subjects: Sequence[Subject], pack: Pack | None) -> Shelf | None:
    """Complete definitions where there are any; most runs have none and never load what reads them."""
    crds = [subject.value for subject in subjects if subject.kind == _CRD[1] and subject.group == _CRD[0]]
    if not crds and pack is None:
        return None
    from anycastle.schemas.shelf import shelf

    return shelf(crds, pack)


def _faults(
    subject: Subject, used: core.Release | None, shelf: Shelf | None, good: Faultless | None
) -> Iterator[Fault]:
    """Schema first; where a law explains the same place better, its word stands alone."""
    laws = [fault for law in LAWS.get((subject.group, subject.kind), ()) for fault in law(subject)]
    if not _is_file(subject):
        laws += names.check(subject)
    grave = [fault for fault in laws if CODES[fault.code].severity is Severity.ERROR]
    explained = {fault.keys for fault in grave}
    by_schema = _faults_by_schema(subject, used, shelf, grave, good)
    yield from (fault for fault in by_schema if not (fault.code in _EXPLAINED and fault.keys in explained))
    nobodys = any(fault.code == "OBJ011" for fault in by_schema)  # perhaps a file for a tool, which has no name
    yield from (fault for fault in laws if not (nobodys and fault.code == "OBJ002"))


def _is_file(subject: Subject) -> bool:
    """Documents for a program on a node or for a tool, which have no metadata."""
    return subject.group in _FILES or subject.group.endswith(".config.k8s.io")


def _faults_by_schema(
    subject: Subject, used: core.Release | None, shelf: Shelf | None, laws: Sequence[Fault], good: Faultless | None
) -> Sequence[Fault]:
    """None at once for an object that is known to have none."""
    mark = mark_of(subject) if good is not None else ""
    if good is None or not mark:
        return tuple(_schema_faults(subject, used, shelf, laws))
    if good.holds(mark):
        return ()
    found = tuple(_schema_faults(subject, used, shelf, laws))
    if not found:
        good.add(mark)
    return found


def _schema_faults(
    subject: Subject, used: core.Release | None, shelf: Shelf | None, laws: Sequence[Fault]
) -> Iterator[Fault]:
    if shelf is not None and subject.group not in core.GROUPS:
        from anycastle.schemas import upstream

        found, complete = upstream.by_definition(subject, shelf, laws)
        yield from found
        if complete:
            return
    if subject.kind in custom.kinds(subject.api_version):
        yield from custom.check(subject)
    elif used is not None and subject.group in core.GROUPS:
        known = core.knows(subject, used)
        yield from core.check(subject, used) if known else (_not_served(subject, used),)
    elif subject.group == "kubeadm.k8s.io" and subject.api_version not in custom.FILES:
        yield from kubeadm.outdated(subject)
    else:
        yield from _unknown_kind(subject, shelf)


def _unknown_kind(subject: Subject, shelf: Shelf | None) -> Iterator[Fault]:
    """A kind that is not described here may well exist; one letter off a known kind, it does not."""
    known = {*custom.kinds(subject.api_version), *(shelf.kinds(subject.api_version) if shelf else ())}
    if subject.kind in known:
        return  # a definition that cannot be used, which has been said
    near = closest(subject.kind, sorted(known), cutoff=0.85) if known else ""
    elsewhere = shelf.versions(subject.group, subject.kind) if shelf else ()
    if near and abs(len(near) - len(subject.kind)) <= 1:
        message = f"{subject.api_version} has no kind {subject.kind}, so it can't be applied"
        yield Fault("OBJ009", ("kind",), message, f"Did you mean `{near}`?")
    elif elsewhere:
        message = f"the definition of {subject.kind} does not serve {subject.api_version}, so it can't be applied"
        yield Fault("OBJ009", ("apiVersion",), message, f"Write apiVersion {' or '.join(elsewhere)}.")
    elif right := _misspelt(subject):
        message = f"there is no {subject.api_version} {subject.kind}, so it can't be applied"
        yield Fault("OBJ009", ("apiVersion",), message, f"Write apiVersion: {right}.")
    else:
        yield Fault("OBJ011", (), subject.kind)


def _misspelt(subject: Subject) -> str:
    """The group and version that was meant, where one letter of it is wrong; empty where it may be another's kind."""
    known = {version.rpartition("/")[0]: version for version in custom.FILES}
    near = subject.group if subject.group in known else closest(subject.group, sorted(known), cutoff=0.89)
    slip = near != subject.group and len(near) == len(subject.group)
    version = _VERSION.fullmatch(subject.version) is None
    return known[near] if near and (slip or version) and subject.kind in custom.kinds(known[near]) else ""


def _not_served(subject: Subject, used: core.Release) -> Fault:
    elsewhere = core.served(subject.kind, used)
    near = [kind for kind in core.kinds("v1", used) if closest(subject.kind, [kind], cutoff=0.85)]
    if not subject.group and subject.version != "v1" and not elsewhere and not near:
        return Fault("OBJ011", (), subject.kind)  # of a tool that is no API server and needs no group
    if elsewhere:
        fix = f"Write apiVersion {' or '.join(elsewhere)}."
    else:
        known = [kind for kind in core.kinds(subject.api_version, used) if not kind.endswith("List")]
        fix = suggestion(subject.kind, known) or "Remove the object, or correct apiVersion and kind."
    return Fault(
        "OBJ009",
        ("apiVersion" if elsewhere else "kind",),
        f"Kubernetes 1.{used.minor} does not serve {subject.api_version} {subject.kind}, so it can't be applied",
        fix,
    )


def _duplicates(judged: list[Judged]) -> Iterator[Finding]:
    first: dict[tuple[str, ...], Judged] = {}
    for each in judged:
        subject = each.subject
        if not subject.name or placeholders.is_hole(subject.name) or placeholders.is_hole(subject.namespace):
            continue
        space = subject.namespace or each.item.space
        identity = (each.item.scope, subject.group, subject.kind, space, subject.name)
        earlier = first.setdefault(identity, each)
        if earlier is not each:
            fault = Fault(
                "OBJ010",
                ("metadata", "name"),
                f"the object is described in {str(earlier.item.place(())) or 'another place'} already: the two "
                "overwrite each other",
                "Keep one of the two, or give them different names.",
            )
            yield finding(each.item, subject.title, fault)
