"""What the network is: frozen values, filled by `plan/` (what we mean) or `reader/` (what the files say).

Its parts are in `addresses`, `bgp` and `cluster`, and this is the whole. Every tuple is sorted, so that two networks
that mean the same are equal.
"""

from __future__ import annotations

from enum import StrEnum

from anycastle.network.addresses import (
    IPNetwork,
    Pool,
    Reservation,
    Reserved,
    Service,
    ServiceRange,
    Subnet,
    WrittenRange,
)
from anycastle.network.bgp import Acceptance, Announcement, Dial, End, Filter, Router, Speaker
from anycastle.network.cluster import Api, App, Calico, KubeProxy, KubeVip, Mirror, Node, Proxy, Trust, Version
from anycastle.records import dataclass


class Unread(StrEnum):
    """What a repository holds and nobody could read: a law must not conclude from its absence."""

    NODES = "nodes"
    API = "API server"
    KUBE_VIP = "kube-vip"
    SETTINGS = "Calico's settings"
    PEERS = "BGP peers"
    FILTERS = "BGP filters"
    POOLS = "pools"
    INSTALLATION = "Installation"
    SERVICES = "services"
    ROUTERS = "routers"
    ROUTER_FILTERS = "filters of routers"
    APPS = "apps"
    HEALTH = "health checks"
    ORDER = "order of apps"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What the owner of the site says of the world outside, and the exceptions that he takes on himself.

    `pools_on_link` are load-balancer pools that may lie on a node subnet. `ranges` are those of pools with several.
    """

    asns: tuple[int, ...] = ()
    prefixes: tuple[IPNetwork, ...] = ()
    vip_on_link: bool = False
    pools_on_link: tuple[str, ...] = ()
    ranges: tuple[WrittenRange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """Everything that follows from a site, or everything that a repository says.

    `health_checks` are the kinds, as `group_Kind`, whose health the GitOps engine was taught to read. `unknown` are
    parts that exist and could not be read, in the words of `Unread`; one that concerns a single router has its name
    behind a colon. `inside` are ends between two nodes, without those of the node-to-node mesh; `ends` has none of
    them. `dials` are peers of which nobody says which nodes have them.
    """

    nodes: tuple[Node, ...] = ()
    subnets: tuple[Subnet, ...] = ()
    reserved: tuple[Reserved, ...] = ()
    routers: tuple[Router, ...] = ()
    speakers: tuple[Speaker, ...] = ()
    ends: tuple[End, ...] = ()
    inside: tuple[End, ...] = ()
    announcements: tuple[Announcement, ...] = ()
    acceptances: tuple[Acceptance, ...] = ()
    filters: tuple[Filter, ...] = ()
    pools: tuple[Pool, ...] = ()
    service_ranges: tuple[ServiceRange, ...] = ()
    services: tuple[Service, ...] = ()
    reservations: tuple[Reservation, ...] = ()
    kube_proxy: KubeProxy | None = None
    kube_vips: tuple[KubeVip, ...] = ()
    api: Api | None = None
    calico: Calico | None = None
    apps: tuple[App, ...] = ()
    versions: tuple[Version, ...] = ()
    health_checks: tuple[str, ...] = ()
    mirrors: tuple[Mirror, ...] = ()
    proxies: tuple[Proxy, ...] = ()
    trusts: tuple[Trust, ...] = ()
    declared: Declared = Declared()
    unknown: tuple[str, ...] = ()
    dials: tuple[Dial, ...] = ()

    def knows(self, *parts: Unread, of: str = "") -> bool:
        """Whether all of these were read, so that what is not there is absent. `of` names a router."""
        return not any(part in self.unknown or (of and f"{part}:{of}" in self.unknown) for part in parts)
