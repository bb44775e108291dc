"""Objects that people wrote, sorted by who reads them: kubelet, kubeadm, the API server, the GitOps engine."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from anycastle.finding import Finding, Place
from anycastle.network.cluster import Node
from anycastle.network.model import Unread
from anycastle.reader import (
    charts,
    declared,
    documents,
    kubeadm,
    kubevip,
    kustomize,
    kustomize_laws,
    samples,
    sealing,
    secrets,
    unread,
)
from anycastle.reader.documents import Family, Object
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes
from anycastle.records import dataclass
from anycastle.yamlio import Document

_ADDRESS = b"anycastle:"
_LOST = frozenset(("YAML001", "YAML003", "YAML004", "YAML005", "YAML006"))
"""Faults of a file that keep objects or values from being read as they were meant."""
_TEMPLATE = (b"{{", b"{%")


@dataclass(slots=True)
class Found:
    """What stands in files.

    `faults` are those of YAML by path; `set_aside` are files that no check looks at,
    `manifested` those that hold objects.
    """

    pods: list[Object] = field(default_factory=list)
    early: list[Object] = field(default_factory=list)
    machine: list[Object] = field(default_factory=list)
    manifests: list[Object] = field(default_factory=list)
    engine: list[Object] = field(default_factory=list)
    nodes: list[tuple[Object, Node]] = field(default_factory=list)
    statements: declared.Statements = declared.NOTHING
    addressed: dict[str, bytes] = field(default_factory=dict)
    faults: dict[str, list[Finding]] = field(default_factory=dict)
    templates: set[str] = field(default_factory=set)
    manifested: frozenset[str] = frozenset()
    set_aside: frozenset[str] = frozenset()

    def lost(self, path: str) -> bool:
        """Whether something in this file was not read as it was meant."""
        return path in self.templates or any(fault.code in _LOST for fault in self.faults.get(path, ()))


def read(tree: Tree, notes: Notes) -> Found:
    """Read every file once; trees with positions live only as long as their file."""
    found = Found()
    items = list(_objects(tree, found, notes))
    aside = samples.paths(tree, items, notes)
    samples.say([item for item in items if item.source in aside], notes)
    changed = _kustomized(tree, aside, found, items, notes)
    found.set_aside = aside
    found.faults = {path: faults for path, faults in found.faults.items() if path not in aside}
    found.manifested = frozenset(item.source for item in items)
    rules = sealing.Rules(tree)
    for item in items:
        secrets.in_object(item, notes)
        sealing.in_object(item, rules, notes)
        if item.source not in aside and item.source not in changed and not found.lost(item.source):
            _sort_in(secrets.opened(item), found, notes)
        else:
            notes.aside.add((item.kind, item.name))
    _name_machines(found)
    return found


def _objects(tree: Tree, found: Found, notes: Notes) -> Iterator[Object]:
    of_charts = charts.folders(tree)
    for path in tree.paths:
        data = tree.data(path, notes)
        if data is None:
            continue
        secrets.in_text(path, data, notes)
        if _ADDRESS in data:
            found.addressed[path] = data
        chart = charts.inside(path, of_charts)
        if not path.endswith((".yaml", ".yml")) or (chart is not None and "/templates/" in f"/{path}"):
            continue
        loaded = documents.load(data, path)
        if loaded.findings:
            _faulty(path, data, loaded.findings, found)
        if path == declared.FILE and loaded.documents and declared.is_here(tree, notes):
            found.statements = declared.read(loaded.documents[0], notes)
        if chart is None or path.startswith(posixpath.join(chart, "crds/")):
            _nameless(loaded.documents, notes)
            yield from documents.objects(data, path)


def _nameless(read: Iterable[Document], notes: Notes) -> None:
    """Documents that say what they are in a way that nobody understands."""
    for document in read:
        value = document.value
        if isinstance(value, dict) and {"apiVersion", "kind"} <= value.keys() and not documents.is_object(value):
            key = "kind" if isinstance(value["apiVersion"], str) else "apiVersion"
            notes.add(
                "READ001",
                document.place(key),
                f"{key} is no text, so nobody knows what this document is, and kubectl refuses it.",
                "Write a text, such as `kind: ConfigMap`.",
            )


def _faulty(path: str, data: bytes, faults: Iterable[Finding], found: Found) -> None:
    """A file that is no YAML because something else has to fill it in is a template, and no mistake."""
    listed = list(faults)
    broken = any(fault.code in ("YAML001", "YAML006") for fault in listed)
    if broken and (any(mark in data for mark in _TEMPLATE) or _filled_by_flux(data, listed)):
        found.templates.add(path)
    else:
        found.faults[path] = listed


def _filled_by_flux(data: bytes, faults: Iterable[Finding]) -> bool:
    """Whether the first mistake stands at a variable, whose braces are none once Flux has filled it in."""
    lines = data.split(b"\n")
    numbers = [fault.where.line for fault in faults if fault.code == "YAML001"]
    return any(b"${" in line for number in numbers[:1] for line in lines[max(0, number - 2) : number])


def say_faults(found: Found, tree: Tree, values: Iterable[str], notes: Notes) -> None:
    """Faults of YAML, and what is unknown because of them. A tag is one only where Kubernetes or Helm reads it."""
    read_by_them = {*found.manifested, *values, declared.FILE}
    read_by_them |= {path for path in tree.paths if posixpath.basename(path) in ("values.yaml", *kustomize.FILES)}
    for path, faults in found.faults.items():
        notes.findings += [fault for fault in faults if fault.code != "YAML003" or path in read_by_them]
        if found.lost(path):
            notes.unread(*unread.parts_of([path], tree, notes))
    for path in sorted(found.templates - found.set_aside):
        notes.unread(*unread.parts_of([path], tree, notes))
        notes.add("READ007", Place(path), "This file is a template that something else fills in; it was not checked.")


def _kustomized(tree: Tree, aside: frozenset[str], found: Found, items: list[Object], notes: Notes) -> set[str]:
    """Files that a kustomization changes, names as patches, or leaves out: no objects as they stand."""
    changed: set[str] = set()
    listed: set[str] = set()
    covered: set[str] = set()
    spaces: dict[str, str] = {}
    generated: defaultdict[str, list[Object]] = defaultdict(list)
    for folder in kustomize.folders(tree):
        if kustomize.file_of(tree, folder) in aside:
            continue
        built = kustomize.built(tree, folder, notes)
        changed |= {*built.changed, *kustomize.files_named(tree, folder, notes)}
        listed |= {*built.files, *built.changed}
        covered.add(folder)
        spaces |= built.namespaces
        _say_kustomized(built, notes)
        kustomize_laws.check(tree, folder, notes)
        for item in built.generated:
            if item not in generated[item.source]:
                generated[item.source].append(item)
    items += [item for made in generated.values() for item in made]
    items[:] = [
        replace(item, release_namespace=spaces[item.source]) if item.source in spaces else item for item in items
    ]
    notes.unread(*unread.parts_of(sorted(changed & set(tree.paths)), tree, notes))
    for path in sorted({item.source for item in items if item.group != "kustomize.config.k8s.io"}):
        name = posixpath.basename(path)
        if path.rpartition("/")[0] in covered and path not in listed | changed and name not in kustomize.FILES:
            if path in aside:
                continue
            changed.add(path)
            notes.add(
                "READ023",
                Place(path),
                f"{name} is not among the resources of the kustomization.yaml beside it, so nothing applies it; it was "
                "not checked.",
                "List it there, or move it away.",
            )
    return changed


def _say_kustomized(built: kustomize.Built, notes: Notes) -> None:
    for key, place in built.changing:
        notes.add("READ007", place, f"Kustomize changes objects here ({key}), which is not imitated; not checked.")
    for name, place in built.remote:
        notes.add("READ007", place, f"{name} stands elsewhere; what it brings was not checked.")
        notes.unread(*unread.parts_elsewhere(name))
    for name, place in built.missing:
        notes.add(
            "READ024",
            place,
            f"There is no {name} here: Kustomize stops, and nothing of the folder is applied.",
            "Correct the path, or add the file.",
        )


def _sort_in(item: Object, found: Found, notes: Notes) -> None:
    if ".init." in posixpath.basename(item.source):  # stands on a node only while kubeadm init runs
        found.early.append(item)
        return
    if item.describes_node:
        with notes.reading(Unread.NODES):
            node = kubeadm.node(item, notes)
        if node is not None:
            found.nodes.append((item, node))
        else:
            notes.unread(Unread.NODES)
    if item.family is Family.MACHINE:
        found.machine.append(item)
    elif item.family is Family.ENGINE:
        found.engine.append(item)
    elif item.kind == "Pod" and (kubevip.is_kube_vip(item) or item.source.startswith("nodes/")):
        found.pods.append(item)
    elif item.group != "kustomize.config.k8s.io":
        found.manifests.append(item)


def _name_machines(found: Found) -> None:
    """Give documents the name of the one node that their file, or else their folder, describes."""
    names: dict[str, set[str]] = defaultdict(set)
    for item, node in found.nodes:
        names[item.source].add(node.name)
        names[item.folder].add(node.name)
    for group in (found.pods, found.machine):
        for index, item in enumerate(group):
            here = names.get(item.source) or names.get(item.folder, set())
            if len(here) == 1 or item.source.startswith("nodes/"):
                name = next(iter(here)) if len(here) == 1 else item.folder.rpartition("/")[2]
                group[index] = replace(item, scope=f"node:{name}")
