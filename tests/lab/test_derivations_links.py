"""Links of two addresses: cables, addresses, routes and next hops that follow from the plan; nothing started."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
from linked import both_families, links, one_router, reflectors, some_on_a_subnet
from sites import generated

import patches
from anycastle.lab import bird, gobgp
from anycastle.lab.backbone import routes
from anycastle.lab.expected import tables
from anycastle.lab.link_failures import without
from anycastle.lab.node_files import ways_out
from anycastle.lab.placement import place
from anycastle.lab.router_files import interfaces
from anycastle.lab.running import Blueprint
from anycastle.lab.wires import Wire, wires
from anycastle.lab.wiring import BACKBONE, CLIENT, EVERYTHING, Machine, Wiring, wiring
from anycastle.plan import plan as plan_of
from anycastle.rehearsing import links_told
from anycastle.site.load import parse

API, SERVICE = ip_network("10.40.1.1/32"), ip_network("10.40.2.10/32")


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The repository of each site."""
    sites = (links, both_families, one_router, some_on_a_subnet, without_api_address, reflectors)
    return {one.__name__: generated(one(), tmp_path_factory.mktemp(one.__name__)) for one in sites}


def without_api_address() -> dict[str, Any]:
    """Control planes that hold no session at all."""
    site = links()
    site["kubernetes"]["api"]["vips"] = []
    site["bgp"].pop("control_plane_asn")
    return site


def of(folder: Path) -> Blueprint:
    """What the lab would make of it; the network as planned, which takes no chart to be rendered."""
    parsed = parse(dict(patches.read(folder / "site.yaml")))
    assert parsed.site is not None
    network = plan_of(parsed.site)
    files = {
        router.name: {path.name: path.read_bytes() for path in (folder / "routers" / router.name).iterdir()}
        for router in network.routers
    }
    return Blueprint(network, files, {}, place(network), tuple(links_told(folder)))


@pytest.fixture(scope="module")
def plan(rendered: Mapping[str, Path]) -> Blueprint:
    """The example."""
    return of(rendered["links"])


def wired(plan: Blueprint) -> Wiring:
    return wiring(plan.network, plan.routers, plan.links)


def cabling(machine: Machine) -> list[tuple[str, str, list[str]]]:
    return [(port.interface, port.switch, [str(one) for one in port.addresses]) for port in machine.ports]


def test_every_link_is_a_cable_with_the_interface_of_the_site_file(plan: Blueprint) -> None:
    found = wired(plan)
    assert cabling(found.machine("node-1")) == [
        ("eth0", "cable-tor-a-swp4", ["10.41.1.7/31"]),
        ("eth1", "cable-tor-b-swp4", ["10.41.2.7/31"]),
    ]
    router = cabling(found.machine("tor-a"))
    assert router[3] == ("swp4", "cable-tor-a-swp4", ["10.41.1.6/31"])
    assert [switch for _interface, switch, _addresses in router][-1] == BACKBONE
    assert len(found.ends("cable-tor-a-swp4")) == 2
    assert found.holder(ip_address("10.41.1.7")) == "node-1"
    assert found.remote == ()


def test_the_nodes_address_stands_on_lo_and_its_range_is_no_switch(plan: Blueprint) -> None:
    found = wired(plan)
    node = found.machine("control-1")
    assert node.own == (ip_address("10.40.0.11"),)
    assert node.routes == ((EVERYTHING[4], (ip_address("10.41.1.0"), ip_address("10.41.2.0"))),)
    assert not [switch for switch in found.switches if "loopbacks" in switch]
    assert ip_network("10.40.0.11/32") in found.on_lo


def test_both_families_share_a_cable(rendered: Mapping[str, Path]) -> None:
    found = wired(of(rendered["both_families"]))
    assert cabling(found.machine("node-1"))[1] == ("eth1", "cable-tor-b-swp4", ["10.41.2.7/31", "fd00:41:1::7/127"])
    assert dict(found.machine("node-1").routes)[EVERYTHING[6]] == (ip_address("fd00:41::6"), ip_address("fd00:41:1::6"))


def summary(found: tuple[Wire, ...]) -> set[tuple[str, str, frozenset[tuple[str, str]]]]:
    return {(one.node, one.router, frozenset((str(p.own), str(p.peer)) for p in one.pairs)) for one in found}


@pytest.mark.parametrize(
    "name", ["links", "both_families", "one_router", "some_on_a_subnet", "without_api_address", "reflectors"]
)
def test_without_a_site_file_sessions_and_static_routes_tell_the_links(name: str, rendered: Mapping[str, Path]) -> None:
    plan = of(rendered[name])
    told = wires(plan.network, plan.routers, plan.links)
    found = wires(plan.network, plan.routers)
    assert summary(found) == summary(told)
    if name != "some_on_a_subnet":  # there one of the interfaces that the files name is that of the subnet
        assert {(one.router, one.interface) for one in found} == {(one.router, one.interface) for one in told}


def test_a_link_that_carries_no_session_is_there_for_the_way_to_its_node(rendered: Mapping[str, Path]) -> None:
    plan = of(rendered["without_api_address"])
    assert not [end for end in plan.network.ends if end.host == "control-1"]
    assert wired(plan).machine("control-1").own == (ip_address("10.40.0.11"),)


@pytest.mark.parametrize("text", ["nodes: [{links: [{router: 7}]}]\n", "nodes: 3\n", "nodes: [\n", "", "- 1\n"])
def test_a_site_file_that_tells_nothing_is_passed_over(text: str, plan: Blueprint, tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text(text)
    assert tuple(links_told(tmp_path)) == ()
    assert tuple(links_told(tmp_path / "nowhere")) == ()
    assert len(plan.links) == 12


def test_a_router_on_a_subnet_as_well_has_the_remaining_interface_there(rendered: Mapping[str, Path]) -> None:
    found = wired(of(rendered["some_on_a_subnet"]))
    ports = cabling(found.machine("tor-a"))
    assert ports[0] == ("eth0", "switch-lan", ["10.43.0.1/24"])
    assert ports[1][:2] == ("swp2", "cable-tor-a-swp2")
    assert found.machine("control-1").own == ()
    assert cabling(found.machine("control-1")) == [("eth0", "switch-lan", ["10.43.0.11/24"])]


def test_the_next_hop_is_the_nodes_end_of_the_link(plan: Blueprint) -> None:
    found = tables(plan.network, plan.placement)
    assert found["tor-a"][SERVICE] == {ip_address("10.41.1.7"), ip_address("10.41.1.9")}
    assert found["tor-b"][API] == {ip_address(f"10.41.2.{last}") for last in (1, 3, 5)}


def test_two_links_to_one_router_are_two_next_hops(rendered: Mapping[str, Path]) -> None:
    plan = of(rendered["one_router"])
    assert tables(plan.network, plan.placement)["tor-a"][SERVICE] == {
        ip_address(text) for text in ("10.41.1.7", "10.41.1.9", "10.42.0.6", "10.42.0.8")
    }


def test_without_a_link_only_its_router_has_a_next_hop_less(plan: Blueprint) -> None:
    cut = wired(plan).wires_of("node-1")[:1]
    full, left = tables(plan.network, plan.placement), tables(without(plan.network, cut), plan.placement)
    assert left["tor-b"] == full["tor-b"]
    assert left["tor-a"] == {**full["tor-a"], SERVICE: {ip_address("10.41.1.9")}}


def test_speakers_whose_source_the_kernel_chooses_are_told_none(plan: Blueprint) -> None:
    ends = tuple(replace(end, any_source=True) for end in plan.network.ends)
    said = bird.configuration(replace(plan.network, ends=ends), plan.placement, "node-1", {})
    assert "neighbor 10.41.1.6 as 65101;" in said
    assert "source address" not in said
    assert "source address 10.41.1.7;" in bird.configuration(plan.network, plan.placement, "node-1", {})
    own = [end for end in ends if end.host == "control-1"]
    written = gobgp.configuration(own, ip_address("10.40.0.11"), {})  # type: ignore[arg-type]
    assert 'neighbor-address = "10.41.2.0"' in written
    assert "local-address" not in written


def test_the_backbone_tells_a_router_of_a_way_that_only_another_one_has(plan: Blueprint) -> None:
    found, lo = wired(plan), ip_network("10.40.0.21/32")
    held = {"tor-a": {}, "tor-b": {lo: frozenset({ip_address("10.41.2.7")})}}
    by = found.outside.hop("tor-b", 4)
    assert dict(routes(found, held, "tor-a")) == {lo: {by}}
    assert dict(routes(found, held, CLIENT)) == {lo: {by}}
    assert dict(routes(found, held, "tor-b")) == {}


def test_the_default_route_is_the_line_of_the_script(rendered: Mapping[str, Path]) -> None:
    script = (rendered["links"] / "nodes/node-1/install.sh").read_text()
    [way] = ways_out(script)
    assert " ".join(way) == "route replace default src 10.40.0.21 nexthop via 10.41.1.6 nexthop via 10.41.2.6"
    six = (rendered["both_families"] / "nodes/node-1/install.sh").read_text()
    assert [way[0] for way in ways_out(six)] == ["route", "-6"]
    assert list(ways_out(script.replace("#   ip route", "#   ip rule"))) == []


def test_machines_and_routers_are_told_what_to_do_when_a_link_goes_down(rendered: Mapping[str, Path]) -> None:
    folder = rendered["both_families"]
    script = (folder / "nodes/node-1/install.sh").read_text()
    assert "\nnet.ipv4.conf.all.ignore_routes_with_linkdown = 1\n" in script
    assert "\nnet.ipv6.conf.all.ignore_routes_with_linkdown = 1\n" in script
    assert "\nno zebra nexthop kernel enable\n" in (folder / "routers/tor-a/frr.conf").read_text()
    mixed = rendered["some_on_a_subnet"].glob("nodes/*/install.sh")
    told = {path.parent.name for path in mixed if "ignore_routes_with_linkdown" in path.read_text()}
    assert told == {"control-2", "control-3", "node-1", "node-2"}


def test_a_router_takes_next_hops_that_only_reflectors_know(rendered: Mapping[str, Path]) -> None:
    line = "\n bgp disable-ebgp-connected-route-check\n"
    assert line in (rendered["reflectors"] / "routers/tor-b/frr.conf").read_text()
    assert line not in (rendered["links"] / "routers/tor-b/frr.conf").read_text()


def test_interfaces_are_read_from_sets_too() -> None:
    rules = b'iifname { "swp1", "swp2" } tcp dport 179 drop\n# iifname "old" drop\noifname eth7 accept\n'
    settings = b"net.ipv4.conf.all.rp_filter = 2\nnet.ipv4.conf.swp3.rp_filter = 2\n"
    assert interfaces({"nftables.conf": rules, "sysctl.conf": settings}) == ("swp1", "swp2", "eth7", "swp3")


def test_interfaces_of_the_example_are_those_of_its_links(plan: Blueprint) -> None:
    assert interfaces(plan.routers["tor-b"]) == tuple(f"swp{number}" for number in range(1, 7))
