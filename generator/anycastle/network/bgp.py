"""BGP: who speaks, with whom, and what is announced, let through and let in.

The primitive is the *end*: one side's configuration of a session, as it stands in that side's files. Whether two ends
make a session is a question (`questions.sessions`), since in a repository they are written in different places and may
disagree.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from ipaddress import IPv4Address

from anycastle.finding import NOWHERE, Place
from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.records import dataclass


class Software(StrEnum):
    """The BGP speaker that holds an end."""

    KUBE_VIP = "kube-vip"
    CALICO = "calico"
    FRR = "frr"
    BIRD = "bird"
    ROUTEROS = "routeros"
    VYOS = "vyos"
    OPNSENSE = "opnsense"
    PFSENSE = "pfsense"
    UNIFI = "unifi"
    IOS_XE = "ios-xe"
    NX_OS = "nx-os"
    EOS = "eos"
    JUNOS = "junos"
    OTHER = "another speaker"  # on a node, and configured by somebody else


class Condition(StrEnum):
    """When an announcement stands."""

    ALWAYS = "always"
    API_HEALTHY = "api-healthy"  # kube-vip's health check of the local API server
    ENDPOINT = "endpoint"  # Calico: a Service has an endpoint (for Local: on that node)
    UNTOLD = "untold"  # the speaker is configured elsewhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Router:
    """A router beside the cluster.

    `address` is the one towards the nodes, the IPv4 one where it has several with sessions, and `further` are the
    others. `multipath` is the number of next hops it may use at once, 0 where its configuration does not say;
    `multipath_internal` is the same for iBGP, and `relaxed` = it also spreads over paths through different AS numbers.
    `discards` are prefixes that it drops where nothing longer is known. `hairpin` are the destinations that
    its firewall lets turn around inside the node subnet before connection tracking can call them invalid; `one_way` are
    those to and from which it lets packets of connections pass of which it sees one direction only. `expects` are
    the AS numbers of its neighbours, those included that dial from a range; empty where it takes any.
    `links` are the networks of its interfaces. `reaches` are its static routes by way of another machine: prefix and
    next hop, as far as the file of its daemon has them.
    """

    name: str
    software: Software
    address: IPAddress
    asn: int
    further: tuple[IPAddress, ...] = ()
    router_id: IPv4Address | None = None
    multipath: int = 0
    multipath_internal: int = 0
    relaxed: bool = False
    graceful_restart: bool = False
    discards: tuple[IPNetwork, ...] = ()
    hairpin: tuple[IPNetwork, ...] = ()
    one_way: tuple[IPNetwork, ...] = ()
    hash_ports: bool = False
    redirects: bool = True
    reaches: tuple[tuple[IPNetwork, IPAddress], ...] = ()
    where: Place = field(default=NOWHERE, compare=False)
    firewall_where: Place = field(default=NOWHERE, compare=False)
    expects: tuple[int, ...] = field(default=(), compare=False)
    multipath_where: Place = field(default=NOWHERE, compare=False)
    links: tuple[tuple[IPNetwork, Place], ...] = field(default=(), compare=False)

    @property
    def addresses(self) -> tuple[IPAddress, ...]:
        """All addresses under which nodes know it."""
        return (self.address, *self.further)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """A BGP daemon on a host (a node or a router); `address` is the lowest source address, IPv4 before IPv6."""

    host: str
    software: Software
    address: IPAddress
    asn: int
    router_id: IPv4Address | None = None
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """One side's configuration of a session.

    `hops` is the TTL of its packets: 1 = the peer must be on the link, 255 = anywhere. `hold` and `keepalive`
    are seconds, 0 = the software's default. `restart` is the graceful-restart time in seconds that this side asks
    for, 0 = none. `silent` = its out-filter sends nothing. `password` names the secret, never holds it.
    `gateway` is the way to a peer that is not on the link, where the speaker itself puts a route there (reachableBy).
    `number_where` is the place of `peer_asn`, `own_number_where` that of `asn` and `timers_where` that of the timers,
    where they have one of their own. `keeps_next_hop` = routes of others go out with the next hop they came with.
    `reflected` and `next_hop_self` are a router's words for a neighbour of its own AS. `any_source` = the kernel
    chooses the source address, and `address` is the one that the other end expects. `limit` is the number of prefixes
    above which a router closes the session, 0 = none. `forgetful` = a second connection of the peer may make the
    router look for it on the link, several hops or not. `called` is what the owner of the
    site calls a speaker that is configured elsewhere.
    """

    host: str
    software: Software
    address: IPAddress
    asn: int
    peer: IPAddress
    peer_asn: int
    hops: int = 1
    hold: int = 0
    keepalive: int = 0
    restart: int = 0
    silent: bool = False
    password: str = ""
    filters: tuple[str, ...] = ()
    gateway: IPAddress | None = None
    called: str = ""
    where: Place = field(default=NOWHERE, compare=False)
    number_where: Place = field(default=NOWHERE, compare=False)
    own_number_where: Place = field(default=NOWHERE, compare=False)
    timers_where: Place = field(default=NOWHERE, compare=False)
    keeps_next_hop: bool = field(default=False, compare=False)
    reflected: bool = field(default=False, compare=False)
    next_hop_self: bool = field(default=False, compare=False)
    any_source: bool = field(default=False, compare=False)
    limit: int = field(default=0, compare=False)
    limit_where: Place = field(default=NOWHERE, compare=False)
    forgetful: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dial:
    """A peer that some nodes dial, where no file says which: half of what an `End` says."""

    software: Software
    asn: int
    peer: IPAddress
    peer_asn: int
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Two ends that point at each other."""

    node: End
    router: End


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """Prefixes that hosts announce: those inside `prefix` whose length lies in shortest..longest."""

    prefix: IPNetwork
    shortest: int
    longest: int
    software: Software
    hosts: tuple[str, ...]
    when: Condition
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acceptance:
    """What a router lets in from `peers`: prefixes inside `prefix` with a length in shortest..longest."""

    router: str
    prefix: IPNetwork
    shortest: int
    longest: int
    peers: tuple[IPAddress, ...]
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterRule:
    """One rule of a Calico BGPFilter; empty text and None match everything.

    `family` is 4 or 6: Calico keeps a list of rules for each (exportV4, exportV6 and so on).
    """

    export: bool
    action: str
    cidr: IPNetwork | None = None
    operator: str = ""
    source: str = ""
    family: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A Calico BGPFilter."""

    name: str
    rules: tuple[FilterRule, ...]
    where: Place = field(default=NOWHERE, compare=False)
