"""What the files of a node say, read back; the expected values are those of the example sites, not of the code."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import pytest
from examples import Answers, example, many_workers, second_router

from anycastle import yamlio
from anycastle.render import nodes
from anycastle.render.kubeadm import pod_subnets

SEED_ENVIRONMENT = [
    ("address", "192.168.20.1"),
    ("port", "6443"),
    ("vip_subnet", "32"),
    ("vip_interface", "lo"),
    ("vip_arp", "false"),
    ("vip_nodename", {"fieldRef": {"fieldPath": "spec.nodeName"}}),
    ("cp_enable", "true"),
    ("cp_namespace", "kube-system"),
    ("bgp_enable", "true"),
    ("bgp_as", "65020"),
    ("bgp_routerid", "192.168.10.17"),
    ("bgp_peeraddress", "192.168.10.1"),
    ("bgp_peeras", "65010"),
    ("control_plane_health_check_address", "https://192.168.10.17:6443/livez"),
    ("control_plane_health_check_ca_path", "/etc/kubernetes/pki/ca.crt"),
    ("control_plane_health_check_period_seconds", "5"),
    ("control_plane_health_check_timeout_seconds", "3"),
    ("control_plane_health_check_failure_threshold", "3"),
    ("prometheus_server", ":2112"),
]


def entry(name: str, value: object) -> dict[str, object]:
    return {"name": name, "value" if isinstance(value, str) else "valueFrom": value}


KUBE_VIP: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "kube-vip", "namespace": "kube-system"},
    "spec": {
        "containers": [
            {
                "name": "kube-vip",
                "image": "ghcr.io/kube-vip/kube-vip:v1.2.4",
                "imagePullPolicy": "IfNotPresent",
                "args": ["manager"],
                "env": [entry(name, value) for name, value in SEED_ENVIRONMENT],
                "resources": {"requests": {"memory": "64Mi"}, "limits": {"memory": "512Mi"}},
                "securityContext": {"capabilities": {"add": ["NET_ADMIN", "NET_RAW"], "drop": ["ALL"]}},
                "volumeMounts": [
                    {"name": "kubeconfig", "mountPath": "/etc/kubernetes/admin.conf", "readOnly": True},
                    {"name": "ca-cert", "mountPath": "/etc/kubernetes/pki/ca.crt", "readOnly": True},
                ],
            }
        ],
        "hostAliases": [{"hostnames": ["kubernetes"], "ip": "127.0.0.1"}],
        "hostNetwork": True,
        "priorityClassName": "system-node-critical",
        "volumes": [
            {"name": "kubeconfig", "hostPath": {"path": "/etc/kubernetes/admin.conf", "type": "File"}},
            {"name": "ca-cert", "hostPath": {"path": "/etc/kubernetes/pki/ca.crt", "type": "File"}},
        ],
    },
}


def registration(name: str, address: str, labels: str = "") -> dict[str, object]:
    arguments = [{"name": "node-ip", "value": address}]
    if labels:
        arguments.append({"name": "node-labels", "value": labels})
    return {"name": name, "criSocket": "unix:///run/containerd/containerd.sock", "kubeletExtraArgs": arguments}


def discovery(endpoint: str) -> dict[str, object]:
    return {
        "bootstrapToken": {
            "apiServerEndpoint": endpoint,
            "token": "@KUBEADM_TOKEN@",
            "caCertHashes": ["@KUBEADM_CA_CERT_HASH@"],
        }
    }


def documents(data: bytes) -> list[Any]:
    loaded = yamlio.load(data)
    assert loaded.findings == ()
    return [document.value for document in loaded.documents]


def rendered(case: str, change: Any = None) -> dict[str, bytes]:
    return dict(nodes.files(*example(case, change)))


def environment(data: bytes) -> list[tuple[str, str]]:
    [pod] = documents(data)
    return [(item["name"], item.get("value", "")) for item in pod["spec"]["containers"][0]["env"]]


def test_each_node_has_its_files() -> None:
    files = rendered("seed")
    by_node: dict[str, set[str]] = {}
    for path in files:
        top, node, name = path.split("/")
        assert top == "nodes"
        by_node.setdefault(node, set()).add(name)
    every = {"kubeadm.yaml", "hosts", "install.sh"}
    assert by_node == {
        "k8s-master-1": every | {"kube-vip.yaml", "kube-vip.init.yaml"},
        "k8s-master-2": every | {"kube-vip.yaml"},
        "k8s-master-3": every | {"kube-vip.yaml"},
        **{f"k8s-node-{i}": every for i in range(1, 6)},
    }


def test_without_an_api_address_there_is_no_kube_vip() -> None:
    names = {path.split("/")[2] for path in rendered("lab-ja")}
    assert names == {"kubeadm.yaml", "hosts", "install.sh"}


def test_first_control_plane_makes_the_cluster() -> None:
    init, cluster = documents(rendered("seed")["nodes/k8s-master-1/kubeadm.yaml"])
    assert init == {
        "apiVersion": "kubeadm.k8s.io/v1beta4",
        "kind": "InitConfiguration",
        "nodeRegistration": registration("k8s-master-1", "192.168.10.17"),
        "localAPIEndpoint": {"advertiseAddress": "192.168.10.17", "bindPort": 6443},
    }
    assert cluster == {
        "apiVersion": "kubeadm.k8s.io/v1beta4",
        "kind": "ClusterConfiguration",
        "clusterName": "home",
        "kubernetesVersion": "v1.36.4",
        "controlPlaneEndpoint": "control.k8s.example.com:6443",
        "networking": {
            "serviceSubnet": "10.96.0.0/12",
            "podSubnet": "172.20.0.0/16",
            "dnsDomain": "cluster.local",
        },
        "controllerManager": {"extraArgs": [{"name": "allocate-node-cidrs", "value": "false"}]},
        "apiServer": {"certSANs": ["192.168.20.1"]},
        "proxy": {"disabled": True},
    }


def test_other_control_planes_join() -> None:
    [join] = documents(rendered("seed")["nodes/k8s-master-2/kubeadm.yaml"])
    assert join == {
        "apiVersion": "kubeadm.k8s.io/v1beta4",
        "kind": "JoinConfiguration",
        "nodeRegistration": registration("k8s-master-2", "192.168.10.18"),
        "discovery": discovery("control.k8s.example.com:6443"),
        "controlPlane": {
            "localAPIEndpoint": {"advertiseAddress": "192.168.10.18", "bindPort": 6443},
            "certificateKey": "@KUBEADM_CERTIFICATE_KEY@",
        },
    }


def test_workers_join() -> None:
    [join] = documents(rendered("seed")["nodes/k8s-node-1/kubeadm.yaml"])
    assert join == {
        "apiVersion": "kubeadm.k8s.io/v1beta4",
        "kind": "JoinConfiguration",
        "nodeRegistration": registration("k8s-node-1", "192.168.10.20"),
        "discovery": discovery("control.k8s.example.com:6443"),
    }


def test_a_node_that_announces_no_service_gets_the_label_with_true() -> None:
    init, cluster = documents(rendered("lab-ja")["nodes/k8s-cp-01/kubeadm.yaml"])
    assert init["nodeRegistration"] == registration(
        "k8s-cp-01", "172.24.34.11", "node.kubernetes.io/exclude-from-external-load-balancers=true"
    )
    assert "apiServer" not in cluster  # no name beyond kubeadm's own: an empty list would say nothing


def test_labels_of_the_site_reach_kubelet_in_order() -> None:
    def change(given: Answers) -> None:
        given["nodes"][3]["labels"] = {"rack": "b", "example.com/disk": "ssd", "empty": ""}

    [join] = documents(rendered("seed", change)["nodes/k8s-node-1/kubeadm.yaml"])
    assert join["nodeRegistration"] == registration("k8s-node-1", "192.168.10.20", "empty=,example.com/disk=ssd,rack=b")


def test_no_file_holds_a_secret() -> None:
    token, key = re.compile(rb"\b[a-z0-9]{6}\.[a-z0-9]{16}\b"), re.compile(rb"\b[0-9a-f]{64}\b")
    found = [path for path, data in rendered("seed").items() if token.search(data) or key.search(data)]
    assert found == []


@pytest.mark.parametrize(
    ("pools", "expected"),
    [
        (["172.20.0.0/16"], ["172.20.0.0/16"]),
        (["10.40.0.0/17", "10.40.128.0/17"], ["10.40.0.0/16"]),
        (["10.40.0.0/24", "10.40.3.0/24"], ["10.40.0.0/22"]),
        (["10.40.3.0/24", "10.40.0.0/16"], ["10.40.0.0/16"]),
        (["10.0.0.0/8", "172.20.0.0/16"], ["0.0.0.0/0"]),
        (["172.20.0.0/16", "fd00:1::/56", "fd00:1:0:100::/56"], ["172.20.0.0/16", "fd00:1::/55"]),
    ],
)
def test_pod_subnet_is_the_smallest_that_holds_every_pool(pools: list[str], expected: list[str]) -> None:
    assert [str(net) for net in pod_subnets(ip_network(pool) for pool in pools)] == expected


def test_kube_vip_is_the_proven_manifest() -> None:
    [pod] = documents(rendered("seed")["nodes/k8s-master-1/kube-vip.yaml"])
    assert pod == KUBE_VIP


def test_kube_vip_of_init_differs_in_one_path() -> None:
    [pod] = documents(rendered("seed")["nodes/k8s-master-1/kube-vip.init.yaml"])
    expected = copy.deepcopy(KUBE_VIP)
    expected["spec"]["volumes"][0]["hostPath"]["path"] = "/etc/kubernetes/super-admin.conf"
    assert pod == expected


def test_kube_vip_differs_between_nodes_in_two_values() -> None:
    files = rendered("seed")
    first, second = (environment(files[f"nodes/k8s-master-{i}/kube-vip.yaml"]) for i in (1, 2))
    assert [name for (name, one), (_, two) in zip(first, second, strict=True) if one != two] == [
        "bgp_routerid",
        "control_plane_health_check_address",
    ]
    assert dict(second)["bgp_routerid"] == "192.168.10.18"
    assert dict(second)["control_plane_health_check_address"] == "https://192.168.10.18:6443/livez"


def test_two_routers_become_one_list() -> None:
    files = rendered("seed", second_router)
    names = [name for name, _value in environment(files["nodes/k8s-master-1/kube-vip.yaml"])]
    assert "bgp_peeraddress" not in names
    assert "bgp_peeras" not in names
    assert dict(environment(files["nodes/k8s-master-1/kube-vip.yaml"]))["bgp_peers"] == (
        "192.168.10.1:65010::false,192.168.10.2:65011::false"
    )


def test_a_router_behind_others_needs_multihop() -> None:
    site, network = example("seed")
    far = tuple(replace(end, hops=50) if end.software == "kube-vip" else end for end in network.ends)
    files = dict(nodes.files(site, replace(network, ends=far)))
    assert dict(environment(files["nodes/k8s-master-1/kube-vip.yaml"]))["bgp_multihop"] == "true"


def test_hosts_name_the_node_and_the_api() -> None:
    files = rendered("seed")
    assert files["nodes/k8s-node-1/hosts"].decode() == (
        "192.168.10.20 k8s-node-1.example.com k8s-node-1\n192.168.20.1 control.k8s.example.com\n"
    )


def test_hosts_without_a_vip_point_at_the_first_control_plane() -> None:
    files = rendered("lab-ja")
    assert files["nodes/k8s-worker-01/hosts"].decode() == (
        "172.24.34.21 k8s-worker-01.example.com k8s-worker-01\n172.24.34.11 k8s-cp-01.example.com\n"
    )
    # The API has the name of the node itself: one line, each name once.
    assert files["nodes/k8s-cp-01/hosts"].decode() == "172.24.34.11 k8s-cp-01.example.com k8s-cp-01\n"


def test_a_full_name_is_not_extended() -> None:
    def change(given: Answers) -> None:
        given["nodes"][3]["name"] = "k8s-node-1.example.com"

    files = rendered("seed", change)
    assert (
        files["nodes/k8s-node-1.example.com/hosts"]
        .decode()
        .startswith("192.168.10.20 k8s-node-1.example.com k8s-node-1\n")
    )


def test_a_node_knows_nothing_of_the_other_nodes() -> None:
    few, many = (rendered("seed", many_workers(count)) for count in (2, 400))
    assert {path: data for path, data in many.items() if path in few} == few


def test_rendering_twice_gives_the_same_bytes() -> None:
    assert list(nodes.files(*example("seed"))) == list(nodes.files(*example("seed")))
