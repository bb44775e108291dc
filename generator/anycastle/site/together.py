"""Answers that contradict each other, or that change nothing beside another one.

Each is right alone. What they would do to the network is known without it, so it is said at the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from anycastle.fields import IPAddress
from anycastle.finding import Finding, Place, Severity
from anycastle.site.model import Site
from anycastle.site.parts import parts


def contradictions(site: Site) -> Iterator[Finding]:
    """All of them."""
    yield from _dataplane(site)
    yield from _two_families(site)
    yield from _pool_names(site)
    yield from _ingress_classes(site)
    yield from _ingress_namespaces(site)
    yield from _host_names(site)
    yield from _without_effect(site)


def _dataplane(site: Site) -> Iterator[Finding]:
    """Somebody serves Services, and only one does (Calico documentation, eBPF and nftables dataplanes)."""
    proxy, dataplane = site.kubernetes.kube_proxy, site.kubernetes.dataplane
    if dataplane is None or (proxy == "kept") == (dataplane != "ebpf"):
        return
    if proxy == "kept":
        yield _finding(
            "SITE011",
            "kubernetes.dataplane",
            "kube-proxy is kept beside the eBPF dataplane: both serve Services, and each takes out what the other puts "
            "into the kernel.",
            "Write kube_proxy: operator, so that Calico's operator switches it off, or dataplane: iptables.",
        )
    else:
        yield _finding(
            "SITE011",
            "kubernetes.dataplane",
            f"With kube_proxy: {proxy} nobody serves Services: the {dataplane} dataplane leaves them to kube-proxy.",
            "Write kube_proxy: kept, or dataplane: ebpf.",
        )


def _two_families(site: Site) -> Iterator[Finding]:
    lists: list[tuple[str, tuple[IPAddress, ...], str]] = [
        *(
            (f"nodes[{index}].addresses", (node.address, *node.addresses), f"The second address of {node.name}")
            for index, node in enumerate(site.nodes)
        ),
        *(
            (f"routers[{index}].addresses", (one.address, *one.addresses), f"The second address of {one.name}")
            for index, one in enumerate(site.routers)
        ),
        *(
            (f"ingress[{index}].addresses", one.addresses, f"The second address of ingress {one.name}")
            for index, one in enumerate(site.ingress)
        ),
    ]
    for key, addresses, what in lists:
        if len({address.version for address in addresses}) < len(addresses):
            yield _finding(
                "SITE011",
                key,
                f"{what} is of the same family as the first: kubelet and Calico take one address of each.",
                "Write one IPv4 and one IPv6 address, or leave the second one out.",
            )


def _pool_names(site: Site) -> Iterator[Finding]:
    """Every part of a pool is an IPPool, and so is a pool of pods."""
    names = Counter(pool.name for pool in site.networks.pods)
    names.update(part.name for part in parts(site))
    known = {pool.name: index for index, pool in enumerate(site.load_balancer.pools)}
    twice = {name for name, count in names.items() if count > 1}
    said = _repeated(pool.name for pool in site.networks.pods) | _repeated(p.name for p in site.load_balancer.pools)
    for name in sorted(twice - said):
        index = known.get(name, 0)
        yield _finding(
            "SITE005",
            f"load_balancer.pools[{index}].name",
            f"Two address pools would be called {name}; pools of pods and every further part of a pool (POOL-2, "
            "POOL-3) are objects of one kind.",
            "Choose another name.",
        )


def _ingress_classes(site: Site) -> Iterator[Finding]:
    classes = [ingress.class_name for ingress in site.ingress]
    for index, name in enumerate(classes):
        if name in classes[:index]:
            yield _finding(
                "SITE005",
                f"ingress[{index}].class",
                f"The class {name} is that of another ingress: both would serve every route of it, and own one "
                "IngressClass.",
                "Choose another class.",
            )
    default = [index for index, ingress in enumerate(site.ingress) if ingress.default]
    for index in default[1:]:
        yield _finding(
            "SITE011",
            f"ingress[{index}].default",
            "Two ingresses are the default one: which of them serves an Ingress without a class is left to the age of "
            "the two classes.",
            "Write default: false for all but one.",
        )


_TAKEN = {
    "argocd": "Argo CD, whose administrator is whoever writes there",
    "flux-system": "Flux, which may do everything in the cluster",
    "calico-system": "Calico",
    "tigera-operator": "Calico's operator",
    "whoami": "the smoke test",
    "default": "whatever names no namespace",
    "kube-system": "Kubernetes itself",
    "kube-public": "Kubernetes itself",
    "kube-node-lease": "Kubernetes itself",
}
"""Namespaces that have an owner."""


def _ingress_namespaces(site: Site) -> Iterator[Finding]:
    """An ingress lives in the namespace of its name, where its chart may write workloads."""
    for index, ingress in enumerate(site.ingress):
        if ingress.name in _TAKEN:
            yield _finding(
                "SITE005",
                f"ingress[{index}].name",
                f"An ingress lives in the namespace of its name, and {ingress.name} is that of {_TAKEN[ingress.name]}: "
                "Traefik's chart could write there.",
                "Choose another name.",
            )


def _host_names(site: Site) -> Iterator[Finding]:
    """Names that lead to the ingress cannot lead to the API as well."""
    served = ["whoami", *(["argocd"] if site.gitops.engine == "argocd" else [])]
    for word in served if site.ingress else ():
        if site.kubernetes.api.name == f"{word}.{site.domain}":
            yield _finding(
                "SITE011",
                "kubernetes.api.name",
                f"{site.kubernetes.api.name} is the name of {word} behind the ingress: it leads to one of the two "
                "addresses only.",
                "Choose another name.",
            )


def _without_effect(site: Site) -> Iterator[Finding]:
    for index, node in enumerate(site.nodes):
        if node.workloads and node.role == "worker":
            yield _finding(
                "SITE007",
                f"nodes[{index}].workloads",
                f"{node.name} is a worker, which carries ordinary pods anyway: the answer would change nothing.",
                "Take the key out.",
            )


def _repeated(names: Iterable[str]) -> set[str]:
    return {name for name, count in Counter(names).items() if count > 1}


def _finding(code: str, key: str, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(key=key), message, fix)
