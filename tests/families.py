"""Sites of IPv4 turned into sites of both families or of IPv6 alone, with several ingresses, reservations, kube-proxy.

IPv6 has regions of its own, as IPv4 has: nodes in fd00:10, pods in fd00:172, Services in fd00:96, API addresses in
fd00:192, load-balancer pools in fd00:198. An IPv6 address ends in the bits of the IPv4 one that it stands beside.
"""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from hypothesis import strategies as st

import further

Data = dict[str, Any]


def varied(draw: st.DrawFn, site: Data) -> Data:
    """The same site, as it is or in one of these ways."""
    family = draw(st.sampled_from(("ipv4", "ipv4", "dual", "ipv6")))
    if family != "ipv4" and not any(router.get("reachable_by") for router in site["routers"]):
        _both(draw, site)
        if family == "ipv6":
            _without_ipv4(site)
    _ingresses(draw, site)
    _reserved(draw, site)
    _proxy(draw, site)
    _workloads(draw, site)
    return site


def sixth(text: str) -> str:
    """The IPv6 address beside an IPv4 one."""
    number = int(IPv4Address(text))
    return str(IPv6Address((0xFD000010 << 96) | (number >> 16 << 64) | number & 0xFFFF))


def _both(draw: st.DrawFn, site: Data) -> None:
    kubernetes, networks = site["kubernetes"], site["networks"]
    first_is_six = draw(st.booleans())
    kubernetes["service_cidrs"] = ["fd00:96::/112", *kubernetes["service_cidrs"]][:: 1 if first_is_six else -1]
    kubernetes["api"]["vips"] += ["fd00:192::1"] if kubernetes["api"]["vips"] and draw(st.booleans()) else []
    networks["nodes"] += [_subnet(subnet, number) for number, subnet in enumerate(networks["nodes"])]
    networks["pods"] += [
        {"name": f"six-{number}", "cidr": f"fd00:172:{number:x}::/{draw(st.integers(104, 118))}",
         "encapsulation": draw(st.sampled_from(("VXLAN", "VXLANCrossSubnet", "None"))), "export": draw(st.booleans())}
        for number in range(draw(st.integers(1, 2)))
    ]  # fmt: skip
    for machine in (*site["nodes"], *site["routers"]):
        pair = [machine["address"], sixth(machine["address"])][:: -1 if first_is_six else 1]
        machine["address"], machine["addresses"] = pair[0], [pair[1]]
    site["load_balancer"]["pools"].append(_pool(draw))
    for ingress in site["ingress"]:
        if ingress.get("addresses") and draw(st.booleans()):
            ingress["addresses"].append("fd00:198::10")


def _subnet(subnet: Data, number: int) -> Data:
    cidr = ip_network(subnet["cidr"])
    beside = ip_network((sixth(str(cidr[0])), 96 + cidr.prefixlen))
    gateway = {"gateway": sixth(subnet["gateway"])} if subnet.get("gateway") else {}
    return {"name": f"six-{number}", "cidr": str(beside), **gateway}


def _pool(draw: st.DrawFn) -> Data:
    ranges = ["fd00:198::10-fd00:198::" + draw(st.sampled_from(("10", "1f", "ffff")))]
    if draw(st.booleans()):
        ranges.append(f"fd00:198:1::/{draw(st.integers(112, 128))}")
    return {"name": "six-pool", "ranges": ranges, "assignment": draw(st.sampled_from(("automatic", "manual")))}


def _is_six(text: str) -> bool:
    return ":" in text


def _without_ipv4(site: Data) -> None:
    """What has a second family keeps that one alone; router IDs are written by hand."""
    kubernetes, networks = site["kubernetes"], site["networks"]
    kubernetes["service_cidrs"] = [cidr for cidr in kubernetes["service_cidrs"] if _is_six(cidr)]
    kubernetes["api"]["vips"] = ["fd00:192::1"] if kubernetes["api"]["vips"] else []
    for key in ("nodes", "pods"):
        networks[key] = [entry for entry in networks[key] if _is_six(entry["cidr"])]
    for number, machine in enumerate((*site["nodes"], *site["routers"]), start=1):
        machine["address"] = next(text for text in (machine["address"], *machine.pop("addresses")) if _is_six(text))
        is_router = "asn" in machine and "role" not in machine
        if is_router or (kubernetes["api"]["vips"] and machine["role"] == "control-plane"):
            machine.setdefault("router_id", str(ip_address("10.99.0.0") + number))
    balancer = site["load_balancer"]
    balancer["pools"] = [pool for pool in balancer["pools"] if all(_is_six(text) for text in pool["ranges"])]
    for rack in site.get("racks", []):
        rack["subnet"] = _renamed(rack["subnet"], networks)
    for ingress in site["ingress"]:
        if ingress.get("addresses"):
            ingress["addresses"] = ["fd00:198::10"]
        if ingress.get("pool"):
            ingress["pool"] = "six-pool"


def _renamed(name: str, networks: Data) -> str:
    """A rack's subnet is the one of its IPv6 addresses: they follow those of IPv4 in the order of the list."""
    return f"six-{int(name.removeprefix('rack-')) + 1}" if name.startswith("rack-") else name


def _ingresses(draw: st.DrawFn, site: Data) -> None:
    if site["ingress"] and draw(st.booleans()):
        first = site["ingress"][0]
        pool = draw(st.sampled_from(site["load_balancer"]["pools"]))
        second = {"name": "second", "class": f"{first['class']}-b", "default": not first["default"]}
        site["ingress"].append({**second, "pool": pool["name"], "replicas": draw(st.integers(1, 3))})


def _reserved(draw: st.DrawFn, site: Data) -> None:
    if draw(st.integers(0, 2)) == 0:
        text = draw(st.sampled_from(site["load_balancer"]["pools"]))["ranges"][0]
        site["load_balancer"]["reserved"] = [{"name": "kept", "range": text}]


def _proxy(draw: st.DrawFn, site: Data) -> None:
    kubernetes = site["kubernetes"]
    kubernetes["kube_proxy"] = draw(st.sampled_from(("disabled", "disabled", "kept", "operator")))
    if kubernetes["kube_proxy"] == "kept":
        kubernetes["dataplane"] = draw(st.sampled_from(("iptables", "nftables")))


def _workloads(draw: st.DrawFn, site: Data) -> None:
    """Some control planes carry pods, and on some kube-vip has an address of its own."""
    for node in site["nodes"]:
        if node["role"] == "control-plane" and draw(st.integers(0, 3)) == 0:
            node["workloads"] = True
        if node["role"] == "control-plane" and site["kubernetes"]["api"]["vips"] and draw(st.integers(0, 7)) == 0:
            vips = {_is_six(vip) for vip in site["kubernetes"]["api"]["vips"]}
            if len(vips) == 1 and node.get("peer", True):
                source = further.beside(site, node, 6 if vips.pop() else 4)
                node["speakers"] = [{"name": "kube-vip", "source": source}]
