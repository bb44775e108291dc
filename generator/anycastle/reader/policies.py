"""What a router's filters let through: route maps and prefix lists as prefixes with a range of lengths."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_network

from anycastle.network.addresses import IPNetwork
from anycastle.network.model import Unread
from anycastle.reader import frr
from anycastle.reader.notes import Notes

Policy = tuple[str, str]
"""`route-map` or `prefix-list`, and its name."""
Passed = tuple[IPNetwork, int, int, int]
"""Prefixes inside a network, from the shortest to the longest length, and the line that says so."""

EVERYTHING = ((ip_network("0.0.0.0/0"), 0, 32), (ip_network("::/0"), 0, 128))


def policy(own: frr.Neighbour, group: frr.Neighbour | None, way: str) -> Policy | None:
    """The policy of a neighbour in a direction (`in`, `out`); its own goes before its group's."""
    for one in (own, group):
        if one is None:
            continue
        if way in one.route_map:
            return "route-map", one.route_map[way][0]
        if way in one.prefix_list:
            return "prefix-list", one.prefix_list[way][0]
    return None


class Policies:
    """The filters of one router; each is followed once."""

    def __init__(self, config: frr.Config, router: str, notes: Notes) -> None:
        self.config = config
        self.router = router
        self.notes = notes
        self._known: dict[Policy, tuple[Passed, ...]] = {}

    def passed(self, wanted: Policy) -> tuple[Passed, ...]:
        """What a policy lets through; nothing where it is not defined, as in FRR."""
        if wanted not in self._known:
            kind, name = wanted
            self._known[wanted] = tuple(self._of_map(name) if kind == "route-map" else self._of_list(name))
        return self._known[wanted]

    def _of_map(self, name: str) -> Iterator[Passed]:
        for clause in self.config.route_maps.get(name, ()):
            if clause.others or (not clause.permit and clause.prefix_lists):
                self._beyond(clause)
            elif not clause.permit:
                return
            elif not clause.prefix_lists:
                yield from ((*everything, clause.line) for everything in EVERYTHING)
                return
            else:
                for listed, _line in clause.prefix_lists:
                    yield from self._of_list(listed)

    def _of_list(self, name: str) -> Iterator[Passed]:
        for entry in self.config.prefix_lists.get(name, ()):
            if entry.permit:
                yield entry.prefix, entry.shortest, entry.longest, entry.line
            elif entry.prefix.prefixlen == entry.shortest == 0:
                return
            else:
                place = self.config.place(entry.line)
                self.notes.add("READ009", place, f"A deny inside the prefix-list {name} was not followed.")

    def _beyond(self, clause: frr.Clause) -> None:
        what = f"`{clause.others[0]}`" if clause.others else "a deny with a match"
        self.notes.add("READ009", self.config.place(clause.line), f"This clause has {what}, which was not followed.")

    def check_names(self) -> None:
        """Names that are used and not defined."""
        for kind, name, line in sorted(set(self._used()), key=lambda used: used[2]):
            defined = self.config.route_maps if kind == "route-map" else self.config.prefix_lists
            if name not in defined:
                self.notes.unread(f"{Unread.ROUTER_FILTERS}:{self.router}")
                self.notes.add(
                    "FRR002",
                    self.config.place(line),
                    f"The {kind} {name} is not defined, so it lets no route through.",
                    "Define it, or correct the name.",
                )

    def _used(self) -> Iterator[tuple[str, str, int]]:
        for neighbour in self.config.neighbours.values():
            for kind, named in (("route-map", neighbour.route_map), ("prefix-list", neighbour.prefix_list)):
                yield from ((kind, name, line) for name, line in named.values())
        for clauses in self.config.route_maps.values():
            for clause in clauses:
                yield from (("prefix-list", name, line) for name, line in clause.prefix_lists)
