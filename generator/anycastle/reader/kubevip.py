"""kube-vip's static pods: the API addresses, who announces them, and to whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import field
from ipaddress import IPv4Address
from typing import Any

from anycastle.finding import NOWHERE, Place
from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import Announcement, Condition, Dial, End, Software
from anycastle.network.cluster import KubeVip, Node
from anycastle.network.questions import host
from anycastle.reader.bgp_peers import BUILT_IN_ASN, Peer, peers_of
from anycastle.reader.documents import Object
from anycastle.reader.environment import HEALTH, Environment, check, environment
from anycastle.reader.notes import Notes, as_number
from anycastle.reader.passwords import reference
from anycastle.records import dataclass
from anycastle.schemas.shape import sequence, text

MULTIHOP_TTL = 50
_OWN_ADDRESS = frozenset(("status.hostIP", "status.podIP"))
"""Fields of a pod on its host's network that hold the node's address."""


@dataclass(frozen=True, slots=True)
class Speaking:
    """kube-vip on one node: its settings, its session ends, and its router ID."""

    pod: KubeVip
    ends: tuple[End, ...]
    router_id: IPv4Address | None = None
    where: Place = field(default=NOWHERE, compare=False)


def is_kube_vip(item: Object) -> bool:
    """Whether a pod runs kube-vip."""
    return item.kind == "Pod" and item.group == "" and _container(item) is not None


def _container(item: Object) -> tuple[int, dict[str, Any]] | None:
    for index, container in enumerate(sequence(item.spec, "containers")):
        image = text(container, "image").partition("@")[0]
        if image.rpartition("/")[2].partition(":")[0] in ("kube-vip", "kube-vip-iptables"):
            return index, container
    return None


def version(item: Object) -> str:
    """Tag of the image without a leading `v`; empty where there is none."""
    found = _container(item)
    name = text(found[1], "image").partition("@")[0].rpartition("/")[2] if found else ""
    return name.partition(":")[2].removeprefix("v")


def addresses(item: Object) -> dict[IPAddress, Place]:
    """The addresses that a pod announces for the control plane, wherever it runs."""
    found = _container(item)
    env = environment(item, *found) if found else None
    if env is None or not (env.true("bgp_enable") and env.true("cp_enable")):
        return {}
    return dict.fromkeys(_vips(env, Notes()), env.place("address"))


def dials(item: Object) -> Iterator[Dial]:
    """Whom a pod dials, wherever it runs."""
    found = _container(item)
    env = environment(item, *found) if found else None
    if env is not None and env.true("bgp_enable") and env.true("cp_enable"):
        asn = as_number(env.get("bgp_as")) or BUILT_IN_ASN
        for peer in peers_of(env, Notes()):
            where = env.place(peer.variable)
            yield Dial(software=Software.KUBE_VIP, asn=asn, peer=peer.address, peer_asn=peer.asn, where=where)


def read(item: Object, nodes: Iterable[Node], notes: Notes) -> Iterator[Speaking]:
    """What a kube-vip pod means on each of `nodes`."""
    found = _container(item)
    if found is None:
        return
    env = environment(item, *found)
    check(item, env, notes)
    if not env.true("bgp_enable") or not env.true("cp_enable"):
        return
    vips = tuple(_vips(env, notes))
    peers = tuple(peers_of(env, notes))
    for node in nodes:
        yield _on(node, item, env, vips, peers, notes)


def _on(
    node: Node, item: Object, env: Environment, vips: tuple[IPAddress, ...], peers: tuple[Peer, ...], notes: Notes
) -> Speaking:
    health = env.get(f"{HEALTH}address")
    return Speaking(
        pod=KubeVip(
            node=node.name,
            version=version(item),
            vips=vips,
            interface=env.get("vip_interface"),
            health_url=health,
            health_ca=env.get(f"{HEALTH}ca_path") if health else "",
            period=env.number(f"{HEALTH}period_seconds", 5) if health else 0,
            timeout=env.number(f"{HEALTH}timeout_seconds", 3) if health else 0,
            threshold=env.number(f"{HEALTH}failure_threshold", 3) if health else 0,
            source=_source(env, notes),
            where=env.place("address"),
        ),
        ends=tuple(_ends(node, env, peers, notes)),
        router_id=_router_id(node, env, notes),
        where=env.place("bgp_routerid" if "bgp_routerid" in env.named else "bgp_as"),
    )


def _vips(env: Environment, notes: Notes) -> Iterator[IPAddress]:
    for part in env.get("address").split(","):
        literal = part.strip().partition("/")[0]
        address = notes.address(literal, env.place("address"), "kube-vip's address") if literal else None
        if address is not None:
            yield address


def _router_id(node: Node, env: Environment, notes: Notes) -> IPv4Address | None:
    """The value, or what kubelet or an interface gives; the first address of `lo` is the API address of before."""
    value = env.get("bgp_routerid")
    given = env.fields.get("bgp_routerid") in _OWN_ADDRESS or bool(env.get("bgp_routerinterface"))
    if not value and given:
        found_on = _vips(env, Notes()) if env.get("bgp_routerinterface") == "lo" else iter(node.addresses)
        return next((address for address in found_on if isinstance(address, IPv4Address)), None)
    found = notes.address(value, env.place("bgp_routerid"), "bgp_routerid") if value else None
    return found if isinstance(found, IPv4Address) else None


def _source(env: Environment, notes: Notes) -> IPAddress | None:
    value = env.get("bgp_sourceip")
    return notes.address(value, env.place("bgp_sourceip"), "bgp_sourceip") if value else None


def _ends(node: Node, env: Environment, peers: tuple[Peer, ...], notes: Notes) -> Iterator[End]:
    asn = as_number(env.get("bgp_as")) or BUILT_IN_ASN
    own = _source(env, notes)
    sources = node.addresses if own is None else (own,)
    for peer in peers:
        address = next((source for source in sources if source.version == peer.address.version), None)
        if address is None:
            continue
        yield End(
            host=node.name,
            software=Software.KUBE_VIP,
            address=address,
            asn=asn,
            peer=peer.address,
            peer_asn=peer.asn,
            hops=MULTIHOP_TTL if peer.multihop else 1,
            hold=env.number("bgp_hold_time", 0),
            keepalive=env.number("bgp_keepalive_interval", 0),
            password=reference(peer.password),
            any_source=own is None,
            where=env.place(peer.variable),
            number_where=env.place("bgp_peeras" if peer.variable == "bgp_peeraddress" else peer.variable),
            own_number_where=env.place("bgp_as" if env.get("bgp_as") else peer.variable),
        )


def announcements(speaking: Iterable[Speaking]) -> Iterator[Announcement]:
    """Each API address with the nodes that announce it; with a health check only while their API server answers."""
    hosts: dict[tuple[IPAddress, Condition], list[str]] = defaultdict(list)
    places: dict[IPAddress, Place] = {}
    for one in speaking:
        when = Condition.API_HEALTHY if one.pod.health_url else Condition.ALWAYS
        for vip in one.pod.vips:
            places.setdefault(vip, one.pod.where)
            if any(end.peer.version == vip.version for end in one.ends):
                hosts[vip, when].append(one.pod.node)
    for (vip, when), names in hosts.items():
        prefix = host(vip)
        yield Announcement(
            prefix=prefix,
            shortest=prefix.prefixlen,
            longest=prefix.prefixlen,
            software=Software.KUBE_VIP,
            hosts=tuple(sorted(names)),
            when=when,
            where=places[vip],
        )
