"""Routers of every platform read back: what was generated, what people change in it, and what they write themselves."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

import strategies
from anycastle.finding import Severity
from anycastle.lab.commands import LabError
from anycastle.network.bgp import Software
from anycastle.network.platforms import PLATFORMS
from anycastle.plan import plan
from anycastle.reader import dialects, junos, read, routeros, vyos
from anycastle.reader.frr import Config
from anycastle.reader.notes import Notes
from anycastle.reader.passwords import CLEAR_TEXT
from anycastle.rehearsing import blueprint
from anycastle.rules import judge
from anycastle.site.load import parse
from test_round_trip import assert_round_trip, written

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "render"))
from routers_page import INTERFACES, name_of  # the interfaces that each system has

CASES = Path(__file__).resolve().parents[1] / "cases"
ALL = sorted(map(str, PLATFORMS))
FEW = ("seed", "dual-stack", "one-as", "three-data-centres", "further-speakers")


def site_data(case: str, software: str) -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load((CASES / case / "site.yaml").read_text())
    for router in data["routers"]:
        router |= {"software": software, "interface": INTERFACES.get(software, "eth1")}
    platform, timers = PLATFORMS[Software(software)], data["bgp"].get("timers")
    if not platform.helper:
        data["bgp"]["graceful_restart"] = False  # else RT010
    if not platform.keepalive and timers is not None:
        timers["keepalive"] = timers["hold"] // 3  # else RT011
    return data


@pytest.mark.parametrize("case", FEW)
@pytest.mark.parametrize("software", ALL)
def test_what_was_generated_is_read_back(software: str, case: str, tmp_path: Path) -> None:
    assert_round_trip(site_data(case, software), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", sorted(path.parent.name for path in CASES.glob("*/site.yaml") if path.parent.name not in (*FEW, "links"))
)
def test_every_case_on_every_platform(case: str, tmp_path: Path) -> None:
    for software in ALL:
        assert_round_trip(site_data(case, software), tmp_path / software)


def test_graceful_restart_and_timers_come_back(tmp_path: Path) -> None:
    for software, platform in PLATFORMS.items():
        data = site_data("seed", str(software))
        data["bgp"] |= {"timers": {"hold": 30, "keepalive": 10}, "graceful_restart": platform.helper}
        assert_round_trip(data, tmp_path / software)


@pytest.mark.parametrize("software", ALL)
@pytest.mark.parametrize("names", [("edge", "edge-b"), ("edge-b", "edge"), ("edge", "core")], ids="-".join)
def test_a_router_whose_name_begins_with_that_of_another_keeps_its_addresses(
    software: str, names: tuple[str, str], tmp_path: Path
) -> None:
    data = site_data("dual-stack", software)
    first = data["routers"][0]
    second = {**first, "name": names[1], "address": "172.31.0.2", "addresses": ["fd00:31::2"]}
    data["routers"] = [{**first, "name": names[0]}, second]
    assert_round_trip(data, tmp_path)


@st.composite
def on_any_platform(draw: st.DrawFn) -> dict[str, Any]:
    """A generated site whose routers run anything, and which asks nothing of them that they do not have."""
    data: dict[str, Any] = draw(strategies.sites())
    chosen = [PLATFORMS[Software(draw(st.sampled_from(ALL)))] for _router in data["routers"]]
    for router, platform in zip(data["routers"], chosen, strict=True):
        software = next(str(name) for name, known in PLATFORMS.items() if known is platform)
        router |= {"software": software, "interface": INTERFACES.get(software, "eth1")}
    bgp = data["bgp"]
    bgp["graceful_restart"] = bgp["graceful_restart"] and all(platform.helper for platform in chosen)
    if not all(platform.keepalive for platform in chosen):
        bgp["timers"]["keepalive"] = bgp["timers"]["hold"] // 3
    return data


@pytest.mark.slow
@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(on_any_platform())
def test_any_site_on_any_platform(data: dict[str, Any]) -> None:
    site = parse(data).site
    assert site is not None
    network = plan(site)
    assume({end.host for end in network.ends} >= {router.name for router in network.routers})  # else nothing to read
    with TemporaryDirectory() as folder:
        assert_round_trip(data, Path(folder))


def test_the_lab_says_that_it_runs_frr_only(tmp_path: Path) -> None:
    site = parse(site_data("seed", "vyos")).site
    assert site is not None
    written(site, plan(site), tmp_path)
    with pytest.raises(LabError, match=r"router router is one with VyOS; with software: frr"):
        blueprint(tmp_path, 2)


# --- one mistake in the file of a good repository

NODE = "192.168.10.22"
MISTAKES: dict[str, tuple[str, dict[str, tuple[str, str]]]] = {
    "another AS is expected of Calico": (
        "SESS002",
        {
            "bird": ("as 65030;", "as 65031;"),
            "vyos": ("remote-as 65030", "remote-as 65031"),
            "routeros": ("remote.as=65030", "remote.as=65031"),
            "eos": ("remote-as 65030", "remote-as 65031"),
            "ios-xe": ("remote-as 65030", "remote-as 65031"),
            "nx-os": ("remote-as 65030", "remote-as 65031"),
            "junos": ("peer-as 65030", "peer-as 65031"),
            "opnsense": ("remote-as 65030", "remote-as 65031"),
        },
    ),
    "a node is no neighbour": (
        "SESS001",
        {
            "bird": (f"neighbor {NODE} as 65030;", "disabled;"),
            "vyos": (f"set protocols bgp neighbor {NODE}", f"# {NODE}"),
            "routeros": ('/routing/bgp/connection add comment="anycastle k8s-node-3', "# "),
            "eos": (f"neighbor {NODE} peer group K8S-CALICO\n   neighbor {NODE} description k8s-node-3", "!"),
            "ios-xe": (f"neighbor {NODE} ", f"! {NODE} "),
            "nx-os": (f"  neighbor {NODE}\n    inherit peer K8S-CALICO\n    description k8s-node-3\n", ""),
            "junos": (f"set protocols bgp group K8S-CALICO neighbor {NODE}", f"# {NODE}"),
            "unifi": (f" neighbor {NODE} ", f" ! {NODE} "),
        },
    ),
    "the pool is let in as a whole and not by its addresses": (
        "RT001",
        {
            "bird": ("192.168.20.64/26{32,32}", "192.168.20.64/26{26,26}"),
            "vyos": ("rule 5 ge 32\nset policy prefix-list K8S-CALICO rule 5 le 32", "rule 5 le 26"),
            "routeros": ("dst in 192.168.20.64/26 && dst-len == 32", "dst == 192.168.20.64/26"),
            "eos": ("192.168.20.64/26 ge 32 le 32", "192.168.20.64/26"),
            "ios-xe": ("192.168.20.64/26 ge 32 le 32", "192.168.20.64/26"),
            "nx-os": ("192.168.20.64/26 ge 32 le 32", "192.168.20.64/26"),
            "junos": ("192.168.20.64/26 prefix-length-range /32-/32", "192.168.20.64/26 exact"),
            "pfsense": ("192.168.20.64/26 ge 32 le 32", "192.168.20.64/26"),
        },
    ),
    "everything is let in": (
        "RT002",
        {
            "bird": ("import filter K8S_CALICO_IN;", "import all;"),
            "vyos": ("rule 10 match ip address prefix-list K8S-CALICO\n", "rule 20 description x\n"),
            "routeros": ("if (dst in 192.168.20.64/26 && dst-len == 32) { accept }", "accept"),
            "eos": ("   match ip address prefix-list K8S-CALICO\n", ""),
            "ios-xe": (" match ip address prefix-list K8S-CALICO\n", ""),
            "nx-os": ("  match ip address prefix-list K8S-CALICO\n", ""),
            "junos": ("set protocols bgp group K8S-CALICO import K8S-CALICO-IN\n", ""),
        },
    ),
    "one next hop": (
        "RT003",
        {
            "bird": ("merge paths on limit 8;", ""),
            "vyos": ("maximum-paths ebgp 8", "maximum-paths ebgp 1"),
            "eos": ("maximum-paths 8 ecmp 8", "maximum-paths 1"),
            "ios-xe": ("maximum-paths 8", "maximum-paths 1"),
            "nx-os": ("maximum-paths 8", "maximum-paths 1"),
            "junos": ("set routing-options forwarding-table export K8S-SPREAD\n", ""),
        },
    ),
    "addresses only choose the next hop": (
        "RT004",
        {
            "vyos": ("set system ip multipath layer4-hashing\n", ""),
            "ios-xe": ("ip cef load-sharing algorithm include-ports source destination", "ip cef"),
            "nx-os": (" port source-destination", ""),
        },
    ),
    "redirects are sent": (
        "RT005",
        {
            "vyos": ("set firewall global-options send-redirects disable\n", ""),
            "routeros": ("send-redirects=no ", ""),
            "eos": ("no ip icmp redirect\n", ""),
            "ios-xe": (" no ip redirects\n", ""),
            "nx-os": ("  no ip redirects\n", ""),
            "junos": ("set system no-redirects\n", ""),
        },
    ),
    "the pool may not turn around": (
        "RT006",
        {
            "vyos": ("set system conntrack ignore ipv4 rule 1002 destination address 192.168.20.64/26\n", ""),
            "routeros": (
                "action=notrack in-interface=bridge src-address=192.168.10.0/24 dst-address=192.168.20.64/26",
                "x=y",
            ),
        },
    ),
    "nothing drops the pool": (
        "RT007",
        {
            "bird": ("\troute 192.168.20.64/26 blackhole;\n", ""),
            "vyos": ("set protocols static route 192.168.20.64/26 blackhole distance 254\n", ""),
            "routeros": (
                "dst-address=192.168.20.64/26 distance=254 blackhole",
                "dst-address=192.168.20.64/26 gateway=bridge",
            ),
            "eos": ("ip route 192.168.20.64/26 Null0 254\n", ""),
            "ios-xe": ("ip route 192.168.20.64 255.255.255.192 Null0 254\n", ""),
            "nx-os": ("ip route 192.168.20.64/26 Null0 254\n", ""),
            "junos": ("set routing-options static route 192.168.20.64/26 discard\n", ""),
        },
    ),
    "a slow hold time": (
        "TIME003",
        {
            "bird": ("hold time 9;\n\tkeepalive time 3;", "hold time 180;\n\tkeepalive time 60;"),
            "vyos": (f"neighbor {NODE} timers holdtime 9", f"neighbor {NODE} timers holdtime 180"),
            "routeros": ("hold-time=9s keepalive-time=3s", "hold-time=3m keepalive-time=1m"),
            "eos": ("timers 3 9", "timers 60 180"),
            "ios-xe": ("timers 3 9", "timers 60 180"),
            "nx-os": ("timers 3 9", "timers 60 180"),
            "junos": ("hold-time 9", "hold-time 90"),
        },
    ),
    "kube-vip is told of routes": (
        "SESS011",
        {
            "bird": ("export none;", "export all;"),
            "vyos": (
                "peer-group K8S-KUBE-VIP address-family ipv4-unicast route-map export",
                "peer-group K8S-KUBE-VIP x",
            ),
            "routeros": (" output.filter-chain=K8S-OUT", ""),
            "eos": ("      neighbor K8S-KUBE-VIP route-map K8S-OUT out\n", ""),
            "ios-xe": ("  neighbor K8S-KUBE-VIP route-map K8S-OUT out\n", ""),
            "nx-os": ("      route-map K8S-OUT out\n", ""),
            "junos": ("set protocols bgp group K8S-KUBE-VIP export K8S-OUT\n", ""),
        },
    ),
}


def mistakes() -> Iterator[Any]:
    for what, (code, by_software) in MISTAKES.items():
        for software, (old, new) in by_software.items():
            yield pytest.param(software, code, old, new, id=f"{software}: {what}")


@pytest.mark.parametrize(("software", "code", "old", "new"), list(mistakes()))
def test_a_mistake_is_found_in_the_file(software: str, code: str, old: str, new: str, tmp_path: Path) -> None:
    site = parse(site_data("seed", software)).site
    assert site is not None
    written(site, plan(site), tmp_path)
    path = f"routers/router/{name_of(software)}"
    text = (tmp_path / path).read_text()
    assert old in text
    (tmp_path / path).write_text(text.replace(old, new))
    repository = read(tmp_path)
    found = [f for f in (*repository.findings, *judge(repository.network)) if f.severity is not Severity.UNCHECKED]
    found = [
        f for f in found if f.code not in ("RT009", "SITE020")
    ]  # RouterOS itself; the site file, which says otherwise
    assert code in {finding.code for finding in found}, found
    (finding, *_more) = [finding for finding in found if finding.code == code]
    assert finding.where.path == path or path in finding.message


def test_the_mistakes_cover_every_language() -> None:
    languages = {"bird", "vyos", "routeros", "eos", "ios-xe", "nx-os", "junos"}
    for what in ("another AS is expected of Calico", "a node is no neighbour", "everything is let in"):
        assert languages <= MISTAKES[what][1].keys()


# --- files that people wrote


def accepted(config: Config, name: str) -> list[tuple[str, int, int]]:
    return [
        (str(entry.prefix), entry.shortest, entry.longest)
        for clause in config.route_maps[name]
        for listed, _line in clause.prefix_lists
        for entry in config.prefix_lists[listed]
    ]


ROUTEROS_OLD = """\
# 2026-01-01 by RouterOS 7.16
/routing bgp template
set default as=65001 router-id=192.168.5.1
/ip firewall raw
add action=notrack chain=prerouting dst-address=192.168.6.0/24 in-interface=bridge
add action=notrack chain=prerouting dst-address=192.168.7.0/24 in-interface=bridge protocol=tcp
add action=notrack chain=prerouting disabled=yes dst-address=192.168.8.0/24 in-interface=bridge
/ip settings
set ipv4-multipath-hash-policy=l4 send-redirects=no
/ip route
add blackhole disabled=no distance=254 dst-address=192.168.6.0/24
add disabled=no dst-address=10.0.0.0/8 gateway=192.168.5.254
/routing bgp connection
add address-families=ip,ipv6 as=65001 disabled=no hold-time=1m input.filter=in \\
    .limit-process-routes-ipv4=100 local.address=192.168.5.1 .role=ebgp multihop=yes name=n1 \\
    output.filter-chain=out remote.address=192.168.5.31/32 .as=65000 tcp-md5-key="a b"
add as=65001 disabled=yes local.role=ebgp name=n2 remote.address=192.168.5.32/32 .as=65000
/routing filter rule
add chain=in disabled=no rule="if (dst in 192.168.6.0/24 && dst-len>=30 && dst-len<32) { accept; } "
add chain=in rule="if (bgp-communities includes 1:1) { accept }"
"""


def test_an_export_of_routeros() -> None:
    config = routeros.parse(ROUTEROS_OLD, "r.rsc", Notes())
    assert (config.asn, config.router_id, config.multipath) == ("65001", "192.168.5.1", 1)
    (neighbour,) = config.neighbours.values()
    assert (neighbour.name, neighbour.remote_as, neighbour.update_source) == ("192.168.5.31", "65000", "192.168.5.1")
    assert (neighbour.hold, neighbour.keepalive, neighbour.hops, neighbour.password) == (60, 20, 255, CLEAR_TEXT)
    assert neighbour.route_map == {"in": ("in", neighbour.line), "out": ("out", neighbour.line)}
    assert accepted(config, "in") == [("192.168.6.0/24", 30, 31)]
    assert [clause.others for clause in config.route_maps["in"]][1:] == [
        ["if (bgp-communities includes 1:1) { accept }"],
        [],
    ]
    assert [(str(route.prefix), route.distance) for route in config.static_routes] == [("192.168.6.0/24", 254)]
    assert config.forwarding is not None
    assert [str(prefix) for prefix, _line in config.forwarding.turning] == ["192.168.6.0/24"]
    assert (config.forwarding.hashed, config.forwarding.quiet) == ({4}, True)


@pytest.mark.parametrize(
    ("rule", "lengths"),
    [
        ("if (dst == 10.0.0.0/8) { accept }", ("10.0.0.0/8", 8, 8)),
        ("if (dst==10.0.0.0/8) { accept }", ("10.0.0.0/8", 8, 8)),
        ("if (dst in 10.0.0.0/8) { accept }", ("10.0.0.0/8", 8, 32)),
        ("if (dst in 10.0.0.0/8 && dst-len > 24) { accept }", ("10.0.0.0/8", 25, 32)),
        ("if (dst in fd00::/64 && dst-len == 128) { accept }", ("fd00::/64", 128, 128)),
    ],
)
def test_conditions_of_routeros(rule: str, lengths: tuple[str, int, int]) -> None:
    text = f'/routing/bgp/instance add name=x as=1\n/routing/filter/rule add chain=c rule="{rule}"\n'
    assert accepted(routeros.parse(text, "r.rsc", Notes()), "c") == [lengths]


JUNOS = """\
set system host-name mx1
set routing-options autonomous-system 65010
set routing-options static route 10.1.0.0/24 discard
set routing-options static route 10.2.0.0/24 next-hop 10.9.9.9
set routing-options forwarding-table export LB
set chassis maximum-ecmp 64
set policy-options policy-statement IN term a from route-filter 10.1.0.0/24 orlonger
set policy-options policy-statement IN term a from route-filter 10.3.0.0/24 upto /28
set policy-options policy-statement IN term a then local-preference 200
set policy-options policy-statement IN term a then accept
set policy-options policy-statement IN term b from protocol ospf
set policy-options policy-statement IN term b then accept
set policy-options policy-statement IN then reject
set protocols bgp hold-time 30
set protocols bgp group A type external
set protocols bgp group A multipath multiple-as
set protocols bgp group A peer-as 65030
set protocols bgp group A multihop ttl 3
set protocols bgp group A import IN
set protocols bgp group A neighbor 10.0.0.1 authentication-key "$9$x"
set protocols bgp group A neighbor 10.0.0.2 peer-as 65031
"""


def test_a_configuration_of_junos() -> None:
    config = junos.parse(JUNOS, "mx.set", Notes())
    assert (config.asn, config.hostname, config.multipath, config.relaxed) == ("65010", "mx1", 64, True)
    assert config.graceful_restart, "it helps by default"
    group = config.neighbours["A"]
    assert (group.hops, group.hold, group.keepalive, group.remote_as) == (3, 30, 10, "65030")
    assert config.neighbours["10.0.0.1"].password == CLEAR_TEXT
    assert config.neighbours["10.0.0.2"].remote_as == "65031"
    assert accepted(config, "IN") == [("10.1.0.0/24", 24, 32), ("10.3.0.0/24", 24, 28)]
    assert [(clause.permit, clause.others) for clause in config.route_maps["IN"]] == [
        (True, []),
        (True, ["from protocol ospf"]),
        (False, []),
        (True, []),
    ]
    assert [(str(route.prefix), route.distance) for route in config.static_routes] == [("10.1.0.0/24", 1)]


def test_junos_installs_one_next_hop_unless_told() -> None:
    one = junos.parse(JUNOS.replace("set routing-options forwarding-table export LB\n", ""), "mx.set", Notes())
    assert one.multipath == 1
    default = junos.parse(JUNOS.replace("set chassis maximum-ecmp 64\n", ""), "mx.set", Notes())
    assert default.multipath == 16


def test_several_policies_of_junos_are_not_followed() -> None:
    text = JUNOS + "set protocols bgp group A import SECOND\n"
    assert junos.parse(text, "mx.set", Notes()).neighbours["A"].opaque == {"in"}


VYOS = """\
set protocols bgp system-as '65010'
set protocols bgp neighbor 10.0.0.1 remote-as '65030'
set protocols bgp neighbor 10.0.0.1 address-family ipv4-unicast prefix-list import 'P'
set protocols bgp neighbor 10.0.0.1 shutdown
set protocols bgp neighbor 10.0.0.2 peer-group 'G'
set protocols bgp peer-group G local-as 64999 no-prepend
set protocols bgp peer-group G graceful-restart disable
set policy prefix-list P rule 20 action 'deny'
set policy prefix-list P rule 20 prefix '0.0.0.0/0'
set policy prefix-list P rule 20 le '32'
set policy prefix-list P rule 10 action 'permit'
set policy prefix-list P rule 10 prefix '10.1.0.0/24'
set policy prefix-list P rule 10 ge '30'
set protocols static route 10.1.0.0/24 blackhole distance '254'
"""


def test_a_configuration_of_vyos() -> None:
    config = vyos.parse(VYOS, "v.commands", Notes())
    assert (config.asn, config.multipath, config.policy_required) == ("65010", 0, False)
    assert config.graceful_restart, "on a peer-group the setting has no effect"
    assert config.neighbours["10.0.0.1"].shutdown
    assert config.neighbours["10.0.0.2"].group == "G"
    assert config.neighbours["G"].local_as == "64999"
    entries = [(e.permit, str(e.prefix), e.shortest, e.longest) for e in config.prefix_lists["P"]]
    assert entries == [(True, "10.1.0.0/24", 30, 32), (False, "0.0.0.0/0", 0, 32)], "rules count in their order"


def test_an_unclosed_quote_is_no_end_of_reading() -> None:
    config = vyos.parse(
        "set protocols bgp system-as '65010\nset protocols bgp neighbor 10.0.0.1 passive\n", "v", Notes()
    )
    assert (config.asn, list(config.neighbours)) == ("65010", ["10.0.0.1"])


NX_OS = """\
feature bgp
router bgp 65010
  router-id 10.0.0.254
  template peer T
    remote-as 65030
    address-family ipv4 unicast
      route-map IN in
  neighbor 10.0.0.1
    inherit peer T
  neighbor 10.0.0.2 remote-as 65031
    timers 5 15
    shutdown
  vrf red
    neighbor 10.5.0.1 remote-as 65099
"""


def test_a_configuration_of_nx_os() -> None:
    assert dialects.software_of(NX_OS, "router.cfg") is Software.NX_OS
    config = dialects.parse(NX_OS, "n.cfg", Software.NX_OS, Notes())
    assert (config.asn, config.router_id, config.graceful_restart) == ("65010", "10.0.0.254", True)
    assert config.neighbours["T"].route_map["in"][0] == "IN"
    assert (config.neighbours["T"].is_group, config.neighbours["10.0.0.1"].group) == (True, "T")
    second = config.neighbours["10.0.0.2"]
    assert (second.remote_as, second.keepalive, second.hold, second.shutdown) == ("65031", 5, 15, True)
    assert "10.5.0.1" not in config.neighbours, "another VRF"


def test_a_configuration_of_ios_xe() -> None:
    text = "ip cef\nip route 10.1.0.0 255.255.255.0 Null0 254\nip route 10.2.0.0 255.255.255.0 10.9.9.9\nrouter bgp 1\n"
    assert dialects.software_of(text, "router.cfg") is Software.IOS_XE
    config = dialects.parse(text, "i.cfg", Software.IOS_XE, Notes())
    assert not config.graceful_restart, "off unless it is configured"
    assert [(str(route.prefix), route.distance) for route in config.static_routes] == [("10.1.0.0/24", 254)]
    apart = "router bgp 1\n address-family ipv4 vrf red\n  neighbor 10.5.0.1 remote-as 2\n exit-address-family\n"
    assert dialects.parse(apart, "i.cfg", Software.IOS_XE, Notes()).neighbours == {}
    helping = dialects.parse(text + " bgp graceful-restart\n", "i.cfg", Software.IOS_XE, Notes())
    assert helping.graceful_restart


def test_frr_stays_frr() -> None:
    assert dialects.software_of("router bgp 1\n neighbor X peer-group\n neighbor X passive\n", "videos.conf") is None


def test_what_no_line_gives_away_the_name_of_the_file_does() -> None:
    plain = "router bgp 1\n neighbor 192.0.2.1 remote-as 2\n"
    for name in ("ios-xe.cfg", "tor-1.eos.cfg", "nx-os_core.cfg"):
        assert str(dialects.software_of(plain, name)) in name
    assert dialects.software_of(plain, "frr.conf") is None


@pytest.mark.parametrize(
    "text", ["", "set", "set protocols bgp", "/routing/bgp/connection add", "router bgp", "seq 5", "'", '"', "["]
)
def test_nothing_raises(text: str) -> None:
    for reading in (vyos.parse, junos.parse, routeros.parse):
        assert reading(text, "x", Notes()).neighbours == {}
    for software in (Software.EOS, Software.IOS_XE, Software.NX_OS):
        assert dialects.parse(text, "x", software, Notes()).neighbours == {}
