"""Names in a site file that point at other names, and what must be there together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from anycastle.finding import Finding, Place, Severity
from anycastle.site.model import Site


def references(site: Site) -> Iterator[Finding]:
    """Duplicate names, references to nothing, and answers that need another answer."""
    yield from _unique_names(site)
    yield from _known_names(site)
    yield from _needed_together(site)


def _unique_names(site: Site) -> Iterator[Finding]:
    lists = {
        "nodes": [node.name for node in site.nodes],
        "routers": [router.name for router in site.routers],
        "networks.nodes": [subnet.name for subnet in site.networks.nodes],
        "networks.pods": [pool.name for pool in site.networks.pods],
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
    if site.kubernetes.api.vips and site.bgp.control_plane_asn is None:
        yield _finding(
            "SITE007",
            "bgp.control_plane_asn",
            "The API address is announced by kube-vip, which needs an AS number; without one it takes 65000 in silence.",
            "Write bgp.control_plane_asn, different from the router's.",
        )
    requested = site.load_balancer.assign == "requested"
    for index, ingress in enumerate(site.ingress):
        if requested and not ingress.addresses and ingress.pool is None:
            yield _finding(
                "SITE007",
                f"ingress[{index}].addresses",
                "With assign: requested Calico gives an address only to a Service that asks; this one asks for none.",
                "Write an address of a load-balancer pool, name a pool, or set load_balancer.assign: all.",
            )


def _finding(code: str, key: str, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(key=key), message, fix)
