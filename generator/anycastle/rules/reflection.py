"""Sessions between nodes, and the route reflectors among these: everybody hears everybody, and the routers hear all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations

from anycastle.finding import Severity
from anycastle.network.addresses import TrafficPolicy
from anycastle.network.bgp import End, Software
from anycastle.network.cluster import Node
from anycastle.network.model import Network
from anycastle.network.platforms import PLATFORMS
from anycastle.network.questions import host
from anycastle.records import dataclass
from anycastle.rules.exports import Verdicts, export_rules
from anycastle.rules.memo import asked_again
from anycastle.rules.pairs import alike, pair, several
from anycastle.rules.registry import Fault, rule

HOLD = 240
"""Seconds that two of Calico's BIRDs agree on: nothing can set another number (confd bird.cfg.template)."""


@dataclass(frozen=True, slots=True)
class Inside:
    """Who holds a session with whom, both ends of it, and the ends that nobody answers."""

    linked: Mapping[str, frozenset[str]]
    lonely: tuple[End, ...]
    first: Mapping[str, End]


@asked_again
def inside(network: Network) -> Inside:
    """The sessions between nodes; linear in their number."""
    owner = {end.address: end.host for end in network.inside}
    crossing = {(end.address, end.peer) for end in network.inside}
    linked: dict[str, set[str]] = defaultdict(set)
    lonely: list[End] = []
    first: dict[str, End] = {}
    for end in network.inside:
        first.setdefault(end.host, end)
        if (end.peer, end.address) in crossing:
            linked[end.host].add(owner[end.peer])
        else:
            lonely.append(end)
    return Inside({name: frozenset(names) for name, names in linked.items()}, tuple(lonely), first)


def _between(network: Network, name: str) -> tuple[str, str] | None:
    """Two nodes that hold a session with this one and none with each other; two reflectors have a law of their own."""
    linked = inside(network).linked
    peers = linked.get(name, frozenset())
    reflectors = frozenset(node.name for node in _reflectors(network)) if peers else frozenset()
    for one in sorted(peers - reflectors):
        if strangers := peers - linked[one] - {one}:
            return one, min(strangers)
    return None


@asked_again
def _reflectors(network: Network) -> tuple[Node, ...]:
    known = inside(network).first
    return tuple(node for node in network.nodes if node.cluster_id is not None and node.name in known)


@rule("REFL001", "A node between others reflects")
def cluster_ids(network: Network) -> Iterator[Fault]:
    """What a speaker hears inside its AS it tells nobody else there, unless it is a route reflector.

    Calico's BIRD becomes one by the annotation `projectcalico.org/RouteReflectorClusterID` of its Node. Without it all
    sessions stand, and no node hears of any other node's pods.

    Source: RFC 4456; confd bgp_processor.go (RouteReflector).
    """
    found = inside(network)
    for node in network.nodes:
        if node.cluster_id is None and node.annotated and (two := _between(network, node.name)):
            yield Fault(
                found.first[node.name].where,
                f"{node.name} holds sessions with {two[0]} and {two[1]}, which hold none with each other, and has no "
                "cluster ID: it tells neither of them what it hears from the other.",
                f"Annotate it: kubectl annotate node {node.name} "
                "projectcalico.org/RouteReflectorClusterID=244.0.0.1 (in a site file: bgp.route_reflectors).",
            )


@rule("REFL002", "Whether nodes reflect can be judged", Severity.UNCHECKED)
def unknown_ids(network: Network) -> Iterator[Fault]:
    """The annotation that makes a node reflect is part of no object that Calico reads from a repository.

    It is written when a node joins. Where the command is not in the repository, nobody can say whether it was run.

    Source: practice.
    """
    found = inside(network)
    unknown = [n for n in network.nodes if n.cluster_id is None and not n.annotated and _between(network, n.name)]
    if unknown:
        yield Fault(
            found.first[unknown[0].name].where,
            f"Whether {several(node.name for node in unknown)} has the annotation "
            "projectcalico.org/RouteReflectorClusterID is not said here: without it nothing is reflected.",
            "Look for it in the cluster: `kubectl get nodes -o yaml | grep RouteReflectorClusterID`.",
        )


@rule("REFL003", "Every end between nodes has its counterpart")
def both_ends(network: Network) -> Iterator[Fault]:
    """With `reversePeering: Manual` Calico makes one half of a session only, and waits for a BGPPeer with the other.

    BIRD answers nobody whom it does not know, so the half alone dials for ever. Without that field both halves are made
    from one BGPPeer.

    Source: confd client.go; Calico documentation, BGPPeer.
    """
    for ends in alike(inside(network).lonely, lambda end: (end.peer, end.where)):
        yield Fault(
            ends[0].where,
            f"{several(end.host for end in ends)} dial{'s' if len({e.host for e in ends}) == 1 else ''} the node at "
            f"{ends[0].peer}, whose speaker does not know of it: the session is refused.",
            "Take reversePeering: Manual out, or add the BGPPeer of the other direction.",
        )


@rule("REFL004", "No node depends on one reflector", Severity.WARNING)
def two_reflectors(network: Network) -> Iterator[Fault]:
    """With its only reflector a node loses the routes to all others, and they lose those to it.

    A reflector is a node like any other: it is drained and rebooted with every upgrade.

    Source: RFC 4456 section 8; Calico documentation, "Configure a node to act as a route reflector".
    """
    found, mine = inside(network), {node.name for node in _reflectors(network)}
    single = [
        (name, *peers) for name, peers in found.linked.items() if len(peers) == 1 and name not in mine and peers <= mine
    ]
    for group in alike(single, lambda two: two[1]):
        reflector = group[0][1]
        yield Fault(
            found.first[reflector].where,
            f"{several(name for name, _ in group)} {'has' if len(group) == 1 else 'have'} one route reflector, "
            f"{reflector}: while it is down or rebooted, {'its' if len(group) == 1 else 'their'} routes are gone.",
            "Name a second node as a reflector, in another rack or on another power supply.",
        )


@rule("REFL005", "Reflectors of one cluster ID tell each other")
def among_reflectors(network: Network) -> Iterator[Fault]:
    """Of two reflectors without a session, neither hears what the other one announces itself.

    No third one helps: what it hears from one reflector of its cluster it tells its clients only, and from a client of
    both a reflector takes no route that bears its own cluster ID.

    Source: RFC 4456 sections 7 and 8.
    """
    found = inside(network)
    apart = [
        (one.name, other.name)
        for one, other in combinations(_reflectors(network), 2)
        if one.cluster_id == other.cluster_id and other.name not in found.linked.get(one.name, frozenset())
    ]
    if apart:
        one, other = apart[0]
        more = f", and so on ({len(apart)} pairs)" if len(apart) > 1 else ""
        yield Fault(
            found.first[one].where,
            f"The route reflectors {one} and {other} hold no session with each other{more}: neither hears of the "
            "other's pods and Services.",
            "Let the BGPPeer with the peerSelector select the reflectors as well.",
        )


@rule("REFL006", "Beside route reflectors the mesh is off", Severity.WARNING)
def no_mesh(network: Network) -> Iterator[Fault]:
    """A node with a cluster ID leaves the mesh, and all others stay in it, with the sessions that were to be saved.

    While reflectors are introduced that is right: the mesh is switched off when their sessions stand. Left on, every
    route comes twice, and a hundred nodes hold some five thousand sessions.

    Source: confd bgp_processor.go (processMeshPeers).
    """
    calico, mine = network.calico, _reflectors(network)
    if calico is not None and calico.mesh and mine:
        yield Fault(
            calico.where,
            f"The node-to-node mesh is on beside the route reflectors {several(node.name for node in mine)}: every "
            "other node still holds a session with every other.",
            "Write nodeToNodeMeshEnabled: false once the sessions with the reflectors stand.",
        )


@asked_again
def _direct(network: Network) -> frozenset[str]:
    """The nodes whose Calico holds a session with a router."""
    return frozenset(s.node.host for s in pair(network).sessions if s.node.software is Software.CALICO)


@asked_again
def _outward(network: Network) -> list[End]:
    """The ends by which reflectors tell routers, where nodes announce something that have no such end."""
    mine, direct = {node.name for node in _reflectors(network)}, _direct(network)
    told = any(
        set(a.hosts) & inside(network).first.keys() - direct
        for a in network.announcements
        if a.software is Software.CALICO
    )
    return [end for end in network.ends if end.software is Software.CALICO and end.host in mine] if told else []


def _in_the_way(network: Network) -> list[End]:
    return [end for end in _outward(network) if end.peer_asn != end.asn and not end.keeps_next_hop]


@rule("REFL007", "Reflectors keep the next hop", Severity.WARNING)
def next_hop(network: Network) -> Iterator[Fault]:
    """To another AS a reflector passes routes on with itself as next hop, so every packet goes through it.

    It has no pod of a Local Service perhaps, and drops what comes for one, which makes it an error.

    Source: projectcalico/calico#3666; Calico documentation, BGPPeer (nextHopMode).
    """
    local = any(service.policy is TrafficPolicy.LOCAL for service in network.services)
    for ends in alike(_in_the_way(network), lambda end: end.peer):
        yield Fault(
            ends[0].where,
            f"The route reflectors {several(end.host for end in ends)} pass routes of other nodes on to "
            f"{ends[0].peer} (AS {ends[0].peer_asn}) with themselves as next hop: all traffic goes through them"
            + (", and they drop what is for a Local Service whose pods run elsewhere." if local else "."),
            "Write nextHopMode: Keep in this BGPPeer (before Calico 3.31: keepOriginalNextHop: true).",
            Severity.ERROR if local else None,
        )


@rule("REFL008", "Reflectors pass on what they hear")
def passed_on(network: Network) -> Iterator[Fault]:
    """A filter that keeps learnt routes back is right beside a mesh, and makes a reflector's router deaf.

    The sessions stand, the addresses of the reflectors themselves are reachable, and those of all other nodes are not.

    Source: Calico documentation, BGPFilter (source: RemotePeers).
    """
    known = {item.name: item for item in network.filters}
    for ends in alike(_kept(network), lambda end: (end.peer, end.filters)):
        end = ends[0]
        yield Fault(
            known[end.filters[0]].where,
            f"The filter {several(end.filters)} keeps back what {several(e.host for e in ends)} heard from other "
            f"nodes, and these have no session with {end.peer} themselves: their Services are unreachable.",
            "Take the rule with source: RemotePeers out.",
        )


def _kept(network: Network) -> list[End]:
    """Ends of reflectors whose filters let their own addresses out and keep back those of others."""
    known = {item.name: item for item in network.filters}
    ranges = [host(cidr.network_address) for cidr in (network.calico.advertised if network.calico else ())]

    def keeps(end: End) -> bool:
        verdicts = Verdicts(export_rules(end.filters, known))
        mine = [prefix for prefix in ranges if prefix.version == end.peer.version]
        return any(verdicts.of(prefix, learnt=True) == "Reject" != verdicts.of(prefix) for prefix in mine)

    return [end for end in _outward(network) if all(name in known for name in end.filters) and keeps(end)]


@rule("REFL009", "What is told by reflectors spreads over all nodes, and ends with them", Severity.INFO)
def costs(network: Network) -> Iterator[Fault]:
    """A load-balancer address has a path to every node that announces it, and BGP tells one of them to a neighbour.

    Calico offers all of them (add-path), and a router that does not take more than one spreads over as many nodes as
    there are reflectors, at most. FRR takes all. A block of pods has one node anyway.

    And between two nodes the hold time is BIRD's: Calico has no setting for it, and no BFD. A node without power stays
    in the reflectors' tables for that long, and so in those of the routers; what a router asks for counts for the
    reflectors alone.

    Source: RFC 7911; projectcalico/calico#6451, projectcalico/calico#4607; FRR documentation, disable-addpath-rx;
    measured with FRR and BIRD 2.
    """
    outward = _outward(network)
    ranges = set(network.calico.advertised if network.calico else ())
    announcing = {name for a in network.announcements if a.prefix in ranges for name in a.hosts}
    clients = sorted((announcing & inside(network).first.keys()) - _direct(network))
    if not outward or not clients or _in_the_way(network) or _kept(network):
        return
    told = {end.peer for end in outward}
    late = f"a node that loses power ({several(clients)}) stays in the tables for {HOLD} s"
    for router in network.routers:
        if PLATFORMS[router.software].all_paths or not told & set(router.addresses):
            continue
        yield Fault(
            router.where,
            f"Router {router.name} hears of each load-balancer address one path from every route reflector: it spreads "
            f"over {len(_reflectors(network))} nodes at most, however many announce; and {late}.",
            "Let the router take additional paths (RFC 7911, receive), or name the nodes that run the ingress as "
            "reflectors.",
            Severity.WARNING,
        )
        return
    yield Fault(
        inside(network).first[clients[0]].where,
        f"Sessions between nodes have BIRD's hold time, and Calico has no setting for it: {late}, whatever the "
        "routers' timers say.",
        "Name the nodes that run the ingress as reflectors where that is too long; drain a node before it goes.",
    )
