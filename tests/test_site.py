"""The site file: what it takes, how it refuses, and what the two seed sites become."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest

from anycastle import yamlio
from anycastle.network.bgp import Condition, Software
from anycastle.network.cluster import Role
from anycastle.network.questions import owners, sessions, sessions_of
from anycastle.plan import plan
from anycastle.site.load import parse, with_lines
from anycastle.site.model import Site

CASES = Path(__file__).parent / "cases"


def data(case: str) -> dict[str, Any]:
    document = yamlio.load((CASES / case / "site.yaml").read_bytes(), "site.yaml").documents[0]
    return copy.deepcopy(document.value)


def site(case: str) -> Site:
    parsed = parse(data(case))
    assert parsed.findings == ()
    assert parsed.site is not None
    return parsed.site


def test_models_are_frozen() -> None:
    with pytest.raises(Exception, match="frozen"):
        site("seed").name = "other"  # type: ignore[misc]


def test_every_model_refuses_unknown_keys() -> None:
    schema = Site.model_json_schema(by_alias=True)
    objects = [schema, *schema["$defs"].values()]
    closed = [item for item in objects if item.get("type") == "object"]
    assert len(closed) > 20
    assert all(item["additionalProperties"] is False for item in closed)
    assert json.loads(json.dumps(schema)) == schema


def test_unknown_key_says_what_was_meant() -> None:
    raw = data("seed")
    raw["bgp"]["control_plane_as"] = raw["bgp"].pop("control_plane_asn")
    [unknown] = [f for f in parse(raw).findings if f.code == "SITE001"]
    assert unknown.where.key == "bgp.control_plane_as"
    assert "control_plane_asn" in unknown.fix


def test_all_faults_at_once_in_order() -> None:
    raw = data("seed")
    raw["domain"] = "Example.com"
    raw["nodes"][3]["address"] = "192.168.10.300"
    del raw["kubernetes"]["version"]
    found = [(f.code, f.where.key) for f in parse(raw).findings]
    assert found == [("SITE003", "domain"), ("SITE002", "kubernetes.version"), ("SITE003", "nodes[3].address")]


def test_findings_get_the_lines_of_the_file() -> None:
    document = yamlio.load((CASES / "seed" / "site.yaml").read_bytes(), "site.yaml").documents[0]
    raw = copy.deepcopy(document.value)
    raw["nodes"][3]["address"] = "banana"

    def line_of(key: str) -> int:
        assert key == "nodes[3].address"
        return document.line(("nodes", 3, "address"))

    [finding] = with_lines(parse(raw).findings, "site.yaml", line_of)
    text = (CASES / "seed" / "site.yaml").read_text().splitlines()
    assert "k8s-node-1" in text[finding.where.line - 1]
    assert finding.where.path == "site.yaml"


@pytest.mark.parametrize("raw", [None, 3, "text", [], {}, {"schema": 2}, {"schema": "x"}, {"schema": True}])
def test_nonsense_is_refused_without_a_traceback(raw: object) -> None:
    parsed = parse(raw)
    assert parsed.site is None
    assert parsed.findings


def keys_of(schema: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, definition in {"Site": schema, **schema["$defs"]}.items():
        for key in definition.get("properties", {}):
            yield name, key


def test_links_to_what_cannot_carry_them_yet_are_refused_by_name() -> None:
    raw = data("links")
    raw["routers"][0] |= {"software": "vyos", "interface": "eth1"}
    assert [(f.code, f.where.key) for f in parse(raw).findings] == [("SITE010", "routers[0].software")]


def test_links_make_sessions_and_ways() -> None:
    network = plan(site("links"))
    found = {(s.node.host, str(s.node.address), s.router.host, str(s.router.address)) for s in sessions(network)}
    assert len(found) == 12
    assert ("node-1", "10.41.1.7", "tor-a", "10.41.1.6") in found
    tor = next(router for router in network.routers if router.name == "tor-b")
    assert (ip_network("10.40.0.21/32"), ip_address("10.41.2.7")) in tor.reaches
    assert {node.addresses for node in network.nodes if node.name == "node-1"} == {(ip_address("10.40.0.21"),)}


def test_the_seed_network() -> None:
    network = plan(site("seed"))
    assert [node.role for node in network.nodes].count(Role.CONTROL_PLANE) == 3
    assert len(list(sessions(network))) == 8
    assert {s.node.software for s in sessions_of(network, "k8s-master-2")} == {Software.KUBE_VIP}
    assert {s.node.software for s in sessions_of(network, "k8s-node-5")} == {Software.CALICO}
    vip, pool = network.announcements
    assert (vip.prefix, vip.when) == (ip_network("192.168.20.1/32"), Condition.API_HEALTHY)
    assert vip.hosts == ("k8s-master-1", "k8s-master-2", "k8s-master-3")
    assert (pool.prefix, pool.shortest, pool.longest) == (ip_network("192.168.20.64/26"), 32, 32)
    assert pool.hosts == tuple(f"k8s-node-{i}" for i in range(1, 6))
    assert {(a.prefix, a.shortest, a.longest) for a in network.acceptances} == {
        (ip_network("192.168.20.1/32"), 32, 32),
        (ip_network("192.168.20.64/26"), 32, 32),
    }
    assert [app.name for app in network.apps][:3] == ["namespaces", "calico-crds", "tigera-operator"]
    named = {str(owner): owner.prefix for owner in owners(network)}
    assert named["service address traefik/traefik"] == ip_network("192.168.20.100/32")
    assert named["API address control.k8s.example.com"] == ip_network("192.168.20.1/32")


def test_the_second_seed_network() -> None:
    network = plan(site("lab-ja"))
    assert network.kube_vips == ()
    assert network.calico is not None
    assert (network.calico.asn, network.calico.mesh, network.calico.aggregate) == (64512, True, True)
    assert network.calico.assign == "AllServices"
    assert {s.node.host for s in sessions(network)} == {"k8s-cp-01", "k8s-worker-01"}
    assert {s.router.asn for s in sessions(network)} == {65001}
    [pool] = network.announcements
    assert pool.hosts == ("k8s-worker-01",)
    assert (pool.shortest, pool.longest) == (24, 32)
    assert network.api is not None
    assert network.api.agent_host == "172.24.34.11"
    [lb] = [p for p in network.pools if not p.managed]
    assert lb.block_size == 24
    assert network.filters[0].rules[0].source == "RemotePeers"


def test_planning_twice_is_equal_and_ignores_places() -> None:
    assert plan(site("seed")) == plan(site("seed"))
    moved = data("seed")
    moved["nodes"].reverse()
    parsed = parse(moved)
    assert parsed.site is not None
    assert plan(parsed.site) == plan(site("seed"))


def test_a_start_end_range_becomes_the_smallest_list_of_pools() -> None:
    raw = data("seed")
    raw["load_balancer"]["pools"][0]["ranges"] = ["192.168.20.96-192.168.20.111", "192.168.20.116/30"]
    parsed = parse(raw)
    assert parsed.site is not None
    pools = [(p.name, str(p.cidr), p.block_size) for p in plan(parsed.site).pools if not p.managed]
    assert pools == [
        ("loadbalancer-pool", "192.168.20.96/28", 28),
        ("loadbalancer-pool-2", "192.168.20.116/30", 30),
    ]
    assert ip_address("192.168.20.100") in ip_network("192.168.20.96/28")


@pytest.mark.parametrize(
    ("label", "fine"),
    [
        ("example.com/rack", True),
        ("rack", True),
        ("topology.kubernetes.io/zone", True),
        ("node.kubernetes.io/purpose", True),
        ("node-role.kubernetes.io/worker", False),
        ("kubernetes.io/hostname", False),
        ("node.kubernetes.io/exclude-from-external-load-balancers", False),
    ],
)
def test_labels_that_kubelet_may_not_set(label: str, fine: bool) -> None:
    raw = data("seed")
    raw["nodes"][4]["labels"] = {label: "x"}
    found = [(f.code, f.where.key) for f in parse(raw).findings]
    assert found == ([] if fine else [("SITE008", "nodes[4].labels")])
