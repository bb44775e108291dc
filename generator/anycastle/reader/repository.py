"""The stages in their order: tree, documents, charts, network."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from anycastle.finding import Finding, Place, in_order
from anycastle.network.model import Network, Node
from anycastle.reader import (
    apps,
    argocd,
    charts,
    declared,
    documents,
    files,
    kubeadm,
    kubevip,
    network,
    projection,
    secrets,
)
from anycastle.reader.argocd import Application, Form, Source
from anycastle.reader.documents import Family, Object
from anycastle.reader.files import Tree
from anycastle.reader.network import Engine, Machines
from anycastle.reader.notes import Notes

NEWEST_KUBERNETES = "v1.37.0"
"""Taken where no ClusterConfiguration names a release."""

_FOLLOWED = frozenset(("Application", "AppProject"))


@dataclass(frozen=True, slots=True)
class Repository:
    """What a repository holds.

    `objects` are all that would reach a cluster or a node: static pods, kubeadm documents, what charts render in the
    order of waves, plain manifests, objects of the engine. `findings` say what could not be read or does not resolve.
    `files` counts what was looked at.
    """

    objects: tuple[Object, ...]
    network: Network
    findings: tuple[Finding, ...]
    kube_version: str
    files: int = 0


def read(root: Path) -> Repository:
    """Read the repository at `root`; bad content gives findings, never an exception."""
    notes = Notes()
    tree = files.tree(root, notes)
    found = _documents(tree, notes)
    machines = _machines(found, notes)
    version = machines.cluster.version if machines.cluster else ""
    kube_version = f"v{version}" if version else NEWEST_KUBERNETES
    units = argocd.applications(found.engine, tree, found.statements.repository, notes)
    rendered, engine = _brought(units, found, tree, kube_version, notes)
    manifests = _with_namespaces(found.manifests, units)
    described = network.assemble(machines, [*rendered, *manifests], engine, found.statements, tree, notes)
    objects = (*found.pods, *found.machine, *rendered, *manifests, *found.engine)
    if not objects and not described.routers:
        notes.add(
            "READ012",
            Place("."),
            "No file here describes a cluster, a node, a chart or a router, so there is nothing to check.",
            "Name the folder of a repository.",
        )
    return Repository(objects, described, in_order(notes.findings), kube_version, len(tree.paths))


@dataclass(slots=True)
class _Found:
    """Objects that people write, sorted by who reads them."""

    pods: list[Object] = field(default_factory=list)
    machine: list[Object] = field(default_factory=list)
    manifests: list[Object] = field(default_factory=list)
    engine: list[Object] = field(default_factory=list)
    nodes: list[tuple[Object, Node]] = field(default_factory=list)
    statements: declared.Statements = declared.NOTHING


def _documents(tree: Tree, notes: Notes) -> _Found:
    """Read every file once; trees with positions live only as long as their file."""
    found = _Found()
    of_charts = charts.folders(tree)
    for path in tree.paths:
        data = tree.data(path, notes)
        if data is None:
            continue
        secrets.in_text(path, data, notes)
        chart = charts.inside(path, of_charts)
        if not path.endswith((".yaml", ".yml")) or (chart is not None and "/templates/" in f"/{path}"):
            continue
        loaded = documents.load(data, path)
        notes.findings += loaded.findings
        if path == declared.FILE and loaded.documents:
            found.statements = declared.read(loaded.documents[0], notes)
        if chart is None or path.startswith(posixpath.join(chart, "crds/")):
            for item in documents.objects(data, path):
                _sort_in(item, found, notes)
    _name_machines(found)
    return found


def _sort_in(item: Object, found: _Found, notes: Notes) -> None:
    secrets.in_object(item, notes)
    if ".init." in posixpath.basename(item.source):  # stands on a node only while kubeadm init runs
        return
    if item.describes_node and (node := kubeadm.node(item, notes)) is not None:
        found.nodes.append((item, node))
    if item.family is Family.MACHINE:
        found.machine.append(item)
    elif item.family is Family.ENGINE:
        found.engine.append(item)
        _not_followed(item, notes)
    elif item.kind == "Pod" and (kubevip.is_kube_vip(item) or item.source.startswith("nodes/")):
        found.pods.append(item)
    elif item.group == "kustomize.config.k8s.io":
        return
    else:
        found.manifests.append(item)


def _not_followed(item: Object, notes: Notes) -> None:
    if item.kind not in _FOLLOWED and item.kind not in ("GitRepository", "HelmRepository", "OCIRepository"):
        notes.add(
            "READ007", item.place(("kind",)), f"What {item.kind} {item.name} brings to the cluster was not checked."
        )


def _name_machines(found: _Found) -> None:
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


def _machines(found: _Found, notes: Notes) -> Machines:
    nodes: dict[str, Node] = {}
    for _item, node in found.nodes:
        if node.name in nodes:
            notes.add(
                "READ011",
                node.where,
                f"{node.name} is also described in {nodes[node.name].where.path}; two machines would take one name.",
                "Give each machine its own name.",
            )
        nodes.setdefault(node.name, node)
    clusters = [item for item in found.machine if item.kind == "ClusterConfiguration"]
    ports = [kubeadm.bind_port(item) for item in found.machine if item.kind == "InitConfiguration"]
    return Machines(
        nodes=tuple(nodes.values()),
        cluster=kubeadm.cluster(clusters[0], (ports or [kubeadm.API_PORT])[0], notes) if clusters else None,
        pods=tuple((item, tuple(_running(item, nodes))) for item in found.pods if kubevip.is_kube_vip(item)),
    )


def _running(item: Object, nodes: dict[str, Node]) -> Iterable[Node]:
    """The node of the pod's folder; a pod that stands by itself runs on every control plane."""
    name = item.scope.partition(":")[2]
    return [nodes[name]] if name in nodes else network.control_planes(nodes.values()) if not name else ()


def _brought(
    units: Sequence[Application], found: _Found, tree: Tree, kube_version: str, notes: Notes
) -> tuple[list[Object], Engine]:
    """What charts make for the Applications, in their order, and what the engine is told."""
    rendered: list[Object] = []
    brought: dict[str, list[Object]] = defaultdict(list)
    health: set[str] = set()
    for unit in units:
        for source in unit.sources:
            if source.form is Form.FOLDER:
                brought[unit.name] += _below(source, (*found.manifests, *found.engine))
                continue
            given = charts.answered(source, tree, notes)
            if source.form is Form.CHART:
                made = list(charts.render(source, given, tree, kube_version, notes))
            else:
                made = list(projection.project(source, given, notes))
                health.update(projection.health_keys(source, given.values))
            brought[unit.name] += made
            rendered += made
    charts.unused(tree, [source for unit in units for source in unit.sources], notes)
    engine = Engine(tuple(apps.apps(units, brought)), tuple(apps.versions(units)), frozenset(health))
    return rendered, engine


def _below(source: Source, items: Iterable[Object]) -> Iterator[Object]:
    base = f"{source.path}/" if source.path else ""
    for item in items:
        inside = item.source.startswith(base)
        if inside and (source.recurse or "/" not in item.source[len(base) :]):
            yield item


def _with_namespaces(manifests: Sequence[Object], units: Iterable[Application]) -> list[Object]:
    """Manifests with the namespace of the Application that applies them."""
    spaces = {
        item.source: source.namespace
        for unit in units
        for source in unit.sources
        if source.form is Form.FOLDER
        for item in _below(source, manifests)
    }
    return [
        replace(item, release_namespace=spaces[item.source]) if item.source in spaces else item for item in manifests
    ]
