"""Nodes behind links of two addresses: every shape is read back, and a repository that contradicts itself is found."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, Phase, given, settings

import strategies
from anycastle.network.questions import wired
from anycastle.plan import plan
from anycastle.reader import read
from anycastle.rules import judge
from anycastle.site.load import parse
from test_round_trip import assert_round_trip, written

CASE = Path(__file__).resolve().parents[1] / "cases" / "links" / "site.yaml"
Change = Callable[[dict[str, Any]], None]


def data() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(CASE.read_text())
    return found


def flux(site: dict[str, Any]) -> None:
    site["gitops"]["engine"] = "flux"


def one_router(site: dict[str, Any]) -> None:
    del site["routers"][1]
    for node in site["nodes"]:
        del node["links"][1]


def two_links_to_one_router(site: dict[str, Any]) -> None:
    one_router(site)
    for number, node in enumerate(site["nodes"]):
        far = {
            "address": f"10.42.0.{2 * number}",
            "peer": f"10.42.0.{2 * number + 1}",
            "interface": f"swp{20 + number}",
        }
        node["links"].append({"router": "tor-a", **far})


def some_on_a_subnet(site: dict[str, Any]) -> None:
    site["networks"]["nodes"].append({"name": "lan", "cidr": "10.43.0.0/24", "gateway": "10.43.0.1"})
    for router, address in zip(site["routers"], ("10.43.0.2", "10.43.0.3"), strict=True):
        router["address"] = address
    for node in (site["nodes"][0], site["nodes"][5]):
        del node["links"]
        node["address"] = node["address"].replace("10.40.0", "10.43.0")


def own_number(site: dict[str, Any]) -> None:
    site["nodes"][4]["asn"] = 65077


def racks(site: dict[str, Any]) -> None:
    site["racks"] = [
        {"name": "left", "subnet": "loopbacks", "routers": ["tor-a"]},
        {"name": "right", "subnet": "loopbacks", "routers": ["tor-b"], "worker_asn": 65031, "control_plane_asn": 65021},
    ]
    for number, node in enumerate(site["nodes"]):
        node["rack"] = ("left", "right")[number % 2]
        del node["links"][1 - number % 2]


def one_as(site: dict[str, Any]) -> None:
    site["bgp"] |= {"control_plane_asn": 65101, "worker_asn": 65101}
    site["routers"][1]["asn"] = 65101


def both_families(site: dict[str, Any]) -> None:
    site["kubernetes"]["service_cidrs"].append("fd00:96::/112")
    site["kubernetes"]["api"]["vips"].append("fd00:40:1::1")
    site["networks"]["nodes"].append({"name": "loopbacks6", "cidr": "fd00:40::/64"})
    site["networks"]["pods"].append({"name": "pods6", "cidr": "fd00:244::/56", "encapsulation": "VXLAN"})
    site["load_balancer"]["pools"].append({"name": "services6", "ranges": ["fd00:40:2::/120"]})
    for number, node in enumerate(site["nodes"]):
        node["addresses"] = [f"fd00:40::{number + 16:x}"]
        for side, link in enumerate(list(node["links"])):
            six = {"address": f"fd00:41:{side}::{2 * number + 1:x}", "peer": f"fd00:41:{side}::{2 * number:x}"}
            node["links"].append({**link, **six})


def reflectors(site: dict[str, Any]) -> None:
    site["bgp"]["route_reflectors"] = {"nodes": ["node-1", "node-2"], "cluster_id": "244.0.0.1"}


CHANGES: tuple[Change, ...] = (
    flux,
    one_router,
    two_links_to_one_router,
    some_on_a_subnet,
    own_number,
    racks,
    one_as,
    both_families,
    reflectors,
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_every_shape_is_read_back(change: Change, tmp_path: Path) -> None:
    site = data()
    change(site)
    assert_round_trip(site, tmp_path)


def behind_links(site: dict[str, Any]) -> dict[str, Any]:
    """The same site without a subnet: a link of each family from every node to each of its routers."""
    racks = {rack["name"]: rack for rack in site.get("racks", [])}
    placed = {name for rack in racks.values() for name in rack["routers"]}
    for router in site["routers"]:
        router["software"] = "frr"
        router.pop("multihop", None)
        router.pop("reachable_by", None)
    others = [router["name"] for router in site["routers"] if router["name"] not in placed]
    for number, node in enumerate(site["nodes"]):
        node.pop("speakers", None)
        routers = dict.fromkeys(racks[node["rack"]]["routers"] if node.get("rack") else others)
        for side, name in enumerate(routers if node.get("peer", True) else ()):
            for own in (node["address"], *node.get("addresses", [])):
                first = ip_address(f"fd77:{side}::") if ":" in str(own) else ip_address(f"100.{64 + side}.0.0")
                ends = {"peer": str(first + 2 * number), "address": str(first + 2 * number + 1)}
                node.setdefault("links", []).append({"router": name, "interface": f"swp{number}", **ends})
    return site


@pytest.mark.slow
@settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(strategies.sites())
def test_any_site_behind_links_is_read_back(site: dict[str, Any]) -> None:
    parsed = parse(behind_links(site))
    if parsed.site is None:
        assert [(f.code, f.where.key) for f in parsed.findings] == [("SITE011", "bgp.peering")]
        return
    network = plan(parsed.site)
    with TemporaryDirectory() as folder:
        written(parsed.site, network, Path(folder))
        assert read(Path(folder)).network == network


def written_to(folder: Path) -> Path:
    site = parse(data()).site
    assert site is not None
    written(site, plan(site), folder)
    return folder


def codes(folder: Path) -> set[str]:
    found = read(folder)
    return {f.code for f in (*found.findings, *judge(found.network)) if f.severity != "unchecked"}


def test_a_right_repository_is_silent_and_knows_its_links(tmp_path: Path) -> None:
    assert codes(written_to(tmp_path)) == set()
    assert len(list(wired(read(tmp_path).network))) == 12


MISTAKES = {
    "the way to a node is missing": ("routers/tor-a/frr.conf", "ip route 10.40.0.21/32 10.41.1.7\n", "", "RT014"),
    "the way to a node is another's": (
        "routers/tor-a/frr.conf",
        "10.40.0.21/32 10.41.1.7",
        "10.40.0.21/32 10.41.1.9",
        "RT015",
    ),
    "the router has a wrong neighbour": ("routers/tor-a/frr.conf", "10.41.1.7 ", "10.41.1.77 ", "ADDR008"),
    "kube-vip dials another address": ("nodes/control-1/kube-vip.yaml", "10.41.1.0:", "10.41.1.2:", "SESS001"),
    "an interface is missing": ("routers/tor-a/nftables.conf", '"swp4", "swp5"', '"swp5"', "SITE020"),
    "kube-vip is told one source": (
        "nodes/control-1/kube-vip.yaml",
        "    - name: bgp_peers\n",
        "    - name: bgp_sourceip\n      value: 10.41.1.1\n    - name: bgp_peers\n",
        "SESS001",
    ),
    "Calico dials from the node's own address": (
        "apps/calico-bgp/values.yaml",
        '    sourceAddress: "None"\n',
        "",
        "SESS001",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_one_mistake_is_found(mistake: str, tmp_path: Path) -> None:
    path, right, wrong, code = MISTAKES[mistake]
    file = written_to(tmp_path) / path
    text = file.read_text()
    assert right in text
    file.write_text(text.replace(right, wrong))
    assert code in codes(tmp_path)
