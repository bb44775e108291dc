"""Route reflectors: labels and annotations, BGPPeers, routers that know nobody else, words and picture."""

from __future__ import annotations

from typing import Any

import pytest

import patches
from anycastle import yamlio
from anycastle.network.bgp import Software
from anycastle.network.model import Network
from anycastle.overview import overview
from anycastle.plan import plan
from anycastle.render import render
from anycastle.report.plan_sections import sections
from anycastle.site.load import parse

NAME = "route-reflectors"
VALUES = "apps/calico-bgp/values.yaml"


def planned(change: dict[str, object], name: str = NAME) -> tuple[dict[str, bytes], Network]:
    parsed = parse(patches.patched(name, change))
    assert parsed.site is not None, parsed.findings
    network = plan(parsed.site)
    return dict(render(parsed.site, network)), network


def peers(files: dict[str, bytes]) -> dict[str, dict[str, Any]]:
    return dict(yamlio.load(files[VALUES]).documents[0].value["peers"])


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return planned({})[0]


def test_only_reflectors_are_labelled_and_annotated(files: dict[str, bytes]) -> None:
    annotated = {path for path, data in files.items() if b"RouteReflectorClusterID=244.0.0.1 --overwrite" in data}
    labelled = {path for path, data in files.items() if b"route-reflector=true" in data and path.startswith("nodes/")}
    assert annotated == {"nodes/node-1/install.sh", "nodes/node-2/install.sh"}
    assert labelled == annotated | {"nodes/node-1/kubeadm.yaml", "nodes/node-2/kubeadm.yaml"}


def test_a_script_that_annotates_asks_for_kubectl(files: dict[str, bytes]) -> None:
    asking = {name for name in ("node-2", "node-3") if b" kubectl" in files[f"nodes/{name}/install.sh"]}
    assert asking == {"node-2"}


def test_peers_are_the_reflectors_and_what_ties_the_rest_to_them(files: dict[str, bytes]) -> None:
    found = peers(files)
    assert list(found) == ["tor", "route-reflectors"]
    assert (found["tor"]["nodeSelector"], found["tor"]["nextHopMode"]) == ("route-reflector == 'true'", "Keep")
    assert found["route-reflectors"] == {
        "nodeSelector": "all()",
        "peerSelector": "route-reflector == 'true'",
        "maxRestartTime": "15s",
    }


def test_before_3_31_the_next_hop_is_kept_by_its_old_name() -> None:
    tor = peers(planned({"versions": {"calico": "3.30.4"}})[0])["tor"]
    assert tor["keepOriginalNextHop"] is True
    assert "nextHopMode" not in tor


def test_a_node_that_holds_no_session_is_left_out() -> None:
    found, network = planned({"nodes[7].peer": False})
    assert peers(found)["route-reflectors"]["nodeSelector"] == "kubernetes.io/hostname not in {'node-5'}"
    assert not [end for end in network.inside if end.host == "node-5"]


def test_a_router_of_that_name_takes_no_peer_away() -> None:
    found = peers(planned({"routers[0].name": "route-reflectors"})[0])
    assert list(found) == ["route-reflectors", "route-reflectors-inside"]
    assert "peerIP" in found["route-reflectors"]


def test_in_racks_each_router_has_the_reflectors_of_its_own() -> None:
    change = {
        "racks[1].worker_asn": None,
        "racks[2].worker_asn": None,
        "bgp.route_reflectors": {"nodes": ["dc1-node-1", "dc2-node-1"], "cluster_id": "244.0.0.1"},
    }
    found, network = planned(change, "three-data-centres")
    selectors = {name: peer["nodeSelector"] for name, peer in peers(found).items()}
    assert selectors == {
        "edge-dc1": "route-reflector == 'true' && datacenter == 'dc1'",
        "edge-dc2": "route-reflector == 'true' && datacenter == 'dc2'",
        "route-reflectors": "!has(node-role.kubernetes.io/control-plane)",
    }
    calico = {(end.host, str(end.peer)) for end in network.ends if end.software is Software.CALICO}
    assert calico == {("dc1-node-1", "10.1.0.1"), ("dc2-node-1", "10.2.0.1")}
    assert {end.host for end in network.inside} == {f"dc{rack}-node-{n}" for rack in (1, 2, 3) for n in (1, 2)}


def test_a_router_hears_everybody_and_discards_what_nobody_says() -> None:
    _files, network = planned({"routers[0].software": "frr", "routers[0].interface": "eth1"})
    [router] = network.routers
    assert [str(prefix) for prefix in router.discards] == ["10.88.20.1/32", "10.88.20.64/27"]
    services = next(a for a in network.acceptances if str(a.prefix) == "10.88.20.64/27")
    assert [str(peer) for peer in services.peers] == ["10.88.10.21", "10.88.10.22"]


def test_the_plan_shows_the_sessions_inside() -> None:
    shown = overview(planned({})[1])
    inside = [item for item in shown.peerings if item.inside]
    assert len(inside) == 6 * 2 + 1
    assert {item.far.host for item in inside} == {"node-1", "node-2"}
    assert {item.kind for item in inside} == {"iBGP"}
    assert shown.one_sided == ()
    blocks = next(section for section in sections(shown) if section.title == "BGP sessions").blocks
    said = "\n".join(line for block in blocks for line in block.lines)
    assert "it passes that on to the others, and theirs back" in said


def test_words_and_picture_name_the_reflectors(files: dict[str, bytes]) -> None:
    assert "peers with the route reflectors node-1, node-2 (AS 64515" in files["docs/addresses.md"].decode()
    assert "## Let another node reflect routes" in files["docs/runbook.md"].decode()
    assert files["docs/topology.svg"].count(b", reflects<") == 2
    assert "TCP 179 (BGP)" in next(
        line for line in files["README.md"].decode().splitlines() if line.lstrip().startswith("| every machine | every")
    )


def test_without_reflectors_nobody_speaks_of_them() -> None:
    found, network = planned({}, "seed")
    assert network.inside == ()
    assert not [path for path, data in found.items() if b"eflector" in data and not path.startswith("charts/")]
