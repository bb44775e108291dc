"""What several routers, racks and far routers look like in files that nobody here has written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from anycastle.finding import Severity
from anycastle.network.bgp import Software
from anycastle.network.model import Network
from anycastle.plan import plan
from anycastle.reader import firewall, read
from anycastle.reader.notes import Notes
from anycastle.render import render
from anycastle.rules import judge
from anycastle.site.load import parse

CASES = Path(__file__).parents[1] / "cases"
DROP = "ct state invalid drop"
EVERYTHING = ["0.0.0.0/0", "::/0"]


def chain(*rules: str) -> str:
    body = "\n    ".join(rules)
    return (
        f"table inet t {{\n  chain f {{\n    type filter hook forward priority 0; policy drop;\n    {body}\n  }}\n}}\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", EVERYTHING),
        (chain("ct state established,related accept", "accept"), EVERYTHING),
        (chain(DROP), []),
        (chain("ip daddr 10.0.0.1 accept", "ip saddr 10.0.0.1 accept", DROP), ["10.0.0.1/32"]),
        (chain("ip daddr 10.0.0.1 accept", DROP), []),
        (chain("ip saddr 10.0.0.1 accept", DROP), []),
        (chain(DROP, "ip daddr 10.0.0.1 accept", "ip saddr 10.0.0.1 accept"), []),
        (chain("ip daddr { 10.0.0.0/24, 10.1.0.1 } accept", "ip saddr 10.1.0.1 accept", DROP), ["10.1.0.1/32"]),
        (chain("ip daddr 10.0.0.1 accept", f"ip daddr 10.0.0.1 {DROP}"), ["10.0.0.1/32"]),
        (chain('iifname "a" ip daddr 10.0.0.1 accept', "ip saddr 10.0.0.1 accept", DROP), []),
        (chain("ip daddr 10.0.0.1 ct state new accept", "ip saddr 10.0.0.1 accept", DROP), []),
    ],
)
def test_of_which_prefixes_one_direction_is_enough(text: str, expected: list[str]) -> None:
    notes = Notes()
    assert [str(prefix) for prefix in firewall.one_way(text, "nft", notes)] == expected
    assert notes.findings == []


Change = Callable[[str], str]


def replaced(old: str, new: str) -> Change:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


def changed(root: Path, case: str, path: str, change: Change) -> tuple[Network, list[str]]:
    site = parse(yaml.safe_load((CASES / case / "site.yaml").read_text())).site
    assert site is not None
    for name, data in render(site, plan(site)).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(change(data.decode()).encode() if name == path else data)
    repository = read(root)
    found = (*repository.findings, *judge(repository.network))
    wrong = [f for f in found if f.severity in (Severity.ERROR, Severity.WARNING)]
    return repository.network, sorted(f"{f.code} {f.where.path}" for f in wrong)


VALUES = "apps/calico-bgp/values.yaml"
MISTAKES = [
    # a rack's peer without its number: the router expects another one
    (
        "three-data-centres",
        VALUES,
        replaced("    localASNumber: 64602\n", ""),
        ["SESS002 " + VALUES, "SITE020 " + VALUES],
    ),
    # a selector that misses a rack: its router waits
    (
        "three-data-centres",
        VALUES,
        replaced("datacenter == ''dc2''", "datacenter == ''dc4''"),
        ["SESS001 routers/edge-dc2/frr.conf", "SITE020 " + VALUES],
    ),
    # kube-vip of a rack with the number of another rack
    (
        "rack-control-planes",
        "nodes/control-2/kube-vip.yaml",
        replaced('"65002"', '"65003"'),
        ["SESS002 nodes/control-2/kube-vip.yaml", "SITE020 nodes/control-2/kube-vip.yaml"],
    ),
    # a far router whose end sends with a TTL of one
    (
        "rack-control-planes",
        "routers/spine/frr.conf",
        lambda text: text.replace(" neighbor K8S-KUBE-VIP ebgp-multihop 3\n", ""),
        ["SESS004 routers/spine/frr.conf"],
    ),
    # one of two routers asks connections for their state
    (
        "two-routers-two-as",
        "routers/tor-b/nftables.conf",
        replaced("        ct state established,related accept\n", f"        {DROP}\n"),
        ["RT006 routers/tor-b/nftables.conf"],
    ),
    (
        "two-routers-two-as",
        "routers/tor-b/nftables.conf",
        replaced(
            "        ct state established,related accept\n",
            f'        iifname "eth1" oifname "eth1" accept\n        {DROP}\n',
        ),
        ["RT008 routers/tor-b/nftables.conf"],
    ),
    # the site file says another number for a rack than the files
    ("three-data-centres", "site.yaml", replaced("worker_asn: 64602", "worker_asn: 64609"), ["SITE020 " + VALUES]),
    ("three-data-centres", "site.yaml", replaced("routers: [edge-dc2]", "routers: [edge-dc3]"), ["SITE020"]),
    ("peering-subset", "site.yaml", replaced(", peer: false", ""), ["SITE020"]),
]


@pytest.mark.parametrize(("case", "path", "change", "expected"), MISTAKES)
def test_a_mistake_in_a_topology_is_named(
    tmp_path: Path, case: str, path: str, change: Change, expected: list[str]
) -> None:
    _network, found = changed(tmp_path, case, path, change)
    assert len(found) >= len(expected), found
    for line in expected:
        assert any(each.startswith(line) for each in found), found
    assert {each.split()[0] for each in found} <= {line.split()[0] for line in expected}, found


def test_the_gateway_of_a_peer_is_read(tmp_path: Path) -> None:
    network, found = changed(
        tmp_path,
        "rack-control-planes",
        VALUES,
        replaced("    asNumber: 65000\n", "    asNumber: 65000\n    reachableBy: 192.168.30.1\n"),
    )
    assert {str(end.gateway) for end in network.ends if end.host == "node-1"} == {"192.168.30.1"}
    assert found == []


@pytest.mark.parametrize(("written", "number"), [("64602", 64602), ("'1.10'", 65546), ('"64603"', 64603)])
def test_an_annotation_gives_a_node_its_number(tmp_path: Path, written: str, number: int) -> None:
    step = f'kubectl annotate node "$node" projectcalico.org/ASNumber={written} --overwrite\n'
    network, _found = changed(tmp_path, "three-data-centres", "nodes/dc1-node-1/install.sh", lambda text: text + step)
    ends = [end for end in network.ends if end.host == "dc1-node-1" and end.software is Software.CALICO]
    assert {end.asn for end in ends} == {number}


def test_an_annotation_in_a_comment_gives_none(tmp_path: Path) -> None:
    step = "# kubectl annotate node x projectcalico.org/ASNumber=64999\n"
    _network, found = changed(tmp_path, "three-data-centres", "nodes/dc1-node-1/install.sh", lambda text: text + step)
    assert found == []
