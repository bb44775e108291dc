"""Sites of one router turned into sites of several: two routers, one AS, a router far away, racks, mute nodes.

Racks have subnets of their own in 10.12, far routers addresses in 10.13.
"""

from ipaddress import ip_network
from typing import Any

from hypothesis import strategies as st

Data = dict[str, Any]

ASNS = st.one_of(st.integers(64512, 65534), st.integers(65536, 2**31 - 1))
SHAPES = ("plain", "two routers", "far router", "one AS", "racks", "racks")


def spread(draw: st.DrawFn, site: Data) -> Data:
    """The same site in one of the shapes."""
    shape = draw(st.sampled_from(SHAPES))
    subnet = ip_network(site["networks"]["nodes"][0]["cidr"])
    router = site["routers"][0]
    if shape == "two routers":
        other = {"name": f"{router['name']}-b", "address": str(subnet[-2]), "asn": draw(st.sampled_from((0, 1)))}
        other["asn"] = router["asn"] if other["asn"] else draw(ASNS)
        site["routers"].append(other)
    elif shape == "far router":
        router |= {"address": "10.13.0.1", "multihop": draw(st.integers(2, 255))}
        if draw(st.booleans()):
            router["reachable_by"] = str(subnet[1])
    elif shape == "one AS":
        key = draw(st.sampled_from(("worker_asn", "control_plane_asn")))
        site["bgp"][key] = router["asn"]
    elif shape == "racks":
        _racks(draw, site)
    for node in site["nodes"]:
        _odd(draw, site, node)
    for one in site["routers"]:
        if password := draw(st.sampled_from((None, None, "bgp/routers", f"bgp-{one['name']}/Key_1"))):
            one["password"] = password
    if draw(st.integers(0, 5)) == 0:
        site["versions"] = site.get("versions", {}) | {"calico": "3.30.4"}  # an annotation says the AS of one node
    _pruned(site)
    _heard(site)
    _reflected(draw, site)
    return site


def _reflected(draw: st.DrawFn, site: Data) -> None:
    """One to three of the nodes whose Calico speaks reflect for all others, which have one AS number."""
    everybody = site["bgp"]["peering"] == "all"
    chosen = [n for n in site["nodes"] if n.get("peer", True) and (everybody or n["role"] == "worker")]
    if site.get("racks") or not chosen or draw(st.integers(0, 3)):
        return
    site["bgp"]["node_to_node_mesh"] = False
    for node in chosen:
        node.pop("asn", None)
    names = [node["name"] for node in draw(st.permutations(chosen))[: draw(st.integers(1, 3))]]
    site["bgp"]["route_reflectors"] = {"nodes": names, "cluster_id": draw(st.sampled_from(("244.0.0.1", "10.9.9.9")))}


def _racks(draw: st.DrawFn, site: Data) -> None:
    """Up to four racks with one or two routers each; some nodes stay where they are."""
    site["racks"] = []
    for number in range(draw(st.integers(1, 4))):
        cidr = ip_network(f"10.12.{number}.0/24")
        gateway = draw(st.sampled_from(({}, {"gateway": str(cidr[1])})))
        site["networks"]["nodes"].append({"name": f"rack-{number}", "cidr": str(cidr), **gateway})
        routers = [_router(draw, number, twin) for twin in range(draw(st.integers(1, 2)))]
        site["routers"] += routers
        rack = {"name": f"r{number}", "subnet": f"rack-{number}", "routers": [router["name"] for router in routers]}
        rack |= draw(st.sampled_from(({}, {"label": "rack"}, {"label": "example.com/room"})))
        rack |= {key: draw(ASNS) for key in ("worker_asn", "control_plane_asn") if draw(st.booleans())}
        site["racks"].append(rack)
    for index, node in enumerate(site["nodes"]):
        chosen = draw(st.integers(-1, len(site["racks"]) - 1))
        if chosen >= 0:
            node |= {"rack": f"r{chosen}", "address": f"10.12.{chosen}.{10 + index}"}


def _router(draw: st.DrawFn, rack: int, twin: int) -> Data:
    far = draw(st.integers(0, 3)) == 0
    address = f"10.13.{rack}.{11 + twin}" if far else f"10.12.{rack}.{1 + twin}"
    router: Data = {"name": f"tor-{rack}{'ab'[twin]}", "address": address, "asn": draw(ASNS)}
    return router | ({"multihop": draw(st.integers(2, 9))} if far else {})


def _odd(draw: st.DrawFn, site: Data, node: Data) -> None:
    """One of twelve nodes holds no session, or has an AS number of its own."""
    kind = draw(st.integers(0, 11))
    if kind == 0:
        node["peer"] = False
    elif kind == 1 and _speaks(site, node):
        node["asn"] = draw(ASNS)


def _speaks(site: Data, node: Data) -> bool:
    vip = node["role"] == "control-plane" and bool(site["kubernetes"]["api"]["vips"])
    chosen = node["role"] == "worker" or site["bgp"]["peering"] == "all"
    return node.get("peer", True) and (vip or chosen)


def _pruned(site: Data) -> None:
    """Without racks in which nobody speaks: their nodes go where somebody does, or the first rack takes its routers."""
    racks = site.get("racks", [])
    used = {node.get("rack") for node in site["nodes"] if _speaks(site, node)}
    kept = [rack for rack in racks if rack["name"] in used]
    gone = [rack for rack in racks if rack["name"] not in used]
    if not kept:
        site.pop("racks", None)
        site["routers"] = [router for router in site["routers"] if not router["name"].startswith("tor-")]
        for node in site["nodes"]:
            node.pop("rack", None)
        return
    site["racks"] = kept
    names = [name for rack in gone for name in rack["routers"]]
    if None not in used:
        names.append(site["routers"][0]["name"])
    kept[0]["routers"] += names
    for node in site["nodes"]:
        if node.get("rack") not in {rack["name"] for rack in kept} and ("rack" in node or None not in used):
            node["peer"] = False
            node.pop("rack", None)
            node.pop("asn", None)


def _heard(site: Data) -> None:
    """With an API address, some control plane speaks."""
    masters = [node for node in site["nodes"] if node["role"] == "control-plane"]
    if site["kubernetes"]["api"]["vips"] and not any(_speaks(site, node) for node in masters):
        masters[0]["peer"] = True
        if site.get("racks"):
            rack = site["racks"][0]
            number = rack["subnet"].removeprefix("rack-")
            masters[0] |= {"rack": rack["name"], "address": f"10.12.{number}.200"}
