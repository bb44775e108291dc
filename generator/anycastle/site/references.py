"""Names in a site file that point at other names, and what must be there together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from anycastle.finding import Finding, Place, Severity
from anycastle.site.model import Site
from anycastle.site.placement import placement


def references(site: Site) -> Iterator[Finding]:
    """Duplicate names, references to nothing, and answers that need another answer."""
    yield from _unique_names(site)
    yield from _known_names(site)
    yield from _needed_together(site)
    yield from _labels(site)
    yield from placement(site)


def _unique_names(site: Site) -> Iterator[Finding]:
    lists = {
        "nodes": [node.name for node in site.nodes],
        "routers": [router.name for router in site.routers],
        "networks.nodes": [subnet.name for subnet in site.networks.nodes],
        "networks.pods": [pool.name for pool in site.networks.pods],
        "load_balancer.reserved": [reserved.name for reserved in site.load_balancer.reserved],
        "load_balancer.pools": [pool.name for pool in site.load_balancer.pools],
        "ingress": [ingress.name for ingress in site.ingress],
        "racks": [rack.name for rack in site.racks],
    }
    for key, names in lists.items():
        seen: Counter[str] = Counter()
        for index, name in enumerate(names):
            seen[name] += 1
            if seen[name] == 2:
                yield _finding(
                    "SITE005",
                    f"{key}[{index}].name",
                    f"The name {name} is used twice under {key}; the second would overwrite the files of the first.",
                    "Choose another name.",
                )


def _known_names(site: Site) -> Iterator[Finding]:
    pools = {pool.name for pool in site.load_balancer.pools}
    for index, ingress in enumerate(site.ingress):
        if ingress.pool is not None and ingress.pool not in pools:
            yield _finding(
                "SITE006",
                f"ingress[{index}].pool",
                f"There is no load-balancer pool {ingress.pool}, so the Service would wait for an address for ever.",
                f"Name one of: {', '.join(sorted(pools))}.",
            )
    racks = {rack.name for rack in site.racks}
    for index, node in enumerate(site.nodes):
        if node.rack is not None and node.rack not in racks:
            yield _finding(
                "SITE006",
                f"nodes[{index}].rack",
                f"There is no rack {node.rack}, so the node would get no router.",
                "Describe it under racks, or take the key out.",
            )


def _needed_together(site: Site) -> Iterator[Finding]:
    if not any(node.role == "control-plane" for node in site.nodes):
        yield _finding(
            "SITE007",
            "nodes",
            "No node is a control plane, so there is no API server.",
            "Give at least one node role: control-plane; three survive the loss of one.",
        )
    yield from _router_ids(site)
    yield from _branch(site)
    requested = site.load_balancer.assign == "requested"
    for index, ingress in enumerate(site.ingress):
        if requested and not ingress.addresses and ingress.pool is None:
            yield _finding(
                "SITE007",
                f"ingress[{index}].addresses",
                "With assign: requested Calico gives an address only to a Service that asks; this one asks for none.",
                "Write an address of a load-balancer pool, name a pool, or set load_balancer.assign: all.",
            )


_COMMIT = re.compile(r"[0-9a-f]{40}")


def _branch(site: Site) -> Iterator[Finding]:
    """`flux bootstrap` pushes, and then follows what it pushed to."""
    revision = site.gitops.revision
    if site.gitops.engine == "flux" and (revision == "HEAD" or revision.startswith("refs/") or _COMMIT.match(revision)):
        yield _finding(
            "SITE007",
            "gitops.revision",
            f"Flux follows a branch, and its bootstrap pushes to it; {revision} is none, and nothing could be pushed.",
            "Name the branch, for example main.",
        )


def _router_ids(site: Site) -> Iterator[Finding]:
    """Only kube-vip is told one; Calico's is the IPv4 address that it finds on the node."""
    for index, node in enumerate(site.nodes):
        if node.router_id is not None and (node.role == "worker" or not site.kubernetes.api.vips):
            yield _finding(
                "SITE007",
                f"nodes[{index}].router_id",
                f"No kube-vip speaks on {node.name}, and Calico takes its router ID from the node's address: the "
                "answer would change nothing.",
                "Take the key out.",
            )


_KUBELET_MAY_SET = (
    "kubelet.kubernetes.io/",
    "node.kubernetes.io/",
    "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone",
)
_SET_BY_OTHERS = (
    "kubernetes.io/hostname",
    "kubernetes.io/os",
    "node-role.kubernetes.io/control-plane",
    "node.kubernetes.io/exclude-from-external-load-balancers",
)


def _labels(site: Site) -> Iterator[Finding]:
    """Kubelet does not start with a label of the Kubernetes domains that is not its own to set (KEP-279)."""
    of_nodes = ((f"nodes[{index}].labels", node.labels) for index, node in enumerate(site.nodes))
    of_racks = ((f"racks[{index}].label", (rack.label,)) for index, rack in enumerate(site.racks))
    for key, labels in (*of_nodes, *of_racks):
        for label in labels:
            domain = label.rpartition("/")[0]
            ours = domain.endswith(("kubernetes.io", "k8s.io"))
            if ours and (label in _SET_BY_OTHERS or not label.startswith(_KUBELET_MAY_SET)):
                yield _finding(
                    "SITE008",
                    key,
                    f"The label {label} is not kubelet's to set: kubelet would refuse to start with it, or kubeadm "
                    "would overwrite it.",
                    "Use a domain of your own, such as example.com/rack; announce_services: false keeps a node out "
                    "of service announcements.",
                )


def _finding(code: str, key: str, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(key=key), message, fix)
