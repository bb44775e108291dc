"""Addresses: the ranges that there are, what is taken from them, and who holds what.

Addresses are `ipaddress` objects. `where` says which answer or file line a value comes from; here and in the other
parts of a network it never takes part in a comparison.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from anycastle.finding import NOWHERE, Place
from anycastle.records import dataclass

IPAddress = IPv4Address | IPv6Address
IPNetwork = IPv4Network | IPv6Network


class OwnerKind(StrEnum):
    """What an address or a range belongs to."""

    SUBNET = "node subnet"
    GATEWAY = "gateway"
    NODE = "node"
    ROUTER = "router"
    VIP = "API address"
    PODS = "pod pool"
    LOAD_BALANCER = "load-balancer pool"
    SERVICES = "service range"
    RESERVED = "reserved range"
    SERVICE = "service address"


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who holds an address (a /32 or /128) or a range."""

    kind: OwnerKind
    name: str
    prefix: IPNetwork
    where: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" if self.name else str(self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subnet:
    """A subnet that nodes are connected to, and the gateway by which they leave it."""

    name: str
    cidr: IPNetwork
    gateway: IPAddress | None = None
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserved:
    """A range that belongs to something outside the cluster: DHCP scope, VPN, other cluster."""

    name: str
    cidr: IPNetwork
    where: Place = field(default=NOWHERE, compare=False)


class PoolUse(StrEnum):
    """What takes addresses from a Calico pool."""

    PODS = "pods"
    LOAD_BALANCER = "load-balancer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A Calico address pool; `managed` = written in the Installation, so the operator owns it.

    `bgp_export` False is `disableBGPExport: true`.
    """

    name: str
    use: PoolUse
    cidr: IPNetwork
    block_size: int
    encapsulation: str = "None"
    nat_outgoing: bool = False
    bgp_export: bool = True
    automatic: bool = True
    managed: bool = False
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenRange:
    """A range of a load-balancer pool as a person wrote it, before it became networks."""

    pool: str
    first: IPAddress
    last: IPAddress
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """Addresses that Calico gives to nobody by itself (IPReservation)."""

    name: str
    cidrs: tuple[IPNetwork, ...]
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRange:
    """A range of cluster-internal service addresses (kubeadm `serviceSubnet`).

    The primary one is written first: the API server's own Service lies in it.
    """

    cidr: IPNetwork
    primary: bool = True
    where: Place = field(default=NOWHERE, compare=False)


class TrafficPolicy(StrEnum):
    """`externalTrafficPolicy` of a Service."""

    LOCAL = "Local"
    CLUSTER = "Cluster"


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A Service of type LoadBalancer.

    `requested` is the text of the annotation `projectcalico.org/loadBalancerIPs`, `addresses` what Calico
    makes of it: empty where the text is not a JSON list of addresses. `families` are 4 and 6 as far as the Service
    asks for them (`ipFamilies`); empty leaves it to the API server, which takes that of the primary service range.
    `field_address` is `spec.loadBalancerIP`, `family_policy` is `ipFamilyPolicy`.
    """

    namespace: str
    name: str
    policy: TrafficPolicy
    requested: str = ""
    addresses: tuple[IPAddress, ...] = ()
    pools: tuple[str, ...] = ()
    load_balancer_class: str = ""
    families: tuple[int, ...] = ()
    family_policy: str = field(default="", compare=False)
    pools_where: Place = field(default=NOWHERE, compare=False)
    field_address: str = field(default="", compare=False)
    field_where: Place = field(default=NOWHERE, compare=False)
    where: Place = field(default=NOWHERE, compare=False)
