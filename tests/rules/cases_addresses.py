"""Addresses, AS numbers, pools and Services."""

from dataclasses import replace

from rule_networks import Case, add, address, change, component, drop, lab, named, net, planned_from, seed, use

from anycastle.network.addresses import Pool, PoolUse, Service, TrafficPolicy

PODS = use(PoolUse.PODS)
LB = use(PoolUse.LOAD_BALANCER)


def SIX(pool):  # noqa: N802 - one of the picks above
    """Pools of pods for IPv6."""
    return PODS(pool) and pool.cidr.version == 6


TRAEFIK = named("traefik")


def at(key, *values, site="seed"):
    return lambda: planned_from({key: values[0] if len(values) == 1 else list(values)}, site)


def site(**change):
    return lambda: planned_from({key.replace("__", "."): value for key, value in change.items()})


def pool_at(cidr, service):
    return lambda: planned_from({"load_balancer.pools[0].ranges": [cidr], "ingress[0].addresses": [service]})


def second_pool(name="second", cidr="192.168.21.0/26", **values):
    """The seed with one more load-balancer pool that is handled everywhere."""
    answers = {"load_balancer.pools[1]": {"name": name, "ranges": [cidr]}}
    return change(planned_from(answers), "pools", named(name), **values)


def service(**values):
    return lambda: change(seed(), "services", TRAEFIK, **values)


def v6_pool(pods):
    """The lab with an IPv6 pool for Services that nobody is told of; with pods of that family, or without."""
    cidr = net("fd00:35::/112")
    network = add(lab(), "pools", Pool(name="six", use=PoolUse.LOAD_BALANCER, cidr=cidr, block_size=122))
    if pods:
        network = add(network, "pools", pods6())
        for name, own in (("k8s-cp-01", "172.24.34.11"), ("k8s-worker-01", "172.24.34.21")):
            both = (address(own), address(f"fd00:34::{own[-2:]}"))
            network = change(network, "nodes", named(name), addresses=both)
    network = change(network, "calico", advertised=(*network.calico.advertised, cidr))
    network = change(network, "routers", discards=(net("fd00::/8"), *network.routers[0].discards))
    network = change(network, "routers", hairpin=(net("fd00::/8"), *network.routers[0].hairpin))
    announcement = replace(network.announcements[0], prefix=cidr, shortest=112, longest=128)
    let_in = replace(network.acceptances[0], prefix=cidr, shortest=112, longest=128, peers=(address("fd00:34::21"),))
    network = add(network, "acceptances", let_in)
    peer = next(end for end in network.ends if end.host == "k8s-worker-01")
    six = replace(peer, address=address("fd00:34::21"), peer=address("fd00:34::1"), filters=())
    router = replace(six, host="router", software=network.routers[0].software, asn=65001, peer_asn=64512, hold=9)
    router = replace(router, address=six.peer, peer=six.address, hops=1, silent=True)
    return add(add(network, "announcements", announcement), "ends", six, router), router, six


def pods6():
    return Pool(
        name="pods6",
        use=PoolUse.PODS,
        cidr=net("fd00:36::/112"),
        block_size=122,
        encapsulation="VXLAN",
        bgp_export=False,
    )


def with_v6_session():
    network, _router, _six = v6_pool(pods=True)
    return change(network, "calico", mesh=False)


def without_v6_session():
    network, router, six = v6_pool(pods=True)
    return drop(network, "ends", lambda end: end in (router, six))


def with_v6_pool_only():
    network, _router, _six = v6_pool(pods=False)
    return change(network, "calico", mesh=False)


def aggregate_only(longest, *more):
    """The lab's router takes the range up to a length, and what else is given."""
    network = change(lab(), "acceptances", longest=longest)
    return add(network, "acceptances", *(replace(lab().acceptances[0], shortest=s, longest=e) for s, e in more))


def advertised(*cidrs):
    return lambda: change(seed(), "calico", advertised=tuple(map(net, cidrs)))


def in_iptables(**values):
    """The site whose mesh is on, without eBPF."""
    return change(change(lab(), "pools", PODS, **values), "calico", dataplane="Iptables")


def second_subnet():
    return replace(seed().subnets[0], name="lan-2", cidr=net("192.168.11.0/24"), gateway=None)


def point_to_point():
    """A worker on a /31 of its own, at the upper address."""
    network = planned_from({"nodes[7].address": "192.168.11.1"})
    network = add(network, "subnets", replace(second_subnet(), cidr=net("192.168.11.0/31")))
    return change(network, "ends", lambda end: end.hops == 1, hops=2)


def far_router(where):
    network = planned_from({"routers[0].address": where})
    return change(network, "ends", lambda end: end.hops == 1, hops=2)


def two_services(second):
    other = Service(
        namespace="shop",
        name="web",
        policy=TrafficPolicy.CLUSTER,
        requested=f'["{second}"]',
        addresses=(address(second),),
    )
    return add(seed(), "services", other)


def own_as(host, asn):
    network = change(seed(), "ends", lambda end: end.host == host, asn=asn)
    worker = next(node for node in network.nodes if node.name == host)
    return change(network, "ends", lambda end: end.peer == worker.addresses[0], peer_asn=asn)


CASES = (
    Case(
        "ADDR001",
        "the pod pool inside the service range, or right behind it",
        at("networks.pods[0].cidr", "10.100.0.0/16"),
        at("networks.pods[0].cidr", "10.112.0.0/16"),
    ),
    Case(
        "ADDR001",
        "a reserved range that covers a LAN and a pool, or a DHCP scope in the LAN",
        at("networks.reserved", [{"name": "office", "range": "192.168.0.0/16"}]),
        at("networks.reserved", [{"name": "dhcp", "range": "192.168.10.128/25"}]),
    ),
    Case(
        "ADDR002",
        "a pool in the LAN, or beside it",
        pool_at("192.168.10.64/26", "192.168.10.100"),
        pool_at("192.168.11.0/26", "192.168.11.1"),
    ),
    Case(
        "ADDR003",
        "the API address in the LAN, or beside it",
        at("kubernetes.api.vips", ["192.168.10.99"]),
        at("kubernetes.api.vips", ["192.168.9.255"]),
    ),
    Case(
        "ADDR004",
        "the pool begins at the API address, or behind it",
        at("load_balancer.pools[0].ranges", ["192.168.20.1-192.168.20.127"]),
        at("load_balancer.pools[0].ranges", ["192.168.20.2-192.168.20.127"]),
    ),
    Case(
        "ADDR005",
        "a DHCP scope that ends at a node, or before the first",
        at("networks.reserved", [{"name": "dhcp", "range": "192.168.10.2-192.168.10.17"}]),
        at("networks.reserved", [{"name": "dhcp", "range": "192.168.10.2-192.168.10.16"}]),
    ),
    Case(
        "ADDR005",
        "a router behind a gateway has an address of the pods, or of nobody",
        lambda: far_router("172.20.0.1"),
        lambda: far_router("172.30.0.1"),
    ),
    Case(
        "ADDR006",
        "two Services ask for one address, or for two",
        lambda: two_services("192.168.20.100"),
        lambda: two_services("192.168.20.101"),
    ),
    Case(
        "ADDR007",
        "a node with the broadcast address of a /24, or with the last of a /31",
        at("nodes[7].address", "192.168.10.255"),
        point_to_point,
    ),
    Case(
        "ADDR008",
        "a node in another LAN, or in a second node subnet",
        at("nodes[7].address", "192.168.11.24"),
        lambda: change(
            add(planned_from({"nodes[7].address": "192.168.11.24"}), "subnets", second_subnet()),
            "ends",
            lambda end: end.hops == 1,
            hops=2,
        ),
    ),
    Case(
        "ADDR009",
        "a gateway outside, or a gateway that is no router of ours",
        at("networks.nodes[0].gateway", "192.168.11.1"),
        at("networks.nodes[0].gateway", "192.168.10.254"),
    ),
    Case(
        "ADDR010",
        "pods in a multicast range, or in shared address space",
        at("networks.pods[0].cidr", "239.0.0.0/16"),
        at("networks.pods[0].cidr", "100.64.0.0/16"),
    ),
    Case(
        "ADDR011",
        "a pool of the documentation, or beside it",
        pool_at("203.0.113.64/26", "203.0.113.100"),
        pool_at("10.0.113.64/26", "10.0.113.100"),
    ),
    Case(
        "ADDR012",
        "a public pool, or one that is declared",
        pool_at("9.9.9.64/26", "9.9.9.100"),
        lambda: planned_from(
            {
                "load_balancer.pools[0].ranges": ["9.9.9.64/26"],
                "ingress[0].addresses": ["9.9.9.100"],
                "networks.owned": {"prefixes": ["9.9.9.0/24"]},
            }
        ),
    ),
    Case(
        "ADDR013",
        "21 host bits, or 20",
        at("kubernetes.service_cidrs", ["10.64.0.0/11"]),
        at("kubernetes.service_cidrs", ["10.64.0.0/12"]),
    ),
    Case(
        "ADDR014",
        "two machines under one name, or two names that begin alike",
        lambda: change(seed(), "nodes", named("k8s-node-5"), name="k8s-node-4", labels=()),
        seed,
    ),
    Case("AS001", "a reserved number, or its neighbour", at("bgp.worker_asn", 65535), at("bgp.worker_asn", 65534)),
    Case(
        "AS002",
        "the last of the documentation, or the first private",
        at("routers[0].asn", 64511),
        at("routers[0].asn", 64512),
    ),
    Case(
        "AS003",
        "a public number, or one that is declared",
        at("bgp.control_plane_asn", 3356),
        lambda: planned_from({"bgp.control_plane_asn": 3356, "networks.owned": {"asns": [3356]}}),
    ),
    Case(
        "AS004",
        "a number beyond an int32 for Calico, or for kube-vip",
        at("bgp.worker_asn", 4200000000),
        at("bgp.control_plane_asn", 4200000000),
    ),
    Case(
        "AS005",
        "router and workers in one AS, or all nodes in one",
        at("bgp.worker_asn", 65010),
        at("bgp.worker_asn", 65020),
    ),
    Case(
        "AS006",
        "one worker with an AS of its own, or a control plane that always has one",
        lambda: own_as("k8s-node-1", 65031),
        seed,
    ),
    Case(
        "POOL001",
        "blocks wider than the pool, or as wide",
        at("load_balancer.pools[0].block_size", 25),
        at("load_balancer.pools[0].block_size", 26),
    ),
    Case(
        "POOL002",
        "15 blocks for 8 nodes, or 16",
        lambda: change(seed(), "pools", PODS, cidr=net("172.20.0.0/23")),
        lambda: change(seed(), "pools", PODS, cidr=net("172.20.0.0/22")),
    ),
    Case(
        "POOL003",
        "a pool of which half is advertised, or one inside a wider range",
        advertised("192.168.20.64/27"),
        advertised("192.168.20.64/26", "192.168.20.64/27"),
    ),
    Case(
        "POOL004",
        "an advertised range with the LAN in it, or one that is only wider than the pool",
        advertised("192.168.0.0/19"),
        advertised("192.168.20.64/26", "192.168.20.64/28"),
    ),
    Case(
        "POOL004",
        "an advertised range without a pool, or exactly the two pools",
        advertised("192.168.20.64/26", "192.168.30.0/24"),
        second_pool,
    ),
    Case(
        "POOL005",
        "a pool that is not exported, or pods that are not",
        lambda: second_pool(bgp_export=False),
        lambda: change(seed(), "pools", PODS, bgp_export=False),
    ),
    Case(
        "POOL005",
        "a pool with an overlay, or a plain one that is for wishes only",
        lambda: change(seed(), "pools", LB, encapsulation="VXLAN"),
        lambda: second_pool(automatic=False),
    ),
    Case(
        "ADDR006",
        "a router with the address of a node, or with its name",
        at("nodes[7].address", "192.168.10.1"),
        at("routers[0].name", "k8s-node-5"),
    ),
    Case("POOL006", "an IPv6 pool with IPv4 pods, or with pods of both", with_v6_pool_only, with_v6_session),
    Case(
        "POOL007",
        "IPIP for IPv6, or VXLAN",
        lambda: change(planned_from({}, "dual-stack"), "pools", SIX, encapsulation="IPIP"),
        lambda: change(planned_from({}, "dual-stack"), "pools", SIX, encapsulation="VXLAN"),
    ),
    Case(
        "POOL013",
        "IPIP with eBPF, or with iptables",
        lambda: change(lab(), "pools", PODS, encapsulation="IPIPCrossSubnet"),
        lambda: in_iptables(encapsulation="IPIPCrossSubnet"),
    ),
    Case(
        "POOL008",
        "no overlay and no mesh, or a mesh",
        at("networks.pods[0].encapsulation", "None"),
        at("networks.pods[0].encapsulation", "None", site="lab-ja"),
    ),
    Case(
        "POOL009",
        "no word about assignment, or the other word",
        lambda: change(seed(), "calico", assign=""),
        lambda: change(seed(), "calico", assign="AllServices"),
    ),
    Case("POOL010", "an IPv6 pool without an IPv6 peer, or with one", without_v6_session, with_v6_session),
    Case(
        "SVC001",
        "a bare address, or a list of one",
        service(requested="192.168.20.100", addresses=()),
        service(requested=' [ "192.168.20.100" ] '),
    ),
    Case(
        "SVC001",
        "a list in a list, or a list of both families that is not served",
        service(requested="[" * 100_000, addresses=()),
        service(requested='["192.168.20.101"]', addresses=(address("192.168.20.101"),)),
    ),
    Case(
        "SVC002",
        "an address right behind the pool, or its last one",
        service(requested='["192.168.20.128"]', addresses=(address("192.168.20.128"),)),
        service(requested='["192.168.20.127"]', addresses=(address("192.168.20.127"),)),
    ),
    Case(
        "SVC003",
        "an empty list, or the class that asks by itself",
        service(requested="[]", addresses=()),
        service(requested="", addresses=(), load_balancer_class="calico"),
    ),
    Case(
        "SVC004",
        "a pool that is not there, or one by its prefix",
        service(requested="", addresses=(), pools=("loadbalancer",)),
        service(requested="", addresses=(), pools=("192.168.20.64/26",)),
    ),
    Case(
        "SVC005",
        "a wish with a foreign class, or a foreign class without a wish",
        service(load_balancer_class="kube-vip.io/kube-vip-class"),
        service(requested="", addresses=(), load_balancer_class="kube-vip.io/kube-vip-class"),
    ),
    Case(
        "SVC006",
        "only the aggregate is let in, or both in two lines",
        lambda: aggregate_only(24),
        lambda: aggregate_only(24, (32, 32)),
    ),
    Case(
        "VER003",
        "definitions of another release, or the same with a v",
        lambda: change(seed(), "versions", component("calico-crds"), version="3.32.1"),
        lambda: change(seed(), "versions", component("calico-crds"), version="v3.32.2"),
    ),
)
