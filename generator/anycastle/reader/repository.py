"""The stages in their order: tree, documents, charts, network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from anycastle.finding import Finding, Place, Severity, in_order
from anycastle.network.canonical import canonical
from anycastle.network.cluster import Node
from anycastle.network.model import Network, Unread
from anycastle.reader import (
    calico,
    charts,
    declared,
    delivery,
    egress,
    egress_pods,
    files,
    joining,
    kubeadm,
    kubevip,
    network,
    placing,
    substitution,
    variants,
)
from anycastle.reader import found as found_in
from anycastle.reader.agreement import cluster_kinds
from anycastle.reader.charts import NEWEST_KUBERNETES
from anycastle.reader.delivery import Delivered
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.found import Found
from anycastle.reader.network import Machines
from anycastle.reader.notes import Notes
from anycastle.reader.origins import Guesses
from anycastle.records import dataclass
from anycastle.schemas.shape import mapping

_JUDGED = frozenset((Severity.ERROR, Severity.WARNING))


@dataclass(frozen=True, slots=True)
class Repository:
    """What a repository holds.

    `objects` are all that would reach a cluster or a node: static pods, kubeadm documents, what charts render in the
    order of waves, plain manifests, objects of the engine. `findings` say what could not be read or does not resolve.
    `files` counts what was looked at. `reached` are files that the GitOps engine was told to apply. `addressed` are
    files with a comment for this program, by path.
    """

    objects: tuple[Object, ...]
    network: Network
    findings: tuple[Finding, ...]
    kube_version: str
    files: int = 0
    guesses: Guesses = field(default_factory=dict, repr=False, compare=False)
    reached: frozenset[str] = frozenset()
    addressed: Mapping[str, bytes] = field(default_factory=dict, repr=False, compare=False)
    scopes: Mapping[tuple[str, str], bool] = field(default_factory=dict, repr=False, compare=False)

    @property
    def judged(self) -> tuple[Object, ...]:
        """The objects that a schema can judge: not those that something else still fills in."""
        return tuple(item for item in self.objects if not (item.unsettled or substitution.is_template(item)))

    def space(self, item: Object) -> str:
        """Where what applies an object puts it; empty for what is known to live in no namespace."""
        wide = self.scopes.get((item.group, item.kind)) is False or item.kind.startswith("Cluster")
        return "" if wide else item.release_namespace

    def exact(self, finding: Finding) -> Finding:
        """The same finding at the very line that its value came from, where it speaks of something rendered."""
        guess = self.guesses.get(finding.where)
        found = guess[0].exact(guess[1]) if guess is not None and finding.severity in _JUDGED else None
        return finding if found is None else replace(finding, where=found)


def read(root: Path, cache: Path | None = None) -> Repository:
    """Read the repository at `root`; bad content gives findings, never an exception.

    `cache` is the folder that remembers what Helm made of charts; it changes nothing but the time.
    """
    notes = Notes()
    return read_tree(files.tree(root, notes), notes, cache)


def read_tree(
    tree: Tree, notes: Notes, cache: Path | None = None, meanwhile: Callable[[], None] = lambda: None
) -> Repository:
    """The same for a tree that was walked already, or a part of one. `meanwhile` is called while Helm renders."""
    found = found_in.read(tree, notes)
    tree = tree.inside(found.statements.folder)
    machines = _machines(found, tree, notes)
    version = machines.cluster.version if machines.cluster else ""
    kube_version = f"v{version}" if version else NEWEST_KUBERNETES
    setting = charts.Setting(kube_version, cache, lambda: _prepared(meanwhile))
    delivered = delivery.deliver(found, tree, setting, notes)
    found_in.say_faults(found, tree, delivered.values, notes)
    manifests = delivery.with_namespaces(found.manifests, delivered.units)
    made = (*delivered.rendered, *manifests)
    machines = _with_daemon_sets(machines, made)
    _not_said(machines, made, notes)
    tree = tree.without(found.set_aside)
    described = network.assemble(machines, made, delivered.engine, found.statements, tree, notes)
    described = _with_egress(described, found, delivered, made, tree, notes)
    abroad = variants.elsewhere(delivered.units, manifests)
    written = variants.apart((*manifests, *found.engine), delivered.reached, abroad, governed=bool(delivered.units))
    objects = (*found.pods, *found.machine, *delivered.rendered, *written)
    _agree(tree, described, found, delivered, made, notes)
    if not objects and not described.routers:
        _nothing(notes)
    return Repository(
        objects,
        described,
        in_order(notes.findings),
        kube_version,
        len(tree.paths),
        setting.guesses,
        delivered.reached,
        found.addressed,
        cluster_kinds.scopes(objects),
    )


def _nothing(notes: Notes) -> None:
    notes.add(
        "READ012",
        Place("."),
        "No file here describes a cluster, a node, a chart or a router, so there is nothing to check.",
        "Name the folder of a repository.",
    )


def _with_egress(
    described: Network, found: Found, delivered: Delivered, made: Sequence[Object], tree: Tree, notes: Notes
) -> Network:
    """The same network with the way out, which most repositories say nothing of."""
    folders = {item.folder: node.name for item, node in found.nodes if item.folder}
    machines = egress.of_machines(tree, folders, notes)
    engine = egress.of_engine(egress_pods.pods(delivered.upstream, made, tree, notes), notes)
    if not any((*machines, *engine)):
        return described
    return canonical(
        replace(
            described,
            mirrors=machines.mirrors,
            proxies=(*machines.proxies, *engine.proxies),
            trusts=(*machines.trusts, *engine.trusts),
        )
    )


def _prepared(meanwhile: Callable[[], None]) -> None:
    """Import what comes after the charts."""
    import anycastle.reader.agreement.checking  # noqa: F401

    meanwhile()


def _agree(
    tree: Tree, described: Network, found: Found, delivered: Delivered, made: Sequence[Object], notes: Notes
) -> None:
    """Files against files."""
    from anycastle.reader.agreement import checking as agreement

    running = [item for item in found.pods if item.scope != f"node:{item.source}"]  # those that are placed
    written = found.machine, running, found.early, found.engine
    engine = delivered.units, delivered.upstream, delivered.brought
    agreement.check(agreement.Subject(tree, described, *written, made, *engine), notes)


def _machines(found: Found, tree: Tree, notes: Notes) -> Machines:
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
    with notes.reading(Unread.API):
        cluster = kubeadm.cluster(clusters[0], (ports or [kubeadm.API_PORT])[0], notes) if clusters else None
        cluster = replace(cluster, kube_proxy=kubeadm.kube_proxy(found.machine)) if cluster else None
    pods = [item for item in found.pods if kubevip.is_kube_vip(item)]
    placed = placing.place(pods, nodes, notes)
    found.pods = [*(item for item in found.pods if not kubevip.is_kube_vip(item)), *(item for item, _on in placed)]
    _not_joined(found, tree, notes)
    return Machines(tuple(joining.annotated(found.nodes, nodes.values(), tree, notes)), cluster, placed)


def _with_daemon_sets(machines: Machines, objects: Sequence[Object]) -> Machines:
    """kube-vip may also run as a DaemonSet."""
    return replace(machines, pods=(*machines.pods, *placing.daemon_sets(objects, machines.nodes)))


def _not_joined(found: Found, tree: Tree, notes: Notes) -> None:
    """Who starts a cluster with kubeadm and joins the others by hand keeps InitConfiguration alone.

    All of them are here where a site file names them, where one joins by a file, and where the first one carries pods
    (`taints: []`): a single node has to.
    """
    kinds = [item.kind for item, _node in found.nodes]
    alone = any(mapping(item.value, "nodeRegistration").get("taints") == [] for item, _node in found.nodes)
    if kinds and "JoinConfiguration" not in kinds and not alone and not declared.is_here(tree, notes):
        notes.unread(Unread.NODES)
        notes.add(
            "READ016",
            found.nodes[0][0].place(),
            "Only the node that starts the cluster is described here, so what follows from all nodes was not checked.",
            "Keep kubeadm's JoinConfigurations beside it.",
        )


def _not_said(machines: Machines, objects: Sequence[Object], notes: Notes) -> None:
    """Parts of the picture that no file of the repository shows, and what was not checked because of it."""
    asking = [item for item, _nodes in machines.pods]
    asking += [item for item in objects if item.kind == "BGPPeer" and item.group in calico.GROUPS]
    if not machines.nodes:
        notes.unread(Unread.NODES)
        if asking:
            notes.add(
                "READ016",
                asking[0].place(),
                "No file here says which nodes there are, so it was not checked which of them hold sessions.",
                "Keep kubeadm's InitConfiguration and JoinConfigurations beside it.",
            )
    if machines.cluster is None:
        notes.unread(Unread.API)
        if machines.pods:
            notes.add(
                "READ020",
                machines.pods[0][0].place(),
                "No ClusterConfiguration is here, so it was not checked whether the API server's certificate names the "
                "address.",
            )
