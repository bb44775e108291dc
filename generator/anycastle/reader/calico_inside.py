"""Sessions between nodes: BGPPeers with a peerSelector, as for route reflectors. The mesh is none of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import End, Software
from anycastle.network.cluster import Node
from anycastle.reader.calico_bgp import ANYWHERE, DEFAULT_RESTART, Roster, seconds
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, sequence, text


def ends(peers: Iterable[Object], nodes: Sequence[Node], asn: int, notes: Notes) -> Iterator[End]:
    """Both ends of every session that a peerSelector makes; one for each node and address of the other one.

    Calico makes the second end by itself, unless the peer says `reversePeering: Manual` (confd client.go).
    """
    seen: set[tuple[str, IPAddress]] = set()
    roster = Roster(nodes)
    for item in peers:
        if not text(item.spec, "peerSelector") or "localWorkloadSelector" in item.spec:
            continue
        mine, others = roster.of(item, notes), roster.selected(item, "peerSelector", notes)
        if not others:
            notes.add(
                "READ010",
                item.place(("spec",)),
                f"The peerSelector of BGPPeer {item.name} matches no node whose labels are here; its sessions were not "
                "checked.",
            )
        made = _ends(item, ((one, other) for one in mine for other in others if one is not other), asn, notes)
        for end in made:
            if (end.host, end.peer) not in seen:
                seen.add((end.host, end.peer))
                yield end


def _ends(item: Object, pairs: Iterable[tuple[Node, Node]], asn: int, notes: Notes) -> Iterator[End]:
    restart = seconds(item, "maxRestartTime", notes)
    keepalive = seconds(item, "keepaliveTime", notes)
    secret = mapping(item.spec, "password", "secretKeyRef")
    said: dict[str, Any] = {
        "software": Software.CALICO,
        "hops": ANYWHERE,
        "restart": DEFAULT_RESTART if restart is None else restart,
        "keepalive": keepalive or 0,
        "password": f"{text(secret, 'name')}/{text(secret, 'key')}" if secret else "",
        "filters": tuple(name for name in sequence(item.spec, "filters") if isinstance(name, str)),
        "where": item.place(("spec", "peerSelector")),
    }
    one_way = text(item.spec, "reversePeering") == "Manual"
    for one, other in pairs:
        for mine, theirs in ((one, other),) if one_way else ((one, other), (other, one)):
            far = _first(theirs)
            for family, address in _first(mine).items():
                if family in far:
                    yield End(
                        host=mine.name,
                        address=address,
                        asn=mine.asn or asn,
                        peer=far[family],
                        peer_asn=theirs.asn or asn,
                        **said,
                    )


def _first(node: Node) -> dict[int, IPAddress]:
    """The first address of each family: Calico takes one of each."""
    return {address.version: address for address in reversed(node.addresses)}
