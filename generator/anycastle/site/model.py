"""The site file: what the owner of a cluster says about it, and nothing that follows from it.

A model judges one field at a time. Everything about two fields (overlaps, equal AS numbers, an address
outside its subnet) is a rule over the network that `plan.py` derives, where each address has an owner.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from anycastle.site.types import (
    Address,
    ApiPort,
    Asn,
    CertificateName,
    Cidr,
    DnsName,
    Domain,
    GitRevision,
    GitUrl,
    HoldTime,
    HostName,
    Interface,
    Keepalive,
    Label,
    LabelKey,
    LabelValue,
    Model,
    NodeName,
    Range,
    ReleaseVersion,
    RestartTime,
    RouterId,
    SecretRef,
    ServiceName,
)

SCHEMA_VERSION = 1

Encapsulation = Literal["VXLANCrossSubnet", "VXLAN", "IPIPCrossSubnet", "IPIP", "None"]


class ApiEndpoint(Model):
    """How clients reach the API server."""

    name: HostName = Field(description="controlPlaneEndpoint; kubeconfigs and certificates use this name.")
    port: ApiPort = Field(6443, description="Port of the API server on every control plane.")
    vips: tuple[Address, ...] = Field(
        (), description="Addresses announced by every control plane; empty: the name points at one node."
    )
    allow_on_link: bool = Field(
        False, description="Accept an API address inside a node subnet; it then answers to ARP."
    )
    certificate_names: tuple[CertificateName, ...] = Field(
        (), description="Further names or addresses in the certificate."
    )


class Kubernetes(Model):
    """The cluster as kubeadm makes it."""

    version: ReleaseVersion
    service_cidrs: tuple[Cidr, ...] = Field(min_length=1, max_length=2)
    api: ApiEndpoint
    dns_domain: DnsName = "cluster.local"
    kube_proxy: Literal["disabled", "kept", "operator"] = Field(
        "disabled",
        description="disabled: Calico's eBPF serves Services; kept: kube-proxy; operator: switched off later.",
    )


class NodeSubnet(Model):
    """A subnet that nodes are connected to."""

    name: Label
    cidr: Cidr
    gateway: Address | None = None


class PodPool(Model):
    """A pool of pod addresses, written into the Installation."""

    name: Label
    cidr: Cidr
    block_size: int = Field(26, ge=20, le=128, description="Prefix length of the block that each node takes.")
    encapsulation: Encapsulation = "VXLANCrossSubnet"
    nat_outgoing: bool = True
    export: bool = Field(False, description="Announce pod blocks to the routers.")


class ReservedRange(Model):
    """A range of something else: DHCP scope, VPN, clients, another cluster."""

    name: Label
    range: Range


class Owned(Model):
    """Public number resources that are really this site's."""

    asns: tuple[Asn, ...] = ()
    prefixes: tuple[Cidr, ...] = ()


class Networks(Model):
    """Address ranges."""

    nodes: tuple[NodeSubnet, ...] = Field(min_length=1)
    pods: tuple[PodPool, ...] = Field(min_length=1)
    reserved: tuple[ReservedRange, ...] = ()
    owned: Owned = Owned()


class Router(Model):
    """A router that takes the announcements."""

    name: Label
    address: Address
    asn: Asn
    software: Literal["frr", "bird", "routeros", "vyos", "opnsense", "unifi", "ios-xe", "nx-os", "eos", "junos"] = "frr"
    interface: Interface = Field("eth1", description="The router's interface to the node subnet.")
    router_id: RouterId | None = Field(None, description="The address, where it is IPv4.")
    rack: Label | None = None
    multihop: int | None = Field(None, ge=2, le=255, description="TTL where the router is not on the nodes' link.")
    reachable_by: Address | None = Field(None, description="Gateway to a router that is not on the link.")
    password: SecretRef | None = None


class Timers(Model):
    """BGP timers that the router asks for, in seconds; the lower hold time of both ends counts."""

    hold: HoldTime = 9
    keepalive: Keepalive = 3


class RouteReflectors(Model):
    """Nodes that reflect routes inside the cluster."""

    nodes: tuple[Label, ...] = Field(min_length=1)
    cluster_id: RouterId


class Bgp(Model):
    """Who speaks BGP, with which AS number, and how."""

    control_plane_asn: Asn | None = Field(None, description="AS of kube-vip; needed where the API has an address.")
    worker_asn: Asn = Field(description="AS of Calico, on every node.")
    advertise: Literal["host-routes", "aggregate"] = "host-routes"
    node_to_node_mesh: bool = False
    peering: Literal["workers", "all"] = Field("workers", description="Nodes whose Calico peers with the routers.")
    timers: Timers = Timers()
    graceful_restart: bool = Field(
        False, description="Let routers keep the routes of a speaker that closed its session."
    )
    restart_time: RestartTime = Field(15, description="How long Calico asks routers to keep its routes, at most.")
    route_reflectors: RouteReflectors | None = None


class SecondSpeaker(Model):
    """Another BGP speaker on a node, with a source address of its own."""

    name: Label
    asn: Asn
    source: Address


class Link(Model):
    """A point-to-point link of a node to a router (/31 or /127)."""

    router: Label
    address: Address
    peer: Address


class Node(Model):
    """A machine."""

    name: NodeName
    role: Literal["control-plane", "worker"]
    address: Address
    addresses: tuple[Address, ...] = Field((), description="Further addresses, for the other family.")
    labels: dict[LabelKey, LabelValue] = Field(default_factory=dict)
    announce_services: bool = Field(True, description="Whether Calico announces Services from this node.")
    peer: bool = Field(True, description="Whether this node holds BGP sessions at all.")
    workloads: bool = Field(False, description="A control plane that carries ordinary pods, too.")
    rack: Label | None = None
    asn: Asn | None = None
    router_id: RouterId | None = Field(None, description="Of kube-vip, on a control plane; Calico takes none.")
    speakers: tuple[SecondSpeaker, ...] = ()
    links: tuple[Link, ...] = ()


class Rack(Model):
    """A rack or data centre: its subnet, its routers, its AS numbers."""

    name: Label
    subnet: Label
    routers: tuple[Label, ...]
    control_plane_asn: Asn | None = None
    worker_asn: Asn | None = None


class ReservedAddress(Model):
    """Addresses of a pool that no Service may get."""

    name: Label
    range: Range


class LoadBalancerPool(Model):
    """Addresses for Services."""

    name: Label
    ranges: tuple[Range, ...] = Field(min_length=1)
    block_size: int | None = Field(None, ge=20, le=128)
    assignment: Literal["automatic", "manual"] = "automatic"


class LoadBalancer(Model):
    """Calico's LoadBalancer address management."""

    assign: Literal["requested", "all"] = "requested"
    pools: tuple[LoadBalancerPool, ...] = Field(min_length=1)
    reserved: tuple[ReservedAddress, ...] = ()


class Ingress(Model):
    """A Traefik behind a load-balancer address."""

    name: ServiceName = Field(description="Of Traefik's release and Service.")
    class_name: Label = Field(alias="class")
    default: bool = True
    addresses: tuple[Address, ...] = Field((), max_length=2, description="Empty: Calico picks one (assign: all).")
    pool: Label | None = None
    traffic_policy: Literal["Local", "Cluster"] = "Local"
    replicas: int = Field(2, ge=1, le=1000)


class GitOps(Model):
    """The engine that keeps the cluster in step with this repository."""

    engine: Literal["argocd", "flux"] = "argocd"
    repository: GitUrl
    revision: GitRevision = "main"
    path: str = Field("", description="Folder of this repository inside a larger one.")
    source: Literal["upstream", "vendored"] = "upstream"
    secrets: Literal["none", "sops", "sealed-secrets", "external-secrets"] = "none"


class Versions(Model):
    """Pinned releases of what the repository brings."""

    kube_vip: ReleaseVersion = "1.2.4"
    calico: ReleaseVersion = "3.32.2"
    traefik_chart: ReleaseVersion = "41.3.0"
    argocd_chart: ReleaseVersion = "10.3.3"


class Site(Model):
    """A site."""

    schema_version: Literal[1] = Field(alias="schema")
    name: Label
    domain: Domain
    kubernetes: Kubernetes
    networks: Networks
    routers: tuple[Router, ...] = Field(min_length=1)
    bgp: Bgp
    racks: tuple[Rack, ...] = ()
    nodes: tuple[Node, ...] = Field(min_length=1)
    load_balancer: LoadBalancer
    ingress: tuple[Ingress, ...] = ()
    gitops: GitOps
    versions: Versions = Versions()
