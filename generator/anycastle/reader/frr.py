"""The configuration of a router's daemon as data: the statements that matter to sessions, filters and static routes.

FRR's words; what BIRD says is put into the same form (`reader.bird`).
"""

from __future__ import annotations

from dataclasses import field

from anycastle.finding import Place
from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.network.bgp import Software
from anycastle.records import dataclass


@dataclass(slots=True)
class Neighbour:
    """Statements about a neighbour or a peer group; None and empty where nothing is said.

    `opaque` are the directions (`in`, `out`) that a filter governs which is not followed. `limit` is the number of
    prefixes above which the session is closed. `passive` = it is never dialled, `unchecked` = its next hops need not be
    on the link. `at` has the line of each kind of statement by its first word.
    """

    name: str
    line: int
    is_group: bool = False
    group: str = ""
    remote_as: str = ""
    update_source: str = ""
    keepalive: int | None = None
    hold: int | None = None
    hops: int | None = None
    ttl_security: bool = False
    password: str = ""
    shutdown: bool = False
    active: bool | None = None
    ethernet: bool = False
    local_as: str = ""
    reflected: bool = False
    next_hop_self: bool = False
    limit: int | None = None
    passive: bool = False
    unchecked: bool = False
    at: dict[str, int] = field(default_factory=dict)
    opaque: set[str] = field(default_factory=set)
    route_map: dict[str, tuple[str, int]] = field(default_factory=dict)
    prefix_list: dict[str, tuple[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a prefix list: prefixes inside `prefix` with a length in shortest..longest."""

    permit: bool
    prefix: IPNetwork
    shortest: int
    longest: int
    line: int


@dataclass(slots=True)
class Clause:
    """A clause of a route map; without a match it takes everything."""

    permit: bool
    line: int
    prefix_lists: list[tuple[str, int]] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class StaticRoute:
    """`ip route`, as far as it drops packets."""

    prefix: IPNetwork
    distance: int
    line: int


BY_HARDWARE = "the fields by which its hardware tells flows apart"


@dataclass(slots=True)
class Forwarding:
    """How a router forwards, where its one file says it.

    `turning` are destinations that pass untracked, each with its line; `hashed` the families whose flows are told apart
    by port; `quiet` = no ICMP redirects. `lacking` is what such a file cannot say, in words.
    """

    turning: list[tuple[IPNetwork, int]] = field(default_factory=list)
    hashed: set[int] = field(default_factory=set)
    quiet: bool = False
    lacking: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Config:
    """A whole file. `unknown` are statements that were not understood, `interfaces` addresses by interface.

    `multipath` counts for eBGP and `multipath_internal` for iBGP, 0 where nothing is said. `relaxed` = paths of
    different AS numbers are equal. `release` is the major one of FRR, 0 where the file does not say. `link_checked` =
    next hops of eBGP have to be on the link, unless the neighbour is said to be several hops away. `links` are the
    networks of interfaces with their lines, `ways` static routes by way of an address. `forwarding` is None where other
    files say it.
    """

    path: str
    software: Software = Software.FRR
    hostname: str = ""
    release: int = 0
    unknown: list[tuple[str, int]] = field(default_factory=list)
    interfaces: dict[str, str] = field(default_factory=dict)
    asn: str = ""
    asn_line: int = 0
    router_id: str = ""
    multipath: int = 0
    multipath_internal: int = 0
    multipath_line: int = 0
    relaxed: bool = False
    graceful_restart: bool = True
    policy_required: bool = True
    link_checked: bool = True
    active_by_default: bool = True
    timers: tuple[int, int] = (0, 0)
    timers_line: int = 0
    addresses: list[str] = field(default_factory=list)
    links: list[tuple[IPNetwork, int]] = field(default_factory=list)
    neighbours: dict[str, Neighbour] = field(default_factory=dict)
    listen: list[tuple[str, str, int]] = field(default_factory=list)
    prefix_lists: dict[str, list[Entry]] = field(default_factory=dict)
    route_maps: dict[str, list[Clause]] = field(default_factory=dict)
    static_routes: list[StaticRoute] = field(default_factory=list)
    ways: list[tuple[IPNetwork, IPAddress]] = field(default_factory=list)
    forwarding: Forwarding | None = None

    def place(self, line: int) -> Place:
        """A line of the file."""
        return Place(self.path, line)
