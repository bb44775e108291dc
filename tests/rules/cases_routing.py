"""Sessions, timers, announcements, filters and routers."""

from dataclasses import replace

from rule_networks import (
    Case,
    add,
    address,
    change,
    drop,
    ends_of,
    lab,
    named,
    net,
    of,
    planned_from,
    seed,
    towards,
    use,
)

from anycastle.finding import Place
from anycastle.network.addresses import PoolUse
from anycastle.network.bgp import Dial, FilterRule, Software
from anycastle.network.cluster import EXCLUDE_LABEL

EVERYTHING = (net("0.0.0.0/0"), net("::/0"))
CALICO = of(Software.CALICO)
VIP = of(Software.KUBE_VIP)
FRR = of(Software.FRR)
WORKER = "192.168.10.20"
NODE_1 = ends_of("k8s-node-1")
MASTER_1 = ends_of("k8s-master-1")


def at(key, value, site="seed"):
    return lambda: planned_from({key: value}, site)


def at_all(**answers):
    return lambda: planned_from({key.replace("__", "."): value for key, value in answers.items()})


def ends(pick, **values):
    return lambda: change(seed(), "ends", pick, **values)


def routers(**values):
    return lambda: change(seed(), "routers", **values)


def both_passwords():
    network = change(seed(), "ends", NODE_1, password="bgp/router")
    return change(network, "ends", towards(WORKER), password="bgp/router")


def passwords_of(node, router):
    network = change(seed(), "ends", NODE_1, password=node)
    return change(network, "ends", towards(WORKER), password=router)


def far_router(*picks):
    """A router on another subnet; the ends that are picked have a TTL of two."""
    network = planned_from({"routers[0].address": "192.168.11.1"})
    for pick in picks:
        network = change(network, "ends", pick, hops=2)
    return network


def second_speaker(source):
    """Calico on a control plane as well, from a source address of its own or the node's, known to the router."""
    worker = next(end for end in seed().ends if end.host == "k8s-node-1")
    end = replace(worker, host="k8s-master-1", address=address(source))
    network = add(seed(), "ends", end)
    neighbour = next(e for e in seed().ends if e.peer == address(WORKER))
    return network if source == "192.168.10.17" else add(network, "ends", replace(neighbour, peer=address(source)))


def dialled(peer="192.168.10.1", asn=65030, peer_asn=65010, expects=(65020, 65030)):
    """Calico with a peer and without a node that is known to have it."""
    dial = Dial(software=Software.CALICO, asn=asn, peer=address(peer), peer_asn=peer_asn, where=Place("bgp.yaml", 3))

    def network():
        found = change(seed(), "routers", expects=expects)
        return replace(found, dials=(dial,))

    return network


def written_twice():
    """Two BGPPeers select one worker: Calico renders the peer once."""
    return add(seed(), "ends", next(end for end in seed().ends if end.host == "k8s-node-1"))


def without_session(host, peer):
    return drop(drop(seed(), "ends", ends_of(host)), "ends", towards(peer))


def quiet_worker(**values):
    """A worker without a session that nobody expects; it may be excluded by its label."""
    network = without_session("k8s-node-5", "192.168.10.24")
    hosts = tuple(f"k8s-node-{number}" for number in range(1, 5))
    network = change(network, "announcements", CALICO, hosts=hosts)
    return change(network, "nodes", named("k8s-node-5"), **values) if values else network


def excluded():
    node = next(node for node in seed().nodes if node.name == "k8s-node-5")
    return quiet_worker(labels=tuple(sorted((*node.labels, (EXCLUDE_LABEL, "true")))))


def other_router():
    """A second router whose configuration is elsewhere."""
    more = (replace(end, peer=address("192.168.10.2"), peer_asn=65012) for end in seed().ends if CALICO(end))
    return add(seed(), "ends", *more)


def second_router(**values):
    """A second router, here with all of its configuration, and kube-vip peers with both."""
    there = address("192.168.10.2")
    router = replace(seed().routers[0], name="router-2", address=there, router_id=there, asn=65011)
    speaker = next(speaker for speaker in seed().speakers if speaker.host == "router")
    network = change(seed(), "routers", one_way=EVERYTHING)
    network = add(network, "routers", replace(router, **{"one_way": EVERYTHING, **values}))
    network = add(network, "speakers", replace(speaker, host="router-2", address=there, router_id=there, asn=65011))
    mine = [replace(e, host="router-2", address=there, asn=65011) for e in seed().ends if FRR(e)]
    theirs = [replace(e, peer=there, peer_asn=65011) for e in seed().ends if not FRR(e)]
    network = add(network, "ends", *mine, *theirs)
    return add(network, "acceptances", *(replace(a, router="router-2") for a in seed().acceptances))


def talkative(router):
    first = address("192.168.10.17")
    return change(second_router(), "ends", lambda end: end.host == router and end.peer == first, silent=False)


def bird_router(**values):
    return change(seed(), "speakers", lambda speaker: speaker.host == "router", **values)


def vip_acceptance(**values):
    return lambda: change(seed(), "acceptances", lambda a: a.prefix == net("192.168.20.1/32"), **values)


def pool_acceptance(**values):
    return lambda: change(seed(), "acceptances", lambda a: a.prefix == net("192.168.20.64/26"), **values)


def also_accepts(prefix):
    more = replace(seed().acceptances[0], prefix=net(prefix), shortest=net(prefix).prefixlen, longest=32)
    return lambda: add(seed(), "acceptances", more)


def unfiltered():
    """The lab, whose mesh is on, without a filter towards its router."""
    return change(lab(), "ends", CALICO, filters=())


def rules(network, *items):
    return change(network, "filters", rules=items)


ACCEPT_POOL = FilterRule(export=True, action="Accept", cidr=net("192.168.20.64/26"), operator="In")
REJECT = FilterRule(export=True, action="Reject")
REMOTE = FilterRule(export=True, action="Reject", source="RemotePeers")
LAB_POOL = FilterRule(export=True, action="Accept", cidr=net("172.24.35.0/24"), operator="In")


def big(workers, announcing):
    """A site of many workers; the first of them announce."""
    nodes = [{"name": "cp", "role": "control-plane", "address": "10.64.0.10"}]
    for index in range(workers):
        where = f"10.64.{1 + index // 200}.{1 + index % 200}"
        nodes.append({"name": f"w{index}", "role": "worker", "address": where, "announce_services": index < announcing})
    return planned_from(
        {
            "networks.nodes": [{"name": "lan", "cidr": "10.64.0.0/16", "gateway": "10.64.0.1"}],
            "routers[0].address": "10.64.0.1",
            "nodes": nodes,
        }
    )


def without_vip():
    return planned_from(
        {"bgp.peering": "all", "kubernetes.api.vips": None, "kubernetes.api.name": "k8s-master-1.example.com"}
    )


def neighbour_of(peer):
    return next(end for end in seed().ends if end.peer == address(peer))


def renamed_router():
    network = change(seed(), "routers", name="edge")
    for field in ("ends", "speakers"):
        network = change(network, field, ends_of("router"), host="edge")
    return change(network, "acceptances", router="edge")


def second_source():
    network = change(seed(), "ends", NODE_1, address=address("192.168.10.120"))
    network = change(network, "ends", towards(WORKER), peer=address("192.168.10.120"))
    peers = tuple(end.address for end in network.ends if CALICO(end))
    return change(network, "acceptances", lambda a: a.longest == 32 and a.prefix.prefixlen < 32, peers=peers)


def own_as():
    """All workers have another AS, and the router knows it."""
    return planned_from({"bgp.worker_asn": 65031})


def without_services():
    """A cluster that announces its API address only, with Calico's BGP off."""
    network = drop(drop(seed(), "pools", use(PoolUse.LOAD_BALANCER)), "services")
    network = drop(drop(network, "announcements", CALICO), "acceptances", lambda a: a.prefix.prefixlen < 32)
    return change(network, "calico", bgp=False, advertised=())


def two_lines():
    vip = next(a for a in seed().acceptances if a.prefix.prefixlen == 32)
    network = drop(seed(), "acceptances", lambda a: a == vip)
    return add(network, "acceptances", replace(vip, peers=vip.peers[:1]), replace(vip, peers=vip.peers[1:]))


ONE_EACH = {
    "nodes": [
        {"name": "cp", "role": "control-plane", "address": "192.168.10.17"},
        {"name": "worker", "role": "worker", "address": "192.168.10.20"},
    ]
}
"""One control plane and one announcing worker: nothing to choose from."""


def one_each():
    return change(planned_from(ONE_EACH), "routers", hash_ports=False)


def platform(software, *more, **answers):
    """The default site with another router."""
    interfaces = {"nx-os": "Vlan10", "junos": "irb.10"}
    changed = {"routers[0].software": software, "routers[0].interface": interfaces.get(software, "eth1")}
    for answered in (*more, {key.replace("__", "."): value for key, value in answers.items()}):
        changed |= answered
    return lambda: planned_from(changed)


def to_vips(end):
    """A router's end towards kube-vip, which asks for 30 s itself."""
    return end.software is Software.NX_OS and end.peer_asn == 65020


def moved_pool(where):
    """One pool moved in its own file; all that follows from the other files stays."""
    return lambda: change(seed(), "pools", use(PoolUse.LOAD_BALANCER), cidr=net(where))


def moved_advertisement(where):
    """The range moved in the BGPConfiguration; the reader sees the announcements move with it."""
    network = change(seed(), "calico", advertised=(net(where),))
    return change(network, "announcements", CALICO, prefix=net(where))


def exported_pods():
    """disableBGPExport taken off: blocks are announced, and the peer's filter keeps them."""
    cidr = net("172.20.0.0/16")
    network = change(seed(), "pools", use(PoolUse.PODS), bgp_export=True)
    services = next(a for a in seed().announcements if CALICO(a))
    return add(network, "announcements", replace(services, prefix=cidr, shortest=26, longest=26))


def one_stray_address():
    """One control plane has another API address, in its static pod only."""
    stray = address("192.168.20.2")
    network = change(seed(), "kube_vips", lambda k: k.node == "k8s-master-1", vips=(stray,))
    network = change(network, "api", vips=(*seed().api.vips, stray))
    old = next(a for a in seed().announcements if VIP(a))
    network = change(network, "announcements", VIP, hosts=old.hosts[1:])
    return add(network, "announcements", replace(old, prefix=net("192.168.20.2/32"), hosts=old.hosts[:1]))


def moved_node(where):
    """kubelet's address of one worker changed; the router and everybody else still have the old one."""
    network = change(seed(), "nodes", named("k8s-node-1"), addresses=(address(where),))
    network = change(network, "speakers", NODE_1, address=address(where), router_id=address(where))
    return change(network, "ends", NODE_1, address=address(where))


def in_files(network, field, pick):
    """The same, each item in a file of its own."""
    items = tuple(
        replace(item, where=Place(f"{index}.yaml", 1)) if pick(item) else item
        for index, item in enumerate(getattr(network, field))
    )
    return replace(network, **{field: items})


CASES = (
    Case(
        "SESS001",
        "a router without one neighbour, or a node that is on neither side",
        lambda: drop(seed(), "ends", towards(WORKER)),
        excluded,
    ),
    Case(
        "SESS001",
        "no BGPPeer selects the workers, or they have two that do",
        lambda: change(drop(seed(), "ends", CALICO), "announcements", CALICO, hosts=()),
        seed,
    ),
    Case(
        "SESS001",
        "the router's address is mistyped on the nodes, or its name is another one",
        ends(CALICO, peer=address("192.168.10.11")),
        renamed_router,
    ),
    Case(
        "SESS001",
        "the router has an old address of a node, or the node speaks from a second one that it knows",
        ends(towards(WORKER), peer=address("192.168.10.120")),
        second_source,
    ),
    Case(
        "SESS001",
        "a neighbour that is no node, or one for each node",
        lambda: add(seed(), "ends", replace(neighbour_of(WORKER), peer=address("192.168.10.99"))),
        seed,
    ),
    Case(
        "SESS002",
        "the nodes expect another AS, or theirs is another",
        ends(CALICO, peer_asn=65011),
        at("routers[0].asn", 65011),
    ),
    Case("SESS002", "the router expects another AS", ends(towards(WORKER), peer_asn=65031), own_as),
    Case(
        "SESS003",
        "two speakers from one address, or from two",
        lambda: second_speaker("192.168.10.17"),
        lambda: second_speaker("192.168.10.117"),
    ),
    Case(
        "SESS003",
        "two speakers everywhere, or everywhere without an API address",
        at("bgp.peering", "all"),
        without_vip,
    ),
    Case("SESS004", "multihop on one side, or on both", lambda: far_router(VIP), lambda: far_router(FRR, VIP)),
    Case("SESS004", "multihop on the router only", lambda: far_router(FRR), lambda: far_router(FRR, VIP)),
    Case("SESS005", "a password on one side, or on both", ends(NODE_1, password="bgp/router"), both_passwords),
    Case(
        "SESS005",
        "two names, or one that stands in a file",
        lambda: passwords_of("bgp/router", "bgp/other"),
        lambda: passwords_of("bgp/router", "(clear text)"),
    ),
    Case("SESS006", "a worker that nobody speaks with, or one that is excluded", quiet_worker, excluded),
    Case(
        "SESS007",
        "a kube-vip without a peer, or with two",
        lambda: without_session("k8s-master-1", "192.168.10.17"),
        second_router,
    ),
    Case("SESS008", "a router that is elsewhere, or here", other_router, second_router),
    Case("SESS008", "a dialled router that is elsewhere, or here", dialled("192.168.10.9"), dialled("192.168.10.1")),
    Case("SESS012", "another number dialled, or the router's", dialled(peer_asn=65011), dialled()),
    Case(
        "SESS012",
        "a number that the router does not expect, or one that it does",
        dialled(asn=65031),
        dialled(asn=65020),
    ),
    Case(
        "SESS009",
        "one router ID on two hosts, or one host with two speakers",
        lambda: change(seed(), "speakers", MASTER_1, router_id=address("192.168.10.18")),
        lambda: add(seed(), "speakers", replace(seed().speakers[0], software=Software.BIRD)),
    ),
    Case(
        "SESS010",
        "no router ID on a node, or on a router that takes its own",
        lambda: change(seed(), "speakers", MASTER_1, router_id=None),
        lambda: bird_router(router_id=None),
    ),
    Case(
        "SESS011", "a router that sends to kube-vip, or two that do not", lambda: talkative("router-2"), second_router
    ),
    Case(
        "TIME001",
        "hold 1, or 9",
        ends(towards(WORKER), hold=1, keepalive=0),
        ends(towards(WORKER), hold=9, keepalive=0),
    ),
    Case("TIME002", "4 s of 9 s, or 3 s", ends(towards(WORKER), keepalive=4), ends(towards(WORKER), keepalive=3)),
    Case(
        "TIME003",
        "hold 31, or 30",
        at("bgp.timers", {"hold": 31, "keepalive": 10}),
        at("bgp.timers", {"hold": 30, "keepalive": 10}),
    ),
    Case(
        "TIME003",
        "defaults on both sides, or kube-vip's",
        ends(towards(WORKER), hold=0, keepalive=0),
        ends(towards("192.168.10.17"), hold=0, keepalive=0),
    ),
    Case(
        "TIME004",
        "hold 6 for Calico, or for kube-vip",
        ends(towards(WORKER), hold=6, keepalive=2),
        ends(towards("192.168.10.17"), hold=6, keepalive=2),
    ),
    Case(
        "TIME005",
        "the router helps and nothing limits it, or it does not help",
        lambda: change(change(seed(), "ends", CALICO, restart=0), "routers", graceful_restart=True),
        ends(CALICO, restart=0),
    ),
    Case(
        "TIME005",
        "31 s, or 30",
        at_all(bgp__graceful_restart=True, bgp__restart_time=31),
        at_all(bgp__graceful_restart=True, bgp__restart_time=30),
    ),
    Case(
        "ANN001",
        "the API address is in no kube-vip, or announced by one",
        lambda: drop(change(seed(), "kube_vips", vips=(address("192.168.20.1"),)), "announcements", VIP),
        lambda: change(seed(), "announcements", VIP, hosts=("k8s-master-1",)),
    ),
    Case(
        "ANN002",
        "all workers are excluded, or all but one",
        lambda: change(seed(), "announcements", CALICO, hosts=()),
        lambda: change(seed(), "announcements", CALICO, hosts=("k8s-node-1",)),
    ),
    Case(
        "ANN003",
        "BGP is off with pools, or without",
        lambda: change(seed(), "calico", bgp=False),
        without_services,
    ),
    Case(
        "ANN004",
        "the mesh without a filter, or with the mesh off",
        unfiltered,
        lambda: change(unfiltered(), "calico", mesh=False),
    ),
    Case(
        "ANN004",
        "the accept before the reject, or behind it",
        lambda: rules(lab(), LAB_POOL, REMOTE, REJECT),
        lambda: rules(lab(), REMOTE, LAB_POOL, REJECT),
    ),
    Case("ANN004", "the mesh with another AS, or inside one", lambda: change(seed(), "calico", mesh=True), seed),
    Case(
        "ANN005",
        "the pool is rejected, or named",
        lambda: rules(seed(), REJECT),
        lambda: rules(seed(), ACCEPT_POOL, REJECT),
    ),
    Case(
        "ANN005",
        "half of the pool is let out, or all of it by nobody's objection",
        lambda: rules(seed(), replace(ACCEPT_POOL, cidr=net("192.168.20.64/27")), REJECT),
        lambda: rules(seed(), FilterRule(export=True, action="Reject", cidr=net("192.168.20.64/26"), operator="NotIn")),
    ),
    Case(
        "ANN005",
        "the aggregate itself is not let out, or it is",
        lambda: rules(lab(), REMOTE, replace(LAB_POOL, cidr=net("172.24.35.0/25")), REJECT),
        lambda: rules(lab(), REMOTE, replace(LAB_POOL, cidr=net("172.24.34.0/23")), REJECT),
    ),
    Case(
        "ANN006", "a filter that is not there, or none", ends(CALICO, filters=("services",)), ends(CALICO, filters=())
    ),
    Case(
        "ANN007",
        "everything is accepted, or everything but the pods",
        lambda: rules(seed(), FilterRule(export=True, action="Accept")),
        lambda: rules(
            seed(),
            FilterRule(export=True, action="Reject", cidr=net("172.20.0.0/16"), operator="In"),
            FilterRule(export=True, action="Accept"),
        ),
    ),
    Case(
        "RT001",
        "a list without le 32, or with more than needed",
        pool_acceptance(shortest=26, longest=26),
        pool_acceptance(shortest=26),
    ),
    Case("RT001", "the API address is not let in, or by two lines", vip_acceptance(peers=()), two_lines),
    Case(
        "RT001",
        "half of the pool, or all within a wider pool",
        pool_acceptance(prefix=net("192.168.20.64/27")),
        seed,
    ),
    Case(
        "RT002",
        "everything, or the pool twice",
        also_accepts("0.0.0.0/0"),
        also_accepts("192.168.20.64/27"),
    ),
    Case(
        "RT002",
        "a range that is nobody's, or a part of the pool",
        also_accepts("192.168.30.0/24"),
        also_accepts("192.168.20.96/27"),
    ),
    Case("RT003", "one next hop, or as many as announce", routers(multipath=1), routers(multipath=5)),
    Case("RT003", "one less than announce, or the software's default", routers(multipath=4), routers(multipath=0)),
    Case("RT009", "257 announcers, or 256 of many", lambda: big(257, 257), lambda: big(300, 256)),
    Case(
        "RT009",
        "several nodes behind a router that uses one next hop, or one announcer of each prefix",
        platform("routeros"),
        platform("routeros", ONE_EACH),
    ),
    Case(
        "RT010",
        "graceful restart where there is no setting for it, or where there is one",
        platform("routeros", ONE_EACH, bgp__graceful_restart=True),
        platform("vyos", bgp__graceful_restart=True),
    ),
    Case(
        "RT011",
        "a keepalive that Junos does not send, or a third of the hold time",
        platform("junos", bgp__timers__hold=30, bgp__timers__keepalive=5),
        platform("junos", bgp__timers__hold=30, bgp__timers__keepalive=10),
    ),
    Case(
        "RT012",
        "more than an hour of hold time, or an hour",
        lambda: change(platform("nx-os")(), "ends", to_vips, hold=3603, keepalive=1201),
        lambda: change(platform("nx-os")(), "ends", to_vips, hold=9, keepalive=3),
    ),
    Case(
        "RT004",
        "no look at ports, or with one announcer for each prefix",
        routers(hash_ports=False),
        one_each,
    ),
    Case(
        "RT005",
        "redirects, or on a router off the link",
        routers(redirects=True),
        lambda: change(far_router(FRR, VIP), "routers", redirects=True),
    ),
    Case(
        "RT006",
        "the pool is missing in the rule, or covered by a wider one",
        routers(hairpin=(net("192.168.20.1/32"),)),
        routers(hairpin=(net("192.168.20.0/24"),)),
    ),
    Case(
        "RT006",
        "no rule at all, or none on a router off the link",
        routers(hairpin=()),
        lambda: change(far_router(FRR, VIP), "routers", hairpin=()),
    ),
    Case(
        "RT007",
        "no discard for the pool, or one for all",
        routers(discards=(net("192.168.20.1/32"),)),
        routers(discards=(net("192.168.20.0/24"),)),
    ),
    # one mistake in one file of a repository, of which more could be said
    Case("SESS002", "one static pod has another AS", ends(MASTER_1, asn=65021), seed),
    Case(
        "SESS002",
        "three static pods have another AS of the router",
        lambda: in_files(ends(VIP, peer_asn=65011)(), "ends", VIP),
        lambda: in_files(seed(), "ends", VIP),
    ),
    Case("SESS001", "a worker's address changed on its side only", lambda: moved_node("192.168.10.120"), seed),
    Case("ADDR008", "a worker's address changed to one in no subnet", lambda: moved_node("192.168.11.20"), seed),
    Case("ADDR006", "a worker's address changed to another's", lambda: moved_node("192.168.10.21"), seed),
    Case("POOL003", "a pool moved in its own file", moved_pool("192.168.20.128/26"), seed),
    Case("ADDR004", "a pool widened in its own file", moved_pool("192.168.20.0/24"), seed),
    Case("POOL003", "the range moved where it is advertised", lambda: moved_advertisement("192.168.20.128/26"), seed),
    Case("ANN005", "pods exported past a filter that keeps them", exported_pods, seed),
    Case("RT001", "a list that moved", pool_acceptance(prefix=net("192.168.20.128/26")), seed),
    Case("KV005", "a stray address in one static pod", one_stray_address, seed),
    Case(
        "AS001",
        "three static pods with a reserved AS",
        lambda: in_files(planned_from({"bgp.control_plane_asn": 23456}), "ends", VIP),
        seed,
    ),
)
