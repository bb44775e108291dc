"""What becomes of a packet at a chain: matches that are known, and others, of which nothing is said."""

from ipaddress import ip_address

import pytest

from anycastle.reader.agreement.forwarding import reverse_path
from anycastle.reader.agreement.packets import TOO_BIG, Packet, parse, verdict
from anycastle.reader.notes import Notes

ECHO = Packet(ip_address("203.0.113.7"), ip_address("10.0.0.1"), 0, "new", "wan")
ERROR = Packet(ECHO.source, ECHO.target, TOO_BIG, "new", "wan")
WEB = Packet(ECHO.source, ECHO.target, 6443, "new", "wan")
ERROR_6 = Packet(ip_address("2001:db8::7"), ip_address("fd00::1"), TOO_BIG, "new", "wan")


def said(rule: str, packet: Packet) -> str:
    rules = parse(
        f"table inet t {{\n chain c {{\n type filter hook forward priority 0; policy drop;\n {rule}\n }}\n}}\n"
    )
    return verdict(rules.chains[0], packet, rules.sets)[0]


@pytest.mark.parametrize(
    ("rule", "packet", "expected"),
    [
        ("icmp type { 3, 11, 12 } accept", ERROR, "accept"),
        ("icmp type { 3-4, 11 } accept", ERROR, "accept"),
        ("icmp type { 3-4, 11 } accept", ECHO, "drop"),
        ("icmp type 8 accept", ECHO, "accept"),
        ("icmp type != redirect accept", ERROR, "accept"),
        ("icmp type != echo-request accept", ECHO, "drop"),
        ("icmp type 3 icmp code frag-needed accept", ERROR, ""),
        ("icmp type info-request accept", ERROR, ""),
        ("icmp type { destination-unreachable, time-exceeded } accept", ERROR, "accept"),
        ("icmpv6 type packet-too-big accept", ERROR_6, "accept"),
        ("icmpv6 type 128 accept", ERROR_6, "drop"),
        ("icmp type destination-unreachable accept", ERROR_6, "drop"),
        ("icmp type echo-request accept", WEB, "drop"),
        ("tcp dport 6000-7000 accept", WEB, "accept"),
        ("tcp dport != 22 accept", WEB, "accept"),
        ("tcp dport { 22, https } accept", WEB, "drop"),
        ("tcp dport { 22, kubernetes } accept", WEB, ""),
        ("tcp dport != 22 accept", ECHO, "drop"),
        ("udp dport != 53 accept", WEB, "drop"),
        ("ip daddr != 10.0.0.0/8 accept", ERROR_6, "drop"),
        ('iifname != "wan" accept', WEB, "drop"),
        ('iifname != "lan" accept', WEB, "accept"),
        ("ip daddr != 10.0.0.0/8 accept", WEB, "drop"),
    ],
)
def test_a_rule_decides_or_nobody_knows(rule: str, packet: Packet, expected: str) -> None:
    assert said(rule, packet) == expected


ONE, TWO = "net.ipv4.conf.{}.rp_filter = 1\n", "net.ipv4.conf.{}.rp_filter = 2\n"


@pytest.mark.parametrize(
    ("kernel", "line"),
    [
        (ONE.format("all"), 1),
        (ONE.format("eth1"), 1),
        ("net/ipv4/conf/all/rp_filter=1\n", 1),
        ("-net.ipv4.conf.all.rp_filter = 0x1\n", 1),
        (ONE.format("*"), 1),
        ("# x\n" + ONE.format("all") + "net.ipv4.conf.eth1.rp_filter = 0\n", 2),
        (TWO.format("all") + ONE.format("default"), 0),
        (TWO.format("all") + ONE.format("eth1"), 0),
        (ONE.format("all") + TWO.format("all"), 0),
        (ONE.format("lo") + ONE.format("wan0"), 0),
        ("net.ipv4.conf.all.rp_filter = 02\n", 0),
        ("net.ipv4.conf.all.rp_filter = 3\n", 0),
        ("net.ipv4.conf.all.rp_filter =\nnet.ipv4.ip_forward = 1\n", 0),
        ("net.ipv4.conf.all.rp_filter = strict\n", 0),
        ("#" + ONE.format("all"), 0),
    ],
)
def test_strict_reverse_paths_are_those_of_the_kernel(kernel: str, line: int) -> None:
    notes = Notes()
    reverse_path(kernel, "sysctl.conf", "eth1", notes)
    assert [finding.where.line for finding in notes.findings] == ([line] if line else [])
