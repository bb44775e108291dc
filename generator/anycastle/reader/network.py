"""Everything that the files say, put together as one network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from anycastle.finding import NOWHERE
from anycastle.network.canonical import canonical
from anycastle.network.model import (
    Api,
    App,
    Calico,
    End,
    IPAddress,
    Network,
    Node,
    Role,
    Software,
    Speaker,
    Version,
)
from anycastle.reader import calico, calico_bgp, kubevip, routers, services
from anycastle.reader.declared import Statements
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.kubeadm import API_PORT, Cluster
from anycastle.reader.notes import Notes
from anycastle.reader.projection import kinds_with_health
from anycastle.schemas.shape import mapping


@dataclass(frozen=True, slots=True)
class Machines:
    """What stands in the folders of the nodes. `pods` are kube-vip's, each with the nodes that run it."""

    nodes: tuple[Node, ...] = ()
    cluster: Cluster | None = None
    pods: tuple[tuple[Object, tuple[Node, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Engine:
    """What the GitOps engine knows."""

    apps: tuple[App, ...] = ()
    versions: tuple[Version, ...] = ()
    health: frozenset[str] = field(default_factory=frozenset)


def assemble(
    machines: Machines, objects: Sequence[Object], engine: Engine, statements: Statements, tree: Tree, notes: Notes
) -> Network:
    """The network in its one order."""
    found = calico.sort_out(objects)
    settings = calico.settings(found, notes)
    pools = tuple(calico.pools(found, notes))
    speaking = _speaking(machines.pods, notes)
    node_side = _node_side(machines.nodes, speaking, found, settings, notes)
    readings = tuple(routers.read(tree, routers.NodeSide(node_side.ends, node_side.named), notes))
    hosts = [node for node in machines.nodes if node.name in node_side.calico_hosts]
    networks = calico.advertised(found, Notes())  # what is wrong with them was said with the settings
    return canonical(
        Network(
            nodes=machines.nodes,
            subnets=statements.on(calico.subnets(found, notes)),
            reserved=statements.reserved,
            routers=tuple(reading.router for reading in readings),
            speakers=(*node_side.speakers, *(reading.speaker for reading in readings)),
            ends=(*node_side.ends, *(end for reading in readings for end in reading.ends)),
            announcements=(
                *kubevip.announcements(speaking),
                *(calico_bgp.announcements(settings, networks, pools, hosts) if settings else ()),
            ),
            acceptances=tuple(acceptance for reading in readings for acceptance in reading.acceptances),
            filters=tuple(calico_bgp.filters(found.filters, notes)),
            pools=pools,
            service_ranges=machines.cluster.service_ranges if machines.cluster else (),
            services=tuple(services.services(objects)),
            kube_vips=tuple(one.pod for one in speaking),
            api=_api(machines.cluster, speaking, found),
            calico=settings,
            apps=engine.apps,
            versions=tuple(_versions(machines, engine)),
            health_checks=tuple(sorted(engine.health | set(_health(objects)))),
            declared=statements.declared,
        )
    )


@dataclass(frozen=True, slots=True)
class _NodeSide:
    """The BGP of the nodes."""

    ends: tuple[End, ...]
    speakers: tuple[Speaker, ...]
    calico_hosts: frozenset[str]
    named: Mapping[str, IPAddress]


def _node_side(
    nodes: Sequence[Node],
    speaking: Sequence[kubevip.Speaking],
    found: calico.Objects,
    settings: Calico | None,
    notes: Notes,
) -> _NodeSide:
    asn = settings.asn if settings else calico.DEFAULT_ASN
    ends = tuple(calico_bgp.ends(found.peers, nodes, asn, notes))
    return _NodeSide(
        ends=(*(end for one in speaking for end in one.ends), *ends),
        speakers=(*_vip_speakers(speaking), *calico_bgp.speakers(ends, nodes, asn)),
        calico_hosts=frozenset(end.host for end in ends),
        named=calico_bgp.peer_addresses(found.peers),
    )


def _speaking(pods: Iterable[tuple[Object, tuple[Node, ...]]], notes: Notes) -> tuple[kubevip.Speaking, ...]:
    taken: dict[str, str] = {}
    found: list[kubevip.Speaking] = []
    for item, nodes in pods:
        for one in kubevip.read(item, nodes, notes):
            if one.pod.node in taken:
                notes.add(
                    "READ011",
                    item.place(),
                    f"{one.pod.node} has a second kube-vip beside {taken[one.pod.node]}; they fight for the address.",
                    "Keep one.",
                )
                continue
            taken[one.pod.node] = item.source
            found.append(one)
    return tuple(found)


def _vip_speakers(speaking: Iterable[kubevip.Speaking]) -> Iterator[Speaker]:
    for one in speaking:
        if one.ends:
            yield Speaker(
                host=one.pod.node,
                software=Software.KUBE_VIP,
                address=one.ends[0].address,
                asn=one.ends[0].asn,
                router_id=one.router_id,
                where=one.where,
            )


def _api(cluster: Cluster | None, speaking: Sequence[kubevip.Speaking], found: calico.Objects) -> Api | None:
    vips: dict[IPAddress, None] = {}
    for one in speaking:
        vips.update(dict.fromkeys(one.pod.vips))
    if cluster is None and not vips:
        return None
    return Api(
        name=cluster.endpoint if cluster else "",
        port=cluster.port if cluster else API_PORT,
        vips=tuple(vips),
        certificate_names=cluster.certificate_names if cluster else (),
        agent_host=found.agent_host,
        where=speaking[0].pod.where if vips else cluster.where if cluster else NOWHERE,
    )


def _versions(machines: Machines, engine: Engine) -> Iterator[Version]:
    if machines.cluster and machines.cluster.version:
        yield Version(component="kubernetes", version=machines.cluster.version, where=machines.cluster.version_where)
    found = {
        (item.component, item.version): item for item in (*_of_pods(machines.pods), *engine.versions) if item.version
    }
    yield from found.values()


def _of_pods(pods: Iterable[tuple[Object, tuple[Node, ...]]]) -> Iterator[Version]:
    for item, _nodes in pods:
        yield Version(
            component="kube-vip", version=kubevip.version(item), where=item.place(("spec", "containers", 0, "image"))
        )


def _health(objects: Iterable[Object]) -> Iterator[str]:
    for item in objects:
        if item.kind == "ConfigMap" and item.name == "argocd-cm":
            yield from kinds_with_health(mapping(item.value, "data"))


def control_planes(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """The nodes that run an API server."""
    return tuple(node for node in nodes if node.role is Role.CONTROL_PLANE)
