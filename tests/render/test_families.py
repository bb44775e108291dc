"""Both families, several ingresses, one machine for everything: what the texts say that no golden file explains."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from examples import example

from anycastle import yamlio
from anycastle.render import render


def files(case: str, **change: object) -> dict[str, str]:
    def edit(given: dict[str, Any]) -> None:
        for key, value in change.items():
            given["kubernetes"][key] = value

    site, network = example(case, edit)
    return {path: data.decode() for path, data in render(site, network).items()}


def documents(text: str) -> list[Any]:
    return [document.value for document in yamlio.load(text.encode()).documents]


def environment(text: str) -> dict[str, str]:
    [pod] = documents(text)
    return {entry["name"]: entry.get("value", "") for entry in pod["spec"]["containers"][0]["env"]}


def blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    for family, body in re.findall(r"^ address-family (\S+) unicast\n(.*?)^ exit-address-family", text, re.M | re.S):
        yield family, re.findall(r"neighbor (\S+) activate", body)


def test_each_neighbour_is_active_in_its_own_family_alone() -> None:
    text = files("dual-stack")["routers/gate/frr.conf"]
    active = dict(blocks(text))
    assert set(active) == {"ipv4", "ipv6"}
    members = dict(re.findall(r"neighbor (\S+) peer-group (\S+)", text))
    assert len(members) == 10
    for address, group in members.items():
        six = ":" in address
        assert group in active["ipv6" if six else "ipv4"]
        assert group not in active["ipv4" if six else "ipv6"]


def test_ipv6_alone_has_no_word_of_ipv4_but_the_router_id() -> None:
    text = files("ipv6-only")["routers/tor-a/frr.conf"]
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("!")]
    assert [family for family, _active in blocks(text)] == ["ipv6"]
    assert not [line for line in lines if line.startswith("ip ")]
    assert [line for line in lines if re.search(r"\d+\.\d+\.\d+\.\d+", line)] == [" bgp router-id 10.0.0.2"]


def test_what_turns_around_passes_before_anything_is_called_invalid_in_both_families() -> None:
    lines = files("dual-stack")["routers/gate/nftables.conf"].splitlines()
    accepted = [number for number, line in enumerate(lines) if re.search(r"oifname .* ip6? daddr .* accept$", line)]
    invalid = [number for number, line in enumerate(lines) if "ct state invalid" in line and "#" not in line]
    assert len(accepted) == 2
    assert max(accepted) < min(invalid)


def test_kube_vip_of_both_families_has_a_peer_of_each_and_bare_lengths_ipv4_first() -> None:
    env = environment(files("dual-stack")["nodes/cp-2/kube-vip.yaml"])
    assert env["address"] == "172.31.255.1,fd00:31:255::1"
    assert env["vip_subnet"] == "32,128"
    assert env["bgp_peers"] == "172.31.0.1:65100::false,[fd00:31::1]:65100::false"
    assert not {"bgp_peeraddress", "mpbgp_nexthop", "bgp_sourceip"} & set(env)


def test_kube_vip_speaks_from_its_own_address_where_calico_speaks_too() -> None:
    made = files("converged")
    env = environment(made["nodes/n-1/kube-vip.yaml"])
    assert (env["bgp_sourceip"], env["bgp_routerid"]) == ("192.168.42.110", "192.168.42.110")
    neighbours = re.findall(r"neighbor (192\S+) peer-group (\S+)", made["routers/gateway/frr.conf"])
    assert {address: group for address, group in neighbours if address.endswith("0")} == {
        "192.168.42.10": "K8S-CALICO",
        "192.168.42.110": "K8S-KUBE-VIP",
    }
    assert "ip -o address show to 192.168.42.110" in made["nodes/n-1/install.sh"]


@pytest.mark.parametrize(("case", "ranges", "order"), [
    ("dual-stack", ["10.96.0.0/12", "fd00:10:96::/112"], ["IPv4", "IPv6"]),
    ("dual-stack", ["fd00:10:96::/112", "10.96.0.0/12"], ["IPv6", "IPv4"]),
])  # fmt: skip
def test_the_first_family_of_the_ingress_is_the_primary_one(case: str, ranges: list[str], order: list[str]) -> None:
    [values] = documents(files(case, service_cidrs=ranges)["apps/traefik/values.yaml"])
    spec = values["service"]["spec"]
    assert (spec["ipFamilyPolicy"], spec["ipFamilies"]) == ("RequireDualStack", order)
    wished = json.loads(values["service"]["annotations"]["projectcalico.org/loadBalancerIPs"])
    assert wished == ["172.31.254.1", "fd00:31:254::1"]


def test_a_cluster_of_one_family_says_nothing_of_families() -> None:
    for case in ("seed", "ipv6-only"):
        assert "ipFamil" not in files(case)["apps/traefik/values.yaml"]


def test_one_release_brings_the_definitions_for_all_ingresses() -> None:
    made = files("several-ingresses")
    helm = [documents(made[f"argocd/apps/{app}.yaml"])[0]["spec"]["sources"][0]["helm"]
            for app in ("traefik", "traefik-inside")]  # fmt: skip
    assert [part.get("skipCrds", False) for part in helm] == [False, True]
    assert [part["releaseName"] for part in helm] == ["traefik", "inside"]


def test_a_wish_for_a_pool_names_every_part_of_it() -> None:
    def wish(given: dict[str, Any]) -> None:
        given["ingress"][1]["pool"] = "public"

    site, network = example("several-ingresses", wish)
    [values] = documents(render(site, network)["apps/traefik-inside/values.yaml"].decode())
    names = json.loads(values["service"]["annotations"]["projectcalico.org/ipv4pools"])
    assert names == ["public", *(f"public-{number}" for number in range(2, 8))]


def test_a_control_plane_that_carries_pods_loses_taint_and_label() -> None:
    made = files("one-node")
    registration = documents(made["nodes/hobby-1/kubeadm.yaml"])[0]["nodeRegistration"]
    assert registration["taints"] == []
    label = r'label node "\$node" node\.kubernetes\.io/exclude-from-external-load-balancers-\n'
    assert re.search(label, made["nodes/hobby-1/install.sh"])
    plain = files("seed")
    assert "taints" not in plain["nodes/k8s-master-1/kubeadm.yaml"]
    assert "exclude-from" not in plain["nodes/k8s-master-1/install.sh"]


@pytest.mark.parametrize(
    ("case", "disabled", "kinds", "network"),
    [
        ("seed", True, 2, {"linuxDataplane": "BPF"}),
        ("kube-proxy-kept", False, 3, {"linuxDataplane": "Nftables"}),
        ("proxy-handed-over", False, 2, {"linuxDataplane": "BPF", "kubeProxyManagement": "Enabled"}),
        ("home-dual-stack", False, 2, {"linuxDataplane": "Iptables"}),
    ],
)
def test_who_serves_services(case: str, disabled: bool, kinds: int, network: dict[str, str]) -> None:
    made = files(case)
    first = next(path for path in made if path.endswith("kubeadm.yaml") and "ClusterConfiguration" in made[path])
    found = documents(made[first])
    assert len(found) == kinds
    assert found[1]["proxy"] == {"disabled": disabled}
    assert kinds == 2 or found[2]["mode"] == "nftables"
    [values] = documents(made["apps/calico-installation/values.yaml"])
    said = values["installation"]
    assert {key: said[key] for key in ("linuxDataplane", "kubeProxyManagement") if key in said} == network


def test_commands_put_brackets_around_an_address_before_a_colon() -> None:
    text = files("ipv6-only")["README.md"]
    assert "scp -r nodes/cp-1 root@[fd00:4::11]:" in text
    assert "ssh root@fd00:4::11 " in text
    assert "root@fd00:4::11:" not in text
    assert ":443:[fd00:6::1] " in text
