"""Racks, several routers, far routers, nodes of their own: who is told to speak with whom, from which AS."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from examples import Answers, example

from anycastle import yamlio
from anycastle.network.selector import parse
from anycastle.render import render

Change = Callable[[Answers], object]
DOCS = Path(__file__).resolve().parents[2] / "docs"
WORKERS = "!has(node-role.kubernetes.io/control-plane)"


def files(case: str, change: Change | None = None) -> dict[str, bytes]:
    return render(*example(case, change))


def value(data: bytes) -> Any:
    return yamlio.load(data).documents[0].value


def peers(case: str, change: Change | None = None) -> dict[str, Any]:
    found: dict[str, Any] = value(files(case, change)["apps/calico-bgp/values.yaml"])["peers"]
    return found


def selected(case: str, selector: str, change: Change | None = None) -> list[str]:
    _site, network = example(case, change)
    wanted = parse(selector)
    return [node.name for node in network.nodes if wanted.matches(dict(node.labels))]


def environment(data: bytes) -> dict[str, str]:
    [container] = value(data)["spec"]["containers"]
    return {entry["name"]: entry.get("value", "") for entry in container["env"]}


def test_each_rack_has_peers_of_its_own() -> None:
    found = peers("three-data-centres")
    assert list(found) == ["edge-dc1", "edge-dc2", "edge-dc3"]
    assert found["edge-dc1"]["nodeSelector"] == f"{WORKERS} && datacenter == 'dc1'"
    assert {name: peer.get("localASNumber") for name, peer in found.items()} == {
        "edge-dc1": None,  # the settings say it
        "edge-dc2": 64602,
        "edge-dc3": 64603,
    }
    for name, peer in found.items():
        rack = name.removeprefix("edge-")
        assert selected("three-data-centres", peer["nodeSelector"]) == [f"{rack}-node-1", f"{rack}-node-2"]


def test_kubelet_is_told_the_label_of_the_rack() -> None:
    found = value(files("three-data-centres")["nodes/dc3-node-2/kubeadm.yaml"])
    arguments = {entry["name"]: entry["value"] for entry in found["nodeRegistration"]["kubeletExtraArgs"]}
    assert arguments == {"node-ip": "10.3.0.22", "node-labels": "datacenter=dc3"}


def test_kube_vip_has_the_routers_and_the_number_of_its_rack() -> None:
    made = files("rack-control-planes")
    first, second = (environment(made[f"nodes/control-{number}/kube-vip.yaml"]) for number in (1, 2))
    assert (first["bgp_as"], first["bgp_peeraddress"], first["bgp_peeras"]) == ("65001", "192.168.50.1", "65000")
    assert first["bgp_multihop"] == "true"
    assert "bgp_peers" not in first
    assert (second["bgp_as"], second["bgp_peers"]) == (
        "65002",
        "192.168.31.2:65102::false,192.168.31.3:65102::false",
    )
    assert not {"bgp_peeraddress", "bgp_multihop"} & set(second)


def one_router(given: Answers) -> None:
    """One router for all racks, which have AS numbers of their own."""
    given["routers"] = [{"name": "spine", "address": "10.9.0.1", "asn": 64700, "multihop": 2}]
    for rack in given["racks"]:
        rack["routers"] = ["spine"]


def test_a_router_of_several_racks_has_a_peer_for_each() -> None:
    found = peers("three-data-centres", one_router)
    assert {name: peer.get("localASNumber") for name, peer in found.items()} == {
        "spine-dc1": None,
        "spine-dc2": 64602,
        "spine-dc3": 64603,
    }
    frr = files("three-data-centres", one_router)["routers/spine/frr.conf"].decode()
    assert frr.count(" ebgp-multihop 2\n") == 6
    assert frr.count(" remote-as 6460") == 3
    assert " bgp bestpath as-path multipath-relax\n" in frr
    assert "ip nht resolve-via-default\n" in frr
    assert "ip route 10.90.0.1/32 blackhole 254\n" in frr, "it hears every control plane"


def test_a_router_that_hears_some_nodes_only_drops_nothing() -> None:
    for path, data in files("three-data-centres").items():
        if path.endswith("/frr.conf"):
            assert b"blackhole" not in data


def test_a_mute_node_is_selected_by_nobody_and_known_to_no_router() -> None:
    made = files("peering-subset")
    [peer] = peers("peering-subset").values()
    assert selected("peering-subset", peer["nodeSelector"]) == ["node-101"]
    frr = made["routers/tor/frr.conf"].decode()
    assert "10.74.45.101" in frr
    assert "10.74.45.102" not in frr
    assert b"exclude-from-external-load-balancers=true" in made["nodes/node-102/kubeadm.yaml"]


def mute_control_plane(given: Answers) -> None:
    given["nodes"][2]["peer"] = False


def test_a_mute_control_plane_has_no_kube_vip() -> None:
    made = files("seed", mute_control_plane)
    assert "nodes/k8s-master-3/kube-vip.yaml" not in made
    assert "nodes/k8s-master-2/kube-vip.yaml" in made
    assert b"192.168.10.19" not in made["routers/router/frr.conf"]


def own_number(given: Answers) -> None:
    given["nodes"][-1]["asn"] = 65031
    given["nodes"][0]["asn"] = 65021


def test_a_node_with_a_number_of_its_own_has_a_peer_of_its_own() -> None:
    found = peers("seed", own_number)
    assert list(found) == ["router", "router-as65031"]
    assert found["router-as65031"]["localASNumber"] == 65031
    assert found["router-as65031"]["nodeSelector"] == "kubernetes.io/hostname in {'k8s-node-5'}"
    chosen = [selected("seed", peer["nodeSelector"], own_number) for peer in found.values()]
    assert chosen == [[f"k8s-node-{number}" for number in (1, 2, 3, 4)], ["k8s-node-5"]]
    assert environment(files("seed", own_number)["nodes/k8s-master-1/kube-vip.yaml"])["bgp_as"] == "65021"


def old_calico(given: Answers) -> None:
    given["versions"] = {"calico": "3.30.4"}


def test_an_older_calico_takes_the_number_from_an_annotation() -> None:
    made = files("three-data-centres", old_calico)
    assert not any("localASNumber" in peer for peer in peers("three-data-centres", old_calico).values())
    step = 'annotate node "$node" projectcalico.org/ASNumber='
    scripts = {path.split("/")[1]: data.decode() for path, data in made.items() if path.endswith("install.sh")}
    annotated = {name: text.partition(step)[2].split()[0] for name, text in scripts.items() if step in text}
    assert annotated == {"dc2-node-1": "64602", "dc2-node-2": "64602", "dc3-node-1": "64603", "dc3-node-2": "64603"}
    assert step not in "".join(data.decode() for data in files("three-data-centres").values())


def test_a_far_router_may_be_reached_by_a_gateway() -> None:
    def change(given: Answers) -> None:
        given["routers"][0] |= {"address": "192.168.99.1", "multihop": 4, "reachable_by": "192.168.10.254"}

    assert peers("seed", change)["router"]["reachableBy"] == "192.168.10.254"
    assert "reachableBy" not in peers("seed")["router"]


@pytest.mark.parametrize("case", ["two-routers-one-as", "two-routers-two-as"])
def test_two_routers_ask_no_connection_for_its_state_before_they_accept(case: str) -> None:
    """Each sees one direction: its connection tracking would call the second packet invalid."""
    made = files(case)
    for name in ("tor-a", "tor-b"):
        rules = [line for line in made[f"routers/{name}/nftables.conf"].decode().splitlines() if "#" not in line]
        assert not [line for line in rules if "invalid" in line]
        assert [line.strip() for line in rules if " daddr 10.20.2.0/24 " in line] == ["ip daddr 10.20.2.0/24 accept"]
    assert b"ct state invalid drop" in files("one-as")["routers/router/nftables.conf"]


def shared_gateway(given: Answers) -> None:
    given["networks"]["nodes"][0]["gateway"] = "192.168.10.254"


def test_a_gateway_that_is_another_machine_makes_it_one_direction_too() -> None:
    rules = files("seed", shared_gateway)["routers/router/nftables.conf"].decode().splitlines()
    assert not [line for line in rules if "invalid" in line and "#" not in line]


def test_one_as_for_all_is_reflected_and_spread() -> None:
    frr = files("one-as")["routers/router/frr.conf"].decode().splitlines()
    for group in ("K8S-CALICO", "K8S-KUBE-VIP"):
        assert f"  neighbor {group} route-reflector-client" in frr
        assert f"  neighbor {group} next-hop-self" in frr
    assert "  maximum-paths ibgp 8" in frr
    assert [line for line in frr if "local-preference" in line] == [" set local-preference 100"], "Calico's alone"
    assert not [line for line in files("seed")["routers/router/frr.conf"].decode().splitlines() if "reflector" in line]


def another_node(given: Answers) -> None:
    given["nodes"].append({"name": "dc2-node-3", "role": "worker", "address": "10.2.0.23", "rack": "dc2"})


def test_a_node_more_changes_what_it_must_and_nothing_else() -> None:
    before, after = files("three-data-centres"), files("three-data-centres", another_node)
    assert sorted(after.keys() - before.keys()) == [
        f"nodes/dc2-node-3/{name}" for name in ("hosts", "install.sh", "kubeadm.yaml")
    ]
    assert not before.keys() - after.keys()
    changed = [path for path in before if before[path] != after[path]]
    assert sorted(changed) == listed((DOCS / "topologies.md").read_text())


def listed(page: str) -> list[str]:
    """The files that the page names behind the diff of a node more."""
    [paragraph] = re.findall(r"^Beside these two files change .*?\n\n", page, re.DOTALL | re.MULTILINE)
    return sorted([*shown_diffs(page), *re.findall(r"`([^`]+)`", paragraph)])


def shown_diffs(page: str) -> dict[str, list[list[str]]]:
    """Path -> the hunks that a page shows of it, each the lines behind its `@@`."""
    found: dict[str, list[list[str]]] = {}
    for block in re.findall(r"```diff\n(.*?)```", page, re.DOTALL):
        path = ""
        for line in block.splitlines():
            if line.startswith("--- "):
                path = line.removeprefix("--- ")
            elif line.startswith("@@"):
                found.setdefault(path, []).append([])
            else:
                found[path][-1].append(line)
    return found


def test_the_page_shows_what_a_node_more_changes() -> None:
    """Every added line, nothing else, each where it stands."""
    before, after = files("three-data-centres"), files("three-data-centres", another_node)
    shown = shown_diffs((DOCS / "topologies.md").read_text())
    changed = {path for path in before if before[path] != after[path] and path.startswith(("routers/", "apps/"))}
    assert shown.keys() == changed
    for path, hunks in shown.items():
        old, new = (texts[path].decode().splitlines() for texts in (before, after))
        moved = [line for line in difflib.ndiff(old, new) if line.startswith(("+ ", "- "))]
        assert moved == [f"+ {line[1:]}" for hunk in hunks for line in hunk if line.startswith("+")]
        for hunk in hunks:
            lines = [line[1:] for line in hunk]
            assert any(new[start : start + len(lines)] == lines for start in range(len(new))), hunk
