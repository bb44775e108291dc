"""The way out: what must not go through a proxy, and machines that lack what all others have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from anycastle.finding import Place, Severity
from anycastle.network.cluster import Proxy
from anycastle.network.egress import around, holds
from anycastle.network.model import Network
from anycastle.rules.registry import Fault, rule
from anycastle.urls import hostname


@rule("EGR001", "Nothing of the cluster is asked by way of a proxy")
def inside(network: Network) -> Iterator[Fault]:
    """A proxy knows the way out, and not the way in: what NO_PROXY does not name is lost there.

    kubelet dials the API server by its name: through a proxy a machine neither joins nor stays. Programs in pods dial
    it by the first address of the service range, and the parts of Flux one another by names with a dot at the end.
    containerd asks only registries; a mirror that is asked by way of the proxy is often one that the proxy refuses.

    Source: golang.org/x/net/http/httpproxy; fluxcd.io, Flux proxy settings; Kubernetes, KUBERNETES_SERVICE_HOST.
    """
    mirrored: dict[str, set[str]] = defaultdict(set)
    for mirror in network.mirrors:
        mirrored[mirror.node].add(hostname(mirror.url))
    for proxy in network.proxies:
        lacking = tuple(_lacking(network, proxy, mirrored))
        if lacking:
            yield _through(proxy, lacking)


def _lacking(network: Network, proxy: Proxy, mirrored: Mapping[str, set[str]]) -> Iterator[str]:
    if proxy.program == "containerd":
        hosts = mirrored.get(proxy.node, set()) | mirrored.get("", set())
        yield from (host for host in sorted(hosts) if host and not around(host, proxy.exempt))
    elif proxy.program == "kubelet":
        yield from (host for host in _api(network) if not around(host, proxy.exempt))
    else:
        for services in network.service_ranges:
            first = str(services.cidr[1]) if services.primary else ""
            if first and not around(first, proxy.exempt) and not holds(services.cidr, proxy.exempt):
                yield str(services.cidr)
        if proxy.program == "flux" and not any(_dotted(entry) for entry in proxy.exempt):
            yield ".cluster.local."


def _dotted(entry: str) -> bool:
    """Whether an entry covers a name with a dot at its end, in whatever domain the cluster has."""
    return entry == "*" or (entry.endswith(".") and len(entry) > 1)


def _api(network: Network) -> Iterator[str]:
    """How machines call the API server."""
    if network.api is None:
        return
    yield network.api.name
    if not network.api.name:
        yield from map(str, network.api.vips)


_LOST = {
    "kubelet": ("the machine does not join", Severity.ERROR),
    "containerd": ("images are fetched through it, or not at all", Severity.WARNING),
    "argo-cd": ("it does not reach the API server", Severity.ERROR),
    "flux": ("its parts reach neither the API server nor one another", Severity.ERROR),
}


def _through(proxy: Proxy, lacking: tuple[str, ...]) -> Fault:
    who = f"{proxy.program} on {proxy.node}" if proxy.node else proxy.program
    what, severity = _LOST[proxy.program]
    return Fault(
        proxy.where,
        f"{who} asks {proxy.https or proxy.http} for {', '.join(lacking)}, which NO_PROXY does not name: {what}.",
        f"Add {','.join(lacking)} to NO_PROXY.",
        severity,
    )


@rule("EGR002", "Machines have the same way out", Severity.WARNING)
def alike(network: Network) -> Iterator[Fault]:
    """A machine without the mirror, the proxy or the certificates of all others starts no pod.

    It shows late: images that are there already are not asked for. The pods of a machine that failed move to the one
    that cannot fetch them.

    Source: practice.
    """
    if not network.nodes:
        return
    having: dict[str, dict[str, Place]] = defaultdict(dict)
    for what, name, place in _held(network):
        having[what][name] = place
    for what, nodes in sorted(having.items()):
        without = [node for node in network.nodes if node.name not in nodes]
        if "" in nodes or not without or len(without) * 2 >= len(network.nodes):
            continue
        for node in without:
            yield Fault(
                node.where,
                f"{node.name} has no {what}, which {len(nodes)} of {len(network.nodes)} machines have.",
                f"Give it what {min(nodes)} has ({nodes[min(nodes)].path or 'see there'}).",
            )


def _held(network: Network) -> Iterator[tuple[str, str, Place]]:
    for mirror in network.mirrors:
        yield f"mirror of {mirror.registry}", mirror.node, mirror.where
    for proxy in network.proxies:
        if proxy.program in ("containerd", "kubelet"):
            yield f"proxy for {proxy.program}", proxy.node, proxy.where
    for trust in network.trusts:
        if not trust.program:
            yield "certificate of an authority", trust.node, trust.where
