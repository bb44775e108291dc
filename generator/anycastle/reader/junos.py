"""Junos as `set` commands, put into the form of `reader.frr`.

A policy that ends without a verdict accepts routes of BGP, and so does no policy at all. The keepalive is a third of
the hold time.
"""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.network.addresses import IPNetwork
from anycastle.network.bgp import Software
from anycastle.reader.frr import BY_HARDWARE, Clause, Config, Entry, Forwarding, Neighbour, StaticRoute
from anycastle.reader.frr_words import whole
from anycastle.reader.notes import Notes
from anycastle.reader.passwords import CLEAR_TEXT, reference
from anycastle.reader.vyos import statements

DEFAULT_WIDTH = 16
"""Next hops of one route, where `chassis maximum-ecmp` does not say."""
BGP_PREFERENCE = 170
LOSES, WINS = 254, 1

Term = list[tuple[list[str], int]]
"""The statements of a term, without its name."""


def parse(text: str, path: str, notes: Notes) -> Config:
    """Read a file; never raises."""
    reader = _Reader(path, notes)
    for words, number in statements(text):
        reader.statement(words, number)
    reader.finish()
    return reader.config


class _Reader:
    """One file while it is read."""

    def __init__(self, path: str, notes: Notes) -> None:
        forwarding = Forwarding(hashed={4, 6}, lacking=[BY_HARDWARE])
        self.forwarding = forwarding
        self.config = Config(path, software=Software.JUNOS, policy_required=False, forwarding=forwarding)
        self.notes = notes
        self._policies: dict[str, dict[str, Term]] = {}
        self._routes: dict[str, tuple[int, int]] = {}
        self._width = DEFAULT_WIDTH
        self._spread = self._multipath = False
        self._hold: int | None = None
        self._most: dict[str, int] = {}
        self._torn: set[str] = set()

    def statement(self, words: list[str], line: int) -> None:
        match words:
            case ["protocols", "bgp", *rest]:
                self._bgp(rest, line)
            case ["policy-options", "policy-statement", name, *rest]:
                term, said = (rest[1], rest[2:]) if rest[:1] == ["term"] and len(rest) > 1 else ("", rest)
                self._policies.setdefault(name, {}).setdefault(term, []).append((said, line))
            case ["routing-options", "rib", _, "static", "route", prefix, *rest]:
                self._static(prefix, rest, line)
            case ["routing-options", *rest]:
                self._routing(rest, line)
            case ["chassis", "maximum-ecmp", count]:
                self._width = whole(count) or DEFAULT_WIDTH
            case ["system", "no-redirects"]:
                self.forwarding.quiet = True
            case ["system", "host-name", name]:
                self.config.hostname = name
            case _:
                return

    def _routing(self, words: list[str], line: int) -> None:
        match words:
            case ["router-id", value]:
                self.config.router_id = value
            case ["autonomous-system", value, *_]:
                self.config.asn, self.config.asn_line = value, line
            case ["static", "route", prefix, *rest]:
                self._static(prefix, rest, line)
            case ["forwarding-table", "export", *_]:
                self._spread = True
            case _:
                return

    def _static(self, prefix: str, words: list[str], line: int) -> None:
        preference, drops = self._routes.get(prefix, (5, 0))
        if words[:1] == ["preference"] and len(words) > 1:
            preference = whole(words[1]) or preference
        elif words[:1] in (["discard"], ["reject"]):
            drops = line
        self._routes[prefix] = preference, drops

    def finish(self) -> None:
        """What takes several lines to say."""
        for prefix, (preference, line) in self._routes.items():
            network = self._network(prefix, line, "the static route") if line else None
            if network is not None:
                distance = LOSES if preference > BGP_PREFERENCE else WINS
                self.config.static_routes.append(StaticRoute(network, distance, line))
        for name, terms in self._policies.items():
            self.config.route_maps[name] = list(self._clauses(name, terms))
        self.config.multipath = self._width if self._multipath and self._spread else 1
        for name in self._torn & self._most.keys():
            self.config.neighbours[name].limit = self._most[name]
        for neighbour in self.config.neighbours.values():
            if neighbour.is_group and neighbour.hold is None and self._hold is not None:
                neighbour.hold = self._hold
            if neighbour.hold is not None:
                neighbour.keepalive = neighbour.hold // 3

    def _network(self, value: str, line: int, what: str) -> IPNetwork | None:
        return self.notes.network(value, self.config.place(line), what)

    def _clauses(self, name: str, terms: dict[str, Term]) -> Iterator[Clause]:
        for term, said in terms.items():
            ranges = [(words[2:], line) for words, line in said if words[:2] == ["from", "route-filter"]]
            asked = [words for words, _line in said if words[:1] == ["from"]]
            others = [" ".join(words) for words in asked if words[1:2] != ["route-filter"]]
            verdicts = [(words[1], line) for words, line in said if words[:1] == ["then"] and words[1:2] in _VERDICTS]
            if not verdicts:
                continue
            verdict, line = verdicts[0]
            clause = Clause(verdict == "accept", line, others=others)
            if ranges:
                listed = f"{name} {term}".strip()
                self.config.prefix_lists[listed] = [
                    entry for words, at in ranges if (entry := self._entry(words, name, at, clause)) is not None
                ]
                clause.prefix_lists.append((listed, line))
            yield clause
        yield Clause(permit=True, line=0)

    def _entry(self, words: list[str], policy: str, line: int, clause: Clause) -> Entry | None:
        prefix = self._network(words[0], line, f"policy-statement {policy}") if words else None
        if prefix is None:
            return None
        own, most = prefix.prefixlen, prefix.max_prefixlen
        match words[1:]:
            case ["exact"]:
                lengths: tuple[int, int] = own, own
            case ["orlonger"]:
                lengths = own, most
            case ["longer"]:
                lengths = own + 1, most
            case ["upto", high]:
                lengths = own, whole(high.lstrip("/")) or most
            case ["prefix-length-range", both]:
                low, _, high = both.partition("-")
                lengths = whole(low.lstrip("/")) or own, whole(high.lstrip("/")) or most
            case rest:
                clause.others.append("route-filter " + " ".join(rest))
                return None
        return Entry(True, prefix, *lengths, line)

    def _bgp(self, words: list[str], line: int) -> None:
        match words:
            case ["group", group, "neighbor", address, *rest]:
                own = self._of(address, line)
                own.group = group
                self._option(own, rest, line)
            case ["group", group, *rest]:
                named = self._of(group, line)
                named.is_group = True
                self._option(named, rest, line)
            case ["hold-time", value]:
                self._hold = whole(value)
            case ["multipath", *rest]:
                self._spreads(rest)
            case ["graceful-restart", "disable"]:
                self.config.graceful_restart = False
            case _:
                return

    def _of(self, name: str, line: int) -> Neighbour:
        return self.config.neighbours.setdefault(name, Neighbour(name, line, active=True))

    def _spreads(self, words: list[str]) -> None:
        self._multipath = True
        self.config.relaxed = self.config.relaxed or words == ["multiple-as"]

    def _option(self, neighbour: Neighbour, words: list[str], line: int) -> None:
        neighbour.at.setdefault(words[0] if words else "", line)
        match words:
            case [("peer-as" | "local-address" | "local-as") as key, value, *_]:
                setattr(neighbour, _TEXTS[key], value)
            case ["type", "internal"]:
                neighbour.remote_as = "internal"
            case ["hold-time", value]:
                neighbour.hold = whole(value)
            case ["multihop", *rest]:
                neighbour.hops = (whole(rest[1]) if rest[:1] == ["ttl"] and len(rest) > 1 else None) or 64
            case ["multipath", *rest]:
                self._spreads(rest)
            case ["graceful-restart", "disable"]:
                self.config.graceful_restart = False
            case ["authentication-key", *rest]:
                neighbour.password = reference(" ".join(rest)) or CLEAR_TEXT
            case ["cluster", *_]:
                neighbour.reflected = True
            case [("import" | "export") as way, *names]:
                _policy(neighbour, "in" if way == "import" else "out", names, line)
            case _:
                self._limit(neighbour, words, line)

    def _limit(self, neighbour: Neighbour, words: list[str], line: int) -> None:
        """`maximum N` is a word in the log; with `teardown`, in a line of its own or behind it, the session ends."""
        if words[:1] != ["family"] or words[3:4] != ["prefix-limit"]:
            return
        words = words[4:]
        if words[:1] == ["maximum"] and len(words) > 1:
            neighbour.at["prefix-limit"] = line
            self._most[neighbour.name] = max(self._most.get(neighbour.name, 0), whole(words[1]) or 0)
        if "teardown" in words:
            self._torn.add(neighbour.name)


def _policy(neighbour: Neighbour, way: str, names: list[str], line: int) -> None:
    """One policy is followed; several are a chain, which is not."""
    if len(names) == 1 and way not in neighbour.route_map:
        neighbour.route_map[way] = names[0], line
    else:
        neighbour.opaque.add(way)


_TEXTS = {"peer-as": "remote_as", "local-address": "update_source", "local-as": "local_as"}


_VERDICTS = (["accept"], ["reject"])
