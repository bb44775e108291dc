"""Nodes, kube-vip and Calico in the forms that other people's repositories have."""

from ipaddress import ip_address
from pathlib import Path

import handmade
import pytest
from handmade import added, read_changed, replaced

from anycastle.finding import Place
from anycastle.network.bgp import Software
from anycastle.network.cluster import Role
from anycastle.reader.kubeadm import split_endpoint
from anycastle.reader.notes import Notes, as_number

MASTER = "nodes/k8s-master-1/kube-vip.yaml"
BGP = "manifests/bgp/bgp.yaml"


def test_arguments_as_a_map(tmp_path: Path) -> None:
    text = """\
apiVersion: kubeadm.k8s.io/v1beta3
kind: JoinConfiguration
nodeRegistration:
  name: old
  kubeletExtraArgs: {node-ip: "10.0.0.7,fd00::7", node-labels: "a=b"}
"""
    found = read_changed(tmp_path, added("nodes/old/kubeadm.yaml", text))
    (node,) = [node for node in found.network.nodes if node.name == "old"]
    assert node.addresses == (ip_address("10.0.0.7"), ip_address("fd00::7"))
    assert ("a", "b") in node.labels


def test_the_advertise_address_stands_in_for_a_missing_argument(tmp_path: Path) -> None:
    found = read_changed(tmp_path, replaced("nodes/k8s-master-2/kubeadm.yaml", "name: node-ip", "name: v"))
    (node,) = [node for node in found.network.nodes if node.name == "k8s-master-2"]
    assert (node.role, str(node.addresses[0])) == (Role.CONTROL_PLANE, "192.168.10.18")
    assert handmade.judged(found) == []


def test_one_pod_beside_the_nodes_stands_for_every_control_plane(tmp_path: Path) -> None:
    files = handmade.repository()
    for name in handmade.MASTERS:
        del files[f"nodes/{name}/kube-vip.yaml"]
    files["bootstrap/kube-vip.yaml"] = handmade.kube_vip("192.168.10.17")
    network = handmade.read(handmade.write(tmp_path, files)).network
    assert [pod.node for pod in network.kube_vips] == list(handmade.MASTERS)
    ends = [end for end in network.ends if end.software is Software.KUBE_VIP]
    assert [str(end.address) for end in ends] == list(handmade.MASTERS.values())


def test_documents_of_several_nodes_in_one_folder(tmp_path: Path) -> None:
    files = handmade.repository()
    for name, address in handmade.WORKERS.items():
        del files[f"nodes/{name}/kubeadm.yaml"]
        files[f"join/{name}.yaml"] = handmade.node(name, address, master=False)
    found = handmade.read(handmade.write(tmp_path, files))
    assert len(found.network.nodes) == 8
    assert {item.scope for item in found.objects if item.source.startswith("join/")} == {
        f"node:{name}" for name in handmade.WORKERS
    }


PEERS = '"192.168.10.1:65010::false"'


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('"192.168.10.1:65010"', [("192.168.10.1", 65010, 1)]),
        ('"192.168.10.1:65010::"', [("192.168.10.1", 65010, 1)]),
        ('"192.168.10.1:65010::true"', [("192.168.10.1", 65010, 50)]),
        (
            '"192.168.10.1:65010::false,192.168.10.2:65011::false,"',
            [("192.168.10.1", 65010, 1), ("192.168.10.2", 65011, 1)],
        ),
        ('"[fd00::1]:65010::true"', []),  # no IPv6 address on the node
        (
            '"192.168.10.1:65010::false:179:mpbgp_nexthop=auto_sourceip:true;300000;300000;3"',
            [("192.168.10.1", 65010, 1)],
        ),
    ],
)
def test_peers_of_kube_vip(tmp_path: Path, value: str, expected: list[tuple[str, int, int]]) -> None:
    found = read_changed(tmp_path, replaced(MASTER, PEERS, value))
    ends = [end for end in found.network.ends if end.software is Software.KUBE_VIP and end.host == "k8s-master-1"]
    assert [(str(end.peer), end.peer_asn, end.hops) for end in ends] == expected
    assert {finding.code for finding in handmade.judged(found)} <= {"KVIP006"}  # unlike the other control planes


def test_the_older_form_of_a_peer(tmp_path: Path) -> None:
    old = (
        "{name: bgp_peeraddress, value: 192.168.10.1}\n        - {name: bgp_peeras, value: '65010'}\n"
        "        - {name: bgp_multihop, value: 'true'}\n        - {name: bgp_hold_time, value: '9'}\n"
        "        - {name: bgp_sourceip, value: 192.168.10.117}"
    )
    found = read_changed(tmp_path, replaced(MASTER, f"{{name: bgp_peers, value: {PEERS}}}", old))
    (end,) = [e for e in found.network.ends if e.software is Software.KUBE_VIP and e.host == "k8s-master-1"]
    assert (str(end.address), end.peer_asn, end.hops, end.hold) == ("192.168.10.117", 65010, 50, 9)


def test_a_password_is_never_carried_on(tmp_path: Path) -> None:
    found = read_changed(tmp_path, replaced(MASTER, PEERS, '"192.168.10.1:65010:hunter2:false"'))
    assert "hunter2" not in repr(found.network)
    (end,) = [e for e in found.network.ends if e.software is Software.KUBE_VIP and e.host == "k8s-master-1"]
    assert end.password


def test_peers_of_calico(tmp_path: Path) -> None:
    more = """\
---
apiVersion: projectcalico.org/v3
kind: BGPPeer
metadata: {name: one}
spec:
  node: k8s-master-1
  peerIP: "192.168.10.2:1179"
  asNumber: "1.10"
  localASNumber: 65099
  keepaliveTime: 20s
  password: {secretKeyRef: {name: bgp, key: one}}
---
apiVersion: projectcalico.org/v3
kind: BGPPeer
metadata: {name: everybody}
spec: {peerIP: 192.168.10.3, asNumber: 64999}
"""
    found = read_changed(tmp_path, added("manifests/bgp/more.yaml", more)).network
    ends = [end for end in found.ends if end.software is Software.CALICO]
    (one,) = [end for end in ends if str(end.peer) == "192.168.10.2"]
    assert (one.host, one.asn, one.peer_asn) == ("k8s-master-1", 65099, 65546)
    assert (one.keepalive, one.restart, one.password) == (20, 120, "bgp/one")
    assert len([end for end in ends if str(end.peer) == "192.168.10.3"]) == 8


def test_defaults_of_calico(tmp_path: Path) -> None:
    files = handmade.repository()
    files["manifests/bgp/bgp.yaml"] = (
        "apiVersion: projectcalico.org/v3\nkind: BGPConfiguration\nmetadata: {name: default}\nspec: {}\n"
    )
    files["manifests/installation/installation.yaml"] = (
        "apiVersion: operator.tigera.io/v1\nkind: Installation\nmetadata: {name: default}\n"
        "spec: {calicoNetwork: {ipPools: [{cidr: 172.20.0.0/16}, {cidr: 'fd00::/48'}]}}\n"
    )
    files["manifests/pools/pool.yaml"] = (
        "apiVersion: projectcalico.org/v3\nkind: IPPool\nmetadata: {name: p}\n"
        "spec: {cidr: 10.5.0.0/16, vxlanMode: CrossSubnet, natOutgoing: true, assignmentMode: Manual}\n"
    )
    network = handmade.read(handmade.write(tmp_path, files)).network
    calico = network.calico
    assert calico is not None
    assert (calico.asn, calico.mesh, calico.aggregate, calico.assign) == (64512, True, True, "AllServices")
    assert (calico.bgp, calico.dataplane) == (True, "Iptables")
    seen = [(p.name, p.block_size, p.encapsulation, p.nat_outgoing, p.bgp_export, p.automatic) for p in network.pools]
    assert seen == [
        ("p", 26, "VXLANCrossSubnet", True, True, False),
        ("default-ipv4-ippool", 26, "IPIP", True, True, True),
        ("default-ipv6-ippool", 122, "None", True, True, True),
    ]


@pytest.mark.parametrize(
    ("endpoint", "expected"),
    [
        ("api.example.com:6443", ("api.example.com", 6443)),
        ("api.example.com", ("api.example.com", 0)),
        ("[fd00::1]:443", ("fd00::1", 443)),
        ("fd00::1", ("fd00::1", 0)),
        ("", ("", 0)),
    ],
)
def test_endpoints(endpoint: str, expected: tuple[str, int]) -> None:
    assert split_endpoint(endpoint) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [("2m5s", 125), ("15s", 15), ("1h0m0s", 3600), ("1.5s", 1), ("500ms", 0), ("", None), ("15", None), (15, None)],
)
def test_durations(value: object, expected: int | None) -> None:
    assert Notes().seconds(value, nowhere(), "it") == expected


def nowhere() -> Place:
    return Place("x")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, 1),
        ("65010", 65010),
        ("1.10", 65546),
        (0, None),
        (2**32, None),
        (True, None),
        (1.5, None),
        ("x", None),
        (None, None),
    ],
)
def test_as_numbers(value: object, expected: int | None) -> None:
    assert as_number(value) == expected
