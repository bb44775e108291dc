"""An existing cluster as kubectl prints it, and back to the same network."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cluster import kubectl

from anycastle import yamlio
from anycastle.importing.detect import detected, read
from anycastle.importing.draft import draft
from anycastle.importing.facts import Source
from anycastle.network.model import Declared, Network
from anycastle.network.questions import on_router
from anycastle.plan import plan
from anycastle.site.load import parse
from anycastle.site.model import Site

CASES = Path(__file__).resolve().parents[1] / "cases"


def site_of(case: str) -> Site:
    site = parse(yamlio.load((CASES / case / "site.yaml").read_bytes()).documents[0].value).site
    assert site is not None
    return site


def back(objects: Any) -> Site:
    drawn = draft([read(Source("cluster.json", json.dumps(objects)))])
    assert not drawn.findings
    parsed = parse(drawn.data)
    assert parsed.site is not None, parsed.findings
    return parsed.site


def inside(network: Network) -> Network:
    """What a cluster knows of its network: not the routers' own settings, and no names of subnets."""
    return replace(
        network,
        subnets=tuple(replace(subnet, name="", gateway=None) for subnet in network.subnets),
        routers=tuple((router.name, router.address, router.asn) for router in network.routers),  # type: ignore[misc]
        ends=tuple(end for end in network.ends if not on_router(end)),
        speakers=tuple(speaker for speaker in network.speakers if speaker.host in {n.name for n in network.nodes}),
        reserved=(),
        versions=(),
        declared=Declared(),
    )


@pytest.mark.parametrize("case", ["seed", "lab-ja"])
def test_a_whole_cluster_comes_back_as_the_same_network(case: str, tmp_path: Path) -> None:
    site = site_of(case)
    assert plan(back(kubectl(site, plan(site), tmp_path))) == plan(site)


@pytest.mark.parametrize(
    "case",
    [
        *("many-nodes", "other-names", "pools-exported", "one-node", "one-as", "three-data-centres", "dual-stack"),
        *("two-routers-two-as", "kube-proxy-kept", "proxy-handed-over", "several-ingresses", "ipv6-only", "converged"),
        "route-reflectors",
    ],
)
def test_what_a_cluster_knows_comes_back(case: str, tmp_path: Path) -> None:
    site = site_of(case)
    assert inside(plan(back(kubectl(site, plan(site), tmp_path)))) == inside(plan(site))


NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "n1", "labels": {"node-role.kubernetes.io/control-plane": ""}},
    "status": {"addresses": [{"type": "InternalIP", "address": "10.9.0.4"}]},
}


def listed(*items: Any) -> str:
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(items)})


def test_a_typed_list_need_not_say_the_kind_of_its_items() -> None:
    bare = {key: value for key, value in NODE.items() if key != "kind"}
    text = json.dumps({"apiVersion": "v1", "kind": "NodeList", "items": [bare]})
    assert detected(text) == "kubectl"
    facts = {fact.key: fact.value for fact in read(Source("c", text)).facts}
    assert facts["nodes", "n1", "role"] == "control-plane"
    assert facts["nodes", "n1", "address"] == "10.9.0.4/32"


def test_several_documents_are_one_cluster() -> None:
    pool = {
        "apiVersion": "projectcalico.org/v3",
        "kind": "IPPool",
        "metadata": {"name": "p"},
        "spec": {"cidr": "10.1.0.0/16"},
    }
    found = read(Source("c", f"{yamlio.dump(NODE)}---\n{yamlio.dump(pool)}"))
    facts = {fact.key: fact.value for fact in found.facts}
    assert facts["pods", "p", "cidr"] == "10.1.0.0/16"
    assert facts["pods", "p", "encapsulation"] == "None", "absent modes mean none"
    assert facts["pods", "p", "export"] is True, "absent disableBGPExport means that pods are announced"


def test_absent_settings_have_calicos_defaults_and_not_ours() -> None:
    settings_ = {"apiVersion": "crd.projectcalico.org/v1", "kind": "BGPConfiguration", "metadata": {"name": "default"}}
    facts = {fact.key: fact.value for fact in read(Source("c", listed(NODE, settings_))).facts}
    assert facts["bgp", "worker_asn"] == 64512
    assert facts["bgp", "node_to_node_mesh"] is True
    assert facts["bgp", "advertise"] == "aggregate"


@pytest.mark.parametrize(
    ("items", "code", "said"),
    [
        (
            [{"kind": "IPPool", "apiVersion": "projectcalico.org/v3", "metadata": {"name": "p"}}],
            "IMPORT005",
            "holds no Node",
        ),
        ([{**NODE, "metadata": {"name": "n_1"}}], "IMPORT004", "not a DNS name"),
        ([{**NODE, "status": {}}], "IMPORT005", "n1 has no address"),
        (
            [NODE, {"kind": "IPPool", "apiVersion": "v3", "metadata": {"name": "p"}, "spec": {"cidr": "10.1.0.1/16"}}],
            "IMPORT004",
            "host bits",
        ),
        (
            [
                NODE,
                {"kind": "BGPPeer", "apiVersion": "v3", "metadata": {"name": "r"}, "spec": {"peerSelector": "all()"}},
            ],
            "IMPORT006",
            "peers inside the cluster",
        ),
        (
            [
                NODE,
                {"kind": "Service", "apiVersion": "v1", "metadata": {"name": "db"}, "spec": {"type": "LoadBalancer"}},
            ],
            "IMPORT006",
            "default/db is not an ingress",
        ),
    ],
)
def test_what_is_wrong_or_left_out_is_said(items: list[Any], code: str, said: str) -> None:
    drawn = draft([read(Source("c.yaml", listed(*items)))])
    assert [finding.code for finding in drawn.findings] == [code]
    assert said in drawn.findings[0].message
    assert drawn.findings[0].where.path == "c.yaml"


def test_a_place_names_the_object_and_its_line() -> None:
    pool = {"kind": "IPPool", "apiVersion": "v3", "metadata": {"name": "p"}, "spec": {"cidr": "10.1.0.1/16"}}
    text = yamlio.dump({"apiVersion": "v1", "kind": "List", "items": [NODE, pool]})
    (finding,) = read(Source("c.yaml", text)).findings
    assert finding.where.key == "IPPool/p spec.cidr"
    assert text.splitlines()[finding.where.line - 1].strip() == "cidr: 10.1.0.1/16"


def test_no_secret_of_a_cluster_is_carried() -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "bgp"}, "data": {"password": "aHVudGVyMg=="}}
    env = [
        {"name": "bgp_enable", "value": "true"},
        {"name": "cp_enable", "value": "true"},
        {"name": "address", "value": "10.9.9.1"},
        {"name": "bgp_as", "value": "65020"},
        {"name": "bgp_peers", "value": "10.9.0.1:65010:hunter2:false"},
        {"name": "bgp_peerpass", "value": "hunter2"},
    ]
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "kube-vip-n1", "namespace": "kube-system"},
        "spec": {
            "nodeName": "n1",
            "containers": [{"name": "v", "image": "ghcr.io/kube-vip/kube-vip:v1.2.4", "env": env}],
        },
    }
    peer = {
        "apiVersion": "projectcalico.org/v3",
        "kind": "BGPPeer",
        "metadata": {"name": "gate"},
        "spec": {
            "peerIP": "10.9.0.1",
            "asNumber": 65010,
            "password": {"secretKeyRef": {"name": "bgp", "key": "password"}},
        },
    }
    drawn = draft([read(Source("c", listed(NODE, secret, pod, peer)))])
    assert drawn.data is not None
    assert drawn.data["kubernetes"]["api"]["vips"] == ["10.9.9.1"]
    assert drawn.data["routers"] == [
        {"name": "gate", "address": "10.9.0.1", "asn": 65010, "software": "frr", "password": "bgp/password"}
    ]
    assert "hunter2" not in str(drawn)
    assert "aHVudGVyMg" not in str(drawn)


def test_nodes_that_do_not_peer_are_told_apart() -> None:
    worker = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": "w1", "labels": {"bgp": "yes"}},
        "status": {"addresses": [{"type": "InternalIP", "address": "10.9.0.5"}]},
    }
    silent = {
        **worker,
        "metadata": {"name": "w2"},
        "status": {"addresses": [{"type": "InternalIP", "address": "10.9.0.6"}]},
    }
    peer = {
        "apiVersion": "projectcalico.org/v3",
        "kind": "BGPPeer",
        "metadata": {"name": "gate"},
        "spec": {"peerIP": "10.9.0.1:179", "asNumber": 65010, "nodeSelector": "bgp == 'yes'"},
    }
    drawn = draft([read(Source("c", listed(NODE, worker, silent, peer)))])
    assert drawn.data is not None
    assert drawn.data["bgp"]["peering"] == "workers"
    assert [node["name"] for node in drawn.data["nodes"] if not node.get("peer", True)] == ["w2"]
    assert drawn.data["routers"][0]["address"] == "10.9.0.1"
