"""The way out: what a proxy is not asked for, and machines that all have the same."""

from dataclasses import replace

from rule_networks import Case, add, drop, planned_from, seed

from anycastle.network.canonical import canonical
from anycastle.network.cluster import Proxy
from anycastle.network.model import Network

PROXY = "http://proxy.example.com:3128"
SITE = {
    "egress": {
        "proxy": {"https": PROXY},
        "mirrors": [{"registry": "docker.io", "mirror": "https://registry.example.com/docker.io"}],
    }
}


def behind() -> Network:
    return planned_from(SITE)


def without(program: str, *entries: str, node: str = "") -> Network:
    """One program whose NO_PROXY lacks entries."""

    def changed(proxy: Proxy) -> Proxy:
        left = tuple(entry for entry in proxy.exempt if entry not in entries)
        assert len(left) == len(proxy.exempt) - len(entries)
        return replace(proxy, exempt=left)

    network = behind()
    assert any(proxy.program == program and proxy.node == node for proxy in network.proxies)
    return replace(
        network,
        proxies=tuple(changed(p) if (p.program, p.node) == (program, node) else p for p in network.proxies),
    )


def kubelet(*exempt: str) -> Network:
    network = behind()
    where = network.nodes[0].where
    ours = [Proxy(program="kubelet", node=node.name, https=PROXY, exempt=exempt, where=where) for node in network.nodes]
    return canonical(replace(network, proxies=(*network.proxies, *ours[:1])))


def flux(*exempt: str) -> Network:
    return add(seed(), "proxies", Proxy(program="flux", https=PROXY, exempt=exempt, where=seed().nodes[0].where))


CASES = (
    Case(
        "EGR001",
        "Argo CD asks a proxy for the API server, or reaches it by one wide network",
        lambda: without("argo-cd", "10.96.0.0/12"),
        lambda: replace(
            behind(),
            proxies=tuple(
                replace(p, exempt=("10.0.0.0/8",)) if p.program == "argo-cd" else p for p in behind().proxies
            ),
        ),
    ),
    Case(
        "EGR001",
        "kubelet asks a proxy for the API server, whose address alone is named; or for everything but its domain",
        lambda: kubelet("192.168.20.1", "k8s.example.org"),
        lambda: kubelet(".k8s.example.com"),
    ),
    Case(
        "EGR001",
        "a mirror is asked for by the proxy on one machine; on it, NO_PROXY has the domain",
        lambda: without("containerd", "registry.example.com", node="k8s-node-2"),
        lambda: replace(
            behind(), proxies=tuple(replace(p, exempt=("*.example.com", *p.exempt)) for p in behind().proxies)
        ),
    ),
    Case(
        "EGR001",
        "the parts of Flux call one another with a dot at the end",
        lambda: flux("10.96.0.0/12", ".svc", ".cluster.local"),
        lambda: flux("10.96.0.0/12", ".svc", ".cluster.local", ".cluster.local."),
    ),
    Case(
        "EGR002",
        "one machine has no mirror, or the mirrors of half of them",
        lambda: drop(behind(), "mirrors", lambda mirror: mirror.node == "k8s-node-3"),
        lambda: drop(behind(), "mirrors", lambda mirror: mirror.node < "k8s-node-2"),
    ),
)
