"""Values of the five Calico apps."""

from __future__ import annotations

from collections.abc import Mapping

from anycastle.network.addresses import Pool, PoolUse
from anycastle.network.model import Network
from anycastle.network.order import Part
from anycastle.render import calico_bgp
from anycastle.render.calico_bgp import settings
from anycastle.render.values import Values
from anycastle.site.model import Site
from anycastle.site.parts import parts

DEFAULT_BLOCK = {4: 26, 6: 122}
"""What Calico takes where a load-balancer pool names no block size (libcalico-go clientv3/ippool.go)."""

EVERY_NODE = "all()"


def values(site: Site, network: Network) -> Mapping[str, Values]:
    """Values of each Calico app, by app name."""
    return {
        Part.CALICO_CRDS: _CRDS,
        Part.OPERATOR: _OPERATOR,
        Part.BGP: calico_bgp.values(site, network),
        Part.INSTALLATION: _installation(network),
        Part.POOLS: _pools(site, network),
    }


_CRDS = Values(
    answers=("versions.calico",),
    note="The chart takes no values: it is nothing but definitions. Its version and that of tigera-operator are one.",
)

_OPERATOR = Values(
    answers=("versions.calico",),
    note="The chart carries a Helm pre-delete Job that deletes the Installation, and with it every node's network.\n"
    "What keeps it from running here: the GitOps engine is told never to prune or delete this app, and the commands\n"
    "of bootstrap.sh render with --no-hooks. Never run helm uninstall on it, and never delete the engine's object.",
    value={
        "installation": {"enabled": False},
        "apiServer": {"enabled": False},
        "goldmane": {"enabled": False},
        "whisker": {"enabled": False},
        "manageCRDs": False,
    },
    comments={
        ("installation",): "The app calico-installation brings both, so that they outlive this chart.",
        ("goldmane",): "Flow logs and their viewer are not part of this site.",
        (
            "manageCRDs",
        ): "The app calico-crds owns the definitions; with true the operator would write its own over them.",
    },
)


def _installation(network: Network) -> Values:
    calico = settings(network)
    installation: dict[str, object] = {
        "bgp": "Enabled" if calico.bgp else "Disabled",
        "linuxDataplane": calico.dataplane,
    }
    if calico.manages_proxy:
        installation["kubeProxyManagement"] = "Enabled"
    installation |= _autodetection(network)
    installation["ipPools"] = {pool.name: _pod_pool(pool) for pool in network.pools if pool.use is PoolUse.PODS}
    value: dict[str, object] = {"installation": installation, "apiServer": {"enabled": True}}
    comments = dict(_INSTALLATION_COMMENTS)
    comments["installation", "linuxDataplane"] = _DATAPLANES[calico.dataplane]
    if len(network.nodes) == 1:
        installation["controlPlaneReplicas"] = 1
        comments["installation", "controlPlaneReplicas"] = "One node: a second replica would never be scheduled."
    if network.api is not None and network.api.agent_host:
        value["apiEndpoint"] = {"host": network.api.agent_host, "port": str(network.api.port)}
        comments["apiEndpoint",] = (
            "Without kube-proxy the Service address of the API leads nowhere until Calico runs, and Calico waits for\n"
            "the API. An address, since cluster DNS is a pod."
            if network.kube_proxy is None
            else "Calico then depends neither on kube-proxy nor on cluster DNS, which is a pod."
        )
    return Values(
        answers=("networks.nodes", "networks.pods", "kubernetes.api", "kubernetes.kube_proxy"),
        value=value,
        comments=comments,
    )


_DATAPLANES = {
    "BPF": "BPF takes the place of kube-proxy.",
    "Iptables": "Services are kube-proxy's business.",
    "Nftables": "Services are kube-proxy's business, which uses nftables as well.",
}

_INSTALLATION_COMMENTS: Mapping[tuple[str | int, ...], str] = {
    ("installation", "bgp"): "Enabled only after the objects of calico-bgp exist: without them every node would join a "
    "full mesh of AS 64512.\nbootstrap.sh therefore starts with Disabled.",
    ("installation", "nodeAddressAutodetectionV4"): "A node's own address, never a virtual IP that it carries as well.",
    ("installation", "nodeAddressAutodetectionV6"): "The same for IPv6.",
    ("installation", "kubeProxyManagement"): "The operator takes kube-proxy off the nodes once BPF runs. It leaves a "
    "kube-proxy alone that Helm or\nArgo CD manage.",
    ("installation", "ipPools"): "The operator owns these pools: change them here, never the IPPool objects.",
}


def _autodetection(network: Network) -> dict[str, object]:
    found: dict[str, object] = {}
    for family in (4, 6):
        cidrs = [str(subnet.cidr) for subnet in network.subnets if subnet.cidr.version == family]
        if cidrs:
            found[f"nodeAddressAutodetectionV{family}"] = {"cidrs": cidrs}
    return found


def _pod_pool(pool: Pool) -> dict[str, object]:
    return {
        "cidr": str(pool.cidr),
        "blockSize": pool.block_size,
        "encapsulation": pool.encapsulation,
        "natOutgoing": "Enabled" if pool.nat_outgoing else "Disabled",
        "nodeSelector": EVERY_NODE,
        "disableBGPExport": not pool.bgp_export,
    }


def _pools(site: Site, network: Network) -> Values:
    pools = {pool.name: _pool(pool) for pool in network.pools if pool.use is PoolUse.LOAD_BALANCER}
    reserved = {item.name: [str(cidr) for cidr in item.cidrs] for item in network.reservations}
    return Values(
        answers=("load_balancer",),
        value={
            "pools": pools,
            **({"reservations": reserved} if reserved else {}),
            "kubeControllers": {
                "assignIPs": settings(network).assign,
                "prometheusMetricsPort": 9094,
                "leakGracePeriod": "15m0s",
            },
        },
        comments={
            **_written_as(site),
            (
                "reservations",
            ): "Given to no Service that leaves the choice to Calico; one that asks for such an address gets it.",
            ("kubeControllers", "assignIPs"): "RequestedServicesOnly: a Service asks by its class or by an annotation "
            "of Calico's.\nAllServices: every Service of type LoadBalancer gets an address.",
            ("kubeControllers", "prometheusMetricsPort"): "These two are Calico's defaults; an object without them "
            "switches both off.",
        },
    )


def _written_as(site: Site) -> dict[tuple[str | int, ...], str]:
    """Where a range of the site file became several networks, each says which part it is."""
    return {("pools", part.name): f"{part.span}, of {part.written}." for part in parts(site) if not part.as_written}


def _pool(pool: Pool) -> dict[str, object]:
    result: dict[str, object] = {"cidr": str(pool.cidr)}
    if pool.block_size != DEFAULT_BLOCK[pool.cidr.version]:
        result["blockSize"] = pool.block_size
    result["assignmentMode"] = "Automatic" if pool.automatic else "Manual"
    return result
