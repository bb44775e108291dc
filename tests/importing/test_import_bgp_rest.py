"""What BGPPeer, BGPConfiguration and IPPool say beyond a site file is said, and what has no effect is not."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from cluster import CLUSTER_ID, V3

from anycastle.cli import run
from anycastle.importing.detect import read
from anycastle.importing.draft import Draft, draft
from anycastle.importing.facts import Source
from anycastle.importing.kubectl_bgp_rest import FILTER
from anycastle.plan import routing
from anycastle.site.load import parse

Specs = dict[str, dict[str, Any]]

PEER = {"peerIP": "10.9.0.1", "asNumber": 65010, "nodeSelector": "has(rr)"}
SETTINGS = {"asNumber": 64600, "nodeToNodeMeshEnabled": False}
POOL = {"cidr": "10.244.0.0/16", "vxlanMode": "CrossSubnet", "natOutgoing": True}
INNER = {"nodeSelector": "!has(node-role.kubernetes.io/control-plane)", "peerSelector": "has(rr)"}


def node(name: str, last: int, **labels: str) -> dict[str, Any]:
    annotations = {"projectcalico.org/IPv4Address": f"10.9.0.{last}/24"} | ({CLUSTER_ID: "244.0.0.1"} if labels else {})
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels, "annotations": annotations},
        "status": {"addresses": [{"type": "InternalIP", "address": f"10.9.0.{last}"}]},
    }


def listed(
    peer: dict[str, Any] | None = None,
    settings: dict[str, Any] | None = None,
    pool: dict[str, Any] | None = None,
    **further: tuple[str, dict[str, Any]],
) -> str:
    """A control plane, two workers, and these objects on top of plain ones."""
    control = node("m1", 4)
    control["metadata"]["labels"] = {"node-role.kubernetes.io/control-plane": ""}
    objects = {
        "tor": ("BGPPeer", PEER | (peer or {})),
        "default": ("BGPConfiguration", SETTINGS | (settings or {})),
        "pods": ("IPPool", POOL | (pool or {})),
        **further,
    }
    made = [
        {"apiVersion": V3, "kind": kind, "metadata": {"name": name}, "spec": copy.deepcopy(spec)}
        for name, (kind, spec) in objects.items()
    ]
    nodes = [control, node("w1", 21, rr="yes"), node("w2", 22, rr="yes")]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": [*nodes, *made]}, indent=1)


def drawn(text: str) -> Draft:
    return draft([read(Source("c.json", text))])


def said(text: str) -> list[tuple[str, str]]:
    return [(finding.code, finding.where.key) for finding in drawn(text).findings]


def test_the_filter_of_a_site_is_the_one_that_is_not_listed() -> None:
    assert FILTER == routing.FILTER


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("peerIP", "10.9.0.1:1790"),
        ("filters", ["mine"]),
        ("filters", [FILTER, "mine"]),
        ("ttlSecurity", 1),
        ("sourceAddress", "None"),
        ("numAllowedLocalASNumbers", 1),
        ("keepOriginalNextHop", True),
        ("nextHopMode", "Keep"),
        ("nextHopMode", "Self"),
        ("keepaliveTime", "10s"),
        ("ofALaterRelease", False),
    ],
)
def test_a_field_of_a_peer_that_no_site_has_is_listed(key: str, value: object) -> None:
    assert said(listed({key: value})) == [("IMPORT006", f"BGPPeer/tor spec.{key}")]


def test_a_port_in_brackets_is_seen_and_the_usual_one_is_none() -> None:
    (finding,) = drawn(listed({"peerIP": "[fd00::1]:1790"})).findings
    assert "dials port 1790" in finding.message
    for usual in ("[fd00::1]:179", "[fd00::1]", "fd00::1", "10.9.0.1:179"):
        assert said(listed({"peerIP": usual})) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("listenPort", 1790),
        ("bindMode", "NodeIP"),
        ("communities", [{"name": "a", "value": "65010:1"}]),
        ("prefixAdvertisements", [{"cidr": "10.1.0.0/24", "communities": ["65010:1"]}]),
        ("ignoredInterfaces", ["eth9"]),
        ("logSeverityScreen", "Debug"),
        ("nodeMeshMaxRestartTime", "5m0s"),
        ("nodeMeshPassword", {"secretKeyRef": {"name": "hunter2", "key": "hunter3"}}),
        ("programClusterRoutes", "Disabled"),
        ("serviceClusterIPs", [{"cidr": "10.96.0.0/12"}]),
        ("ofALaterRelease", "hunter4"),
    ],
)
def test_a_setting_that_no_site_has_is_listed_and_its_value_is_not(key: str, value: object) -> None:
    found = drawn(listed(settings={key: value})).findings
    assert [(one.code, one.where.key) for one in found] == [("IMPORT006", f"BGPConfiguration/default spec.{key}")]
    assert "hunter" not in found[0].message + found[0].fix


def test_calicos_defaults_are_no_news() -> None:
    peer = {
        "filters": [FILTER],
        "keepOriginalNextHop": False,
        "nextHopMode": "Auto",
        "numAllowedLocalASNumbers": 0,
        "reversePeering": "Auto",
        "sourceAddress": "UseNodeIP",
        "maxRestartTime": "15s",
        "peerSelector": "",
    }
    settings = {
        "bindMode": "None",
        "communities": [],
        "ipv4NormalRoutePriority": 1024,
        "listenPort": 179,
        "logSeverityScreen": "Info",
        "nodeMeshMaxRestartTime": "2m0s",
        "serviceLoadBalancerAggregation": "Disabled",
    }
    assert said(listed(peer, settings)) == []


@pytest.mark.parametrize("keeping", [{"keepOriginalNextHop": True}, {"nextHopMode": "Keep"}])
def test_route_reflectors_of_a_site_keep_the_next_hop(keeping: dict[str, Any]) -> None:
    inner = ("BGPPeer", INNER | {"maxRestartTime": "15s"})
    found = drawn(listed(keeping | {"maxRestartTime": "15s"}, inner=inner))
    assert found.findings == ()
    assert found.data is not None
    assert found.data["bgp"]["route_reflectors"]["nodes"] == ["w1", "w2"]


@pytest.mark.parametrize(
    ("key", "value"),
    [("maxRestartTime", "2m0s"), ("filters", [FILTER]), ("nextHopMode", "Keep"), ("keepaliveTime", "10s")],
)
def test_what_nodes_say_to_reflectors_beyond_a_site_is_listed(key: str, value: object) -> None:
    text = listed({"maxRestartTime": "15s"}, inner=("BGPPeer", INNER | {key: value}))
    assert said(text) == [("IMPORT006", f"BGPPeer/inner spec.{key}")]


def test_a_peer_that_is_left_out_is_not_taken_apart() -> None:
    pods = {"localWorkloadSelector": "all()", "asNumber": 64999, "ttlSecurity": 1}
    assert said(listed(pods=("IPPool", POOL), workloads=("BGPPeer", pods))) == [("IMPORT006", "BGPPeer/workloads spec")]


def routers(text: str) -> list[dict[str, Any]]:
    data = drawn(text).data
    assert data is not None
    assert parse(data).findings == ()
    return [dict(router) for router in data["routers"]]


def test_a_gateway_to_a_far_router_is_carried_with_the_hops() -> None:
    text = listed({"peerIP": "10.20.0.1", "reachableBy": "10.9.0.254"})
    assert said(text) == []
    (router,) = routers(text)
    assert (router["multihop"], router["reachable_by"]) == (16, "10.9.0.254")


def test_a_gateway_to_a_router_on_the_subnet_is_left_out() -> None:
    text = listed({"reachableBy": "10.9.0.254"})
    assert said(text) == [("IMPORT006", "BGPPeer/tor spec.reachableBy")]
    assert "10.9.0.1 is in a subnet of the nodes" in drawn(text).findings[0].message
    (router,) = routers(text)
    assert not {"multihop", "reachable_by"} & router.keys()


def test_a_site_has_one_gateway_to_a_router() -> None:
    far = {"peerIP": "10.20.0.1", "reachableBy": "10.9.0.254"}
    same, other = PEER | far, PEER | far | {"reachableBy": "10.9.0.253"}
    assert said(listed(far, another=("BGPPeer", same))) == []
    text = listed(far, another=("BGPPeer", other))
    assert said(text) == [("IMPORT006", "BGPPeer/another spec.reachableBy")]
    assert [router["reachable_by"] for router in routers(text)] == ["10.9.0.254"]
    late = listed({"peerIP": "10.20.0.1"}, another=("BGPPeer", same))
    assert [router["reachable_by"] for router in routers(late)] == ["10.9.0.254"]


@pytest.mark.parametrize("size", ["abc", 0, -1, 19, 129, True, 26.5])
@pytest.mark.parametrize("uses", [["Workload"], ["LoadBalancer"]])
def test_a_block_size_that_no_site_has_is_refused(size: object, uses: list[str]) -> None:
    pool = {"cidr": "10.244.0.0/16", "allowedUses": uses, "blockSize": size}
    (finding,) = drawn(listed(extra=("IPPool", pool))).findings
    assert (finding.code, finding.where.key) == ("IMPORT004", "IPPool/extra spec.blockSize")
    assert "is not a block size" in finding.message


@pytest.mark.parametrize(("cidr", "size"), [("10.244.0.0/16", 33), ("10.244.0.0/28", 27)])
def test_a_block_that_does_not_fit_its_exported_pool_is_a_finding_of_the_site(
    cidr: str, size: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "c.json", tmp_path / "site.yaml"
    source.write_text(listed(pool={"cidr": cidr, "blockSize": size, "disableBGPExport": False}))
    assert run(["import", str(source), "-o", str(target)]) == 1
    shown = "".join(capsys.readouterr())
    assert "POOL001" in shown
    assert "fault of the program" not in shown
    assert f"block_size: {size}" in target.read_text()
    assert run(["new", "--answers", str(target), "-o", str(tmp_path / "new")]) == 1
    shown = "".join(capsys.readouterr())
    assert "POOL001" in shown
    assert "fault of the program" not in shown
    assert not (tmp_path / "new").exists()
