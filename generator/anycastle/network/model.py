"""What the network is: frozen values, filled by `plan.py` (what we mean) or `reader/` (what the files say).

Addresses are `ipaddress` objects. Every tuple is sorted, so that two networks that mean the same are equal.
`where` says which answer or file line a value comes from; it never takes part in a comparison.

The primitive of BGP here is the *end*: one side's configuration of a session, as it stands in that side's
files. Whether two ends make a session is a question (`network.sessions`), since in a repository they are
written in different places and may disagree.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from anycastle.finding import NOWHERE, Place
from anycastle.records import dataclass

IPAddress = IPv4Address | IPv6Address
IPNetwork = IPv4Network | IPv6Network

EXCLUDE_LABEL = "node.kubernetes.io/exclude-from-external-load-balancers"
CONTROL_PLANE_LABEL = "node-role.kubernetes.io/control-plane"


class Role(StrEnum):
    """What a node is to kubeadm."""

    CONTROL_PLANE = "control-plane"
    WORKER = "worker"


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


class PoolUse(StrEnum):
    """What takes addresses from a Calico pool."""

    PODS = "pods"
    LOAD_BALANCER = "load-balancer"


class TrafficPolicy(StrEnum):
    """`externalTrafficPolicy` of a Service."""

    LOCAL = "Local"
    CLUSTER = "Cluster"


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
class Owner:
    """Who holds an address (a /32 or /128) or a range."""

    kind: OwnerKind
    name: str
    prefix: IPNetwork
    where: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" if self.name else str(self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A machine of the cluster, as kubelet registers it.

    `labels` holds what kubeadm and kubelet set, role labels included, sorted by key. `workloads` = a control plane
    without the taint that keeps ordinary pods away. `asn` is what an annotation says of Calico's AS number there, 0
    where Calico's settings count. `cluster_id` is that of a route reflector. `annotated` = the script that writes
    annotations was read, so that one that is not there is absent.
    """

    name: str
    role: Role
    addresses: tuple[IPAddress, ...]
    labels: tuple[tuple[str, str], ...] = ()
    workloads: bool = False
    asn: int = 0
    cluster_id: IPv4Address | None = None
    where: Place = field(default=NOWHERE, compare=False)
    annotated: bool = field(default=True, compare=False)

    @property
    def excluded(self) -> bool:
        """Whether Calico announces no service from it: only the value `true` counts (confd client.go)."""
        return (EXCLUDE_LABEL, "true") in self.labels


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
class ServiceRange:
    """A range of cluster-internal service addresses (kubeadm `serviceSubnet`).

    The primary one is written first: the API server's own Service lies in it.
    """

    cidr: IPNetwork
    primary: bool = True
    where: Place = field(default=NOWHERE, compare=False)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """Addresses that Calico gives to nobody by itself (IPReservation)."""

    name: str
    cidrs: tuple[IPNetwork, ...]
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class KubeProxy:
    """kube-proxy, where kubeadm installs it; an empty mode is its default, `iptables`."""

    mode: str = ""
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class KubeVip:
    """kube-vip's static pod on one control-plane node, beyond its session ends.

    `health_url` is empty where the check is off: then the address is announced with a dead API server, too. `source` is
    the address that its sessions come from, where it is told one (`bgp_sourceip`).
    """

    node: str
    version: str
    vips: tuple[IPAddress, ...]
    interface: str = "lo"
    health_url: str = ""
    health_ca: str = ""
    period: int = 0
    timeout: int = 0
    threshold: int = 0
    source: IPAddress | None = None
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """The API endpoint: the name that clients use, and how the parts without DNS reach it.

    `certificate_names` are the extra names in the API server's certificate. `agent_host` is what Calico's
    operator and agents dial before there is a service network.
    """

    name: str
    port: int
    vips: tuple[IPAddress, ...] = ()
    certificate_names: tuple[str, ...] = ()
    agent_host: str = ""
    where: Place = field(default=NOWHERE, compare=False)
    agent_where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calico:
    """Cluster-wide settings of Calico's BGP and LoadBalancer address management.

    `advertised` are `serviceLoadBalancerIPs`, `cluster_ips` are `serviceClusterIPs`; `assign` is `AllServices` or
    `RequestedServicesOnly`, empty where an object exists that leaves it out. `manages_proxy` =
    the operator switches kube-proxy off (`kubeProxyManagement`).
    """

    asn: int
    mesh: bool
    aggregate: bool
    advertised: tuple[IPNetwork, ...]
    assign: str
    bgp: bool = True
    dataplane: str = "BPF"
    manages_proxy: bool = False
    assign_where: Place = field(default=NOWHERE, compare=False)
    cluster_ips: tuple[IPNetwork, ...] = field(default=(), compare=False)
    cluster_ips_where: Place = field(default=NOWHERE, compare=False)
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class App:
    """One unit that the GitOps engine syncs, in its wave.

    `provides` says what is inside, in the words of `network.order.Part`; `protected` = it is neither pruned nor
    does its deletion cascade.
    """

    wave: int
    name: str
    provides: tuple[str, ...] = ()
    protected: bool = False
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Version:
    """A pinned version of a component, as its files write it without a leading `v`.

    `form` is the version of the documents that stand beside it, where it is told: `v1beta3` for kubeadm.
    """

    component: str
    version: str
    form: str = field(default="", compare=False)
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirror:
    """Where containerd looks first for the images of a registry; `node` is empty where no file says on which.

    `url` is the mirror with the path that its images' names begin with: `https://registry.example.com/docker.io`.
    """

    node: str
    registry: str
    url: str
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """The proxy that a program asks by: `containerd` or `kubelet` on `node`, `argo-cd` or `flux` on none.

    `exempt` are the entries of NO_PROXY, sorted.
    """

    program: str
    node: str = ""
    http: str = ""
    https: str = ""
    exempt: tuple[str, ...] = ()
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """Certificates that a node (and no program), or `argo-cd` or `flux`, trusts beside the public ones.

    `fingerprints` are SHA-256 in hexadecimal, sorted.
    """

    program: str = ""
    node: str = ""
    fingerprints: tuple[str, ...]
    where: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenRange:
    """A range of a load-balancer pool as a person wrote it, before it became networks."""

    pool: str
    first: IPAddress
    last: IPAddress
    where: Place = field(default=NOWHERE, compare=False)


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
