"""RouterOS 7 scripts and exports: `add` and `set` of the menus of BGP, routing filters, routes and the raw firewall.

A line names its menu, or stands below a line that does. An `add` inside of `:if (...) do={ ... }` counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from anycastle.network.addresses import IPNetwork
from anycastle.network.bgp import Software
from anycastle.reader.frr import Clause, Config, Entry, Forwarding, Neighbour, StaticRoute
from anycastle.reader.frr_words import whole
from anycastle.reader.notes import Notes
from anycastle.reader.passwords import reference
from anycastle.records import dataclass

_MENU = re.compile(r"(/[a-z0-9/ -]+?)(?=\s+(?:add|set)\b|\s*$)")
_COMMAND = re.compile(r"(?:^|\s|\{)(?P<menu>/[a-z0-9][a-z0-9/ -]*?)?[\s/]*\b(?P<verb>add|set)\s+(?P<rest>.*)")
_PAIR = re.compile(r'([a-z0-9.-]+)=("(?:[^"\\]|\\.)*"|\S+)')
_NAMED = re.compile(r'\[\s*(?:/[a-z0-9/ -]+\s+)?find (?:where )?(?:default-name|name)="?([^"\]]+?)"?\s*\]')
_TIME = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?\Z")
_CONDITION = re.compile(r"\s*if \((?P<condition>.*?)\)\s*\{(?P<action>.*)\}\s*\Z")
_PART = re.compile(r"dst(?P<length>-len)?\s*(?P<operator>==|>=|<=|>|<|in|=)\s*(?P<value>[0-9A-Fa-f.:/-]+)\Z")


@dataclass(frozen=True, slots=True)
class Item:
    """One `add` or `set`: menu without slashes at its ends, what it is said of, and its parameters."""

    menu: str
    verb: str
    name: str
    values: dict[str, str]
    flags: frozenset[str]
    line: int


def items(text: str) -> Iterator[Item]:
    """Every `add` and `set`, in order. A prefix of names (`input.filter=a .limit=b`) is written out."""
    menu = ""
    for number, line in _lines(text):
        if line.startswith("#"):
            continue
        if line.startswith("/"):
            found = _MENU.match(line)
            menu = found[1] if found else menu
        command = _COMMAND.search(line)
        if command is None:
            continue
        rest = re.sub(r"\s*\}\s*\Z", "", command["rest"]) if "do={" in line else command["rest"]
        named = _NAMED.match(rest)
        yield Item(
            menu="/".join(re.split(r"[\s/]+", (command["menu"] or menu).strip(" /"))),
            verb=command["verb"],
            name=named[1] if named else "",
            values=_values(rest),
            flags=frozenset(_PAIR.sub(" ", rest).split()),
            line=number,
        )


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their continuations, each with the number of its first."""
    held, first = "", 0
    for number, raw in enumerate(text.split("\n"), start=1):
        first = first or number
        if raw.rstrip().endswith("\\"):
            held += raw.rstrip()[:-1].rstrip(" ") + (" " if raw.rstrip()[:-1].endswith(" ") else "")
            continue
        yield first, (held + raw.strip() if held else raw.strip())
        held, first = "", 0


def _values(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    prefix = ""
    for written, value in _PAIR.findall(text):
        key = prefix + written if written.startswith(".") else written
        if "." in written[1:]:
            prefix = written.partition(".")[0]
        found[key] = value[1:-1].replace('\\"', '"') if value.startswith('"') else value
    return found


def parse(text: str, path: str, notes: Notes) -> Config:
    """Read a file; never raises."""
    forwarding = Forwarding()
    config = Config(
        path,
        software=Software.ROUTEROS,
        multipath=1,
        graceful_restart=False,
        policy_required=False,
        forwarding=forwarding,
    )
    reader = _Reader(config, forwarding, notes)
    for item in items(text):
        if item.values.get("disabled") != "yes":
            reader.item(item)
    reader.finish()
    return config


class _Reader:
    """One file while it is read."""

    def __init__(self, config: Config, forwarding: Forwarding, notes: Notes) -> None:
        self.config = config
        self.forwarding = forwarding
        self.notes = notes
        self._templates: dict[str, dict[str, str]] = {}
        self._connections: list[Item] = []

    def item(self, item: Item) -> None:
        values = item.values
        match item.menu.split("/"):
            case ["ip" | "ipv6", "settings"]:
                self._settings(values)
            case ["ip" | "ipv6", "route"] if "blackhole" in item.flags | values.keys():
                self._discard(item)
            case ["routing", "filter", "rule"]:
                self._rule(item)
            case ["routing", "bgp", "instance"]:
                self._number(values, item.line)
            case ["routing", "bgp", "template"]:
                self._number(values, item.line)
                self._templates.setdefault(item.name or values.get("name", ""), {}).update(values)
            case ["routing", "bgp", "connection"] if item.verb == "add" and values.get("vrf", "main") == "main":
                self._connections.append(item)
            case ["ip" | "ipv6", "firewall", "raw"] if values.get("action") == "notrack":
                self._untracked(item)
            case ["system", "identity"]:
                self.config.hostname = values.get("name", "")
            case _:
                return

    def _settings(self, values: dict[str, str]) -> None:
        self.forwarding.quiet = self.forwarding.quiet or values.get("send-redirects") == "no"
        for family, key in ((4, "ipv4-multipath-hash-policy"), (6, "multipath-hash-policy")):
            if values.get(key) == "l4":
                self.forwarding.hashed.add(family)

    def _number(self, values: dict[str, str], line: int) -> None:
        if "as" in values and not self.config.asn:
            self.config.asn, self.config.asn_line = values["as"], line
        self.config.router_id = self.config.router_id or values.get("router-id", "")

    def _network(self, value: str, line: int, what: str) -> IPNetwork | None:
        return self.notes.network(value, self.config.place(line), what)

    def _discard(self, item: Item) -> None:
        prefix = self._network(item.values.get("dst-address", ""), item.line, "the static route")
        if prefix is not None:
            distance = whole(item.values.get("distance", "")) or 1
            self.config.static_routes.append(StaticRoute(prefix, distance, item.line))

    def _untracked(self, item: Item) -> None:
        """Only from one side, and whatever the protocol."""
        values = item.values
        if "in-interface" in values and "dst-address" in values and "protocol" not in values:
            prefix = self._network(values["dst-address"], item.line, "a destination of the firewall")
            if prefix is not None:
                self.forwarding.turning.append((prefix, item.line))

    def _rule(self, item: Item) -> None:
        """A rule of a chain; what none accepts is rejected."""
        chain, rule = item.values.get("chain", ""), item.values.get("rule", "").strip().rstrip(";")
        clauses = self.config.route_maps.setdefault(chain, [])
        found = _CONDITION.match(rule)
        if found is None:
            verdict = rule if rule in ("accept", "reject") else ""
            clauses.append(Clause(verdict != "reject", item.line, others=[] if verdict else [rule]))
            return
        verdict = next((word for word in re.split(r"[\s;]+", found["action"]) if word in ("accept", "reject")), "")
        ranged = self._range(found["condition"], item.line)
        if ranged is None or not verdict:
            clauses.append(Clause(permit=True, line=item.line, others=[rule]))
            return
        listed = f"{chain} line {item.line}"
        self.config.prefix_lists[listed] = [Entry(True, *ranged, item.line)]
        clauses.append(Clause(verdict == "accept", item.line, [(listed, item.line)]))

    def _range(self, condition: str, line: int) -> tuple[IPNetwork, int, int] | None:
        """`dst in P && dst-len == N` and its relatives; None where it asks for more."""
        prefix: IPNetwork | None = None
        exact, low, high = False, None, None
        for part in condition.split("&&"):
            match = _PART.match(part.strip())
            if match is None:
                return None
            if not match["length"]:
                prefix = self._network(match["value"], line, "a routing filter")
                exact = match["operator"] != "in"
                continue
            number = whole(match["value"])
            if number is None:
                return None
            low = {"==": number, "=": number, ">=": number, ">": number + 1}.get(match["operator"], low)
            high = {"==": number, "=": number, "<=": number, "<": number - 1}.get(match["operator"], high)
        if prefix is None:
            return None
        own = prefix.prefixlen
        longest = own if exact else prefix.max_prefixlen
        return prefix, max(own, low or own), min(longest, longest if high is None else high)

    def finish(self) -> None:
        """Connections with what their templates say."""
        for item in self._connections:
            above: dict[str, str] = {}
            for name in item.values.get("templates", "default").split(","):
                above |= self._templates.get(name, {})
            self._connection({**above, **item.values}, item.line)
        for clauses in self.config.route_maps.values():
            clauses.append(Clause(permit=False, line=clauses[-1].line))

    def _connection(self, values: dict[str, str], line: int) -> None:
        self._number(values, line)
        address = values.get("remote.address", "")
        internal = values.get("local.role", "").startswith("ibgp")
        neighbour = Neighbour(
            address.removesuffix("/32").removesuffix("/128"),
            line,
            active=True,
            remote_as=values.get("remote.as", "internal" if internal else "external"),
            update_source=values.get("local.address", ""),
            hold=_seconds(values.get("hold-time", "")),
            keepalive=_seconds(values.get("keepalive-time", "")),
            password=reference(values.get("tcp-md5-key", "")),
            limit=max((whole(values.get(f"input.limit-process-routes-ipv{n}", "")) or 0 for n in (4, 6)), default=0),
        )
        if values.get("multihop") == "yes":
            neighbour.hops = whole(values.get("local.ttl", "")) or 255
        if neighbour.hold is not None and neighbour.keepalive is None:
            neighbour.keepalive = neighbour.hold // 3
        for way, key in (("in", "input.filter"), ("out", "output.filter-chain")):
            if values.get(key):
                neighbour.route_map[way] = values[key], line
        if "/" in neighbour.name:
            neighbour.is_group = True
            self.config.listen.append((neighbour.name, neighbour.name, line))
        if neighbour.name:
            self.config.neighbours.setdefault(neighbour.name, neighbour)


def _seconds(text: str) -> int | None:
    found = _TIME.match(text)
    if not text or found is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds
