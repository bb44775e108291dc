"""What each daemon is told and what must follow: derived from the plan, nothing started."""

from dataclasses import replace
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

import patches
from anycastle.lab import bird, gobgp, router_files
from anycastle.lab.commands import LabError
from anycastle.lab.expected import Absent, hold, peers, tables
from anycastle.lab.health import health_target, longest
from anycastle.lab.placement import announced, place, served
from anycastle.lab.wiring import BACKBONE, CLIENT, wiring
from anycastle.network.addresses import TrafficPolicy
from anycastle.network.bgp import FilterRule
from anycastle.network.cluster import EXCLUDE_LABEL, KubeVip
from anycastle.network.model import Network
from anycastle.plan import plan
from anycastle.site.load import parse

EXAMPLE = Path(__file__).resolve().parents[2] / "output-example"
VIP, SERVICE = ip_network("192.168.20.1/32"), ip_network("192.168.20.100/32")


def network_of(site: str) -> Network:
    parsed = parse(patches.read(patches.CASES / site / "site.yaml"))
    assert parsed.site is not None
    return plan(parsed.site)


@pytest.fixture(scope="module")
def seed() -> Network:
    return network_of("seed")


@pytest.fixture(scope="module")
def aggregating() -> Network:
    """One AS for all nodes, a mesh, an aggregate, and a control plane that announces no Service."""
    return network_of("lab-ja")


def addresses(*texts: str) -> frozenset[object]:
    return frozenset(map(ip_address, texts))


def test_kube_vip_becomes_a_speaker_that_never_listens(seed: Network) -> None:
    ends = [end for end in seed.ends if end.host == "k8s-master-1"]
    text = gobgp.configuration(ends, ip_address("192.168.10.17"), {})  # type: ignore[arg-type]
    assert text == (
        '[global.config]\n  as = 65020\n  router-id = "192.168.10.17"\n  port = -1\n'
        '[[neighbors]]\n  [neighbors.config]\n    neighbor-address = "192.168.10.1"\n    peer-as = 65010\n'
        "  [neighbors.timers.config]\n    connect-retry = 10\n    hold-time = 30\n    keepalive-interval = 10\n"
        '  [neighbors.transport.config]\n    local-address = "192.168.10.17"\n    remote-port = 179\n'
        '  [[neighbors.afi-safis]]\n    [neighbors.afi-safis.config]\n      afi-safi-name = "ipv4-unicast"\n'
    )


def test_kube_vips_timers_password_and_hops_are_taken_over(seed: Network) -> None:
    end = replace(next(end for end in seed.ends if end.host == "k8s-master-1"), hold=12, keepalive=4, hops=50)
    text = gobgp.configuration([end], ip_address("10.0.0.1"), {"192.168.10.1": "word"})  # type: ignore[arg-type]
    assert "hold-time = 12\n    keepalive-interval = 4\n" in text
    assert 'auth-password = "word"' in text
    assert "multihop-ttl = 50" in text


def test_bird_announces_only_from_nodes_with_an_endpoint(seed: Network) -> None:
    placement = place(seed)
    with_endpoint = bird.configuration(seed, placement, "k8s-node-1", {})
    without = bird.configuration(seed, placement, "k8s-node-3", {})
    assert "  route 192.168.20.100/32 blackhole;" in with_endpoint
    assert "192.168.20.100" not in without
    assert "  graceful restart on; graceful restart time 15;" in with_endpoint
    assert "  local as 65030;\n  neighbor 192.168.10.1 as 65010;\n  source address 192.168.10.20;" in with_endpoint
    assert "  if (net ~ 172.20.0.0/16) then reject;" in with_endpoint


def test_filters_come_before_everything_that_calico_decides(seed: Network) -> None:
    text = bird.configuration(seed, place(seed), "k8s-node-1", {})
    export = text[text.index("export filter {\n      if (source") :]
    accept = export.index("if (net ~ 192.168.20.64/26) then accept;")
    assert accept < export.index("\n      reject;\n") < export.index("calico_export_to_bgp_peers")
    imported = text[text.index("import filter {") : text.index("export filter {\n      if (source")]
    assert imported.split("\n")[1].strip() == "reject;"


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        (
            FilterRule(export=True, action="Accept", cidr=VIP, operator="Equal"),
            "if (net = 192.168.20.1/32) then accept;",
        ),
        (FilterRule(export=True, action="Reject", cidr=VIP, operator="NotIn"), "if (! (net ~ 192.168.20.1/32)) then"),
        (FilterRule(export=True, action="Reject", source="RemotePeers"), "if (source = RTS_BGP) then reject;"),
    ],
)
def test_rules_of_a_filter(seed: Network, rule: FilterRule, line: str) -> None:
    changed = replace(seed, filters=(replace(seed.filters[0], rules=(rule,)),))
    assert line in bird.configuration(changed, place(seed), "k8s-node-1", {})


def test_aggregation_and_mesh(aggregating: Network) -> None:
    placement = place(aggregating)
    worker = bird.configuration(aggregating, placement, "k8s-worker-01", {})
    assert "  route 172.24.35.0/24 blackhole;" in worker
    assert "  if (net ~ 172.24.35.0/24) then reject;\n" in worker[worker.index("filter calico_kernel") :]
    assert "protocol bgp Mesh_172_24_34_11 from bgp_template {" in worker
    assert "passive on" not in worker, "of two nodes the one with the higher address dials"
    control = bird.configuration(aggregating, placement, "k8s-cp-01", {})
    assert "route 172.24.35.0/24" not in control, "the node is kept out of Services"
    assert "passive on" in control


def test_a_password_and_a_fault_show(seed: Network) -> None:
    fault = bird.Fault(leaked=(ip_network("172.20.0.0/26"),), asn=64999)
    text = bird.configuration(seed, place(seed), "k8s-node-1", {"192.168.10.1": "word"}, fault)
    assert '  password "word";' in text
    assert "  local as 64999;" in text
    assert "      if (net = 172.20.0.0/26) then accept;" in text


def test_endpoints_go_round_the_workers(seed: Network) -> None:
    service = seed.services[0]
    second = replace(service, name="second", addresses=(ip_address("192.168.20.101"),))
    placement = place(replace(seed, services=(service, second)), 2)
    assert placement.endpoints["traefik/traefik"] == ("k8s-node-1", "k8s-node-2")
    assert placement.endpoints["traefik/second"] == ("k8s-node-3", "k8s-node-4")
    assert len(place(seed, 9).endpoints["traefik/traefik"]) == 5


def test_policy_cluster_announces_from_every_node_that_is_not_kept_out(seed: Network) -> None:
    everywhere = replace(seed, services=(replace(seed.services[0], policy=TrafficPolicy.CLUSTER),))
    kept_out = replace(seed.nodes[-1], labels=((EXCLUDE_LABEL, "true"),))
    changed = replace(everywhere, nodes=(*seed.nodes[:-1], kept_out))
    placement = place(changed)
    assert announced(changed, placement, "k8s-node-4") == (SERVICE,)
    assert announced(changed, placement, "k8s-node-5") == ()
    assert served(changed, placement, "k8s-node-5") == (ip_address("192.168.20.100"),)


def test_an_address_outside_what_is_advertised_is_not_announced(seed: Network) -> None:
    assert seed.calico is not None
    elsewhere = replace(seed, calico=replace(seed.calico, advertised=(ip_network("192.168.30.0/24"),)))
    assert announced(elsewhere, place(elsewhere), "k8s-node-1") == ()


def test_the_table_of_the_example(seed: Network) -> None:
    placement = place(seed)
    assert tables(seed, placement) == {
        "router": {
            VIP: addresses("192.168.10.17", "192.168.10.18", "192.168.10.19"),
            SERVICE: addresses("192.168.10.20", "192.168.10.21"),
        }
    }
    absent = Absent(frozenset(["k8s-master-1"]), frozenset(["k8s-node-1"]))
    assert tables(seed, placement, absent)["router"] == {
        VIP: addresses("192.168.10.18", "192.168.10.19"),
        SERVICE: addresses("192.168.10.21"),
    }


def test_the_table_with_an_aggregate(aggregating: Network) -> None:
    only = addresses("172.24.34.21")
    expected = {ip_network("172.24.35.0/24"): only}
    table = tables(aggregating, place(aggregating))["router"]
    assert {prefix: hops for prefix, hops in table.items() if prefix.prefixlen == 24} == expected


def test_two_speakers_of_one_node_are_counted(seed: Network) -> None:
    calico = next(end for end in seed.ends if end.host == "k8s-node-1")
    intruder = replace(calico, host="k8s-master-1", address=ip_address("192.168.10.17"))
    found = peers(replace(seed, ends=(*seed.ends, intruder)), seed.routers[0])
    assert [end.software for end in found[ip_address("192.168.10.17")]] == ["kube-vip", "calico"]
    assert len(found) == 8


def test_the_lower_hold_time_counts(seed: Network) -> None:
    assert hold(seed) == 9
    default = replace(seed, ends=tuple(replace(end, hold=0) for end in seed.ends))
    assert hold(default) == 180, "FRR's own, below Calico's 240; kube-vip's 30 holds for its sessions only"


def test_the_health_checks_longest_time() -> None:
    pod = KubeVip(node="m", version="1.2.4", vips=(), health_url="https://10.0.0.7:6444/livez", period=5, timeout=3)
    assert longest(replace(pod, threshold=3)) == 5 + 2 * 5 + 3
    assert longest(replace(pod, health_url="")) == 0
    assert (str(health_target(pod).address), health_target(pod).port) == ("10.0.0.7", 6444)
    assert str(health_target(replace(pod, health_url="https://localhost/livez")).address) == "127.0.0.1"


def router_folder() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (EXAMPLE / "routers/router").iterdir()}


def test_cables_bear_the_names_that_the_files_use(seed: Network) -> None:
    wired = wiring(seed, {"router": router_folder()})
    router = wired.machine("router")
    assert [(port.interface, port.switch) for port in router.ports] == [("eth1", "switch-lan"), ("uplink0", BACKBONE)]
    assert [str(address) for address in router.ports[0].addresses] == ["192.168.10.1/24"]
    assert wired.router_of("k8s-node-1") == ip_address("192.168.10.1")
    assert wired.switches == ("switch-lan", BACKBONE)
    plugs = [plug for machine in wired.machines for plug in wired.plugs(machine.name)]
    assert len(plugs) == len(set(plugs)) == 8 + 2 + 1
    assert wired.outside.client[0] == wired.machine(CLIENT).ports[0].addresses[0]


def test_several_racks_reach_each_other_by_their_routers(seed: Network) -> None:
    other = replace(seed.subnets[0], name="rack2", cidr=ip_network("192.168.11.0/24"), gateway=None)
    second = replace(seed.routers[0], name="tor2", address=ip_address("192.168.11.1"))
    moved = replace(seed.nodes[-1], addresses=(ip_address("192.168.11.24"),))
    site = replace(
        seed, subnets=(*seed.subnets, other), routers=(*seed.routers, second), nodes=(*seed.nodes[:-1], moved)
    )
    wired = wiring(site, {})
    assert wired.router_of("k8s-node-5") == ip_address("192.168.11.1")
    assert wired.switches == ("switch-lan", "switch-rack2", BACKBONE)
    behind = wired.machine("tor2").ports[1].addresses[0].ip
    assert (other.cidr, (behind,)) in wired.machine("router").routes
    assert len(dict(wired.machine(CLIENT).routes)[ip_network("0.0.0.0/0")]) == 2


def test_the_clients_network_gives_way(seed: Network) -> None:
    taken = replace(seed.pools[-1], name="bench", cidr=ip_network("198.18.0.0/15"))
    wired = wiring(replace(seed, pools=(*seed.pools, taken)), {})
    assert str(wired.outside.client[0]).startswith("203.0.113.")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"routers": ()}, "no router"),
        ({"subnets": ()}, "no router, no node or no node subnet"),
    ],
)
def test_what_cannot_be_built_is_said(seed: Network, change: dict[str, object], words: str) -> None:
    with pytest.raises(LabError, match=words):
        wiring(replace(seed, **change), {})  # type: ignore[arg-type]


def test_two_machines_of_one_name(seed: Network) -> None:
    twin = replace(seed.nodes[0], name="router")
    with pytest.raises(LabError, match="one name"):
        wiring(replace(seed, nodes=(*seed.nodes, twin)), {})


def test_the_interface_towards_the_nodes() -> None:
    assert router_files.lan_interface(router_folder()) == "eth1"
    settings = {"sysctl.conf": b"net.ipv4.conf.all.rp_filter = 2\nnet.ipv4.conf.bond0.send_redirects = 0\n"}
    assert router_files.lan_interface(settings) == "bond0"
    assert router_files.lan_interface({"nftables.conf": b'# iifname "old" oifname "old"\n'}) == "lan0"


def test_only_settings_of_the_network_are_applied() -> None:
    text = "kernel.pid_max = 9\n# net.ipv4.a = 1\nnet.ipv4.ip_forward = 1\n-net.ipv4.conf.all.rp_filter=2\n"
    assert list(router_files.kernel_settings(text)) == [
        ("net.ipv4.ip_forward", "1"),
        ("net.ipv4.conf.all.rp_filter", "2"),
    ]


def test_passwords_of_groups_are_inherited() -> None:
    text = b" neighbor A password one\n neighbor 10.0.0.1 peer-group A\n neighbor 10.0.0.2 password two\n"
    found = router_files.passwords({"frr.conf": text})
    assert (found["10.0.0.1"], found["10.0.0.2"]) == ("one", "two")
