"""Sites whose nodes have links of two addresses, for the lab's tests."""

from __future__ import annotations

from typing import Any

from sites import case


def links() -> dict[str, Any]:
    """The example: three control planes and three workers, each with a /31 to each of two routers."""
    return case("links")


def both_families() -> dict[str, Any]:
    """The same with a /127 on every cable."""
    site = links()
    site["kubernetes"]["service_cidrs"].append("fd00:96::/112")
    site["kubernetes"]["api"]["vips"].append("fd00:40:1::1")
    site["networks"]["nodes"].append({"name": "loopbacks6", "cidr": "fd00:40::/64"})
    site["networks"]["pods"].append({"name": "pods6", "cidr": "fd00:244::/56", "encapsulation": "VXLAN"})
    site["load_balancer"]["pools"].append({"name": "services6", "ranges": ["fd00:40:2::/120"]})
    site["ingress"][0]["addresses"].append("fd00:40:2::10")
    for number, node in enumerate(site["nodes"]):
        node["addresses"] = [f"fd00:40::{number + 16:x}"]
        for side, link in enumerate(list(node["links"])):
            six = {"address": f"fd00:41:{side}::{2 * number + 1:x}", "peer": f"fd00:41:{side}::{2 * number:x}"}
            node["links"].append({**link, **six})
    return site


def one_router() -> dict[str, Any]:
    """Two links from each node to one router."""
    site = links()
    del site["routers"][1]
    for number, node in enumerate(site["nodes"]):
        second = {"address": f"10.42.0.{2 * number}", "peer": f"10.42.0.{2 * number + 1}"}
        node["links"][1] = {"router": "tor-a", "interface": f"swp{20 + number}", **second}
    return site


def some_on_a_subnet() -> dict[str, Any]:
    """One control plane and one worker on a subnet with both routers."""
    site = links()
    site["networks"]["nodes"].append({"name": "lan", "cidr": "10.43.0.0/24", "gateway": "10.43.0.1"})
    for router, address in zip(site["routers"], ("10.43.0.1", "10.43.0.3"), strict=True):
        router["address"] = address
    for node in (site["nodes"][0], site["nodes"][5]):
        del node["links"]
        node["address"] = node["address"].replace("10.40.0", "10.43.0")
    return site


def reflectors() -> dict[str, Any]:
    """Two of the workers reflect for the others."""
    site = links()
    site["bgp"]["route_reflectors"] = {"nodes": ["node-1", "node-2"], "cluster_id": "244.0.0.1"}
    return site
