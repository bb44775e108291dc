"""Both families, parts of pools, who serves Services and who carries pods."""

from rule_networks import Case, add, address, change, net, planned, planned_from

from anycastle.network.addresses import Reservation


def at(site, **answers):
    return lambda: planned_from({key.replace("__", "."): value for key, value in answers.items()}, site)


def answers(site, change):
    return lambda: planned_from(change, site)


def part(site, field, pick=lambda _item: True, /, **values):
    return lambda: change(planned(site), field, pick, **values)


def reserved(cidr):
    item = Reservation(name="kept", cidrs=(net(cidr),), where=planned("several-ingresses").reservations[0].where)
    return lambda: add(planned("several-ingresses"), "reservations", item)


FOUR, SIX = "10.96.0.0/12", "fd00:10:96::/112"
ON_LINK = {"name": "services", "ranges": ["10.60.0.64/26"], "allow_on_link": True}
NEW = {"versions.calico": "3.32.4"}

CASES = (
    Case(
        "FAM001",
        "the other service range first, or nodes that have the same order",
        at("dual-stack", kubernetes__service_cidrs=[SIX, FOUR]),
        at("dual-stack", kubernetes__service_cidrs=[FOUR, "fd00:10:97::/112"]),
    ),
    Case(
        "FAM002",
        "one node without its second address, or with another one",
        answers("dual-stack", {"nodes[4].addresses": []}),
        answers("dual-stack", {"nodes[4].addresses": ["fd00:31::99"]}),
    ),
    Case(
        "FAM002",
        "pods of a family that no node has, or of one family twice",
        answers("seed", {"networks.pods[1]": {"name": "six", "cidr": "fd00:20::/56"}}),
        answers("seed", {"networks.pods[1]": {"name": "four", "cidr": "172.21.0.0/16"}}),
    ),
    Case(
        "FAM003",
        "Services of both families for pods of one, or for pods of both",
        answers("dual-stack", {"networks.pods": [{"name": "pods", "cidr": "10.244.0.0/16"}], **NEW}),
        answers("dual-stack", NEW),
    ),
    Case(
        "FAM004",
        "an IPv6 address for a Service of IPv4, or an IPv4 address for one of both",
        part("dual-stack", "services", families=(4,)),
        part("dual-stack", "services", requested='["172.31.254.1"]', addresses=(address("172.31.254.1"),)),
    ),
    Case(
        "FAM004",
        "a Service that names no family, or one on a cluster of IPv6 alone",
        part("dual-stack", "services", families=()),
        part("ipv6-only", "services", families=()),
    ),
    Case(
        "PRXY001",
        "kube-proxy in the other mode, or in the one of the dataplane",
        part("kube-proxy-kept", "kube_proxy", mode=""),
        part("kube-proxy-kept", "kube_proxy", mode="nftables"),
    ),
    Case(
        "PRXY001",
        "the operator takes kube-proxy away from a dataplane that needs it, or from one that does not",
        part("proxy-handed-over", "calico", dataplane="Iptables"),
        part("proxy-handed-over", "calico", dataplane="BPF"),
    ),
    Case(
        "WORK001",
        "a single node with the taint, or without",
        part("one-node", "nodes", workloads=False),
        part("one-node", "nodes", workloads=True),
    ),
    Case("POOL011", "a reservation beside the pools, or in one", reserved("10.99.0.0/30"), reserved("10.51.0.88/29")),
    Case("POOL011", "a whole pool is reserved, or half of it", reserved("10.51.0.64/27"), reserved("10.51.0.80/28")),
    Case(
        "SVC007",
        "the ingress asks for a reserved address, or for the next",
        reserved("10.51.0.10/32"),
        reserved("10.51.0.11/32"),
    ),
    Case(
        "POOL012",
        "a range of the pool lies in another one, or beside it",
        answers("seed", {"load_balancer.pools[0].ranges": ["192.168.20.64/26", "192.168.20.70-192.168.20.90"]}),
        answers("seed", {"load_balancer.pools[0].ranges": ["192.168.20.64/26", "192.168.20.128-192.168.20.140"]}),
    ),
    Case(
        "ADDR015",
        "pods on the LANs of most homes, or beside them",
        answers("kube-proxy-kept", {"networks.pods[0].cidr": "192.168.0.0/16"}),
        answers("kube-proxy-kept", {"networks.pods[0].cidr": "192.168.128.0/19"}),
    ),
    Case(
        "ADDR002",
        "a pool on the link with the owner's consent, or off the link",
        answers("kube-proxy-kept", {"load_balancer.pools[0]": ON_LINK, "ingress[0].addresses": ["10.60.0.65"]}),
        answers("kube-proxy-kept", {"load_balancer.pools[0].allow_on_link": True}),
    ),
    Case(
        "ADDR006",
        "a node has the address that kube-vip speaks from, or its own",
        answers("converged", {"nodes[1].address": "192.168.42.110"}),
        answers("converged", {"nodes[1].address": "192.168.42.13"}),
    ),
    Case(
        "SESS003",
        "kube-vip and Calico from one address, or each from its own",
        answers("converged", {"nodes[2].speakers": [], "nodes[2].router_id": "192.168.42.12"}),
        answers("converged", {"nodes[2].router_id": "192.168.42.12"}),
    ),
    Case(
        "SESS010",
        "kube-vip without a router ID on IPv6 alone, or Calico, which takes a hash",
        part("ipv6-only", "speakers", lambda s: s.host == "cp-1", router_id=None),
        part("ipv6-only", "speakers", lambda s: s.host == "w-1", router_id=None),
    ),
    Case(
        "POOL008",
        "IPIP without the mesh, or with it",
        answers("kube-proxy-kept", {"networks.pods[0].encapsulation": "IPIPCrossSubnet"}),
        answers("kube-proxy-kept", {"networks.pods[0].encapsulation": "IPIP", "bgp.node_to_node_mesh": True}),
    ),
)
