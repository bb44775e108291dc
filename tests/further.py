"""Sites whose nodes have further speakers: kube-vip from an address of its own, and one that somebody else configures.

What such a speaker announces has a region of its own: 10.198/16, and fd00:298 for IPv6.
"""

from ipaddress import ip_address, ip_network
from typing import Any

from hypothesis import strategies as st

from topologies import ASNS

Data = dict[str, Any]

FOUR = (["10.198.1.0/24"], ["10.198.1.0/24", "10.198.2.64/26"], ["10.198.3.7/32", "10.198.3.8/31"])
SIX = (["fd00:298::/64"], ["fd00:298:1::7/128", "fd00:298::/64"])


def spoken(draw: st.DrawFn, site: Data) -> Data:
    """The same site, one in three times with further speakers."""
    if draw(st.integers(0, 2)) == 0:
        _everywhere(draw, site)
    if draw(st.integers(0, 2)) == 0:
        _others(draw, site)
    return site


def _everywhere(draw: st.DrawFn, site: Data) -> None:
    """Calico peers on control planes, too, and every kube-vip has an address of its own, some a number as well."""
    versions = {ip_address(vip).version for vip in site["kubernetes"]["api"]["vips"]}
    controls = [node for node in site["nodes"] if node["role"] == "control-plane" and node.get("peer", True)]
    if len(versions) != 1:
        return
    version = versions.pop()
    for node in controls:
        if site["bgp"].get("route_reflectors"):
            node.pop("asn", None)  # SITE011: Calico speaks here now, and reflectors have one number
        node["speakers"] = [{"name": "kube-vip", "source": beside(site, node, version)}]
        if draw(st.integers(0, 5)) == 0:
            node["speakers"][0]["asn"] = draw(ASNS)
    site["bgp"]["peering"] = "all"


def _others(draw: st.DrawFn, site: Data) -> None:
    peering = [node for node in site["nodes"] if node.get("peer", True)]
    for node in draw(st.permutations(peering))[:3] if peering else ():
        version = ip_address(node["address"]).version
        announces = draw(st.sampled_from(FOUR if version == 4 else SIX))
        name = draw(st.sampled_from(("metallb", "cilium")))
        source = beside(site, node, version)
        own = {"name": name, "asn": draw(ASNS), "source": source, "announces": announces}
        node["speakers"] = [*node.get("speakers", []), own]


def beside(site: Data, node: Data, version: int) -> str:
    """A free address of a subnet that the node is on, from its upper end."""
    machines = [*site["nodes"], *site["routers"]]
    taken = {text for machine in machines for text in (machine["address"], *machine.get("addresses", []))}
    taken |= {speaker["source"] for one in site["nodes"] for speaker in one.get("speakers", [])}
    taken |= {subnet.get("gateway", "") for subnet in site["networks"]["nodes"]}
    own = [ip_address(text) for text in (node["address"], *node.get("addresses", []))]
    subnets = [ip_network(subnet["cidr"]) for subnet in site["networks"]["nodes"]]
    here = next(net for net in subnets for address in own if net.version == version and address in net)
    return next(str(here[-number]) for number in range(3, 400) if str(here[-number]) not in taken)
