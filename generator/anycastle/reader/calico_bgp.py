"""Calico's side of BGP: the session ends of each node, and what they announce."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from ipaddress import IPv4Address

from anycastle.finding import NOWHERE, Place
from anycastle.network import selector
from anycastle.network.addresses import IPAddress, IPNetwork, Pool, PoolUse
from anycastle.network.bgp import Announcement, Condition, Dial, End, Software, Speaker
from anycastle.network.canonical import address_key
from anycastle.network.cluster import Calico, Node
from anycastle.network.questions import paired
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.records import dataclass
from anycastle.schemas.shape import mapping, sequence, text

ANYWHERE = 255
"""Hops: Calico's BIRD template says `multihop` without a TTL."""
DEFAULT_RESTART = 120
"""Seconds that BIRD asks for where the peer has no maxRestartTime."""


def ends(peers: Iterable[Object], nodes: Sequence[Node], asn: int, notes: Notes) -> Iterator[End]:
    """The session ends of every node that a peer selects; one for each node and peer address."""
    seen: set[tuple[str, IPAddress]] = set()
    roster = Roster(nodes)
    for item in peers:
        peer = _peer(item, asn, notes)
        if peer is None:
            continue
        for node in roster.of(item, notes):
            end = peer.end(node)
            if end is not None and (end.host, end.peer) not in seen:
                seen.add((end.host, end.peer))
                yield end


@dataclass(frozen=True, slots=True)
class _Peer:
    """A BGPPeer with an address."""

    address: IPAddress
    asn: int
    own_asn: int
    usual_asn: int
    restart: int
    keepalive: int
    password: str
    filters: tuple[str, ...]
    gateway: IPAddress | None
    where: Place
    number_where: Place
    own_number_where: Place
    keeps_next_hop: bool
    any_source: bool

    def end(self, node: Node) -> End | None:
        """The end on one node; None where the node has no address of the peer's family."""
        own = next((address for address in node.addresses if address.version == self.address.version), None)
        if own is None:
            return None
        return End(
            host=node.name,
            software=Software.CALICO,
            address=own,
            asn=self.own_asn or node.asn or self.usual_asn,
            peer=self.address,
            peer_asn=self.asn,
            hops=ANYWHERE,
            keepalive=self.keepalive,
            restart=self.restart,
            password=self.password,
            filters=self.filters,
            gateway=self.gateway,
            where=self.where,
            number_where=self.number_where,
            own_number_where=self.own_number_where,
            keeps_next_hop=self.keeps_next_hop,
            any_source=self.any_source,
        )


def _peer(item: Object, asn: int, notes: Notes) -> _Peer | None:
    spec = item.spec
    if "localWorkloadSelector" in spec:
        notes.add("READ010", item.place(("spec",)), f"BGPPeer {item.name} peers with pods; not followed.")
    if "peerSelector" in spec or "localWorkloadSelector" in spec:
        return None  # the former is read in calico_inside
    where = item.place(("spec", "peerIP"))
    address = notes.address(_without_port(text(spec, "peerIP")), where, f"peerIP of BGPPeer {item.name}")
    number = notes.asn(spec.get("asNumber"), item.place(("spec", "asNumber")), f"asNumber of BGPPeer {item.name}")
    own = notes.asn(spec.get("localASNumber"), item.place(("spec", "localASNumber")), f"localASNumber of {item.name}")
    if address is None:
        return None
    restart = seconds(item, "maxRestartTime", notes)
    secret = mapping(spec, "password", "secretKeyRef")
    gateway = text(spec, "reachableBy")
    return _Peer(
        address=address,
        asn=number or asn,
        own_asn=own or 0,
        usual_asn=asn,
        restart=DEFAULT_RESTART if restart is None else restart,
        keepalive=seconds(item, "keepaliveTime", notes) or 0,
        password=f"{text(secret, 'name')}/{text(secret, 'key')}" if secret else "",
        filters=tuple(name for name in sequence(spec, "filters") if isinstance(name, str)),
        gateway=notes.address(gateway, item.place(("spec", "reachableBy")), "reachableBy") if gateway else None,
        where=where,
        number_where=item.place(("spec", "asNumber")) if "asNumber" in spec else where,
        own_number_where=item.place(("spec", "localASNumber")) if own else where,
        keeps_next_hop=spec.get("keepOriginalNextHop") is True or text(spec, "nextHopMode") == "Keep",
        any_source=text(spec, "sourceAddress") == "None",
    )


def from_expected(ends: Iterable[End], routers: Iterable[End], nodes: Iterable[Node]) -> Iterator[End]:
    """Where the kernel chooses the source of a session (`sourceAddress: None`), the router says what it expects.

    On another link than that of the node's own address this is an address that no other file names. For kube-vip, which
    is seldom told a source, it counts only where it is the other address of the router's /31 or /127.
    """
    owned = {address for node in nodes for address in node.addresses}
    pairs: set[tuple[IPAddress, IPAddress]] = set()
    waiting: dict[tuple[IPAddress, int], list[IPAddress]] = defaultdict(list)
    for end in routers:
        pairs.add((end.address, end.peer))
        if end.peer not in owned:
            waiting[end.address, end.peer_asn].append(end.peer)
    for end in ends:
        others = waiting[end.peer, end.asn] if end.any_source and (end.peer, end.address) not in pairs else []
        if others and end.software is Software.KUBE_VIP and not paired(end.peer, others[0]):
            others = []
        yield replace(end, address=others.pop(0)) if others else end


def _without_port(value: str) -> str:
    if value.startswith("["):
        return value[1:].partition("]")[0]
    return value.partition(":")[0] if value.count(":") == 1 else value


def seconds(item: Object, key: str, notes: Notes) -> int | None:
    """A duration of a BGPPeer."""
    return notes.seconds(item.spec.get(key), item.place(("spec", key)), f"{key} of BGPPeer {item.name}")


def dials(peers: Iterable[Object], asn: int) -> Iterator[Dial]:
    """The peers alone, without the nodes that have them."""
    for item in peers:
        peer = _peer(item, asn, Notes())
        if peer is not None:
            yield Dial(
                software=Software.CALICO,
                asn=peer.own_asn or asn,
                peer=peer.address,
                peer_asn=peer.asn,
                where=peer.where,
            )


def peer_addresses(peers: Iterable[Object]) -> dict[str, IPAddress]:
    """The address of every BGPPeer that has one, by the peer's name."""
    quiet = Notes()
    found = ((item, quiet.address(_without_port(text(item.spec, "peerIP")), NOWHERE, "")) for item in peers)
    return {item.name: address for item, address in found if address is not None}


class Roster:
    """The nodes, by name and by selector; each selector is applied once."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._labels = [(node, dict(node.labels)) for node in nodes]
        self._by_name = {node.name: node for node in nodes}
        self._selected: dict[str, tuple[Node, ...]] = {}

    def of(self, item: Object, notes: Notes) -> tuple[Node, ...]:
        """Nodes of a peer: one by name, those of a selector, or all."""
        if named := text(item.spec, "node"):
            return (self._by_name[named],) if named in self._by_name else ()
        return self.selected(item, "nodeSelector", notes)

    def selected(self, item: Object, key: str, notes: Notes) -> tuple[Node, ...]:
        """Nodes that a selector of a peer means."""
        chosen = text(item.spec, key)
        if chosen not in self._selected:
            self._selected[chosen] = tuple(self._matching(chosen, item, key, notes))
        return self._selected[chosen]

    def _matching(self, chosen: str, item: Object, key: str, notes: Notes) -> Iterator[Node]:
        try:
            wanted = selector.parse(chosen)
        except selector.SelectorError as error:
            notes.add(
                "READ005",
                item.place(("spec", key)),
                f"The {key} of BGPPeer {item.name} cannot be read: {error}. Calico refuses the peer.",
                'Write it as "!has(node-role.kubernetes.io/control-plane)", in quotes.',
            )
            return
        for node, labels in self._labels:
            if wanted.matches(labels):
                yield node


def speakers(found: Iterable[End], nodes: Sequence[Node]) -> Iterator[Speaker]:
    """The BIRD of every node that holds an end; its router ID is the node's IPv4 address."""
    first: dict[str, End] = {}
    for end in sorted(found, key=lambda end: address_key(end.address)):
        first.setdefault(end.host, end)
    for node in nodes:
        if (own := first.get(node.name)) is not None:
            ipv4 = next((address for address in node.addresses if isinstance(address, IPv4Address)), None)
            yield Speaker(
                host=node.name,
                software=Software.CALICO,
                address=own.address,
                asn=own.asn,
                router_id=ipv4,
                where=own.where,
            )


def announcements(
    calico: Calico,
    advertised: Iterable[tuple[IPNetwork, Place]],
    pools: Iterable[Pool],
    hosts: Mapping[int, Sequence[Node]],
) -> Iterator[Announcement]:
    """Services from nodes that are not excluded, pod blocks from all; `hosts` have an end, by its family."""
    serving = {family: tuple(sorted(n.name for n in nodes if not n.excluded)) for family, nodes in hosts.items()}
    for cidr, where in advertised:
        yield Announcement(
            prefix=cidr,
            shortest=cidr.prefixlen if calico.aggregate else cidr.max_prefixlen,
            longest=cidr.max_prefixlen,
            software=Software.CALICO,
            hosts=serving[cidr.version],
            when=Condition.ALWAYS if calico.aggregate else Condition.ENDPOINT,
            where=where,
        )
    for pool in pools:
        if pool.use is PoolUse.PODS and pool.bgp_export:
            yield Announcement(
                prefix=pool.cidr,
                shortest=pool.block_size,
                longest=pool.block_size,
                software=Software.CALICO,
                hosts=tuple(sorted(node.name for node in hosts[pool.cidr.version])),
                when=Condition.ALWAYS,
                where=pool.where,
            )
