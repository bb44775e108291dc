"""Releases that are known not to work here, and releases that must be the same."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Severity
from anycastle.network.addresses import PoolUse, TrafficPolicy
from anycastle.network.cluster import Version
from anycastle.network.model import Network
from anycastle.rules.pools import of_use
from anycastle.rules.registry import Fault, rule
from anycastle.rules.releases import Release, older, release, version_of

GOOD_KUBE_VIP = "1.2.4"
GOOD_CALICO = "3.32.2"

KUBERNETES_OF_ARGO = ((1, 33), (1, 36))
"""Releases that Argo CD 3.5 (chart 10) is tested with."""


@rule("VER001", "kube-vip is a release that announces and keeps announcing")
def kube_vip(network: Network) -> Iterator[Fault]:
    """Some releases of kube-vip break exactly this use.

    1.1.0 adds its peers and removes them at once where it serves the control plane only. The health check
    came with 1.2.0 and older ones ignore it in silence. From 1.2.0 to 1.2.3 it leaks about 18 MB an hour, until
    the pod is killed.

    Source: kube-vip/kube-vip#1466, kube-vip/kube-vip#1594, kube-vip/kube-vip#1778.
    """
    watched = any(item.health_url for item in network.kube_vips)
    for version in network.versions:
        found = release(version.version) if version.component == "kube-vip" else None
        reason = _kube_vip(found, watched) if found else ""
        if reason:
            yield Fault(version.where, f"kube-vip {version.version} {reason}.", f"Write v{GOOD_KUBE_VIP}.")


def _kube_vip(found: Release, watched: bool) -> str:
    if found == (1, 1, 0):
        return "removes its BGP peers right after the start, so the API address is never announced"
    if watched and older(found, (1, 2, 0)):
        return "ignores the health check, so it announces the address of a dead API server"
    if watched and older(found, (1, 2, 4)):
        return "leaks memory with every health check, about 18 MB an hour"
    return ""


@rule("VER002", "Calico is a release that serves Services over BGP")
def calico(network: Network) -> Iterator[Fault]:
    """Some releases of Calico break exactly this use.

    Before 3.30 it gives no address to a Service; before 3.32 it cannot switch aggregation off. With 3.32.0 all
    Services stay pending (missing rights), and server-side apply of the BGPConfiguration fails. Up to 3.32.1 a
    Local address is announced from nodes whose pod is not ready.

    Source: projectcalico/calico#12890, projectcalico/calico#12790, projectcalico/calico#13253.
    """
    version = version_of(network, "calico")
    reason, severity = _of_operator(network, version)
    if version is not None and reason:
        yield Fault(version.where, f"Calico {version.version} {reason}.", f"Write v{GOOD_CALICO}.", severity)


def _of_operator(network: Network, version: Version | None) -> tuple[str, Severity]:
    found = release(version.version) if version else None
    if found is None or not of_use(network, PoolUse.LOAD_BALANCER):
        return "", Severity.ERROR
    return _calico(network, found)


def _calico(network: Network, found: Release) -> tuple[str, Severity]:
    local = any(service.policy is TrafficPolicy.LOCAL for service in network.services)
    separate = network.calico is not None and not network.calico.aggregate
    if older(found, (3, 30, 0)):
        return "gives no addresses to Services", Severity.ERROR
    if separate and older(found, (3, 32, 0)):
        return "does not know serviceLoadBalancerAggregation, so every node announces the whole pool", Severity.ERROR
    if found == (3, 32, 0):
        return "leaves every Service of type LoadBalancer pending and breaks server-side apply", Severity.ERROR
    if found == (3, 32, 1) and local:
        return "announces a Local address from nodes whose pod is not ready", Severity.WARNING
    return "", Severity.ERROR


@rule("VER003", "Calico's definitions have the operator's version")
def definitions(network: Network) -> Iterator[Fault]:
    """Definitions of another release drop the fields that they don't know, or refuse new values.

    With `manageCRDs` the operator writes its own over them, and the engine writes them back, in turns.

    Source: projectcalico/calico#12864; tigera/operator core_controller.go (updateCRDs).
    """
    operator, crds = version_of(network, "calico"), version_of(network, "calico-crds")
    if operator is not None and crds is not None and operator.version.lstrip("v") != crds.version.lstrip("v"):
        moves = bool(_of_operator(network, operator)[0])  # VER002 names the release that the operator should be
        if moves and crds.version.lstrip("v") == GOOD_CALICO:
            return
        yield Fault(
            crds.where,
            f"The definitions are those of Calico {crds.version}, the operator is {operator.version} "
            f"({operator.where}): fields of one are unknown to the other.",
            f"Write v{GOOD_CALICO if moves else operator.version.lstrip('v')}.",
        )


def _without_host_aliases(version: Version) -> Fault:
    return Fault(
        version.where,
        f"kubelet {version.version} leaves hostAliases of static pods out, by which kube-vip finds its own API server: "
        "kubeadm init waits for an address that never comes.",
        "Write a release from 1.33 to 1.36; of 1.29 the first that works is 1.29.7.",
        Severity.ERROR,
    )


@rule("VER004", "Kubernetes is a release that the parts know", Severity.WARNING)
def kubernetes(network: Network) -> Iterator[Fault]:
    """Each part is tested with a few releases of Kubernetes.

    kubeadm reads the v1beta4 form of its configuration since 1.31, which makes an older one an error. Argo CD
    3.5 is tested with 1.33 to 1.36. kubelet 1.29.0 to 1.29.6 passes over the host aliases of kube-vip's pod.

    Source: kubernetes.io, kubeadm config v1beta4; Argo CD, tested Kubernetes versions; kube-vip/kube-vip#684.
    """
    version = version_of(network, "kubernetes")
    found = release(version.version) if version else None
    if version is None or found is None:
        return
    if network.kube_vips and not older(found, (1, 29, 0)) and older(found, (1, 29, 7)):
        yield _without_host_aliases(version)
        return
    if older(found, (1, 31, 0)) and version.form in ("", "v1beta4"):
        yield Fault(
            version.where,
            f"kubeadm {version.version} does not read kubeadm.k8s.io/v1beta4, which came with 1.31: it ends with an "
            "error.",
            "Write a release from 1.33 to 1.36.",
            Severity.ERROR,
        )
        return
    chart = version_of(network, "argo-cd-chart")
    argo = release(chart.version) if chart else None
    low, high = KUBERNETES_OF_ARGO
    if argo and argo[0] == 10 and not low <= found[:2] <= high:
        yield Fault(
            version.where,
            f"Argo CD 3.5 (chart {chart.version if chart else ''}) is tested with Kubernetes 1.{low[1]} to "
            f"1.{high[1]}, not with {version.version}.",
            f"Write a release from 1.{low[1]} to 1.{high[1]}.",
        )
