"""Route reflectors of a cluster: what a site file can say of them, and why something is left out."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from cluster import CLUSTER_ID, V3

from anycastle.importing.detect import read
from anycastle.importing.draft import Draft, draft
from anycastle.importing.facts import Source
from anycastle.importing.kubectl_reflectors import LABEL
from anycastle.site.load import parse
from anycastle.site.topology import REFLECTOR_LABEL

Cluster = dict[str, dict[str, Any]]


def node(name: str, last: int, **labels: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels, "annotations": {}},
        "status": {"addresses": [{"type": "InternalIP", "address": f"10.9.0.{last}"}]},
    }


def calico(kind: str, name: str, **spec: object) -> dict[str, Any]:
    return {"apiVersion": V3, "kind": kind, "metadata": {"name": name}, "spec": spec}


def reflected() -> Cluster:
    """A control plane that holds no session, two reflectors by a label of their own, two clients, one router."""
    found = {
        "m1": node("m1", 4, **{"node-role.kubernetes.io/control-plane": ""}),
        "r1": node("r1", 11, rr="yes", **{LABEL: "yes"}),
        "r2": node("r2", 12, rr="yes"),
        "w1": node("w1", 21),
        "w2": node("w2", 22, **{LABEL: "no"}),
        "settings": calico("BGPConfiguration", "default", asNumber=64515, nodeToNodeMeshEnabled=False),
        "inner": calico(
            "BGPPeer",
            "inner",
            nodeSelector="!has(node-role.kubernetes.io/control-plane)",
            peerSelector="rr == 'yes'",
        ),
        "tor": calico("BGPPeer", "tor", peerIP="10.9.0.1", asNumber=64700, nodeSelector="has(rr)"),
    }
    for name in ("r1", "r2"):
        found[name]["metadata"]["annotations"][CLUSTER_ID] = "244.0.0.1"
    return found


def drawn(cluster: Cluster) -> Draft:
    items = {"apiVersion": "v1", "kind": "List", "items": list(cluster.values())}
    return draft([read(Source("c.json", json.dumps(items)))])


def test_reflectors_are_found_by_the_labels_of_the_nodes() -> None:
    found = drawn(reflected())
    assert found.findings == ()
    assert found.data is not None
    assert found.data["bgp"]["route_reflectors"] == {"nodes": ["r1", "r2"], "cluster_id": "244.0.0.1"}
    assert found.data["bgp"]["peering"] == "workers"
    assert not any("peer" in one for one in found.data["nodes"])
    assert found.stated["bgp.route_reflectors.cluster_id"].key == "BGPPeer/inner spec.peerSelector"
    labels = {one["name"]: one.get("labels") for one in found.data["nodes"]}
    assert labels == {"m1": None, "r1": {"rr": "yes"}, "r2": {"rr": "yes"}, "w1": None, "w2": None}
    assert parse(found.data).findings == ()


def test_the_label_of_a_site_is_the_one_that_is_left_out() -> None:
    assert LABEL == REFLECTOR_LABEL


def test_clients_and_reflectors_may_have_peers_of_their_own() -> None:
    cluster = reflected()
    cluster["inner"]["spec"]["nodeSelector"] = "!has(rr) && !has(node-role.kubernetes.io/control-plane)"
    cluster["among"] = calico("BGPPeer", "among", nodeSelector="rr in {'yes'}", peerSelector="rr == 'yes'")
    assert drawn(cluster) == drawn(reflected())


def test_a_node_that_no_selector_finds_holds_no_session() -> None:
    cluster = reflected()
    cluster["inner"]["spec"]["nodeSelector"] = "has(rr)"
    data = drawn(cluster).data
    assert data is not None
    assert [one["name"] for one in data["nodes"] if one.get("peer") is False] == ["w1", "w2"]


def test_a_password_between_nodes_is_said_and_the_reflectors_are_carried() -> None:
    cluster = reflected()
    cluster["inner"]["spec"]["password"] = {"secretKeyRef": {"name": "bgp", "key": "inner"}}
    found = drawn(cluster)
    assert [(one.code, one.where.key) for one in found.findings] == [("IMPORT006", "BGPPeer/inner spec.password")]
    assert found.data is not None
    assert "route_reflectors" in found.data["bgp"]


def _settings(cluster: Cluster, **spec: object) -> None:
    cluster["settings"]["spec"] |= spec


def _inner(cluster: Cluster, **spec: object) -> None:
    cluster["inner"]["spec"] |= spec


def _annotated(cluster: Cluster, name: str, key: str, value: str) -> None:
    cluster[name]["metadata"]["annotations"][key] = value


LEFT_OUT: dict[str, tuple[Callable[[Cluster], object], str]] = {
    "nobody": (lambda c: _inner(c, peerSelector="rr == 'no'"), "matches no node of this source"),
    "no-selector": (lambda c: _inner(c, peerSelector="rr = yes"), "its peerSelector is none that Calico knows"),
    "no-selector-of-clients": (lambda c: _inner(c, nodeSelector="rr ="), "its nodeSelector is none that Calico knows"),
    "no-id": (lambda c: c["r2"]["metadata"]["annotations"].clear(), "no projectcalico.org/RouteReflectorClusterID"),
    "two-ids": (lambda c: _annotated(c, "r2", CLUSTER_ID, "244.0.0.2"), "ClusterID in common"),
    "an-id-that-is-none": (
        lambda c: (_annotated(c, "r1", CLUSTER_ID, "one"), _annotated(c, "r2", CLUSTER_ID, "one")),
        "ClusterID in common",
    ),
    "mesh": (lambda c: _settings(c, nodeToNodeMeshEnabled=True), "beside the mesh"),
    "mesh-by-default": (lambda c: c["settings"]["spec"].pop("nodeToNodeMeshEnabled"), "beside the mesh"),
    "numbers": (lambda c: _annotated(c, "w1", "projectcalico.org/ASNumber", "64600"), "different AS numbers"),
    "one-way": (lambda c: _inner(c, reversePeering="Manual"), "in one direction only"),
    "apart": (lambda c: _inner(c, nodeSelector="!has(rr)"), "do not peer with each other"),
    "clients-dial": (lambda c: c["tor"]["spec"].pop("nodeSelector"), "not exactly those that it selects peer with"),
    "own-number": (lambda c: c["tor"]["spec"].update(localASNumber=64999), "another AS number towards a router"),
}


@pytest.mark.parametrize(("change", "said"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_what_a_site_cannot_say_is_left_out_with_its_reason(change: Callable[[Cluster], object], said: str) -> None:
    cluster = reflected()
    change(cluster)
    found = drawn(cluster)
    assert [(one.code, one.where.key) for one in found.findings] == [("IMPORT006", "BGPPeer/inner spec.peerSelector")]
    assert said in found.findings[0].message
    assert found.data is not None
    assert "route_reflectors" not in found.data["bgp"]


def test_two_sets_of_reflectors_are_left_out_both() -> None:
    cluster = reflected()
    cluster["second"] = calico("BGPPeer", "second", nodeSelector="all()", peerSelector="has(other)")
    found = drawn(cluster)
    keys = [one.where.key for one in found.findings]
    assert keys == ["BGPPeer/inner spec.peerSelector", "BGPPeer/second spec.peerSelector"]
    assert {one.code for one in found.findings} == {"IMPORT006"}


def test_a_peer_of_pods_is_no_reflector() -> None:
    cluster = reflected()
    cluster["pods"] = calico("BGPPeer", "pods", localWorkloadSelector="all()", asNumber=64999)
    found = drawn(cluster)
    assert [one.where.key for one in found.findings] == ["BGPPeer/pods spec"]
    assert found.data is not None
    assert "route_reflectors" in found.data["bgp"]
