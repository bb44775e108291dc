"""The check of objects: schema, laws, duplicates, and what could not be judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from anycastle.finding import Finding, Place, Severity, in_order
from anycastle.schemas import core, custom, kubeadm, names
from anycastle.schemas.codes import CODES
from anycastle.schemas.fault import Fault, Path, Subject
from anycastle.schemas.laws import LAWS
from anycastle.schemas.wording import closest, suggestion
from anycastle.yamlio import dotted

_FILES = ("kubeadm.k8s.io", "audit.k8s.io", "kustomize.config.k8s.io")
_EXPLAINED = frozenset(("OBJ004", "OBJ008"))


@dataclass(frozen=True, slots=True)
class Item:
    """One object to be checked.

    `place` tells where a path inside the object stands. Objects of one `scope` share a cluster's name space:
    static pods of different nodes bear the same names and need a scope each.
    """

    value: dict[str, Any]
    place: Callable[[Path], Place]
    scope: str = ""


@dataclass(frozen=True, slots=True)
class _Judged:
    """An object with the faults found in it."""

    item: Item
    subject: Subject
    faults: tuple[Fault, ...]


def check(items: Sequence[Item], kube_version: str) -> tuple[Finding, ...]:
    """Every finding about the objects, for a Kubernetes version such as `v1.36.4`, in the order of reports."""
    used = core.release(kube_version)
    findings: list[Finding] = []
    judged: list[_Judged] = []
    for item in _flat(items):
        subject = _subject(item.value)
        if subject is None:
            findings.append(_finding(item, "", _nameless_kind(item.value)))
        else:
            judged.append(_Judged(item, subject, tuple(_faults(subject, used))))
    for each in judged:
        seen = (fault for fault in each.faults if fault.code not in ("OBJ011", "OBJ012"))
        findings += (_finding(each.item, each.subject.title, fault) for fault in seen)
    findings += _duplicates(judged)
    findings += _unchecked(judged)
    findings += _release(used, kube_version, judged)
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
            yield from _flat((Item(value, _below(item, index), item.scope),))


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


def _faults(subject: Subject, used: core.Release | None) -> Iterator[Fault]:
    """Schema first; where a law explains the same place better, its word stands alone."""
    laws = [fault for law in LAWS.get((subject.group, subject.kind), ()) for fault in law(subject)]
    if not _is_file(subject):
        laws += names.check(subject)
    explained = {fault.keys for fault in laws if CODES[fault.code].severity == Severity.ERROR}
    yield from (
        fault for fault in _schema_faults(subject, used) if not (fault.code in _EXPLAINED and fault.keys in explained)
    )
    yield from laws


def _is_file(subject: Subject) -> bool:
    """Documents for a program on a node or for a tool, which have no metadata."""
    return subject.group in _FILES or subject.group.endswith(".config.k8s.io")


def _schema_faults(subject: Subject, used: core.Release | None) -> Iterator[Fault]:
    if subject.kind in custom.kinds(subject.api_version):
        yield from custom.check(subject)
    elif subject.api_version in custom.FILES:
        yield from _other_kind(subject, custom.kinds(subject.api_version))
    elif used is not None and subject.group in core.GROUPS:
        known = core.knows(subject, used)
        yield from core.check(subject, used) if known else (_not_served(subject, used),)
    elif subject.group == "kubeadm.k8s.io":
        yield from kubeadm.outdated(subject)
    else:
        yield Fault("OBJ011", (), subject.kind)


def _other_kind(subject: Subject, known: tuple[str, ...]) -> Iterator[Fault]:
    """A kind that our files do not describe may well exist; one letter off a known kind, it does not."""
    near = closest(subject.kind, known, cutoff=0.85)
    if near and abs(len(near) - len(subject.kind)) <= 1:
        message = f"{subject.api_version} has no kind {subject.kind}, so it can't be applied"
        yield Fault("OBJ009", ("kind",), message, f"Did you mean `{near}`?")
    else:
        yield Fault("OBJ011", (), subject.kind)


def _not_served(subject: Subject, used: core.Release) -> Fault:
    elsewhere = core.served(subject.kind, used)
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


def _duplicates(judged: list[_Judged]) -> Iterator[Finding]:
    first: dict[tuple[str, ...], _Judged] = {}
    for each in judged:
        subject = each.subject
        if not subject.name:
            continue
        identity = (each.item.scope, subject.group, subject.kind, subject.namespace, subject.name)
        earlier = first.setdefault(identity, each)
        if earlier is not each:
            fault = Fault(
                "OBJ010",
                ("metadata", "name"),
                f"the object is described in {str(earlier.item.place(())) or 'another place'} already: the two "
                "overwrite each other",
                "Keep one of the two, or give them different names.",
            )
            yield _finding(each.item, subject.title, fault)


def _unchecked(judged: list[_Judged]) -> Iterator[Finding]:
    """One finding for each kind, with a count and the first place, rather than one for each object."""
    kinds: dict[tuple[str, str], list[_Judged]] = {}
    for each in judged:
        for code in sorted({fault.code for fault in each.faults} & {"OBJ011", "OBJ012"}):
            kinds.setdefault((code, f"{each.subject.api_version} {each.subject.kind}"), []).append(each)
    for (code, kind), members in sorted(kinds.items()):
        count = f"{len(members)} object{'s' if len(members) > 1 else ''} of {kind}"
        if code == "OBJ011":
            keys: Path = ()
            message = f"{count}: no schema here, so nobody has checked the fields"
        else:
            parts = sorted({_part(fault) for each in members for fault in each.faults if fault.code == code})
            keys = next(fault.keys for fault in members[0].faults if fault.code == code)
            message = f"{count}: not covered by the schema here, so nobody has checked: {', '.join(parts)}"
        fault = Fault(code, keys, message, "Check it against the upstream definition before it is applied.")
        yield _finding(members[0].item, "", fault)


def _part(fault: Fault) -> str:
    """The path of an unchecked field without the places in lists."""
    return dotted(key for key in fault.keys if isinstance(key, str))


def _release(used: core.Release | None, asked: str, judged: list[_Judged]) -> Iterator[Finding]:
    builtin = [each for each in judged if each.subject.group in core.GROUPS]
    if used is None or used.exact or not builtin:
        return
    fault = Fault(
        "OBJ013",
        (),
        f"there are no schemas of Kubernetes {asked or '(no version)'} here; {len(builtin)} objects were held "
        f"against those of 1.{used.minor}",
        "Update the package kubernetes-validate, or correct the version.",
    )
    yield _finding(builtin[0].item, "", fault)


def _finding(item: Item, title: str, fault: Fault) -> Finding:
    message = f"{title}: {fault.message}." if title else f"{fault.message[0].upper()}{fault.message[1:]}."
    severity = Severity(CODES[fault.code].severity)
    return Finding(fault.code, severity, item.place(fault.keys), message, fault.fix)
