"""What stands where no source says anything: the wizard's defaults, which avoid everything that is stated.

The wizard asks for IPv4; for a site of IPv6 alone the ranges are those of `_IPV6`, unique local addresses (RFC 4193).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from anycastle.fields import parse_range
from anycastle.importing.machines import Link, Machine
from anycastle.importing.merged import Merged
from anycastle.importing.ranges import pod_pools, service_pools, service_ranges
from anycastle.importing.routing import Numbers, Peer
from anycastle.importing.words import CONTROL_PLANE
from anycastle.records import dataclass
from anycastle.wizard.answers import complete
from anycastle.wizard.nodes import NONE

_IPV6 = {
    "pods": "fd00:10:244::/56",
    "services": "fd00:10:96::/112",
    "vip": "fd00:20::1",
    "pool": "fd00:20::100/122",
    "ingress": "fd00:20::120",
}


@dataclass(frozen=True, slots=True)
class Defaults:
    """The value of each key that may be unstated."""

    name: str
    domain: str
    kubernetes_version: str
    api_name: str
    vips: list[str]
    service_cidrs: list[str]
    pods: list[dict[str, Any]]
    pools: list[dict[str, Any]]
    ingress: dict[str, Any]
    replicas: int
    assign: str
    router_asn: int
    control_plane_asn: int | None
    worker_asn: int
    repository: str
    workloads: bool


def defaults(
    merged: Merged, nodes: Sequence[Machine], links: Sequence[Link], routers: Sequence[Peer], speaking: Numbers
) -> Defaults:
    """All of them, each clear of what the sources state."""
    family = min(link.cidr.version for link in links)
    workers = sum(node.role != CONTROL_PLANE for node in nodes)
    no_vip = _without_address(merged, workers)
    answers = complete(_answers(merged, links, routers, speaking, no_vip=no_vip)).answers
    return Defaults(
        name=answers["site_name"],
        domain=answers["domain"],
        kubernetes_version=answers["kubernetes_version"],
        api_name=answers["api_name"],
        vips=[] if no_vip else [answers["api_vip"] if family == 4 else _IPV6["vip"]],
        service_cidrs=[answers["service_range"] if family == 4 else _IPV6["services"]],
        pods=[_pods(answers, family)],
        pools=[
            {"name": "loadbalancer-pool", "ranges": [answers["load_balancer_pool"] if family == 4 else _IPV6["pool"]]}
        ],
        ingress=_ingress(merged, answers, family, workers),
        replicas=1 if workers < 2 else 2,
        assign=answers["assign"],
        router_asn=int(answers["router_asn"]),
        control_plane_asn=None if no_vip else int(answers["control_plane_asn"].replace(NONE, "65020")),
        worker_asn=int(answers["worker_asn"]),
        repository=answers["repository"],
        workloads=not workers,
    )


def _without_address(merged: Merged, workers: int) -> bool:
    """Where Calico peers on control planes, an API address would need a second speaker beside it: none by default."""
    stated, peering = merged.get("kubernetes", "api", "vips"), merged.get("bgp", "peering")
    if stated is not None:
        return not stated.value
    return peering.value == "all" if peering is not None else not workers


def _pods(answers: Mapping[str, str], family: int) -> dict[str, Any]:
    if family == 4:
        return {"name": "default-ipv4-ippool", "cidr": answers["pod_range"], "block_size": 26}
    return {"name": "default-ipv6-ippool", "cidr": _IPV6["pods"], "block_size": 122}


def _ingress(merged: Merged, answers: Mapping[str, str], family: int, workers: int) -> dict[str, Any]:
    """A fixed address of the pool, where that pool is one of the family that the wizard knows."""
    address = answers["ingress_address"] if family == 4 else _IPV6["ingress"]
    pools = service_pools(merged)
    networks = [network for pool in pools for network in parse_range(list(pool["ranges"].value))]
    if networks and not any(network.version == family for network in networks):
        address = str(networks[0][networks[0].num_addresses // 2])
    elif networks and family == 6:
        inside = next(network for network in networks if network.version == 6)
        address = str(inside[inside.num_addresses // 2])
    return {"name": "traefik", "class": "traefik", "addresses": [address], "replicas": 1 if workers < 2 else 2}


def _answers(
    merged: Merged, links: Sequence[Link], routers: Sequence[Peer], speaking: Numbers, *, no_vip: bool
) -> dict[str, str]:
    """What is stated, in the wizard's words, as far as it has words for it; its defaults then avoid all that."""
    first = next((link for link in links if link.cidr.version == 4), None)
    vips = merged.get("kubernetes", "api", "vips")
    found: dict[str, Any] = {
        "domain": _value(merged, "domain"),
        "site_name": _value(merged, "name"),
        "kubernetes_version": _value(merged, "kubernetes", "version"),
        "api_name": _value(merged, "kubernetes", "api", "name"),
        "node_subnet": first.cidr if first is not None else None,
        "router_address": next((router.address for router in routers if router.address.version == 4), None),
        "router_asn": next((router.facts["asn"].value for router in routers if "asn" in router.facts), None),
        "api_vip": vips.value[0] if vips is not None and vips.value else NONE if no_vip else None,
        "control_plane_asn": speaking.control_planes.value if speaking.control_planes is not None else None,
        "worker_asn": speaking.workers.value if speaking.workers is not None else None,
        "pod_range": next((pool["cidr"].value for pool in pod_pools(merged) if ":" not in pool["cidr"].value), None),
        "service_range": _first_range(merged),
        "load_balancer_pool": _pools(merged),
    }
    return {key: str(value) for key, value in found.items() if value is not None}


def _value(merged: Merged, *key: str) -> Any:
    fact = merged.get(*key)
    return fact.value if fact is not None else None


def _first_range(merged: Merged) -> str | None:
    found = service_ranges(merged)
    values = [one.value for one in found] if isinstance(found, list) else found.value if found is not None else []
    return next((text for text in values if ":" not in text), None)


def _pools(merged: Merged) -> str | None:
    texts = [text for pool in service_pools(merged) for text in pool["ranges"].value if ":" not in text]
    return ", ".join(texts) or None
