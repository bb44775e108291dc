"""FRR's files against the network: groups, daemons, descriptions, static routes, forwarding."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_address

from anycastle.finding import Place
from anycastle.network.addresses import IPNetwork, PoolUse
from anycastle.network.model import Network
from anycastle.network.prefixes import indexed
from anycastle.network.questions import host
from anycastle.reader import frr, frr_statements
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.notes import Notes

_DESCRIPTION = re.compile(r"^\s*neighbor (\S+) description (\S.*?)\s*$")
_OPTION = re.compile(r"(?<![^\s\"'])-A\s+(\S+?)[\"']?(?=\s|$)")
_LOG = re.compile(r"^log (?:syslog|file \S+|stdout|monitor) (\S+)")
_LEVELS = frozenset(
    ("emergencies", "alerts", "critical", "errors", "warnings", "notifications", "informational", "debugging")
)
_LENGTHS = re.compile(
    r"^ipv?6? prefix-list \S+ (?:seq \d+ )?(?:permit|deny) ([0-9a-fA-F.:]+)/(\d+)(?: ge (\d+))?(?: le (\d+))?\s*$"
)
_NEVER = 255
_MUCH_WIDER = 8
"""Bits: a route that drops all private ranges is meant as that."""


def check(subject: Subject, notes: Notes) -> None:
    """Every router's folder."""
    for path in subject.tree.paths:
        folder, _, name = path.rpartition("/")
        if name == "frr.conf" and (text := subject.tree.text(path, notes)) is not None:
            config = frr_statements.parse(text, path, Notes())
            _neighbours(config, notes)
            _refused(text, path, notes)
            _descriptions(text, path, subject.network, notes)
            _drops(config, subject.network, notes)
            _let_in(config, subject.network, notes)
            _daemons(config, subject.tree.text(f"{folder}/daemons", notes), f"{folder}/daemons", notes) if (
                subject.tree.has_file(f"{folder}/daemons")
            ) else None


def _neighbours(config: frr.Config, notes: Notes) -> None:
    groups = {one.name for one in config.neighbours.values() if one.is_group}
    for one in config.neighbours.values():
        if "interface" in one.at:  # its address is found out over the link
            continue
        what = ""
        if one.group and one.group not in groups:
            what = f"The peer group {one.group} of {one.name} is not defined"
        elif not one.is_group and not _is_address(one.name) and not one.remote_as and not one.group:
            what = f"{one.name} is no address and no defined peer group"
        elif not one.is_group and not one.remote_as and not one.group:
            what = f"{one.name} has no remote-as and no peer group"
        elif one.group and not one.remote_as and not config.neighbours[one.group].remote_as:
            what = f"Neither {one.name} nor its peer group {one.group} has a remote-as"
        if what:
            notes.add(
                "FRR007",
                config.place(one.line),
                f"{what}: FRR refuses the statement, and there is no such session.",
                "Correct the name, or define the group above with `neighbor NAME peer-group` and remote-as.",
            )


def _is_address(name: str) -> bool:
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


def _refused(text: str, path: str, notes: Notes) -> None:
    """Words and lengths that FRR does not take."""
    for number, line in enumerate(text.splitlines(), start=1):
        level = _LOG.match(line)
        if level and level[1] not in _LEVELS:
            notes.add("FRR012", Place(path, number), f"FRR has no log level {level[1]}.", "Write informational.")
        entry = _LENGTHS.match(line)
        if entry:
            longest = 128 if ":" in entry[1] else 32
            bounds = [int(entry[2]), *(int(entry[at]) for at in (3, 4) if entry[at]), longest]
            if bounds != sorted(bounds):
                notes.add(
                    "FRR012",
                    Place(path, number),
                    f"The lengths of {entry[1]}/{entry[2]} do not grow up to {longest}; FRR refuses the entry.",
                    f"Write `ge` and `le` from {entry[2]} to {longest}.",
                )


def _descriptions(text: str, path: str, network: Network, notes: Notes) -> None:
    """Where neighbours are described by the names of nodes, each has its own."""
    nodes = {str(address): node.name for node in network.nodes for address in node.addresses}
    names = set(nodes.values())
    said = [
        (match[1], match[2], Place(path, number))
        for number, line in enumerate(text.splitlines(), start=1)
        if (match := _DESCRIPTION.match(line)) and match[1] in nodes
    ]
    right = sum(what == nodes[address] for address, what, _place in said)
    for address, what, place in said:
        custom = right * 2 >= len(said)
        if what != nodes[address] and (what in names or (custom and nodes[address] not in what)):
            notes.add(
                "FRR010",
                place,
                f"{address} is {nodes[address]} and is described as {what}.",
                f"Write `neighbor {address} description {nodes[address]}`.",
            )


def _announced(network: Network) -> Iterator[IPNetwork]:
    if network.api is not None:
        yield from (host(vip) for vip in network.api.vips)
    yield from (pool.cidr for pool in network.pools if pool.use is PoolUse.LOAD_BALANCER)
    yield from (item.prefix for item in network.announcements)


def _drops(config: frr.Config, network: Network, notes: Notes) -> None:
    announced = set(_announced(network))
    index = indexed(announced)
    for route in config.static_routes:
        if route.distance >= _NEVER:
            notes.add(
                "FRR011",
                config.place(route.line),
                f"FRR never installs a route with distance {route.distance}, so nothing drops {route.prefix}.",
                f"Write `ip route {route.prefix} blackhole 254`.",
            )
        for prefix in () if route.prefix in announced else sorted(index.touching(route.prefix), key=str):
            if prefix.prefixlen - route.prefix.prefixlen < _MUCH_WIDER:
                notes.add(
                    "FRR011",
                    config.place(route.line),
                    f"The route drops {route.prefix}, while {prefix} is announced.",
                    f"Write `ip route {prefix} blackhole 254`.",
                )


def _let_in(config: frr.Config, network: Network, notes: Notes) -> None:
    """Incoming policies that refuse what they are there for."""
    announced, lists = set(_announced(network)), dict[str, int]()
    for one in config.neighbours.values():
        if "in" in one.prefix_list:
            lists.setdefault(*one.prefix_list["in"])
        clauses = config.route_maps.get(one.route_map["in"][0], []) if "in" in one.route_map else []
        if clauses and not any(clause.permit for clause in clauses):
            notes.add(
                "FRR013",
                config.place(clauses[0].line),
                f"The route-map {one.route_map['in'][0]} permits nothing, so {one.name} gets no route through.",
                "Write `permit` in the clause that matches what nodes announce.",
            )
        lists |= {name: line for clause in clauses if clause.permit for name, line in clause.prefix_lists}
    for name in lists:
        for entry in config.prefix_lists.get(name, ()):
            if not entry.permit and entry.prefix in announced:
                notes.add(
                    "FRR013",
                    config.place(entry.line),
                    f"The prefix-list {name} denies {entry.prefix}, which nodes announce.",
                    "Write `permit`.",
                )


def _daemons(config: frr.Config, text: str | None, path: str, notes: Notes) -> None:
    needed = {"zebra": "no route reaches the kernel", "bgpd": "there is no BGP session"}
    if config.static_routes:
        needed["staticd"] = "the static routes are missing"
    needed["vtysh_enable"] = "frr.conf is not read"
    for number, raw in enumerate((text or "").splitlines(), start=1):
        key, separator, value = raw.strip().partition("=")
        if not separator or key.startswith("#"):
            continue
        if key in needed and value.strip("\"'") != "yes":
            notes.add("FRR008", Place(path, number), f"{key} is {value}: {needed[key]}.", f"Write {key}=yes.")
        for address in _OPTION.findall(value):
            if _is_address(address) and not ip_address(address).is_loopback:
                notes.add("FRR009", Place(path, number), f"The terminal listens on {address}.", "Write -A 127.0.0.1.")
