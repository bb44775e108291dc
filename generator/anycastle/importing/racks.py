"""Racks: subnets with routers of their own, as a source names them or as it follows from who dials whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from anycastle.fields import FieldError, parse_label
from anycastle.finding import Finding, Place
from anycastle.importing import codes
from anycastle.importing.cells import Cell, cell, without_nothing
from anycastle.importing.facts import Fact
from anycastle.importing.machines import Link, Machine, home_of, told
from anycastle.importing.routing import Numbers, Peer
from anycastle.importing.words import CONTROL_PLANE
from anycastle.records import dataclass

ZONE = "topology.kubernetes.io/zone"
"""The label of racks where a site file names no other."""


@dataclass(frozen=True, slots=True)
class Rack:
    """A rack; `where` is None where its name is this program's. `label` tells its nodes from others, if any does."""

    name: str
    where: Place | None
    home: Link
    members: tuple[Machine, ...]
    routers: tuple[str, ...]
    label: str = ""

    def number(self, *, control: bool) -> Fact | None:
        """The AS number that all its speakers of a kind have."""
        own = [node.facts.get("asn") for node in self.members if (node.role == CONTROL_PLANE) is control]
        first = own[0] if own else None
        return first if first is not None and all(one and one.value == first.value for one in own) else None

    def entry(self, subnet: str, speaking: Numbers) -> dict[str, Any]:
        """Its entry of the site file; AS numbers where they are not those of the other racks."""
        numbers = {"control_plane_asn": speaking.control_planes, "worker_asn": speaking.workers}
        own = {"control_plane_asn": self.number(control=True), "worker_asn": self.number(control=False)}
        differing = {
            key: cell(fact) if fact and ((usual := numbers[key]) is None or fact.value != usual.value) else None
            for key, fact in own.items()
        }
        label = Cell(self.label, self.where) if self.label not in ("", ZONE) and self.where else None
        made = {"name": told(self.name, self.where), "subnet": subnet, "routers": list(self.routers), "label": label}
        return without_nothing({**made, **differing})


def racks(
    nodes: Sequence[Machine], links: Sequence[Link], routers: Sequence[Peer]
) -> tuple[tuple[Rack, ...], tuple[Finding, ...]]:
    """Racks that have a subnet each. Racks that share one change nothing in the network, and are left out."""
    made = tuple(_named(nodes, links, routers)) or tuple(_dialled(nodes, links, routers))
    if made:
        return made, ()
    everybody = {name for router in routers for name in router.selects}
    some = (router for router in routers if router.selects and set(router.selects) != everybody)
    findings = (
        codes.not_carried(router.facts["selects"].where, f"only some nodes dial the router {router.name}")
        for router in some
    )
    return (), tuple(findings)


def _named(nodes: Sequence[Machine], links: Sequence[Link], routers: Sequence[Peer]) -> Iterator[Rack]:
    """Every machine says its rack."""
    members: dict[str, list[Machine]] = {}
    for node in nodes:
        if "rack" not in node.facts:
            return
        members.setdefault(str(node.facts["rack"].value), []).append(node)
    homes = {name: {_home(node, links) for node in inside} for name, inside in members.items()}
    single = [next(iter(home)) for home in homes.values() if len(home) == 1]
    if len(members) < 2 or None in single or len(set(single)) < len(members):
        return
    for name, home in zip(members, single, strict=True):
        if home is not None:
            own = tuple(peer.name for peer in routers if peer.rack == name or home_of(peer.address, (home,)))
            where = members[name][0].facts["rack"].where
            yield Rack(name, where, home, tuple(members[name]), own or tuple(peer.name for peer in routers))


def _home(node: Machine, links: Sequence[Link]) -> Link | None:
    return home_of(node.addresses[0][0].ip, links)


def _dialled(nodes: Sequence[Machine], links: Sequence[Link], routers: Sequence[Peer]) -> Iterator[Rack]:
    """The nodes of each subnet dial routers of their own."""
    home_at = {node.name: _home(node, links) for node in nodes}
    owned: dict[Link, list[Peer]] = {}
    for router in (router for router in routers if router.selects):
        homes = {home_at.get(name) for name in router.selects}
        home = next(iter(homes))
        if len(homes) != 1 or home is None:
            return
        owned.setdefault(home, []).append(router)
    if len(owned) < 2 or any(home not in owned for home in home_at.values()):
        return
    shared = tuple(router.name for router in routers if not router.selects)
    inside = {home: tuple(node for node in nodes if home_at[node.name] == home) for home in owned}
    label, names = _label(inside)
    for number, (home, own) in enumerate(owned.items(), start=1):
        where = inside[home][0].facts["labels"].where if label else None
        yield Rack(
            names.get(home, f"rack-{number}"), where, home, inside[home], (*(r.name for r in own), *shared), label
        )


def _label(inside: Mapping[Link, Iterable[Machine]]) -> tuple[str, Mapping[Link, str]]:
    """A label that has one value in each subnet and another in every other, and the values; empty where none has."""
    sets = {home: [_labels(node) for node in members] for home, members in inside.items()}
    first = next(iter(sets.values()))[0]
    for key in sorted(first, key=lambda key: (key != ZONE, key)):
        values = {home: {labels.get(key) for labels in members} for home, members in sets.items()}
        names = {
            home: str(next(iter(found))) for home, found in values.items() if len(found) == 1 and None not in found
        }
        if len(set(names.values())) == len(inside) and all(map(_is_label, names.values())):
            return key, names
    return "", {}


def _labels(node: Machine) -> Mapping[str, str]:
    return dict(node.facts["labels"].value) if "labels" in node.facts else {}


def _is_label(text: str) -> bool:
    try:
        parse_label(text)
    except FieldError:
        return False
    return True
