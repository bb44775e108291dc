"""Ansible inventories: INI, YAML and JSON, with the variables beside them."""

from typing import Any

import pytest

from anycastle.importing.detect import detected, read
from anycastle.importing.draft import Draft, draft
from anycastle.importing.facts import Source
from anycastle.importing.host_ranges import expand
from anycastle.site.load import parse

INI = """\
# a cluster of the usual kind
[kube_control_plane]
cp[1:3]

[kube_node]
w[01:02].lab.example.com ansible_port=2222

[all]
cp1 ansible_host=203.0.113.5 ip=10.20.0.11
cp2 ansible_host=203.0.113.6 ip=10.20.0.12   # behind the firewall
cp3 ip=10.20.0.13
w01.lab.example.com ip=10.20.0.21 ansible_become_password='hunter2 and more'
w02.lab.example.com ip=10.20.0.22

[etcd:children]
kube_control_plane

[bastion]
jump ansible_host=203.0.113.9

[k8s_cluster:children]
kube_control_plane
kube_node

[k8s_cluster:vars]
kube_service_addresses=10.233.0.0/18
"""

VARIABLES = """\
kube_version: v1.36.2
kube_pods_subnet: 10.233.64.0/18
calico_pool_blocksize: 25
calico_pool_name: pods
calico_vxlan_mode: CrossSubnet
nat_outgoing: true
global_as_num: "65030"
kube_vip_local_as: 65020
kube_vip_address: 10.20.9.1
peers:
  - {router_id: 10.20.0.1, as: "65010"}
calico_advertise_service_loadbalancer_ips: [10.20.8.0/26]
cluster_name: "{{ inventory_name }}"
dns_domain: cluster.local
vault_token: !vault |
  $ANSIBLE_VAULT;1.1;AES256
  33303132
"""

YAML = """\
all:
  vars:
    ansible_user: ops
    ansible_password: hunter2
  hosts:
    n1: {ansible_host: 10.30.0.11, ip: 10.30.0.11, ip6: "fd00:30::11"}
    n2: {ansible_host: 10.30.0.12}
    n3: {ansible_host: 10.30.0.13, node_labels: {example.com/disk: ssd}}
  children:
    kube_control_plane:
      hosts: {n1: }
    kube_node:
      hosts:
        n1:
        n[2:3]:
    k8s_cluster:
      children:
        kube_control_plane:
        kube_node:
      vars:
        kube_service_addresses: 10.233.0.0/18
"""


def drawn(text: str, *beside: tuple[str, str]) -> Draft:
    assert detected(text) == "ansible"
    return draft([read(Source("inv/hosts", text, beside))])


def data(text: str, *beside: tuple[str, str]) -> dict[str, Any]:
    made = drawn(text, *beside)
    assert made.data is not None
    assert not made.findings
    assert parse(made.data).site is not None
    return made.data


def test_a_kubespray_inventory_with_group_variables() -> None:
    made = data(
        INI, ("group_vars/k8s_cluster/k8s-cluster.yml", VARIABLES), ("group_vars/all.yml", "kube_version: v1.30.1")
    )
    assert [(node["name"], node["role"], node["address"]) for node in made["nodes"]] == [
        ("cp1", "control-plane", "10.20.0.11"),
        ("cp2", "control-plane", "10.20.0.12"),
        ("cp3", "control-plane", "10.20.0.13"),
        ("w01.lab.example.com", "worker", "10.20.0.21"),
        ("w02.lab.example.com", "worker", "10.20.0.22"),
    ]
    assert made["kubernetes"]["version"] == "1.36.2", "the nearer group outweighs `all`"
    assert made["kubernetes"]["service_cidrs"] == ["10.233.0.0/18"]
    assert made["kubernetes"]["dns_domain"] == "cluster.local"
    assert made["kubernetes"]["api"]["vips"] == ["10.20.9.1"]
    assert made["networks"]["pods"] == [
        {
            "name": "pods",
            "cidr": "10.233.64.0/18",
            "block_size": 25,
            "encapsulation": "VXLANCrossSubnet",
            "nat_outgoing": True,
        }
    ]
    assert made["routers"] == [{"name": "router", "address": "10.20.0.1", "asn": 65010, "software": "frr"}]
    assert made["bgp"]["control_plane_asn"] == 65020
    assert made["bgp"]["worker_asn"] == 65030
    assert made["load_balancer"]["pools"] == [{"name": "loadbalancer-pool", "ranges": ["10.20.8.0/26"]}]
    assert "hunter2" not in str(made)


def test_what_is_stated_and_what_is_not() -> None:
    made = drawn(INI)
    assert made.stated["nodes[0].address"].line == 9
    assert made.stated["nodes[3].address"].path == "inv/hosts"
    assert made.stated["kubernetes.service_cidrs"].line == 26
    assert "networks.nodes[0].cidr" not in made.stated, "no prefix length is in the inventory"
    assert made.data is not None
    assert made.data["networks"]["nodes"] == [{"name": "lan", "cidr": "10.20.0.0/24", "gateway": "10.20.0.1"}]
    assert "routers[0].asn" not in made.stated


def test_a_yaml_inventory() -> None:
    made = data(YAML.replace(', ip6: "fd00:30::11"', ""))
    assert [(node["name"], node["role"]) for node in made["nodes"]] == [
        ("n1", "control-plane"),
        ("n2", "worker"),
        ("n3", "worker"),
    ]
    assert made["nodes"][0]["workloads"] is True, "Kubespray: in both groups it carries pods, too"
    assert made["nodes"][2]["labels"] == {"example.com/disk": "ssd"}
    assert "hunter2" not in str(made)


def test_a_second_address_is_of_the_other_family() -> None:
    made = drawn(YAML)
    assert made.data is not None
    assert made.data["nodes"][0]["addresses"] == ["fd00:30::11"]
    assert [subnet["cidr"] for subnet in made.data["networks"]["nodes"]] == ["10.30.0.0/24", "fd00:30::/64"]


def test_k3s_calls_control_planes_servers_and_lists_addresses() -> None:
    text = """\
k3s_cluster:
  children:
    server:
      hosts:
        192.168.35.11:
    agent:
      hosts:
        192.168.35.12:
        192.168.35.13:
  vars:
    k3s_version: v1.34.3+k3s1
    token: hunter2
"""
    made = data(text)
    assert [(node["name"], node["role"], node["address"]) for node in made["nodes"]] == [
        ("node-192-168-35-11", "control-plane", "192.168.35.11"),
        ("node-192-168-35-12", "worker", "192.168.35.12"),
        ("node-192-168-35-13", "worker", "192.168.35.13"),
    ]
    assert made["kubernetes"]["version"] == "1.34.3"
    stated = drawn(text).stated
    assert "nodes[0].address" in stated
    assert "nodes[0].name" not in stated, "nobody knows the host name"
    assert "hunter2" not in str(made)


def test_the_listing_of_ansible_inventory() -> None:
    made = data(
        '{"_meta": {"hostvars": {"a": {"ip": "10.1.1.5"}, "b": {"ip": "10.1.1.6"}}},'
        ' "all": {"children": ["masters", "workers"]}, "masters": {"hosts": ["a"]}, "workers": {"hosts": ["b"]}}'
    )
    assert [(node["name"], node["role"]) for node in made["nodes"]] == [("a", "control-plane"), ("b", "worker")]


def test_without_known_groups_every_host_is_a_machine_and_the_first_are_control_planes() -> None:
    text = "[lab]\n" + "".join(f"h{number} ansible_host=10.2.0.{number}\n" for number in range(1, 6))
    made = data(text)
    assert [node["role"] for node in made["nodes"]] == ["control-plane"] * 3 + ["worker"] * 2
    assert not [key for key in drawn(text).stated if key.endswith(".role")]


def test_own_router_and_rack_and_number() -> None:
    made = data(
        "[routers]\ntor-a ip=10.3.0.1 asn=65101\n[masters]\nm1 ip=10.3.0.11 rack=r1\n"
        "[workers]\nw1 ip=10.3.0.21 rack=r1 local_as=65201\nw2 ip=10.3.0.22 rack=r1 local_as=65202\n"
    )
    assert made["routers"] == [{"name": "tor-a", "address": "10.3.0.1", "asn": 65101, "software": "frr"}]
    assert [node.get("asn") for node in made["nodes"]] == [None, 65201, 65202]
    assert "racks" not in made, "one rack changes nothing"


@pytest.mark.parametrize(
    ("text", "line", "code", "said"),
    [
        ("[masters]\nm1 ip=10.1.1.300\n", 2, "IMPORT004", "not an IP address"),
        ("[masters]\nm_1 ip=10.1.1.3\n", 2, "IMPORT004", "not a DNS name"),
        ("[masters]\nm1 note='never closed\n", 2, "IMPORT002", "quote"),
        ("[masters:vars]\nnonsense\n", 2, "IMPORT002", "not NAME=VALUE"),
        ("[masters]\nm[1:999999999] ip=10.1.1.3\n", 2, "IMPORT004", "more than 10000 machines"),
        ("[masters]\nm[5:1]\n", 2, "IMPORT004", "no range"),
        ("[masters]\nm1\n", 2, "IMPORT005", "m1 has no address"),
        ("[masters]\nm1 ip=10.1.1.3\n[all:vars]\nkube_pods_subnet=10.233.64.1/18\n", 4, "IMPORT004", "host bits"),
        ("[masters]\nm1 ip=10.1.1.3\n[all:vars]\nglobal_as_num=99999999999\n", 4, "IMPORT004", "AS number"),
        ("[masters]\nm1 ip=10.1.1.3\n[all:vars]\nkube_version={{ chosen }}\n", 4, "IMPORT006", "is computed"),
    ],
)
def test_what_is_wrong_is_said_at_its_line(text: str, line: int, code: str, said: str) -> None:
    findings = drawn(text).findings
    assert [(finding.code, finding.where.line) for finding in findings[:1]] == [(code, line)]
    assert said in findings[0].message
    assert {finding.code for finding in findings} <= {code, "IMPORT005"}, "nothing else but what follows"


def test_an_inventory_without_hosts() -> None:
    (finding,) = drawn("[kube_control_plane]\n").findings
    assert finding.code == "IMPORT005"


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("a", ["a"]),
        ("n[1:3]", ["n1", "n2", "n3"]),
        ("n[08:10].x", ["n08.x", "n09.x", "n10.x"]),
        ("n[1:7:3]", ["n1", "n4", "n7"]),
        ("r[a:c]-[1:2]", ["ra-1", "ra-2", "rb-1", "rb-2", "rc-1", "rc-2"]),
    ],
)
def test_ranges_of_hosts(pattern: str, names: list[str]) -> None:
    assert expand(pattern, 100) == names


@pytest.mark.parametrize(
    "pattern", ["n[1:1000]", "n[1:20]-[1:20]", "n[001:20]", "n[a:C]", "n[1:x]", "n[1:3:0]", "n[1", "n[]"]
)
def test_ranges_that_are_none_or_too_many(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"\."):
        expand(pattern, 100)


def test_groups_in_a_circle_end() -> None:
    made = drawn("[a:children]\nb\n[b:children]\na\n[masters]\nm1 ip=10.1.1.3\n[workers]\nw1 ip=10.1.1.4\n")
    assert made.data is not None
    assert len(made.data["nodes"]) == 2
