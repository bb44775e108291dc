"""Rows of docs/addresses.md: who owns what, both ends of every session, who announces and who lets in what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from anycastle.network.addresses import OwnerKind, Pool, PoolUse
from anycastle.network.bgp import Acceptance, Announcement
from anycastle.network.canonical import address_key, network_key
from anycastle.network.model import Network
from anycastle.network.questions import address_owners, on_router, range_owners, wired
from anycastle.overview import Peering, peerings, spans, words
from anycastle.records import dataclass

MANY = 64
"""From so many rows on, a table has one row for each run of neighbouring addresses."""

_MEANING = {
    OwnerKind.SUBNET: "machines; the only range with a wire",
    OwnerKind.LOAD_BALANCER: "Services of type LoadBalancer; routed, on no wire",
    OwnerKind.SERVICES: "Services inside the cluster; meaningless outside",
    OwnerKind.RESERVED: "somebody else's",
}

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Tables, row by row."""

    ranges: tuple[Row, ...]
    addresses: tuple[Row, ...]
    nodes: tuple[Row, ...]
    sessions: tuple[Row, ...]
    announcements: tuple[Row, ...]
    acceptances: tuple[Row, ...]


def of(network: Network) -> Plan:
    """The tables of a network; linear in its size."""
    return Plan(
        ranges=tuple(_ranges(network)),
        addresses=tuple(_addresses(network)),
        nodes=tuple(_nodes(network)),
        sessions=tuple(_sessions(network)),
        announcements=tuple(_announcement(network, item) for item in network.announcements if item.hosts),
        acceptances=tuple(_acceptance(item) for item in network.acceptances),
    )


def _ranges(network: Network) -> Iterator[Row]:
    pods = {pool.cidr: pool for pool in network.pools if pool.use is PoolUse.PODS}
    on_lo = {end.host for end in wired(network)}
    shared = [a for node in network.nodes if on_lo and node.name not in on_lo for a in node.addresses]
    for owner in sorted(range_owners(network), key=lambda owner: network_key(owner.prefix)):
        meaning = _pods(pods[owner.prefix]) if owner.kind is OwnerKind.PODS else _MEANING[owner.kind]
        if owner.kind is OwnerKind.SUBNET and len(network.subnets) > 1:
            meaning = "machines; a range with a wire"
        if owner.kind is OwnerKind.SUBNET and on_lo and not any(one in owner.prefix for one in shared):
            meaning = "machines, each on its own lo; no range has a wire"
        yield str(owner.prefix), str(owner), meaning


def _pods(pool: Pool) -> str:
    return f"pods; outside the cluster {'their node is seen instead' if pool.nat_outgoing else 'seen as they are'}"


def _addresses(network: Network) -> Iterator[Row]:
    """Single addresses that are no node's."""
    for owner in sorted(address_owners(network), key=lambda owner: network_key(owner.prefix)):
        if owner.kind is not OwnerKind.NODE:
            yield str(owner.prefix.network_address), str(owner)


def _nodes(network: Network) -> Iterator[Row]:
    """A node each, or a run of neighbouring addresses each."""
    nodes = spans.in_address_order(network.nodes)
    if len(nodes) <= MANY:
        for node in nodes:
            note = "takes part in no Service" if node.excluded else ""
            yield ", ".join(map(str, node.addresses)), node.name, str(node.role), note
        return
    name_at = {node.addresses[0]: node.name for node in nodes}
    for role in sorted({node.role for node in nodes}):
        for first, last in spans.runs(node.addresses[0] for node in nodes if node.role is role):
            number = int(last) - int(first) + 1
            span = str(first) if number == 1 else f"{first}-{last}"
            names = name_at[first] if number == 1 else f"{name_at[first]} to {name_at[last]}"
            yield span, names, str(role), "" if number == 1 else f"{number} nodes"


def _sessions(network: Network) -> Iterator[Row]:
    known = [item for item in peerings(network) if on_router(item.far)]
    if len(known) <= MANY:
        for item in sorted(known, key=lambda item: (item.far.host, address_key(item.near.address))):
            yield _session(item, item.near.host, str(item.near.address))
        return
    groups: dict[tuple[str, ...], list[Peering]] = defaultdict(list)
    for item in known:
        groups[_session(item, "", "")].append(item)
    for alike in groups.values():
        addresses = words.peers([item.near.address for item in alike])
        yield _session(alike[0], spans.count(len(alike), "node"), addresses)


def _session(item: Peering, host: str, address: str) -> Row:
    near, far = item.near, item.far
    return (
        host,
        address,
        f"{words.speaker(near)}, AS {near.asn}",
        f"{far.host}, {far.address}",
        f"{words.software(far.software)}, AS {far.asn}",
        words.seconds_in_force(item),
    )


def _announcement(network: Network, item: Announcement) -> Row:
    position = {node.name: index for index, node in enumerate(spans.in_address_order(network.nodes))}
    hosts = sorted(item.hosts, key=lambda name: position.get(name, -1))
    return spans.announced(item), words.software(item.software), spans.names(hosts), words.WHEN[item.when]


def _acceptance(item: Acceptance) -> Row:
    return item.router, spans.prefixes(item.prefix, item.shortest, item.longest), words.peers(item.peers)
