"""The language of `frr.conf`: one statement a line, blocks that are entered and left, comments as whole lines.

Blocks are entered by `router bgp`, `address-family` and `route-map`, and left by `exit` or the next block.
Statements about sessions and filters that are not known here are counted; what FRR itself would refuse is a finding.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import ip_address, ip_interface, ip_network

from anycastle.finding import Place
from anycastle.network.addresses import IPNetwork
from anycastle.reader import frr_ranges, frr_words
from anycastle.reader.frr import Clause, Config, Entry, Neighbour, StaticRoute
from anycastle.reader.frr_words import whole
from anycastle.reader.notes import Notes
from anycastle.reader.passwords import CLEAR_TEXT, reference

_FREE_TEXT = re.compile(r"(?:^|\s)(?:description|password|banner|hostname|log\s+file)(?:\s|$)")
_TRAILING = re.compile(r"\S\s+(?:![^=]|#)")
_DISCARDS = frozenset(("blackhole", "Null0", "null0", "reject"))
_TOP = frozenset(("router", "route-map", "interface", "ip", "ipv6", "line", "vrf", "bfd", "key", "access-list", "end"))


def parse(text: str, path: str, notes: Notes) -> Config:
    """Read a file."""
    config = Config(path)
    reader = Reader(config, notes)
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if not line or line.startswith(("!", "#")):
            continue
        if _TRAILING.search(line) and not _FREE_TEXT.search(line):
            notes.add(
                "FRR001",
                Place(path, number),
                "FRR knows no comment behind a statement and refuses this line; the session it configures is not as "
                "it reads.",
                "Put the comment on a line of its own, beginning with `!`.",
            )
            continue
        reader.statement(line.split(), number)
    return config


class Reader:
    """Keeps the block that a statement belongs to."""

    def __init__(self, config: Config, notes: Notes) -> None:
        self.config = config
        self.notes = notes
        self._block: Callable[[list[str], int], None] = self._passed_over
        self._clause: Clause | None = None
        self._interface = ""

    def statement(self, words: list[str], line: int) -> None:
        """Take in one line."""
        if wrong := frr_ranges.beyond(words):
            self._refused(line, *wrong)
        first = words[0]
        if first in ("exit", "end") and self._block is not self._family:
            self._block = self._passed_over
        elif first == "exit-address-family" or (first == "exit" and self._block is self._family):
            self._block = self._bgp
        elif first == "address-family":
            self._block = self._family if "l2vpn" not in words else self._ethernet
        elif first in _TOP and self._enter(words, line):
            return
        elif first == "hostname" and len(words) > 1:
            self.config.hostname = words[1]
        elif words[:2] == ["frr", "version"] and len(words) > 2:
            self.config.release = whole(words[2].partition(".")[0]) or 0
        else:
            self._block(words, line)

    def _refused(self, line: int, number: str, least: int, most: int) -> None:
        self.notes.add(
            "FRR001",
            Place(self.config.path, line),
            f"FRR refuses the line and what it configures: in place of {number[:20]} it takes {least} to {most}.",
            "Write a number of that range.",
        )

    def _passed_over(self, _words: list[str], _line: int) -> None:
        return

    def _enter(self, words: list[str], line: int) -> bool:
        """Open a block, or take a statement that stands outside of blocks."""
        config = self.config
        if words[:2] == ["router", "bgp"] and len(words) > 2:
            if not config.asn:
                config.asn, config.asn_line = words[2], line
            self._block = self._bgp if "vrf" not in words else self._passed_over
        elif words[0] == "route-map" and len(words) > 2:
            self._clause = Clause(words[2] == "permit", line)
            config.route_maps.setdefault(words[1], []).append(self._clause)
            self._block = self._route_map
        elif words[0] in ("ip", "ipv6") and len(words) > 2 and words[1] in ("prefix-list", "route", "address"):
            self._ip(words, line)
        elif words[0] in ("router", "interface", "vrf", "line", "bfd", "key"):
            self._interface = words[1] if words[0] == "interface" and len(words) > 1 else ""
            self._block = self._passed_over
        else:
            return False
        return True

    def _ip(self, words: list[str], line: int) -> None:
        if words[1] == "address":
            self.config.addresses.append(words[2].partition("/")[0])
            self._link(words[2], line)
            self.config.interfaces.setdefault(self._interface, self.config.addresses[-1])
        elif words[1] == "route":
            self._static(words[2:], line)
        else:
            self._prefix_list(words[2:], line)

    def _link(self, address: str, line: int) -> None:
        try:
            network = ip_interface(address).network
        except ValueError:
            return
        if "/" in address and network.num_addresses > 1 and not network.is_loopback:
            self.config.links.append((network, line))

    def _static(self, words: list[str], line: int) -> None:
        if not _DISCARDS & set(words[1:]):
            self._way(words)
            return
        prefix = self.notes.network(words[0], self.config.place(line), "the static route")
        distance = next((number for word in words[2:] if (number := whole(word)) is not None), 1)
        if prefix is not None:
            self.config.static_routes.append(StaticRoute(prefix, distance, line))

    def _way(self, words: list[str]) -> None:
        """A route by way of an address; one by way of an interface alone leads to nobody that is known here."""
        try:
            self.config.ways.append((ip_network(words[0]), ip_address(words[1])))
        except (ValueError, IndexError):
            return

    def _prefix_list(self, words: list[str], line: int) -> None:
        name, rest = words[0], words[1:]
        entries = self.config.prefix_lists.setdefault(name, [])
        if rest[:1] == ["seq"]:
            rest = rest[2:]
        if len(rest) < 2 or rest[0] not in ("permit", "deny"):
            return
        place = self.config.place(line)
        everything = ["0.0.0.0/0", "le", "32"]
        words = everything if rest[1] == "any" else rest[1:]
        prefix = self.notes.network(words[0], place, f"prefix-list {name}")
        if prefix is None:
            return
        bounds = dict(zip(words[1::2], words[2::2], strict=False))
        shortest, longest = _lengths(prefix, bounds)
        entries.append(Entry(rest[0] == "permit", prefix, shortest, longest, line))

    def _route_map(self, words: list[str], line: int) -> None:
        if words[0] not in frr_words.ROUTE_MAP:
            self.config.unknown.append((" ".join(words), line))
        if self._clause is None or words[0] not in ("match", "call", "on-match", "continue"):
            return
        if words[1:4] in (["ip", "address", "prefix-list"], ["ipv6", "address", "prefix-list"]) and len(words) > 4:
            self._clause.prefix_lists.append((words[4], line))
        else:
            self._clause.others.append(" ".join(words[:4]))

    def _bgp(self, words: list[str], line: int) -> None:
        config = self.config
        match words:
            case ["bgp", "router-id", value, *_]:
                config.router_id = value
            case ["bgp", "listen", "range", prefix, "peer-group", group, *_]:
                config.listen.append((prefix, group, line))
            case ["timers", "bgp", keepalive, hold, *_] if whole(keepalive) is not None and whole(hold) is not None:
                config.timers = whole(keepalive) or 0, whole(hold) or 0
                config.timers_line = line
            case ["neighbor", name, *rest] if rest:
                self._neighbour(name, rest, line)
            case ["maximum-paths", *_]:
                self._family(words, line)
            case _ if not _switched(config, words) and not frr_words.known(words):
                config.unknown.append((" ".join(words), line))
            case _:
                return

    def _family(self, words: list[str], line: int) -> None:
        match words:
            case ["maximum-paths", "ibgp", count, *_] if whole(count) is not None:
                self.config.multipath_internal = whole(count) or 0
                self.config.multipath_line = line
            case ["maximum-paths", count, *_] if whole(count) is not None:
                self.config.multipath = whole(count) or 0
                self.config.multipath_line = self.config.multipath_line or line
            case ["neighbor", name, *rest] if rest:
                self._neighbour(name, rest, line)
            case ["no", "neighbor", name, "activate"]:
                self._of(name, line).active = False
            case _ if not frr_words.known(words):
                self.config.unknown.append((" ".join(words), line))
            case _:
                return

    def _ethernet(self, words: list[str], line: int) -> None:
        """EVPN, of which nothing counts here but that there is a session."""
        if words[:1] == ["neighbor"] and words[2:3] == ["activate"]:
            self._of(words[1], line).ethernet = True

    def _of(self, name: str, line: int) -> Neighbour:
        return self.config.neighbours.setdefault(name, Neighbour(name, line))

    def _neighbour(self, name: str, words: list[str], line: int) -> None:
        neighbour = self._of(name, line)
        neighbour.at.setdefault(words[0], line)
        match words:
            case ["peer-group"]:
                neighbour.is_group = True
            case ["peer-group", group, *_]:
                neighbour.group = group
            case ["remote-as", value, *_]:
                neighbour.remote_as = value
            case ["update-source", value, *_]:
                neighbour.update_source = value
            case ["timers", keepalive, hold, *_] if whole(keepalive) is not None and whole(hold) is not None:
                neighbour.keepalive, neighbour.hold = whole(keepalive), whole(hold)
            case ["route-map" | "prefix-list" | "distribute-list" | "filter-list", _, "in" | "out", *_]:
                _filtered(neighbour, words, line)
            case ["interface", *_]:  # a session whose addresses are found out over the link
                self.config.unknown.append((f"neighbor {name} {' '.join(words)}", line))
            case ["graceful-restart-disable"] if neighbour.is_group:
                self._without_effect(name, line)
            case [word, *_] if word not in frr_words.NEIGHBOUR:
                self.config.unknown.append((f"neighbor {name} {' '.join(words)}", line))
            case _:
                _flag(neighbour, words)

    def _without_effect(self, name: str, line: int) -> None:
        self.notes.add(
            "FRR004",
            self.config.place(line),
            f"On the peer group {name} this has no effect: routes of a dead speaker stay for its restart time.",
            "Write `bgp graceful-restart-disable` under `router bgp`.",
        )


def _switched(config: Config, words: list[str]) -> bool:
    """What `router bgp` has two states of."""
    match words:
        case ["bgp", "graceful-restart-disable"]:
            config.graceful_restart = False
        case ["bgp", "disable-ebgp-connected-route-check"]:
            config.link_checked = False
        case ["bgp", "bestpath", "as-path", "multipath-relax", *_]:
            config.relaxed = True
        case ["no", "bgp", "ebgp-requires-policy"]:
            config.policy_required = False
        case ["no", "bgp", "default", "ipv4-unicast"]:
            config.active_by_default = False
        case _:
            return False
    return True


def _filtered(neighbour: Neighbour, words: list[str], line: int) -> None:
    kind, name, way = words[:3]
    if kind == "route-map":
        neighbour.route_map[way] = name, line
    elif kind == "prefix-list":
        neighbour.prefix_list[way] = name, line
    else:
        neighbour.opaque.add(way)


_SWITCHES = {
    "activate": "active",
    "disable-connected-check": "unchecked",
    "next-hop-self": "next_hop_self",
    "passive": "passive",
    "route-reflector-client": "reflected",
    "shutdown": "shutdown",
    "ttl-security": "ttl_security",
}


def _flag(neighbour: Neighbour, words: list[str]) -> None:
    match words:
        case ["local-as", value, *_]:
            neighbour.local_as = value
        case ["ebgp-multihop", *rest]:
            neighbour.hops = (whole(rest[0]) if rest else None) or 255
        case ["maximum-prefix", number, *rest] if "warning-only" not in rest:
            neighbour.limit = max(neighbour.limit or 0, whole(number) or 0)
        case ["password", *rest]:
            neighbour.password = reference(" ".join(rest)) or CLEAR_TEXT
        case [word, *_] if word in _SWITCHES:
            setattr(neighbour, _SWITCHES[word], True)
        case _:
            return


def _lengths(prefix: IPNetwork, bounds: dict[str, str]) -> tuple[int, int]:
    """`ge x` opens the range to the longest length, `le y` from the prefix's own; neither means exactly it."""
    low, high = whole(bounds.get("ge", "")), whole(bounds.get("le", ""))
    low = prefix.prefixlen if low is None else low
    if high is not None:
        return low, high
    return low, prefix.max_prefixlen if "ge" in bounds else prefix.prefixlen
