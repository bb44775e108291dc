"""kube-vip's pods against one another."""

from __future__ import annotations

import re

from anycastle.network.bgp import Software
from anycastle.network.cluster import Node
from anycastle.network.questions import counterparts
from anycastle.reader import kubevip
from anycastle.reader.agreement.flat import Member, Odd, differing, facts, odd, said
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import text

_OF_EACH = "env[bgp_routerid]"
_OF_ALL = re.compile(r"env\[(?:address|port|vip_arp|bgp_enable|cp_enable)\]|\.image$")
"""What all control planes share, however unlike they are: interfaces, peers and resources may differ by machine."""
_OF_RACK = re.compile(r"env\[bgp_(?:as|peers|peeras|peeraddress|multihop|sourceip)\]")
_PAIRS = frozenset((("/etc/kubernetes/super-admin.conf", "/etc/kubernetes/admin.conf"),))


def check(subject: Subject, notes: Notes) -> None:
    """The pods of all control planes, and those of the bootstrap with the one that follows."""
    nodes = {node.name: node for node in subject.network.nodes}
    pods = [item for item in subject.pods if kubevip.is_kube_vip(item) and item.scope.startswith("node:")]
    members = [_member(item, nodes.get(item.scope.partition(":")[2])) for item in pods]
    found = list(odd(members, fewest=2))
    if len(members) == 2:
        found = list(differing(members[0], members[1]))
    standing = _standing(subject)
    for one in found:
        if _OF_RACK.search(one.key) and one.member.name in standing:
            continue
        if _OF_EACH not in one.key and (subject.one_hand or _OF_ALL.search(one.key)):
            _differs(one, notes)
    for item in subject.early:
        for member in members:
            if item.source.replace(".init.", ".") == member.item.source:
                _bootstrap(item, member, nodes.get(member.name), notes)


def _standing(subject: Subject) -> frozenset[str]:
    """Nodes whose kube-vip has a session wherever it dials: routers and AS numbers may be those of a rack."""
    met: dict[str, bool] = {}
    for end, others in counterparts(subject.network).items():
        if end.software is Software.KUBE_VIP:
            agree = any((end.asn, end.peer_asn) == (other.peer_asn, other.asn) for other in others)
            met[end.host] = met.get(end.host, True) and agree
    return frozenset(name for name, agreed in met.items() if agreed)


def _member(item: Object, node: Node | None) -> Member:
    name = item.scope.partition(":")[2]
    own = {str(address): "its address" for address in node.addresses} if node else {}
    return Member(name, item, facts(item.value, own | {name: "its name"}))


def _differs(one: Odd, notes: Notes) -> None:
    notes.add(
        "KVIP006",
        one.member.place(one.key),
        f"{one.key} is {said(one.value)} on {one.member.name} and {said(one.usual)} on the other control planes.",
        f"Write {one.usual}, or change it everywhere." if one.usual else "Take it out, or add it everywhere.",
    )


def _bootstrap(item: Object, lasting: Member, node: Node | None, notes: Notes) -> None:
    own = {str(address): "its address" for address in node.addresses} if node else {}
    early = Member(lasting.name, item, facts(item.value, own | {lasting.name: "its name"}))
    for one in differing(lasting, early):
        if (one.value, one.usual) in _PAIRS and one.key.endswith("hostPath.path"):
            continue
        notes.add(
            "KVIP007",
            one.member.place(one.key),
            f"{one.key} is {said(one.value)} during the bootstrap and {said(one.usual)} afterwards "
            f"({text(lasting.item.value, 'metadata', 'name')} in {lasting.item.source}).",
            f"Write {one.usual}." if one.usual else "Take it out.",
        )
