"""Routers, racks and AS numbers, as far as the sources say them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from ipaddress import ip_interface
from typing import Any

from anycastle.fields import IPAddress
from anycastle.finding import Finding, Place
from anycastle.importing import codes
from anycastle.importing.cells import Cell, cell, without_nothing
from anycastle.importing.facts import Fact
from anycastle.importing.machines import Link, Machine, home_of, told
from anycastle.importing.merged import Merged
from anycastle.importing.words import CONTROL_PLANE
from anycastle.records import dataclass

HOPS = 16
"""TTL towards a router that is on no link of the nodes; more than any such path needs."""


@dataclass(slots=True)
class Peer:
    """A router in the making."""

    name: str
    address: IPAddress
    facts: dict[str, Fact] = field(default_factory=dict)
    rack: str = ""
    further: list[tuple[IPAddress, Place]] = field(default_factory=list)
    others: list[Fact] = field(default_factory=list)
    """Gateways to it that its other objects name."""

    @property
    def selects(self) -> tuple[str, ...]:
        """The nodes that dial it, where others do not."""
        return tuple(self.facts["selects"].value) if "selects" in self.facts else ()

    @property
    def gateways(self) -> tuple[Fact, ...]:
        """All that are named; a site has the first one."""
        own = self.facts.get("reachable_by")
        return (*((own,) if own is not None else ()), *self.others)

    def far(self, links: Sequence[Link]) -> bool:
        """Whether it is on no link of the nodes."""
        return home_of(self.address, links) is None

    def entry(self, default_asn: int, links: Sequence[Link]) -> dict[str, Any]:
        """Its entry of the site file."""
        at = self.facts.get("address")
        return without_nothing(
            {
                "name": self.name,
                "address": told(str(self.address), at.where if at else None),
                "addresses": [Cell(str(other), where) for other, where in self.further] or None,
                "asn": cell(self.facts.get("asn")) or default_asn,
                "software": "frr",
                "multihop": HOPS if self.far(links) else None,
                "reachable_by": cell(next(iter(self.gateways), None)) if self.far(links) else None,
                "password": cell(self.facts.get("password")),
            }
        )


def peers(merged: Merged, nodes: Sequence[Machine], links: Sequence[Link]) -> list[Peer]:
    """The routers that a source names; else one at the gateway of each subnet, in one family."""
    found: list[Peer] = []
    for name, entry in merged.entries("routers").items():
        if "address" in entry:
            address = ip_interface(entry["address"].value).ip
            rack = str(entry["rack"].value) if "rack" in entry else ""
            _add(found, Peer(_label(name), address, dict(entry), rack))
    _of_kube_vip(merged, found)
    found = _of_one_box(found)
    if not found:
        family = min(link.cidr.version for link in links)
        chosen = [link for link in links if link.cidr.version == family]
        for number, link in enumerate(chosen, start=1):
            name = "router" if len(chosen) == 1 else f"router-{number}"
            found.append(Peer(name, gateway(link), {"address": link.gateway} if link.gateway else {}))
    _numbers(merged, nodes, links, found)
    return found


def gateways_left_out(found: Sequence[Peer], links: Sequence[Link]) -> Iterator[Finding]:
    """A site has one gateway to a router, and only to one that is on no subnet of the nodes."""
    for peer in found:
        for fact in peer.gateways:
            if not peer.far(links):
                yield codes.not_carried(
                    fact.where,
                    f"the gateway to router {peer.name}, whose address {peer.address} is in a subnet of the nodes",
                    "If it is not on that link, write multihop and reachable_by beside the router in the site file.",
                )
            elif fact.value != peer.gateways[0].value:
                yield codes.not_carried(fact.where, f"a second gateway to router {peer.name}")


def _add(found: list[Peer], peer: Peer) -> None:
    """Several BGPPeers with one address are one router, which different nodes dial in different ways."""
    same = next((one for one in found if one.address == peer.address), None)
    if same is None:
        found.append(peer)
        return
    same.others += peer.gateways
    both = {*same.selects, *peer.selects}
    if both and same.selects and peer.selects:
        same.facts["selects"] = replace(same.facts["selects"], value=tuple(sorted(both)))
    else:
        same.facts.pop("selects", None)
    same.name = min(same.name, peer.name, key=len)


def gateway(link: Link) -> IPAddress:
    """The one that is stated, else the first host of the subnet that is no machine."""
    return ip_interface(link.gateway.value).ip if link.gateway is not None else link.free


def _label(name: str) -> str:
    return re.sub(r"[^a-z0-9-]+", "-", name.lower()).strip("-")[:63] or "router"


def _of_one_box(found: Sequence[Peer]) -> list[Peer]:
    """`gate` and `gate-ipv6`, with one AS number and an address of each family, are one router."""
    kept: list[Peer] = []
    for peer in sorted(found, key=lambda one: len(one.name)):
        other = next((one for one in kept if _same_box(one, peer)), None)
        if other is None:
            kept.append(peer)
        else:
            other.further.append((peer.address, peer.facts["address"].where))
            other.others += peer.gateways
    return [peer for peer in found if peer in kept]


def _same_box(one: Peer, other: Peer) -> bool:
    numbers = [peer.facts["asn"].value for peer in (one, other) if "asn" in peer.facts]
    named = other.name.startswith(f"{one.name}-") and other.name.endswith(("6", "4"))
    return named and one.address.version != other.address.version and len(set(numbers)) == 1 and not one.further


def _of_kube_vip(merged: Merged, found: list[Peer]) -> None:
    """kube-vip knows its routers by address only."""
    for text, entry in merged.entries("vip_routers").items():
        try:
            address = ip_interface(text).ip
        except ValueError:
            continue
        same = next((peer for peer in found if peer.address == address), None)
        if same is None:
            name = "router" if not found else f"router-{len(found) + 1}"
            same = Peer(name, address, {"address": Fact(("routers", text, "address"), text, entry["asn"].where)})
            found.append(same)
        same.facts.setdefault("asn", entry["asn"])


def _numbers(merged: Merged, nodes: Sequence[Machine], links: Sequence[Link], found: list[Peer]) -> None:
    """AS numbers that stand elsewhere: beside a machine for its gateway, or in a list of numbers."""
    for machine in nodes:
        number = machine.facts.get("router_asn")
        home = home_of(machine.addresses[0][0].ip, links)
        for peer in found if number is not None and home is not None else ():
            if home is not None and number is not None and home_of(peer.address, (home,)):
                peer.facts.setdefault("asn", number)
    listed = [entry["asn"] for entry in merged.entries("router_asns").values() if "asn" in entry]
    for peer in found if len(listed) == 1 else ():
        peer.facts.setdefault("asn", listed[0])


@dataclass(frozen=True, slots=True)
class Numbers:
    """The AS number that most speakers of a kind have; others are said beside their node."""

    workers: Fact | None
    control_planes: Fact | None


def numbers(merged: Merged, nodes: Sequence[Machine]) -> Numbers:
    """As stated, else what all machines of a role have in common."""
    return Numbers(
        merged.get("bgp", "worker_asn") or _common(nodes, control=False),
        merged.get("bgp", "control_plane_asn") or first_number(merged) or _common(nodes, control=True),
    )


def first_number(merged: Merged) -> Fact | None:
    """The AS number of the first kube-vip; others are said beside their node."""
    return next((entry["asn"] for entry in merged.entries("vip_asns").values() if "asn" in entry), None)


def _common(nodes: Sequence[Machine], *, control: bool) -> Fact | None:
    own = [node.facts.get("asn") for node in nodes if (node.role == CONTROL_PLANE) is control]
    first = own[0] if own else None
    return first if first is not None and all(fact and fact.value == first.value for fact in own) else None
