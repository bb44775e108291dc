"""VyOS 1.4 and 1.5 as `set` commands, put into the form of `reader.frr`, which is what runs inside."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from anycastle.network.addresses import IPNetwork
from anycastle.network.bgp import Software
from anycastle.reader.frr import Clause, Config, Entry, Forwarding, Neighbour, StaticRoute
from anycastle.reader.frr_words import whole
from anycastle.reader.notes import Notes
from anycastle.reader.passwords import CLEAR_TEXT, reference

_WAYS = {"import": "in", "export": "out"}
_TEXTS = {
    "peer-group": "group",
    "remote-as": "remote_as",
    "update-source": "update_source",
    "local-as": "local_as",
}
_NUMBERS = {"holdtime": "hold", "keepalive": "keepalive", "ebgp-multihop": "hops"}


def parse(text: str, path: str, notes: Notes) -> Config:
    """Read a file; never raises."""
    reader = _Reader(path, notes)
    for words, number in statements(text):
        reader.statement(words, number)
    reader.finish()
    return reader.config


def statements(text: str) -> Iterator[tuple[list[str], int]]:
    """What a file of `set` commands sets, each with its line; Junos writes them the same way."""
    for number, raw in enumerate(text.split("\n"), start=1):
        words = words_of(raw)
        if words[:1] == ["set"]:
            yield words[1:], number


def words_of(line: str) -> list[str]:
    """The words of a command; quotes hold blanks together, and one that does not close ends with its line."""
    try:
        return shlex.split(line, comments=line.lstrip().startswith("#"))
    except ValueError:
        return line.replace("'", " ").replace('"', " ").split()


class _Reader:
    """One file while it is read: rules have a number, and count in the order of those."""

    def __init__(self, path: str, notes: Notes) -> None:
        self.forwarding = Forwarding()
        self.config = Config(path, software=Software.VYOS, policy_required=False, forwarding=self.forwarding)
        self.notes = notes
        self._rules: dict[tuple[str, str], dict[int, dict[str, tuple[str, int]]]] = {}
        self._ignored: dict[tuple[str, str], dict[str, tuple[str, int]]] = {}
        self._kept: list[bool] = []

    def statement(self, words: list[str], line: int) -> None:
        match words:
            case ["protocols", "bgp", *rest]:
                self._bgp(rest, line)
            case ["protocols", "static", "route" | "route6", prefix, "blackhole" | "reject", *rest]:
                self._static(prefix, rest, line)
            case ["policy", ("prefix-list" | "prefix-list6" | "route-map") as kind, name, "rule", number, *rest]:
                rule = self._rules.setdefault((kind.removesuffix("6"), name), {}).setdefault(whole(number) or 0, {})
                rule[" ".join(rest[:-1])] = rest[-1] if rest else "", line
            case ["system", ("ip" | "ipv6") as family, "multipath", "layer4-hashing"]:
                self.forwarding.hashed.add(6 if family == "ipv6" else 4)
            case ["firewall", "global-options", "send-redirects", value]:
                self.forwarding.quiet = value == "disable"
            case ["system", "conntrack", "ignore", family, "rule", number, *rest] if rest:
                self._ignored.setdefault((family, number), {})[" ".join(rest[:-1])] = rest[-1], line
            case ["system", "host-name", name]:
                self.config.hostname = name
            case _:
                return

    def finish(self) -> None:
        """Rules in their order; what is untracked when it comes from the side of the nodes."""
        for (kind, name), numbered in self._rules.items():
            for _number, rule in sorted(numbered.items()):
                (self._entry if kind == "prefix-list" else self._clause)(name, rule)
        for rule in self._ignored.values():
            if "inbound-interface" in rule and "destination address" in rule and not rule.keys() & {"protocol"}:
                value, line = rule["destination address"]
                prefix = self._network(value, line, "conntrack ignore")
                if prefix is not None:
                    self.forwarding.turning.append((prefix, line))
        self.config.graceful_restart = not self._kept or any(self._kept)

    def _network(self, value: str, line: int, what: str) -> IPNetwork | None:
        return self.notes.network(value, self.config.place(line), what)

    def _static(self, prefix: str, rest: Sequence[str], line: int) -> None:
        network = self._network(prefix, line, "the static route")
        distance = whole(rest[-1]) if rest[:1] == ["distance"] else None
        if network is not None:
            self.config.static_routes = [
                *(route for route in self.config.static_routes if route.prefix != network),
                StaticRoute(network, distance or 1, line),
            ]

    def _entry(self, name: str, rule: dict[str, tuple[str, int]]) -> None:
        entries = self.config.prefix_lists.setdefault(name, [])
        value, line = rule.get("prefix", ("", 0))
        prefix = self._network(value, line, f"prefix-list {name}") if value else None
        if prefix is None or "action" not in rule:
            return
        low, high = (whole(rule[key][0]) if key in rule else None for key in ("ge", "le"))
        longest = high if high is not None else prefix.max_prefixlen if low is not None else prefix.prefixlen
        shortest = prefix.prefixlen if low is None else low
        entries.append(Entry(rule["action"][0] == "permit", prefix, shortest, longest, line))

    def _clause(self, name: str, rule: dict[str, tuple[str, int]]) -> None:
        action, line = rule.get("action", ("deny", 0))
        clause = Clause(action == "permit", line)
        for key, (value, at) in rule.items():
            if key in ("match ip address prefix-list", "match ipv6 address prefix-list"):
                clause.prefix_lists.append((value, at))
            elif key.startswith(("match", "call", "continue", "on-match")):
                clause.others.append(f"{key} {value}")
        self.config.route_maps.setdefault(name, []).append(clause)

    def _bgp(self, words: list[str], line: int) -> None:
        config = self.config
        match words:
            case ["system-as", value]:
                config.asn, config.asn_line = value, line
            case ["parameters", "router-id", value]:
                config.router_id = value
            case ["parameters", "ebgp-requires-policy"]:
                config.policy_required = True
            case ["parameters", "bestpath", "as-path", "multipath-relax"]:
                config.relaxed = True
            case ["address-family", _, "maximum-paths", "ebgp", count]:
                config.multipath, config.multipath_line = whole(count) or 0, line
            case ["address-family", _, "maximum-paths", "ibgp", count]:
                config.multipath_internal = whole(count) or 0
            case ["listen", "range", prefix, "peer-group", group]:
                config.listen.append((prefix, group, line))
            case [("neighbor" | "peer-group") as kind, name, *rest]:
                neighbour = config.neighbours.setdefault(name, Neighbour(name, line, active=True))
                neighbour.is_group = kind == "peer-group"
                self._neighbour(neighbour, rest, line)
            case _:
                return

    def _neighbour(self, neighbour: Neighbour, words: list[str], line: int) -> None:
        neighbour.at.setdefault(words[0] if words else "", line)
        match words:
            case [("peer-group" | "remote-as" | "update-source" | "local-as") as key, value, *_]:
                setattr(neighbour, _TEXTS[key], value)
            case ["timers", ("holdtime" | "keepalive") as key, value] | ["ebgp-multihop" as key, value]:
                setattr(neighbour, _NUMBERS[key], whole(value))
            case ["password", *rest]:
                neighbour.password = reference(" ".join(rest)) or CLEAR_TEXT
            case [("shutdown" | "ttl-security") as key, *_]:
                setattr(neighbour, key.replace("-", "_"), True)
            case ["graceful-restart", value] if not neighbour.is_group:  # no effect on a group
                self._kept.append(value != "disable")
            case ["address-family", _family, *rest]:
                _of_family(neighbour, rest, line)
            case _:
                return


def _of_family(neighbour: Neighbour, words: list[str], line: int) -> None:
    match words:
        case ["route-map", ("import" | "export") as way, name]:
            neighbour.route_map[_WAYS[way]] = name, line
        case ["prefix-list", ("import" | "export") as way, name]:
            neighbour.prefix_list[_WAYS[way]] = name, line
        case ["distribute-list" | "filter-list", ("import" | "export") as way, *_]:
            neighbour.opaque.add(_WAYS[way])
        case ["route-reflector-client"]:
            neighbour.reflected = True
        case ["maximum-prefix", number]:
            neighbour.limit = max(neighbour.limit or 0, whole(number) or 0)
            neighbour.at.setdefault("maximum-prefix", line)
        case ["nexthop-self", *_]:
            neighbour.next_hop_self = True
        case _:
            return
