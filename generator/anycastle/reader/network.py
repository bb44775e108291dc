"""Everything that the files say, put together as one network."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from anycastle.finding import NOWHERE, Place
from anycastle.network.addresses import IPAddress, Pool
from anycastle.network.bgp import Announcement, Dial, End, Filter, Software, Speaker
from anycastle.network.canonical import address_key, canonical
from anycastle.network.cluster import Api, App, Calico, Node, Role, Version
from anycastle.network.further import speakers as speakers_of_others
from anycastle.network.model import Network, Unread
from anycastle.reader import calico, calico_bgp, further, kubevip, routers, services, substitution
from anycastle.reader.declared import Statements
from anycastle.reader.documents import Object
from anycastle.reader.files import Tree
from anycastle.reader.kubeadm import API_PORT, Cluster
from anycastle.reader.notes import Notes
from anycastle.reader.projection import kinds_with_health
from anycastle.reader.router_addresses import NodeSide
from anycastle.records import dataclass
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
    _stored(objects, notes)
    found = calico.sort_out(objects)
    settings, pools, filters = _of_calico(found, notes)
    speaking = _speaking(machines.pods, notes)
    side = _node_side(machines.nodes, speaking, found, settings, notes)
    foreign = further.of_nodes(statements.foreign, machines.nodes)
    calling = tuple(further.callers(foreign, side.ends))
    readings = tuple(routers.read(tree, NodeSide((*side.ends, *calling), side.named), notes))
    router_ends = tuple(end for reading in readings for end in reading.ends)
    others = tuple(further.ends(foreign, calling, router_ends, (reading.router for reading in readings)))
    expected = tuple(calico_bgp.from_expected(side.ends, router_ends, machines.nodes))
    of_nodes = _speakers(machines.nodes, speaking, expected, side.inside)
    announced = _announced(machines, found, settings, pools, side)
    described = canonical(
        replace(
            _told(machines, statements),
            subnets=statements.on(calico.subnets(found, notes)),
            routers=tuple(reading.router for reading in readings),
            speakers=(*of_nodes, *speakers_of_others(others), *(reading.speaker for reading in readings)),
            ends=(*expected, *others, *router_ends),
            inside=side.inside,
            announcements=(*kubevip.announcements(speaking), *announced, *further.announcements(foreign, others)),
            acceptances=tuple(acceptance for reading in readings for acceptance in reading.acceptances),
            filters=filters,
            pools=pools,
            services=tuple(services.services(_filled_in(objects, notes))),
            reservations=tuple(calico.reservations(found, notes)),
            kube_vips=tuple(one.pod for one in speaking),
            api=_api(machines, speaking, found),
            calico=settings,
            apps=engine.apps,
            versions=tuple(_versions(machines, engine)),
            health_checks=tuple(sorted(engine.health | set(_health(objects)))),
        )
    )
    return _with_gaps(described, tuple(_dials(machines, found, settings)), notes)


def _told(machines: Machines, statements: Statements) -> Network:
    """What the machines' documents and the owner of the site say."""
    cluster = machines.cluster
    return Network(
        nodes=machines.nodes,
        reserved=statements.reserved,
        service_ranges=cluster.service_ranges if cluster else (),
        kube_proxy=cluster.kube_proxy if cluster else None,
        declared=statements.declared,
    )


def _with_gaps(network: Network, dials: tuple[Dial, ...], notes: Notes) -> Network:
    """The network with what could not be read, and peers of which nobody says which nodes have them."""
    return replace(network, unknown=tuple(sorted(map(str, notes.unknown))), dials=dials)


def _announced(
    machines: Machines,
    found: calico.Objects,
    settings: Calico | None,
    pools: Sequence[Pool],
    side: _NodeSide,
) -> Iterator[Announcement]:
    """What Calico announces; what is wrong with its networks was said with the settings."""
    if settings is not None:
        speaking = side.calico_families
        nodes = {family: [node for node in machines.nodes if (node.name, family) in speaking] for family in (4, 6)}
        yield from calico_bgp.announcements(settings, calico.advertised(found, Notes()), pools, nodes)


def _dials(machines: Machines, found: calico.Objects, settings: Calico | None) -> Iterator[Dial]:
    """Whom the nodes dial, where nobody says which nodes there are."""
    if machines.nodes:
        return
    if settings is not None:
        yield from calico_bgp.dials(found.peers, settings.asn)
    for item, _nodes in machines.pods:
        yield from kubevip.dials(item)


def _filled_in(objects: Iterable[Object], notes: Notes) -> Iterator[Object]:
    """Objects without Services whose wishes something else still fills in."""
    for item in objects:
        if item.kind == "Service" and substitution.is_template(item):
            notes.unread(Unread.SERVICES)
            notes.add(
                "READ013", item.place(), f"What Service {item.name} asks for is a placeholder; it was not checked."
            )
        else:
            yield item


def _of_calico(found: calico.Objects, notes: Notes) -> tuple[Calico | None, tuple[Pool, ...], tuple[Filter, ...]]:
    with notes.reading(Unread.SETTINGS):
        settings = _settings(found, notes)
    with notes.reading(Unread.POOLS):
        pools = tuple(calico.pools(found, notes))
    with notes.reading(Unread.FILTERS):
        filters = tuple(calico.filters(found.filters, notes))
    return settings, pools, filters


def _settings(found: calico.Objects, notes: Notes) -> Calico | None:
    """None where a BGPConfiguration exists that could not be read: its defaults would be invented."""
    if found.configuration is None and Unread.SETTINGS in notes.unknown:
        return None
    return calico.settings(found, notes)


def _stored(objects: Iterable[Object], notes: Notes) -> None:
    for item in objects:
        if item.group == "crd.projectcalico.org":
            notes.add(
                "READ021",
                item.place(("apiVersion",)),
                f"{item.kind} {item.name} is written in Calico's storage format: nothing validates it, and defaults "
                "are not filled in.",
                "Write apiVersion: projectcalico.org/v3.",
            )


@dataclass(frozen=True, slots=True)
class _NodeSide:
    """The BGP of the nodes."""

    ends: tuple[End, ...]
    inside: tuple[End, ...]
    calico_families: frozenset[tuple[str, int]]
    named: Mapping[str, IPAddress]


def _node_side(
    nodes: Sequence[Node],
    speaking: Sequence[kubevip.Speaking],
    found: calico.Objects,
    settings: Calico | None,
    notes: Notes,
) -> _NodeSide:
    asn = settings.asn if settings else calico.DEFAULT_ASN
    inside: tuple[End, ...] = ()
    with notes.reading(Unread.PEERS):
        ends = tuple(calico_bgp.ends(found.peers, nodes, asn, notes))
        if any("peerSelector" in item.spec for item in found.peers):
            from anycastle.reader import calico_inside  # few repositories have sessions between nodes

            inside = tuple(calico_inside.ends(found.peers, nodes, asn, notes))
    if Unread.SETTINGS in notes.unknown and settings is None:
        notes.unread(Unread.PEERS)
        ends, inside = (), ()  # their AS number stands where nobody could read it
    return _NodeSide(
        ends=(*(end for one in speaking for end in one.ends), *ends),
        inside=inside,
        calico_families=frozenset((end.host, end.peer.version) for end in (*ends, *inside)),
        named=calico_bgp.peer_addresses(found.peers),
    )


def _speaking(pods: Iterable[tuple[Object, tuple[Node, ...]]], notes: Notes) -> tuple[kubevip.Speaking, ...]:
    taken: dict[str, str] = {}
    found: list[kubevip.Speaking] = []
    with notes.reading(Unread.KUBE_VIP):
        read = [(item, one) for item, nodes in pods for one in kubevip.read(item, nodes, notes)]
        for item, one in read:
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


def _speakers(
    nodes: Sequence[Node], speaking: Iterable[kubevip.Speaking], ends: Sequence[End], inside: Sequence[End]
) -> Iterator[Speaker]:
    """The speakers of the nodes, whose `ends` have the addresses that the routers expect."""
    of_vips: dict[str, list[End]] = defaultdict(list)
    for end in ends:
        if end.software is Software.KUBE_VIP:
            of_vips[end.host].append(end)
    calico_ends = [end for end in ends if end.software is Software.CALICO]
    yield from _vip_speakers(speaking, of_vips)
    yield from calico_bgp.speakers((*calico_ends, *inside), nodes)


def _vip_speakers(speaking: Iterable[kubevip.Speaking], ends: Mapping[str, Sequence[End]]) -> Iterator[Speaker]:
    for one in speaking:
        if mine := ends.get(one.pod.node):
            yield Speaker(
                host=one.pod.node,
                software=Software.KUBE_VIP,
                address=min((end.address for end in mine), key=address_key),
                asn=mine[0].asn,
                router_id=one.router_id,
                where=one.where,
            )


def _api(machines: Machines, speaking: Sequence[kubevip.Speaking], found: calico.Objects) -> Api | None:
    cluster = machines.cluster
    vips: dict[IPAddress, Place] = {}
    for one in speaking:
        for vip in one.pod.vips:
            vips.setdefault(vip, one.pod.where)
    for item, nodes in machines.pods:
        if not nodes and not machines.nodes:  # which node runs it is not known, which address it announces is
            vips.update(kubevip.addresses(item))
    if cluster is None and not vips:
        return None
    return Api(
        name=cluster.endpoint if cluster else "",
        port=cluster.port if cluster else API_PORT,
        vips=tuple(vips),
        certificate_names=cluster.certificate_names if cluster else (),
        agent_host=found.agent_host,
        where=next(iter(vips.values())) if vips else cluster.where if cluster else NOWHERE,
        agent_where=found.agent_where,
    )


def _versions(machines: Machines, engine: Engine) -> Iterator[Version]:
    if machines.cluster and machines.cluster.version:
        cluster = machines.cluster
        yield Version(component="kubernetes", version=cluster.version, form=cluster.form, where=cluster.version_where)
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
