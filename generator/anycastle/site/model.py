"""The site file: what the owner of a cluster says about it, and nothing that follows from it.

A model judges one field at a time. Everything about two fields (overlaps, equal AS numbers, an address
outside its subnet) is a rule over the network that `plan.py` derives, where each address has an owner.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from anycastle.site.types import (
    Address,
    AgeRecipient,
    ApiPort,
    Asn,
    CertificateName,
    Certificates,
    ChartsUrl,
    Cidr,
    DnsName,
    Domain,
    Exemption,
    GitFolder,
    GitRevision,
    GitUrl,
    HoldTime,
    HostName,
    Keepalive,
    KnownHost,
    Label,
    LabelKey,
    LabelValue,
    MirrorUrl,
    Model,
    NodeName,
    ProxyUrl,
    Range,
    RegistryName,
    ReleaseVersion,
    RestartTime,
    RouterId,
    RouterInterface,
    SecretName,
    SecretRef,
    ServiceName,
)

SCHEMA_VERSION = 1

RouterSoftware = Literal[
    "frr", "bird", "routeros", "vyos", "opnsense", "pfsense", "unifi", "ios-xe", "nx-os", "eos", "junos"
]
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
        description="disabled: Calico's eBPF serves Services; kept: kube-proxy does; operator: kubeadm installs "
        "kube-proxy, and Calico's operator switches it off once eBPF runs.",
    )
    dataplane: Literal["ebpf", "iptables", "nftables"] | None = Field(
        None,
        description="Of Calico. Empty: ebpf, or iptables where kube-proxy is kept; nftables runs kube-proxy so, too.",
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
    block_size: int = Field(
        26, ge=20, le=128, description="Prefix length of the block that each node takes; 122 by default for IPv6."
    )
    encapsulation: Encapsulation = "VXLANCrossSubnet"
    nat_outgoing: bool = True
    export: bool = Field(False, description="Announce pod blocks to the routers.")

    @model_validator(mode="before")
    @classmethod
    def _block_of_family(cls, data: Any) -> Any:
        """Calico's default differs by family (libcalico-go clientv3/ippool.go)."""
        if isinstance(data, dict) and "block_size" not in data and ":" in str(data.get("cidr")):
            return {**data, "block_size": 122}
        return data


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
    addresses: tuple[Address, ...] = Field((), description="Its address towards the nodes in the other family.")
    asn: Asn
    software: RouterSoftware = "frr"
    interface: RouterInterface = Field(
        "eth1", description="The router's interface to the node subnet, as its system names it."
    )
    router_id: RouterId | None = Field(None, description="The address, where it is IPv4.")
    multihop: int | None = Field(None, ge=2, le=255, description="TTL where the router is not on the nodes' link.")
    reachable_by: Address | None = Field(
        None, description="Gateway by which Calico's nodes reach a router that is not on their link."
    )
    password: SecretRef | None = Field(
        None, description="SECRET/KEY in calico-system: where the password of its sessions is, never the password."
    )


class Timers(Model):
    """BGP timers that the router asks for, in seconds; the lower hold time of both ends counts."""

    hold: HoldTime = 9
    keepalive: Keepalive = 3


class RouteReflectors(Model):
    """Nodes that reflect routes inside the cluster: all others speak with them alone, and only they with routers."""

    nodes: tuple[NodeName, ...] = Field(min_length=1, description="Their names; two, so that one may be lost.")
    cluster_id: RouterId = Field(
        description="Common to all of them, and no router ID of a node; an annotation of the Node says it."
    )


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

    name: Label = Field(
        description="kube-vip: its sessions come from `source`, so that Calico may peer there, too. Any other one is "
        "yours to configure; the routers get its neighbour and its filter."
    )
    asn: Asn | None = Field(None, description="Empty, for kube-vip: that of its other nodes.")
    source: Address = Field(description="A further address of the node's interface, which the machine already has.")
    announces: tuple[Cidr, ...] = Field(
        (), description="Of a speaker of yours: routers let in these prefixes and what lies inside them, nothing else."
    )


class Link(Model):
    """A link of two addresses between a node and a router: a /31 (RFC 3021) or a /127 (RFC 6164)."""

    router: Label
    address: Address = Field(description="The node's end.")
    peer: Address = Field(description="The router's end: the other one of the two addresses.")
    interface: RouterInterface = Field(description="The router's interface on the link, as its system names it.")


class Node(Model):
    """A machine."""

    name: NodeName
    role: Literal["control-plane", "worker"]
    address: Address
    addresses: tuple[Address, ...] = Field((), max_length=1, description="Its address in the other family.")
    labels: dict[LabelKey, LabelValue] = Field(default_factory=dict)
    announce_services: bool = Field(True, description="Whether Calico announces Services from this node.")
    peer: bool = Field(True, description="Whether this node holds BGP sessions at all.")
    workloads: bool = Field(False, description="A control plane that carries ordinary pods, too.")
    rack: Label | None = Field(None, description="Its rack: the node speaks with the routers of that one only.")
    asn: Asn | None = Field(None, description="AS of the speaker on this node, where it has one of its own.")
    router_id: RouterId | None = Field(None, description="Of kube-vip, on a control plane; Calico takes none.")
    speakers: tuple[SecondSpeaker, ...] = ()
    links: tuple[Link, ...] = Field(
        (), description="Of a node that no subnet connects: its sessions come from these, `address` stands on lo."
    )


class Rack(Model):
    """A rack or data centre: its subnet, its routers, its AS numbers."""

    name: Label
    subnet: Label = Field(description="Name of the node subnet that its nodes are connected to.")
    routers: tuple[Label, ...] = Field(min_length=1, description="Names of the routers that its nodes speak with.")
    label: LabelKey = Field(
        "topology.kubernetes.io/zone", description="Label of its nodes, with the rack's name as value."
    )
    control_plane_asn: Asn | None = Field(None, description="AS of kube-vip here, where it differs.")
    worker_asn: Asn | None = Field(None, description="AS of Calico here, where it differs.")


class ReservedAddress(Model):
    """Addresses of a pool that no Service may get."""

    name: Label
    range: Range


class LoadBalancerPool(Model):
    """Addresses for Services."""

    name: Label
    ranges: tuple[Range, ...] = Field(min_length=1)
    block_size: int | None = Field(
        None, ge=20, le=128, description="Empty: 26, for IPv6 122, and in a smaller range that range's own length."
    )
    assignment: Literal["automatic", "manual"] = "automatic"
    allow_on_link: bool = Field(
        False, description="Accept a pool inside a node subnet, whose other hosts then do not reach it."
    )


class LoadBalancer(Model):
    """Calico's LoadBalancer address management."""

    assign: Literal["requested", "all"] = "requested"
    pools: tuple[LoadBalancerPool, ...] = Field(min_length=1)
    reserved: tuple[ReservedAddress, ...] = Field(
        (), description="What Calico gives to no Service by itself; one that asks for such an address gets it."
    )


class Ingress(Model):
    """A Traefik behind a load-balancer address."""

    name: ServiceName = Field(description="Of Traefik's release and Service.")
    class_name: Label = Field(alias="class")
    default: bool = True
    addresses: tuple[Address, ...] = Field(
        (), max_length=2, description="At most one of each family. Empty: Calico picks (from `pool`, or assign: all)."
    )
    pool: Label | None = None
    traffic_policy: Literal["Local", "Cluster"] = "Local"
    replicas: int = Field(2, ge=1, le=1000)
    certificate: SecretName | None = Field(
        None, description="A TLS Secret in its namespace: the certificate of every host that has none of its own."
    )


class GitOps(Model):
    """The engine that keeps the cluster in step with this repository."""

    engine: Literal["argocd", "flux"] = "argocd"
    repository: GitUrl
    revision: GitRevision = "main"
    path: GitFolder = Field("", description="Folder of this repository inside a larger one, from its root.")
    private: bool = Field(False, description="Reading it by HTTPS takes a token; by SSH it always takes a key.")
    known_hosts: tuple[KnownHost, ...] = Field(
        (), description="Host keys of the Git server for SSH, as lines of known_hosts; they are public."
    )
    ca_certificates: Certificates = Field(
        "", description="Of the authority behind the Git server's HTTPS, trusted for this server only."
    )
    ci: Literal["github", "gitlab", "gitea", "none"] | None = Field(
        None,
        description="Whose CI holds every push against the rules. Empty: GitLab's by its host name, else GitHub's.",
    )
    source: Literal["upstream", "vendored"] = "upstream"
    secrets: Literal["none", "sops", "sealed-secrets", "external-secrets"] = Field(
        "none", description="How Secrets reach the cluster by way of git; none: you create them in the cluster."
    )
    age_recipients: tuple[AgeRecipient, ...] = Field(
        (), description="Public age keys that SOPS encrypts for: the cluster's, and those of people who may read."
    )


class Proxy(Model):
    """The proxy towards the internet. Nothing of the cluster itself goes through it."""

    http: ProxyUrl | None = None
    https: ProxyUrl | None = Field(
        default=None, description="For everything that is fetched: images, charts, Git by HTTPS."
    )
    no_proxy: tuple[Exemption, ...] = Field(
        default=(), description="What else is reached directly; the cluster's own names and networks are added."
    )


class Mirror(Model):
    """Where containerd looks for the images of a registry first."""

    registry: RegistryName
    mirror: MirrorUrl = Field(
        description="With the path that its images have there: docker.io/library/nginx is asked "
        "for as PATH/library/nginx."
    )


class Egress(Model):
    """How machines, and the engine, reach what lies outside of the site."""

    proxy: Proxy = Proxy()
    ca_certificates: Certificates = Field(
        default="",
        description="Of the authority behind a proxy that opens TLS, a mirror, or a Git server; trusted as well.",
    )
    mirrors: tuple[Mirror, ...] = ()
    charts: ChartsUrl = Field(
        default="", description="One Helm repository that serves all upstream charts in the place of their own."
    )


class Versions(Model):
    """Pinned releases of what the repository brings."""

    kube_vip: ReleaseVersion = "1.2.4"
    calico: ReleaseVersion = "3.32.2"
    traefik_chart: ReleaseVersion = "41.3.0"
    argocd_chart: ReleaseVersion = Field(default="10.3.3", description="Where Argo CD is the engine.")
    flux: ReleaseVersion = Field(default="2.9.4", description="Where Flux is the engine.")
    sops: ReleaseVersion = Field(default="3.13.2", description="Argo CD's decryption, where `gitops.secrets` is sops.")
    sealed_secrets_chart: ReleaseVersion = Field(
        default="2.18.5", description="Where `gitops.secrets` is sealed-secrets."
    )
    external_secrets_chart: ReleaseVersion = Field(
        default="2.9.0", description="Where `gitops.secrets` is external-secrets."
    )


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
    egress: Egress = Egress()
    versions: Versions = Versions()
