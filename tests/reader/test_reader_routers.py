"""Routers as people really write them: groups or none, ranges, policies of either kind, other firewalls."""

from ipaddress import ip_address, ip_network
from pathlib import Path

import handmade
import pytest
from handmade import added, read_changed, replaced

from anycastle.network.bgp import Software
from anycastle.network.model import Network
from anycastle.reader import firewall, sysctl
from anycastle.reader.frr import Config
from anycastle.reader.frr_statements import parse
from anycastle.reader.notes import Notes

FRR = "routers/router/frr.conf"
NO_GROUPS = """\
interface eth1
 ip address 192.168.10.1/24
exit
interface eth0
 ip address 203.0.113.2/30
exit
ip prefix-list V seq 5 permit 192.168.20.1/32
ip prefix-list V seq 10 deny any
router bgp 65010
 timers bgp 10 30
 neighbor 192.168.10.17 remote-as external
 neighbor 192.168.10.17 ebgp-multihop 4
 neighbor 192.168.10.18 remote-as 65020
 neighbor 192.168.10.18 shutdown
 neighbor 192.168.10.19 remote-as 65010
 neighbor 192.168.10.20 remote-as 65030
 neighbor 192.168.10.20 password ${BGP}
 neighbor 203.0.113.1 remote-as 64999
 address-family ipv4 unicast
  neighbor 192.168.10.17 prefix-list V in
  neighbor 192.168.10.20 route-map ALL in
  neighbor 192.168.10.20 route-map ALL out
 exit-address-family
exit
route-map ALL permit 10
exit
"""


def network(tmp_path: Path, frr: str) -> Network:
    return read_changed(tmp_path, added(FRR, frr)).network


def test_neighbours_without_groups(tmp_path: Path) -> None:
    found = network(tmp_path, NO_GROUPS)
    (router,) = found.routers
    assert router.address == ip_address("192.168.10.1"), "the interface that the nodes dial"
    assert (router.router_id, router.multipath, router.graceful_restart) == (None, 0, True)
    ends = {str(end.peer): end for end in found.ends if end.software is Software.FRR}
    assert "192.168.10.18" not in ends, "shut down"
    assert {peer: end.peer_asn for peer, end in ends.items()} == {
        "192.168.10.17": 65020,  # external: whatever the caller has
        "192.168.10.19": 65010,
        "192.168.10.20": 65030,
        "203.0.113.1": 64999,
    }
    assert {peer: end.hops for peer, end in ends.items()}["192.168.10.17"] == 4
    assert {(end.keepalive, end.hold) for end in ends.values()} == {(10, 30)}
    assert {peer for peer, end in ends.items() if end.silent} == {"192.168.10.17", "203.0.113.1"}
    assert ends["192.168.10.20"].password == "(clear text)", "a mark of another kind names no Secret"
    assert not ends["192.168.10.17"].password


def test_what_is_accepted_without_groups(tmp_path: Path) -> None:
    accepted = {
        str(acceptance.prefix): [str(peer) for peer in acceptance.peers]
        for acceptance in network(tmp_path, NO_GROUPS).acceptances
        if acceptance.prefix.version == 4
    }
    assert accepted["192.168.20.1/32"] == ["192.168.10.17"]
    assert "203.0.113.1" not in str(accepted), "eBGP without a policy takes nothing (RFC 8212)"
    everything = [a for a in network(tmp_path / "2", NO_GROUPS).acceptances if str(a.prefix) == "0.0.0.0/0"]
    assert [[str(peer) for peer in a.peers] for a in everything] == [["192.168.10.19"], ["192.168.10.20"]]
    assert {(a.shortest, a.longest) for a in everything} == {(0, 32)}


def test_a_listen_range_takes_the_nodes_that_call(tmp_path: Path) -> None:
    members = "".join(f" neighbor {address} peer-group WORKERS\n" for address in handmade.WORKERS.values())
    found = read_changed(
        tmp_path, replaced(FRR, members, " bgp listen range 192.168.10.20/31 peer-group WORKERS\n")
    ).network
    callers = [str(end.peer) for end in found.ends if end.software is Software.FRR and end.peer_asn == 65030]
    assert callers == ["192.168.10.20", "192.168.10.21"]


def test_the_whole_neighbourhood_needs_no_policy(tmp_path: Path) -> None:
    lines = ("no bgp ebgp-requires-policy", "bgp router-id 192.168.10.1", "neighbor 192.168.10.20 remote-as 65030")
    found = network(tmp_path, "router bgp 65010\n" + "".join(f" {line}\n" for line in lines))
    assert [str(a.prefix) for a in found.acceptances] == ["0.0.0.0/0", "::/0"]
    assert not any(end.silent for end in found.ends if end.software is Software.FRR)


def parsed(text: str) -> tuple[Config, Notes]:
    notes = Notes()
    return parse(text, "frr.conf", notes), notes


@pytest.mark.parametrize(
    ("line", "lengths"),
    [
        ("permit 10.0.0.0/8", (8, 8)),
        ("permit 10.0.0.0/8 ge 24", (24, 32)),
        ("permit 10.0.0.0/8 le 16", (8, 16)),
        ("permit 10.0.0.0/8 ge 12 le 16", (12, 16)),
        ("permit any", (0, 32)),
    ],
)
def test_lengths_of_a_prefix_list(line: str, lengths: tuple[int, int]) -> None:
    config, notes = parsed(f"ip prefix-list P seq 5 {line}\n")
    assert [(entry.shortest, entry.longest) for entry in config.prefix_lists["P"]] == [lengths]
    assert notes.findings == []


def test_free_text_may_hold_an_exclamation_mark() -> None:
    text = "hostname r !1\nrouter bgp 1\n neighbor 1.1.1.1 description rack ! left\n neighbor 1.1.1.1 password a ! b\n"
    assert parsed(text)[1].findings == []


def test_statements_of_another_vrf_are_not_ours() -> None:
    config, _notes = parsed(
        "router bgp 1\n neighbor 1.1.1.1 remote-as 2\nrouter bgp 1 vrf x\n neighbor 2.2.2.2 remote-as 3\n"
    )
    assert list(config.neighbours) == ["1.1.1.1"]


def test_a_static_route_that_leads_somewhere_discards_nothing() -> None:
    config, _notes = parsed(
        "ip route 10.0.0.0/8 192.168.10.7\nip route 10.1.0.0/16 Null0 200\nip route 10.2.0.0/16 blackhole\n"
    )
    assert [(str(route.prefix), route.distance) for route in config.static_routes] == [
        ("10.1.0.0/16", 200),
        ("10.2.0.0/16", 1),
    ]


RULE = 'iifname "eth1" oifname "eth1" ip daddr 10.0.0.1 accept'
DROP = "ct state invalid drop"


def chain(*rules: str, before: str = "") -> str:
    body = "\n    ".join(rules)
    kind = "type filter hook forward priority 0; policy drop;"
    return f"table inet t {{\n{before}  chain f {{\n    {kind}\n    {body}\n  }}\n}}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (chain(RULE, DROP), ["10.0.0.1/32"]),
        (chain(DROP, RULE), []),
        (chain("iif eth1 accept", DROP), []),
        (chain(RULE.replace('oifname "eth1"', 'oifname "eth2"'), DROP), []),
        (chain(RULE.replace("accept", "drop"), DROP), []),
        (chain(RULE.replace("ip daddr", "ct state new ip daddr"), DROP), []),
        (
            chain(RULE.replace("10.0.0.1", "{ 10.0.0.0/24, 10.1.0.0-10.1.0.2 }"), DROP),
            ["10.0.0.0/24", "10.1.0.0/31", "10.1.0.2/32"],
        ),
        (chain(RULE.replace("10.0.0.1", "{\n 10.0.0.0/24,\n 10.1.0.4\n }"), DROP), ["10.0.0.0/24", "10.1.0.4/32"]),
        (
            chain(
                RULE.replace("10.0.0.1", "@s"),
                DROP,
                before="  set s { type ipv4_addr; elements = { 10.9.0.1, 10.9.0.2 } }\n",
            ),
            ["10.9.0.1/32", "10.9.0.2/32"],
        ),
        ("define V = 10.7.0.0/16\n" + chain(RULE.replace("10.0.0.1", "$V"), DROP), ["10.7.0.0/16"]),
        (chain(RULE, "ct state vmap { established : accept, invalid : drop }"), ["10.0.0.1/32"]),
        (chain("# " + RULE, DROP), []),
        (chain('iifname "eth1" oifname "eth1" accept', DROP), ["0.0.0.0/0", "::/0"]),
        (chain("accept"), ["0.0.0.0/0", "::/0"]),
        (chain(RULE, DROP).replace("hook forward", "hook input"), ["0.0.0.0/0", "::/0"]),
        ("", ["0.0.0.0/0", "::/0"]),
    ],
)
def test_what_may_turn_around(text: str, expected: list[str]) -> None:
    notes = Notes()
    assert [str(network) for network in firewall.hairpin(text, "nft", notes)] == expected
    assert notes.findings == []
    assert all(network == ip_network(str(network)) for network in firewall.EVERYTHING)


ALL = "net.ipv4.conf.all.send_redirects = 0\n"
ONE = "net.ipv4.conf.eth1.send_redirects=0\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (False, True)),
        (ALL, (False, True)),
        (ONE, (False, True)),
        (ALL + ONE, (False, False)),
        (ALL.replace(".", "/") + ONE, (False, False)),
        (ALL + ONE + ONE.replace("=0", "=1"), (False, True)),
        (f"# {ALL}" + ONE, (False, True)),
        ("net.ipv4.fib_multipath_hash_policy=1\n", (True, True)),
        ("net.ipv4.fib_multipath_hash_policy=0\n", (False, True)),
    ],
)
def test_kernel_settings(text: str, expected: tuple[bool, bool]) -> None:
    kernel = sysctl.parse(text)
    assert (4 in kernel.hashed, kernel.redirects) == expected


def test_each_family_has_its_own_hash_policy() -> None:
    both = "net.ipv4.fib_multipath_hash_policy=1\nnet.ipv6.fib_multipath_hash_policy = 1\n"
    assert sysctl.parse(both).hashed == {4, 6}
    assert sysctl.parse(both.replace("= 1", "= 0")).hashed == {4}
