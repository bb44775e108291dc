"""Generated sites without what a rule would rightly refuse, so that most of them can be judged: one repair each."""

from typing import Any

from hypothesis import strategies as st

import strategies

Data = dict[str, Any]


def sites() -> st.SearchStrategy[Data]:
    """Sites of every shape, most of which are right."""
    return strategies.sites().map(repaired)


def repaired(site: Data) -> Data:
    """The same shape: no old release without what it lacks, nothing reserved whole, pods that reach each other."""
    versions, bgp = site.get("versions", {}), site["bgp"]
    if site["kubernetes"]["api"]["vips"]:
        versions.pop("kube_vip", None)  # VER001
    if versions.get("calico", "").startswith("3.30"):
        bgp["advertise"] = "aggregate"  # VER002
    site["load_balancer"].pop("reserved", None)  # POOL011
    for pool in site["networks"]["pods"]:
        if not pool["encapsulation"].startswith("VXLAN"):
            _routed(pool, bgp)
    _wide(site)
    _announced(site)
    return site


def _routed(pool: Data, bgp: Data) -> None:
    """POOL008: without an overlay of its own a pool needs the mesh."""
    if bgp.get("route_reflectors") or len({bgp["worker_asn"]}) != 1:
        pool["encapsulation"] = "VXLAN"
    else:
        bgp["node_to_node_mesh"] = True


def _wide(site: Data) -> None:
    """POOL002: a block for every node, and some to grow."""
    for pool in site["networks"]["pods"]:
        if ":" not in pool["cidr"]:
            pool["block_size"] = max(pool["block_size"], 26)


def _announced(site: Data) -> None:
    """ANN002, WORK001: some node carries pods and announces Services."""
    peering = [node for node in site["nodes"] if node.get("peer", True)]
    workers = [node for node in peering if node["role"] == "worker"]
    if site["bgp"]["peering"] == "all" or workers:
        for node in workers or peering:
            node["announce_services"] = True
    if not any(node["role"] == "worker" for node in site["nodes"]):
        site["nodes"][0]["workloads"] = True
