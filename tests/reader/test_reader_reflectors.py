"""BGPPeers between nodes: both ends of their sessions, who reflects, and what a mistake in one file leads to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from ipaddress import ip_address
from pathlib import Path

import handmade
import pytest
from handmade import added, read_changed

import patches
from anycastle.network.model import Network
from anycastle.plan import plan
from anycastle.reader import Repository, read
from anycastle.render import render
from anycastle.rules import judge
from anycastle.site.load import parse

REFLECTORS = "kubernetes.io/hostname in {'k8s-node-1', 'k8s-node-2'}"


def peers(spec: str) -> handmade.Change:
    text = f"apiVersion: projectcalico.org/v3\nkind: BGPPeer\nmetadata: {{name: rr}}\nspec:\n{spec}"
    return added("manifests/rr.yaml", text)


def linked(network: Network) -> set[tuple[str, str]]:
    owner = {node.addresses[0]: node.name for node in network.nodes}
    return {(end.host, owner[end.peer]) for end in network.inside}


def foreign(root: Path, *lines: str) -> Repository:
    return read_changed(root, peers("".join(f"  {line}\n" for line in lines)))


def test_both_ends_follow_from_one_peer(tmp_path: Path) -> None:
    found = foreign(tmp_path, "nodeSelector: all()", f'peerSelector: "{REFLECTORS}"', "maxRestartTime: 20s")
    names = {*handmade.MASTERS, *handmade.WORKERS}
    ends = linked(found.network)
    assert ends == {
        pair
        for reflector in ("k8s-node-1", "k8s-node-2")
        for other in names - {reflector}
        for pair in ((reflector, other), (other, reflector))
    }
    assert {(end.asn, end.peer_asn, end.restart) for end in found.network.inside} == {(65030, 65030, 20)}
    assert [(f.code, str(f.where)) for f in judge(found.network) if f.code.startswith("REFL")] == [
        ("REFL002", "manifests/rr.yaml:6 spec.peerSelector")
    ]


def test_half_of_it_where_the_peer_says_so(tmp_path: Path) -> None:
    found = foreign(
        tmp_path,
        "node: k8s-node-3",
        "peerSelector: kubernetes.io/hostname == 'k8s-node-1'",
        "reversePeering: Manual",
    )
    assert linked(found.network) == {("k8s-node-3", "k8s-node-1")}
    [lonely] = [f for f in judge(found.network) if f.code == "REFL003"]
    assert "192.168.10.20" in lonely.message


def test_a_mesh_among_some_needs_no_reflector(tmp_path: Path) -> None:
    some = "kubernetes.io/hostname in {'k8s-node-1', 'k8s-node-2', 'k8s-node-3'}"
    found = foreign(tmp_path, f'nodeSelector: "{some}"', f'peerSelector: "{some}"')
    assert len(found.network.inside) == 6
    assert not [f for f in judge(found.network) if f.code.startswith("REFL")]


def test_a_node_that_is_told_nothing_of_is_said(tmp_path: Path) -> None:
    found = foreign(tmp_path, "nodeSelector: all()", "peerSelector: has(reflector)")
    assert found.network.inside == ()
    assert ("READ010", "manifests/rr.yaml:4 spec") in [(f.code, str(f.where)) for f in found.findings]


def test_a_selector_that_is_none(tmp_path: Path) -> None:
    found = foreign(tmp_path, "nodeSelector: all()", 'peerSelector: "has("')
    assert ("READ005", "manifests/rr.yaml:6 spec.peerSelector") in [(f.code, str(f.where)) for f in found.findings]


@cache
def files() -> Mapping[str, bytes]:
    """The repository of the example with two reflectors, behind a router that takes all paths."""
    parsed = parse(patches.patched("route-reflectors", {"routers[0].software": "frr", "routers[0].interface": "eth1"}))
    assert parsed.site is not None, parsed.findings
    return render(parsed.site, plan(parsed.site))


@pytest.fixture
def reflected(tmp_path: Path) -> Path:
    for path, data in files().items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    return tmp_path


def changed(root: Path, path: str, old: str, new: str) -> list[str]:
    file = root / path
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    found = read(root)
    return [f.code for f in (*found.findings, *judge(found.network)) if f.severity in ("error", "warning")]


ANNOTATION = "projectcalico.org/RouteReflectorClusterID=244.0.0.1"
BGP = "apps/calico-bgp/values.yaml"


def test_cluster_ids_are_read_from_the_scripts(reflected: Path) -> None:
    nodes = {node.name: node.cluster_id for node in read(reflected).network.nodes}
    assert {name for name, value in nodes.items() if value == ip_address("244.0.0.1")} == {"node-1", "node-2"}
    assert len(nodes) == 8


SCRIPT, CALICO_PEER = "nodes/node-2/install.sh", "    nodeSelector: route-reflector == 'true'\n    filters"
BETWEEN = "    peerSelector: route-reflector == 'true'\n"
MISTAKES = {
    "an annotation that is gone": (SCRIPT, f'annotate node "$node" {ANNOTATION}', "get node", {"REFL001", "SITE020"}),
    "another cluster ID": (SCRIPT, ANNOTATION, ANNOTATION.replace("0.1", "0.2"), {"SITE020"}),
    "a label that is gone": ("nodes/node-2/kubeadm.yaml", "route-reflector=", "rr=", {"REFL004", "SESS001"}),
    "a reflector in the way": (BGP, "    nextHopMode: Keep\n", "", {"REFL007"}),
    "control planes left out": (BGP, "all()", "'!has(node-role.kubernetes.io/control-plane)'", {"POOL008", "SITE020"}),
    "a mesh": (BGP, "MeshEnabled: false", "MeshEnabled: true", {"REFL006", "SITE020"}),
    "learnt routes kept back": (
        BGP,
        "    exportV4:\n",
        "    exportV4:\n    - {action: Reject, source: RemotePeers}\n",
        {"REFL008"},
    ),
    "every node speaks with the router": (BGP, CALICO_PEER, "    nodeSelector: all()\n    filters", {"SITE020"}),
    "no peer between nodes": (BGP, BETWEEN, "    peerIP: 10.88.10.99\n    asNumber: 64700\n", {"SITE020"}),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_one_file_is_found(name: str, reflected: Path) -> None:
    path, old, new, expected = MISTAKES[name]
    assert expected <= set(changed(reflected, path, old, new))


def test_the_repository_itself_is_silent(reflected: Path) -> None:
    assert changed(reflected, BGP, "Every node with", "Every node with") == []
