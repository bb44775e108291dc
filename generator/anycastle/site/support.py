"""What the site file can already say and the generator cannot yet carry out.

Such a field is refused with a finding, never ignored: an accepted answer that changes nothing is a trap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anycastle.finding import Finding, Place, Severity
from anycastle.site.model import Site


def unsupported(site: Site) -> Iterator[Finding]:
    """One finding for every answer that nothing is rendered for yet."""
    for key, what in (
        *_cluster(site),
        *_routing(site),
        *_nodes(site),
        *_services(site),
        *_gitops(site),
        *_families(site),
    ):
        yield Finding(
            "SITE010",
            Severity.ERROR,
            Place(key=key),
            f"{what} is described by the site file but not supported yet; nothing would be generated for it.",
            "Take the key out, or leave it at its default.",
        )


Gap = tuple[str, str]


def _cluster(site: Site) -> Iterator[Gap]:
    if site.kubernetes.kube_proxy != "disabled":
        yield "kubernetes.kube_proxy", "A cluster with kube-proxy"
    for index, subnet in enumerate(site.networks.nodes[1:], start=1):
        yield f"networks.nodes[{index}]", f"A second node subnet ({subnet.name})"
    for index, pool in enumerate(site.networks.pods):
        if pool.encapsulation in ("IPIP", "IPIPCrossSubnet"):
            yield f"networks.pods[{index}].encapsulation", "IPIP with the eBPF dataplane"


def _routing(site: Site) -> Iterator[Gap]:
    for index, router in enumerate(site.routers):
        at = f"routers[{index}]"
        if index:
            yield at, f"A second router ({router.name})"
        if router.software != "frr":
            yield f"{at}.software", f"A router with {router.software}"
        if router.rack is not None:
            yield f"{at}.rack", "A router of one rack"
        if router.multihop is not None:
            yield f"{at}.multihop", "A router that is not on the nodes' link"
        if router.reachable_by is not None:
            yield f"{at}.reachable_by", "A router behind a gateway"
        if router.password is not None:
            yield f"{at}.password", "A password on a BGP session"
    if site.bgp.route_reflectors is not None:
        yield "bgp.route_reflectors", "Route reflection inside the cluster"
    for index, rack in enumerate(site.racks):
        yield f"racks[{index}]", f"A rack ({rack.name})"


NODE_KEYS: Mapping[str, str] = {
    "addresses": "A second address of a node",
    "workloads": "A control plane that carries workloads",
    "asn": "An AS number of one node",
    "speakers": "A second BGP speaker on a node",
    "links": "A point-to-point link of a node",
}
"""Keys of a node that nothing is rendered for yet; the wizard offers what needs one as soon as it is gone from here."""


def _nodes(site: Site) -> Iterator[Gap]:
    for index, node in enumerate(site.nodes):
        at = f"nodes[{index}]"
        for key, what in NODE_KEYS.items():
            if getattr(node, key):
                yield f"{at}.{key}", what
        if not node.peer:
            yield f"{at}.peer", "A node that holds no BGP session"


def _services(site: Site) -> Iterator[Gap]:
    for index, ingress in enumerate(site.ingress[1:], start=1):
        yield f"ingress[{index}]", f"A second ingress ({ingress.name})"
    for index, _reserved in enumerate(site.load_balancer.reserved):
        yield f"load_balancer.reserved[{index}]", "A reservation inside a load-balancer pool"


def _gitops(site: Site) -> Iterator[Gap]:
    if site.gitops.engine != "argocd":
        yield "gitops.engine", "Flux"
    if site.gitops.source != "upstream":
        yield "gitops.source", "A vendored repository"
    if site.gitops.secrets != "none":
        yield "gitops.secrets", "Secret management"
    if site.gitops.path:
        yield "gitops.path", "A repository inside a larger one"


def _families(site: Site) -> Iterator[Gap]:
    named = [
        *((f"kubernetes.service_cidrs[{i}]", cidr.version) for i, cidr in enumerate(site.kubernetes.service_cidrs)),
        *((f"kubernetes.api.vips[{i}]", vip.version) for i, vip in enumerate(site.kubernetes.api.vips)),
        *((f"networks.nodes[{i}].cidr", net.cidr.version) for i, net in enumerate(site.networks.nodes)),
        *((f"networks.pods[{i}].cidr", pool.cidr.version) for i, pool in enumerate(site.networks.pods)),
        *(
            (f"networks.nodes[{i}].gateway", net.gateway.version)
            for i, net in enumerate(site.networks.nodes)
            if net.gateway
        ),
        *((f"networks.reserved[{i}].range", 6) for i, one in enumerate(site.networks.reserved) if ":" in one.range),
        *((f"networks.owned.prefixes[{i}]", net.version) for i, net in enumerate(site.networks.owned.prefixes)),
        *((f"routers[{i}].address", router.address.version) for i, router in enumerate(site.routers)),
        *((f"nodes[{i}].address", node.address.version) for i, node in enumerate(site.nodes)),
        *(
            (f"load_balancer.pools[{i}].ranges", 6)
            for i, pool in enumerate(site.load_balancer.pools)
            if any(":" in text for text in pool.ranges)
        ),
        *(
            (f"ingress[{i}].addresses[{j}]", address.version)
            for i, ingress in enumerate(site.ingress)
            for j, address in enumerate(ingress.addresses)
        ),
    ]
    yield from ((key, "IPv6") for key, version in named if version == 6)
