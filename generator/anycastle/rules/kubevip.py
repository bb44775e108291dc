"""kube-vip on the control planes: the same address everywhere, and its health check works."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from anycastle.finding import Severity
from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import Software
from anycastle.network.cluster import KubeVip, Role
from anycastle.network.model import Network
from anycastle.network.questions import node_named
from anycastle.rules.pairs import pair, several
from anycastle.rules.registry import Fault, rule

_ALWAYS = ("kubernetes", "kubernetes.default", "kubernetes.default.svc")


def _parts(kube_vip: KubeVip) -> SplitResult | None:
    """The health check's URL; None where it is none that kube-vip takes."""
    try:
        parts = urlsplit(kube_vip.health_url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if usable else None


@rule("KV001", "kube-vip watches the API server", Severity.WARNING)
def watched(network: Network) -> Iterator[Fault]:
    """Without the check, kube-vip announces the address of a dead API server for ever.

    The router sends it its share: with three control planes a third of all requests fails until somebody
    notices. With one control plane there is nobody else to take over, and nothing is said.

    Source: kube-vip/kube-vip#1145, kube-vip/kube-vip#1498; measured: 127 of 381 requests.
    """
    unwatched = [kube_vip for kube_vip in network.kube_vips if not kube_vip.health_url]
    if len(network.kube_vips) > 1:
        for kube_vip in unwatched:
            yield Fault(
                kube_vip.where,
                f"kube-vip on {kube_vip.node} does not check its API server: it announces the address with a dead "
                "one, too.",
                "Set control_plane_health_check_address to https://<address of this node>:6443/livez, and its ca_path.",
            )


@rule("KV002", "The health check asks a name in the certificate")
def check_verifies(network: Network) -> Iterator[Fault]:
    """A check that cannot verify the certificate fails, and then nobody announces the address at all.

    kubeadm's certificate has the node's name and advertise address, `kubernetes` and its service names, the
    name of the endpoint, and what certSANs adds. It has neither `localhost` nor 127.0.0.1. The port is that of
    the API server, which BGP does not translate; plain http is answered with an error.

    Source: kubeadm app/util/pkiutil (GetAPIServerAltNames); kube-vip pkg/cluster.
    """
    moved = {session.node.host for session in pair(network).crossed}  # SESS001: the node's address has changed
    for kube_vip in network.kube_vips:
        if not kube_vip.health_url or kube_vip.node in moved:
            continue
        parts = _parts(kube_vip)
        problem = "is no http or https URL" if parts is None else _problem(network, kube_vip, parts)
        if problem:
            yield Fault(
                kube_vip.where,
                f"The health check of kube-vip on {kube_vip.node}, {kube_vip.health_url}, {problem}: it never "
                "succeeds, so this node never announces the API address.",
                f"Write https://{_address(network, kube_vip)}:{network.api.port if network.api else 6443}/livez.",
            )


def _problem(network: Network, kube_vip: KubeVip, parts: SplitResult) -> str:
    name = (parts.hostname or "").lower()
    if parts.scheme == "http":
        return "is plain http, which the API server refuses"
    if network.api is not None and (parts.port or 443) != network.api.port:
        return f"does not ask port {network.api.port}"
    return "" if _certified(network, kube_vip, name) else f"asks {name}, which is not in the API server's certificate"


def _certified(network: Network, kube_vip: KubeVip, name: str) -> bool:
    node = node_named(network, kube_vip.node)
    known = {kube_vip.node, *_ALWAYS, *(str(address) for address in (node.addresses if node else ()))}
    if network.api is not None:
        known |= {network.api.name, *(entry.lower() for entry in network.api.certificate_names)}
    known |= {str(services.cidr[1]) for services in network.service_ranges if services.cidr.num_addresses > 1}
    wildcard = f"*.{name.partition('.')[2]}"
    return _plain(name) in {_plain(entry) for entry in known} or wildcard in known or name.startswith(f"{_ALWAYS[-1]}.")


def _plain(text: str) -> str:
    """One spelling for each address."""
    try:
        return str(ip_address(text))
    except ValueError:
        return text


def _address(network: Network, kube_vip: KubeVip) -> str:
    node = node_named(network, kube_vip.node)
    if node is None or not node.addresses:
        return kube_vip.node
    address = node.addresses[0]
    return f"[{address}]" if address.version == 6 else str(address)


@rule("KV003", "The health check knows the cluster's CA")
def check_has_ca(network: Network) -> Iterator[Fault]:
    """kube-vip's image trusts public authorities only.

    Without the path of the cluster's CA the certificate is never accepted, and the address never announced.

    Source: kube-vip pkg/cluster (control_plane_health_check_ca_path).
    """
    for kube_vip in network.kube_vips:
        parts = _parts(kube_vip)
        if parts is not None and parts.scheme == "https" and not kube_vip.health_ca:
            yield Fault(
                kube_vip.where,
                f"The health check of kube-vip on {kube_vip.node} has no CA: it never succeeds, so this node never "
                "announces the API address.",
                "Set control_plane_health_check_ca_path to /etc/kubernetes/pki/ca.crt, and mount that file.",
            )


@rule("KV004", "The health check has usable times")
def check_times(network: Network) -> Iterator[Fault]:
    """A period of 0 crashes kube-vip; a timeout of 0 never ends.

    A threshold of 1 withdraws the address at the first slow answer, on all control planes at once when etcd is
    busy; that is a warning.

    Source: kube-vip pkg/cluster/service.go (time.NewTicker panics; Go http.Client.Timeout).
    """
    for kube_vip in network.kube_vips:
        if kube_vip.health_url:
            what, severity = _times(kube_vip)
            if what:
                yield Fault(
                    kube_vip.where,
                    f"The health check of kube-vip on {kube_vip.node} has {what}.",
                    "Write a period of 5 s, a timeout of 3 s and a threshold of 3.",
                    severity,
                )


def _times(kube_vip: KubeVip) -> tuple[str, Severity]:
    if kube_vip.period <= 0:
        return f"a period of {kube_vip.period} s, with which kube-vip crashes at the start", Severity.ERROR
    if kube_vip.timeout <= 0:
        return "no timeout, so an API server that hangs is never noticed", Severity.WARNING
    if kube_vip.threshold <= 1:
        return "a threshold of 1, so one slow answer withdraws the API address", Severity.WARNING
    return "", Severity.ERROR


@rule("KV005", "All control planes announce the same addresses")
def same_vips(network: Network) -> Iterator[Fault]:
    """One control plane with another address announces that one, and is missing for the right one.

    Nothing is broken until the others are down. The router drops the stray address, or lets it in.

    Source: practice; static pods are written once for each machine.
    """
    counts: dict[tuple[str, ...], int] = {}
    texts = {kube_vip.node: tuple(map(str, kube_vip.vips)) for kube_vip in network.kube_vips}
    for vips in texts.values():
        counts[vips] = counts.get(vips, 0) + 1
    if len(counts) < 2:
        return
    usual = max(sorted(counts), key=lambda vips: counts[vips])
    for kube_vip in network.kube_vips:
        if texts[kube_vip.node] != usual:
            yield Fault(
                kube_vip.where,
                f"kube-vip on {kube_vip.node} announces {several(texts[kube_vip.node]) or 'nothing'}, the other "
                f"control planes {several(usual)}: it does not stand in for them.",
                f"Write address: {','.join(usual)}.",
            )


@rule("KV006", "The API address stands on the loopback", Severity.WARNING)
def on_loopback(network: Network) -> Iterator[Fault]:
    """With BGP the address belongs to the machine and to no link.

    On a network card it answers to ARP, kubelet and Calico may take it for the node's address, and it goes away
    with the link.

    Source: kube-vip/kube-vip#682, projectcalico/calico#4870.
    """
    for kube_vip in network.kube_vips:
        if not (kube_vip.interface == "lo" or kube_vip.interface.startswith("dummy")):
            yield Fault(
                kube_vip.where,
                f"kube-vip on {kube_vip.node} puts the API address on "
                f"{kube_vip.interface or 'the default interface'}, where kubelet and Calico may take it for the "
                "node's address.",
                "Set vip_interface to lo.",
            )


@rule("KV007", "Every control plane runs kube-vip", Severity.WARNING)
def everywhere(network: Network) -> Iterator[Fault]:
    """A control plane without kube-vip takes no part in the API address.

    It costs redundancy, and the router waits for it.

    Source: practice.
    """
    running = {kube_vip.node for kube_vip in network.kube_vips}
    for node in network.nodes:
        if running and node.role is Role.CONTROL_PLANE and node.name not in running:
            yield Fault(
                node.where,
                f"Control plane {node.name} has no kube-vip, while {several(running)} announce the API address: it "
                "does not stand in for them.",
                f"Add nodes/{node.name}/kube-vip.yaml.",
            )


@rule("KV008", "Every family of the API address has a session")
def families(network: Network) -> Iterator[Fault]:
    """kube-vip's GoBGP carries the family of the peer's address only.

    An IPv6 address over an IPv4 session is not announced, and no log says so.

    Source: osrg/gobgp pkg/config/oc/default.go; kube-vip mpbgp_nexthop.
    """
    carried: dict[str, set[int]] = {}
    for end in network.ends:
        if end.software is Software.KUBE_VIP:
            carried.setdefault(end.host, set()).add(end.peer.version)
    lost: dict[IPAddress, list[KubeVip]] = {}
    for kube_vip in network.kube_vips:
        families = carried.get(kube_vip.node)
        for vip in kube_vip.vips:
            if families and vip.version not in families:
                lost.setdefault(vip, []).append(kube_vip)
    for vip, kube_vips in lost.items():
        yield Fault(
            kube_vips[0].where,
            f"kube-vip on {several(item.node for item in kube_vips)} has no peer of IPv{vip.version}: {vip} is never "
            "announced.",
            f"Add the router's IPv{vip.version} address to bgp_peers.",
        )
