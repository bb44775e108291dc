"""The cluster: its nodes, the programs that serve its addresses, what runs on it, and how it reaches the outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from ipaddress import IPv4Address

from anycastle.finding import NOWHERE, Place
from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.records import dataclass

EXCLUDE_LABEL = "node.kubernetes.io/exclude-from-external-load-balancers"
CONTROL_PLANE_LABEL = "node-role.kubernetes.io/control-plane"


class Role(StrEnum):
    """What a node is to kubeadm."""

    CONTROL_PLANE = "control-plane"
    WORKER = "worker"


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


def node_labels(
    name: str, role: Role, own: Mapping[str, str], *, workloads: bool = False
) -> tuple[tuple[str, str], ...]:
    """All labels of a node, sorted: the implied ones, then `own` over them.

    kubeadm marks control planes with the exclude label and an *empty* value, which Kubernetes honours
    and Calico does not (confd client.go compares with "true"). Where a control plane carries `workloads` it is
    taken off again.
    """
    implied = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux"}
    if role is Role.CONTROL_PLANE:
        implied |= {CONTROL_PLANE_LABEL: ""} if workloads else {CONTROL_PLANE_LABEL: "", EXCLUDE_LABEL: ""}
    return tuple(sorted((implied | dict(own)).items()))
