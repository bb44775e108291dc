"""The routers' half: from the files of a router to the router, its session ends and acceptances.

A file belongs to a routing daemon because of what it says, not of its name: `router bgp` is FRR's, `protocol bgp`
BIRD's.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from ipaddress import IPv4Address

from anycastle.finding import Place
from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import End, Router, Software
from anycastle.network.model import Unread
from anycastle.network.platforms import PLATFORMS
from anycastle.reader import dialects, firewall, frr, frr_statements, sysctl
from anycastle.reader.files import Tree
from anycastle.reader.neighbours import Neighbourhood, Reading
from anycastle.reader.notes import Notes, as_number
from anycastle.reader.router_addresses import NodeSide, address_of, further, name_interfaces
from anycastle.records import dataclass

_OTHERS = frozenset(("gobgpd.conf", "gobgpd.toml", "config.boot"))
_SUFFIXES = (".conf", ".cfg", ".frr", ".conf.example", ".rsc", ".set", ".commands")
_FRR = re.compile(rb"^[ \t]*router bgp \d", re.MULTILINE)
_BIRD = re.compile(rb"^[ \t]*(?:protocol|template)[ \t]+bgp\b", re.MULTILINE)
_VYOS = re.compile(rb"^set protocols bgp (?:system-as|neighbor|peer-group)\b", re.MULTILINE)
_JUNOS = re.compile(rb"^set (?:protocols bgp group|routing-options autonomous-system)\b", re.MULTILINE)
_ROUTEROS = re.compile(rb"^[ \t]*(?::if .*)?/routing[ /]bgp\b", re.MULTILINE)
_RUNS_FRR = {"opnsense": Software.OPNSENSE, "pfsense": Software.PFSENSE, "unifi": Software.UNIFI}
"""Appliances that load a file of FRR's; the name of the file says which, since nothing in it does."""
_DAEMONS = frozenset(
    (
        *("frr", "bird", "bird6", "bird2", "bgpd", "zebra", "etc", "files", "config", "conf", "routing"),
        *("routeros", "vyos", "ios-xe", "nx-os", "eos", "junos", *(f"frr-{name}" for name in _RUNS_FRR)),
    )
)
"""Names of files and folders that say what runs and not on which machine."""
_LARGEST = 4 * 1024 * 1024


def read(tree: Tree, nodes: NodeSide, notes: Notes) -> Iterator[Reading]:
    """Every router of the tree. Node ends are needed for peers that a router does not name one by one."""
    callers: dict[IPAddress, list[End]] = defaultdict(list)
    for end in nodes.ends:
        callers[end.peer].append(end)
    parsed = [config for path in tree.paths if (config := _parsed(path, tree, notes)) is not None]
    names = _names(parsed)
    for config in parsed:
        name = names[config.path]
        beside = sum(_folder(one.path) == _folder(config.path) for one in parsed)
        files = _Files(tree, config, name, beside, nodes.of(name, names.values()))
        _not_understood(config, notes)
        router = _router(files, nodes, callers, notes)
        if router is not None:
            yield Neighbourhood(config, router, callers, notes).reading()
        else:
            notes.unread(Unread.ROUTERS)


def _parsed(path: str, tree: Tree, notes: Notes) -> frr.Config | None:
    name = posixpath.basename(path)
    if name in _OTHERS:
        notes.add(
            "READ008", Place(path), "Only the configuration of FRR and BIRD is read; this router was not checked."
        )
        notes.unread(Unread.ROUTERS)
    if name in _OTHERS or not name.endswith(_SUFFIXES):
        return None
    data = tree.data(path, notes)
    if data is None or len(data) > _LARGEST:
        return None
    text = data.decode("utf-8-sig", "replace")
    config = _in_its_language(text, data, path, notes)
    if config is None:
        if name in ("bird.conf", "bird6.conf"):
            notes.add("READ008", Place(path), "No BGP protocol stands in this file; what it includes was not checked.")
        return None
    return config if config.asn else None


def _in_its_language(text: str, data: bytes, path: str, notes: Notes) -> frr.Config | None:
    """The file as whatever would load it; None where no BGP stands in it."""
    if _FRR.search(data):
        return _with_router_bgp(text, path, notes)
    if _BIRD.search(data):
        return _bird(text, path, notes)
    for pattern, parse in ((_JUNOS, _junos), (_VYOS, _vyos), (_ROUTEROS, _routeros)):
        if pattern.search(data):
            return parse(text, path, notes)
    return None


def _bird(text: str, path: str, notes: Notes) -> frr.Config:
    from anycastle.reader import bird  # few repositories have one, and fewer one of those below

    return bird.parse_config(text, path, notes)


def _junos(text: str, path: str, notes: Notes) -> frr.Config:
    from anycastle.reader import junos

    return junos.parse(text, path, notes)


def _vyos(text: str, path: str, notes: Notes) -> frr.Config:
    from anycastle.reader import vyos

    return vyos.parse(text, path, notes)


def _routeros(text: str, path: str, notes: Notes) -> frr.Config:
    from anycastle.reader import routeros

    return routeros.parse(text, path, notes)


def _with_router_bgp(text: str, path: str, notes: Notes) -> frr.Config:
    """FRR and those who speak like it."""
    name = posixpath.basename(path)
    software = dialects.software_of(text, name)
    if software is not None:
        return dialects.parse(text, path, software, notes)
    config = frr_statements.parse(text, path, notes)
    config.software = next((found for word, found in _RUNS_FRR.items() if word in name), config.software)
    return config


def _not_understood(config: frr.Config, notes: Notes) -> None:
    if config.unknown:
        text, line = config.unknown[0]
        more = f" (and {len(config.unknown) - 1} more)" if len(config.unknown) > 1 else ""
        notes.add(
            "READ018",
            config.place(line),
            f"`{' '.join(text.split()[:5])[:80]}`{more} is no statement that is known here; what it sets was not "
            "checked.",
            "Look for a misspelt word: the daemon refuses the line, and its default stays.",
        )


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _names(configs: Sequence[frr.Config]) -> dict[str, str]:
    """One name for each file: of its folder or file, unless that is a daemon's, else its host name, else its path."""
    names = {config.path: _name(config) for config in configs}
    twice = {name for name, count in Counter(names.values()).items() if count > 1}
    return {path: path if name in twice else name for path, name in names.items()}


def _name(config: frr.Config) -> str:
    folder, _, file = config.path.rpartition("/")
    stem = re.sub(r"(?:[-_.](?:frr|bird|bgpd))?\.(?:conf|cfg|frr|rsc|set|commands)(?:\.example)?$", "", file)
    candidates = [stem, *reversed(folder.split("/"))]
    found = next((part for part in candidates[:3] if part and part not in _DAEMONS), "")
    return found if found and found not in ("routers", "router-config", "network") else config.hostname or "router"


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of one router.

    `beside` counts the routers in its folder, itself included; `named` are the addresses that nodes know it by.
    """

    tree: Tree
    config: frr.Config
    name: str
    beside: int
    named: frozenset[IPAddress]

    def other(self, *words: str) -> str:
        """A file of this router beside its daemon's whose name has one of the words; empty where there is none."""
        folder = _folder(self.config.path)
        base = f"{folder}/" if folder else ""
        for path in self.tree.paths:
            name = path[len(base) :]
            if not path.startswith(base) or "/" in name or path == self.config.path:
                continue
            if any(word in name for word in words) and (self.beside == 1 or self.name in name):
                return path
        return ""

    def text(self, path: str, notes: Notes) -> str:
        """Its content; empty where there is none."""
        return (self.tree.text(path, notes) or "") if path else ""


def _router(files: _Files, nodes: NodeSide, callers: Mapping[IPAddress, list[End]], notes: Notes) -> Router | None:
    config, name = files.config, files.name
    asn = notes.asn(config.asn, config.place(config.asn_line), "the router's AS number")
    name_interfaces(config, files.named, nodes, asn)
    address = address_of(config, name, nodes, callers, asn)
    if asn is None:
        return None
    if address is None:
        notes.add(
            "READ017",
            config.place(config.asn_line),
            f"The address of {name} towards the nodes is neither in its configuration nor among the peers of the "
            "nodes, so its sessions were not checked.",
            "Write `neighbor GROUP update-source ADDRESS`, or keep the nodes' side beside it.",
        )
        return None
    router_id = (
        notes.address(config.router_id, config.place(config.asn_line), "the router ID") if config.router_id else None
    )
    platform = PLATFORMS[config.software]
    router = Router(
        name=name,
        software=config.software,
        address=address,
        further=further(config, address),
        asn=asn,
        router_id=router_id if isinstance(router_id, IPv4Address) else None,
        multipath=config.multipath,
        multipath_internal=config.multipath if platform.shares else config.multipath_internal,
        multipath_where=config.place(config.multipath_line) if config.multipath_line else config.place(config.asn_line),
        relaxed=config.relaxed or config.software is Software.BIRD,
        links=tuple((prefix, config.place(line)) for prefix, line in config.links),
        graceful_restart=config.graceful_restart,
        expects=_expected(config, asn),
        reaches=tuple(dict.fromkeys(config.ways)),
        discards=tuple(dict.fromkeys(route.prefix for route in config.static_routes)),
        where=config.place(config.asn_line),
    )
    return _with_kernel(router, files, notes)


def _expected(config: frr.Config, asn: int) -> tuple[int, ...]:
    """AS numbers of all neighbours and groups; none where one of them takes any."""
    found = [neighbour.remote_as for neighbour in config.neighbours.values() if neighbour.remote_as]
    if any(value in ("external", "auto") for value in found):
        return ()
    numbers = {asn if value == "internal" else as_number(value) for value in found}
    return tuple(sorted(number for number in numbers if number is not None))


def _with_kernel(router: Router, files: _Files, notes: Notes) -> Router:
    """What the kernel and the firewall do; where no file says it, nothing is held against them."""
    if files.config.forwarding is not None:
        return _with_own(router, files.config.forwarding, notes)
    settings, rules = files.other("sysctl"), files.other("nftables", ".nft")
    kernel = (
        sysctl.parse(files.text(settings, notes)) if settings else sysctl.Kernel(frozenset((4, 6)), redirects=False)
    )
    lacking = [
        what
        for path, what in ((settings, "kernel's settings (sysctl.conf)"), (rules, "firewall (nftables.conf)"))
        if not path
    ]
    if lacking:
        notes.add(
            "READ019",
            router.where,
            f"The {' and the '.join(lacking)} of router {router.name} {'are' if len(lacking) > 1 else 'is'} not beside "
            "this file; how it forwards was not checked.",
        )
    text = files.text(rules, notes)
    return replace(
        router,
        hairpin=firewall.hairpin(text, rules, notes),
        one_way=firewall.one_way(text, rules, notes),
        firewall_where=Place(rules, firewall.forward_line(text)) if rules else router.where,
        hash_ports=all(address.version in kernel.hashed for address in router.addresses),
        redirects=kernel.redirects and any(address.version == 4 for address in router.addresses),
    )


def _with_own(router: Router, forwarding: frr.Forwarding, notes: Notes) -> Router:
    """The same where one file says all about a router; a firewall that it does not speak of holds nothing back."""
    ruled = PLATFORMS[router.software].turns
    turning = tuple(dict.fromkeys(prefix for prefix, _line in forwarding.turning))
    lacking = [*forwarding.lacking, *(["what its firewall holds back"] if ruled and not turning else [])]
    if lacking:
        notes.add(
            "READ019",
            router.where,
            f"It does not stand in the file of router {router.name}: {' and '.join(lacking)}. That was not checked.",
        )
    return replace(
        router,
        hairpin=turning or firewall.EVERYTHING,
        one_way=() if turning else firewall.EVERYTHING,
        firewall_where=Place(router.where.path, forwarding.turning[0][1]) if turning else router.where,
        hash_ports=all(address.version in forwarding.hashed for address in router.addresses),
        redirects=not forwarding.quiet and any(address.version == 4 for address in router.addresses),
    )
