"""Secrets that come out of git: each that is needed is there, and what SOPS encrypted is decrypted by somebody."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from anycastle.finding import Place
from anycastle.network.bgp import Software
from anycastle.reader import declared, documents, kustomize, sealing
from anycastle.reader.agreement.applications import applications
from anycastle.reader.agreement.references import values
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.reader.value_files import folder_of, sources
from anycastle.schemas.shape import mapping, mappings, text
from anycastle.yamlio import Path as Keys

CALICO = "calico-system"
_SOPS = b"\nsops:"


def check(subject: Subject, notes: Notes) -> None:
    """All about Secrets in git."""
    if tool(subject, notes) != "none":
        _missing(subject, notes)
    for item in applications(subject):
        for keys, entry in sources(item):
            name = text(entry, "plugin", "name")
            if name:
                _plugin(item, (*keys, "plugin", "name"), name, subject, notes)
            elif "plugin" not in entry and text(entry, "path"):
                folder = subject.tree.located(folder_of(text(entry, "path")), item.folder)
                _undecrypted(item, keys, folder or "", subject, notes)


def tool(subject: Subject, notes: Notes) -> str:
    """What the site file says of how Secrets come: `none` where it says nothing."""
    data = subject.tree.data(declared.FILE, notes) if subject.one_hand else None
    found = documents.load(data, declared.FILE).documents if data is not None else ()
    return text(found[0].value, "gitops", "secrets") or "none" if found else "none"


def _missing(subject: Subject, notes: Notes) -> None:
    brought = {(known[0], known[1]) for item in subject.objects if (known := sealing.provided(item)) is not None}
    said: set[tuple[str, str]] = set()
    for space, name, place, what in _needed(subject):
        if (space, name) in brought or (space, name) in said:
            continue
        said.add((space, name))
        notes.add(
            "REF014",
            place,
            f"Nothing in secrets/ brings the Secret {space}/{name}: {what}.",
            "Run `anycastle update .` for a placeholder and fill it in, or correct the name.",
        )


def _needed(subject: Subject) -> Iterator[tuple[str, str, Place, str]]:
    """Namespace and name of Secrets that somebody reads, where that is said, and what happens without.

    A BGPPeer that selects no node opens no session.
    """
    ends = (end for end in subject.network.ends if end.software is Software.CALICO)
    dialled = {end.password.partition("/")[0] for end in ends}
    for item in subject.objects:
        keys: Keys = ("spec", "password", "secretKeyRef", "name")
        if item.kind == "BGPPeer" and text(item.value, *map(str, keys)) in dialled - {""}:
            what = "Calico opens the session without its password, and the router drops every packet"
            yield CALICO, text(item.value, *map(str, keys)), item.place(keys), what
        keys = ("spec", "defaultCertificate", "secretName")
        if item.kind == "TLSStore" and text(item.value, *map(str, keys)):
            what = "Traefik signs a certificate itself, and browsers refuse it"
            yield item.namespace, text(item.value, *map(str, keys)), item.place(keys), what


def _plugin(item: Object, keys: Keys, name: str, subject: Subject, notes: Notes) -> None:
    for _source, given in values(subject, "argo-cd"):
        known = mapping(given.values, "configs", "cmp", "plugins")
        beside = [
            text(mount, "subPath")
            for _at, container in mappings(mapping(given.values, "repoServer"), "extraContainers")
            for _mounted, mount in mappings(container, "volumeMounts")
        ]
        if subject.one_hand and (name not in known or f"{name}.yaml" not in beside):
            notes.add(
                "ARGO023",
                item.place(keys),
                f"Argo CD has no plugin {name} (configs.cmp.plugins, and a container beside the repository server): "
                f"nothing of {item.name} is ever rendered.",
                "Generate the values of argo-cd again, or write the name of a plugin that is there.",
            )


def _undecrypted(item: Object, keys: Keys, folder: str, subject: Subject, notes: Notes) -> None:
    """A kustomization may name a generator that decrypts (KSOPS), and a chart reads no such files."""
    tree = subject.tree
    folder = folder if tree.has_folder(folder) else tree.located(folder, item.folder) or ""
    if not folder or kustomize.file_of(tree, folder) or tree.has_file(posixpath.join(folder, "Chart.yaml")):
        return
    for path in tree.below(folder):
        if path.endswith((".yaml", ".yml")) and _SOPS in (tree.data(path, notes) or b""):
            notes.add(
                "ARGO022",
                item.place((*keys, "path")),
                f"{path} is encrypted with SOPS, and Argo CD decrypts nothing by itself: {item.name} applies "
                "ciphertext, or fails.",
                "Name a plugin that decrypts: plugin: {name: sops}, with its container in the values of argo-cd.",
            )
            return
