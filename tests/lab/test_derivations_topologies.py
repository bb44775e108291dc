"""Racks, far routers, two families: what is built and told, derived from the plan; nothing started."""

from ipaddress import ip_address, ip_network

import pytest
from sites import case

from anycastle.lab import bird, gobgp
from anycastle.lab.backbone import routes
from anycastle.lab.expected import tables
from anycastle.lab.links import links
from anycastle.lab.placement import place
from anycastle.lab.reading import FrrTable
from anycastle.lab.wiring import BACKBONE, CLIENT, wiring
from anycastle.network.model import Network
from anycastle.plan import plan
from anycastle.site.load import parse

API, SERVICE = ip_network("192.168.60.1/32"), ip_network("192.168.61.10/32")


def network_of(name: str) -> Network:
    parsed = parse(case(name))
    assert parsed.site is not None
    return plan(parsed.site)


@pytest.fixture(scope="module")
def racks() -> Network:
    """Three racks: one with a router several hops away, two with a pair of routers each."""
    return network_of("rack-control-planes")


@pytest.fixture(scope="module")
def both() -> Network:
    """Two families everywhere."""
    return network_of("dual-stack")


def test_a_subnet_of_each_family_is_one_link(both: Network) -> None:
    [link] = links(both)
    assert [subnet.name for subnet in link.subnets] == ["lan", "lan6"]
    node = wiring(both, {}).machine("w-1")
    assert [str(address) for address in node.ports[0].addresses] == ["172.31.0.21/24", "fd00:31::21/64"]
    assert dict(node.routes) == {
        ip_network("0.0.0.0/0"): (ip_address("172.31.0.1"),),
        ip_network("::/0"): (ip_address("fd00:31::1"),),
    }


def test_a_pair_shares_its_gateway_address_by_giving_it_to_the_first(racks: Network) -> None:
    wired = wiring(racks, {})
    held = {name: [str(a.ip) for a in wired.machine(name).ports[0].addresses] for name in ("tor-2a", "tor-2b")}
    assert held == {"tor-2a": ["192.168.31.2", "192.168.31.1"], "tor-2b": ["192.168.31.3"]}


def test_a_far_router_stands_on_the_backbone_and_a_gateway_is_made_up(racks: Network) -> None:
    wired = wiring(racks, {})
    assert wired.remote == ("spine",)
    assert [port.switch for port in wired.machine("spine").ports] == [BACKBONE]
    assert wired.gateways == {"gateway-rack-1": (ip_network("192.168.30.0/24"),)}
    gateway = wired.machine("gateway-rack-1")
    assert gateway.forwards
    assert [str(address) for address in gateway.ports[0].addresses] == ["192.168.30.1/24"]
    assert dict(gateway.routes)[ip_network("192.168.50.1/32")] == (wired.outside.hop("spine", 4),)


def test_the_client_has_an_address_for_each_router(racks: Network) -> None:
    wired = wiring(racks, {})
    sources = dict(wired.machine(CLIENT).by_source)
    for router in racks.routers:
        [own] = wired.outside.client_by(router.name)
        assert sources[own.ip] == wired.outside.hop(router.name, 4)


def test_each_rack_is_announced_to_its_own_routers(racks: Network) -> None:
    found = tables(racks, place(racks))
    assert (
        found["tor-2a"]
        == found["tor-2b"]
        == {
            API: {ip_address("192.168.31.11")},
            SERVICE: {ip_address("192.168.31.21")},
        }
    )
    assert found["tor-3a"] == {API: {ip_address("192.168.32.11")}}


def test_the_backbone_leads_to_those_that_hold_a_route(racks: Network) -> None:
    wired = wiring(racks, {})
    held = tables(racks, place(racks))
    by = wired.outside.hop
    client = dict(routes(wired, held, CLIENT))
    assert client[SERVICE] == {by("spine", 4), by("tor-2a", 4), by("tor-2b", 4)}
    assert dict(routes(wired, held, "tor-3a")) == {SERVICE: client[SERVICE]}, "it holds the other one itself"
    assert dict(routes(wired, held, "gateway-rack-1"))[SERVICE] == {ip_address("192.168.30.21")}
    assert SERVICE not in dict(routes(wired, {"tor-2a": {}}, CLIENT))


def test_bird_has_a_channel_and_announcements_of_each_family(both: Network) -> None:
    text = bird.configuration(both, place(both), "w-1", {})
    assert "protocol bgp Node_fd00_31__1 from bgp_template {" in text
    assert "protocol static static4 {\n  ipv4;\n  route 10.244.0." in text
    assert "  route fd00:31:254::1/128 blackhole;" in text[text.index("protocol static static6") :]
    six = text[text.index("Node_fd00_31__1") :]
    assert "  ipv6 {" in six
    assert "if (net ~ fd00:31:254::/120) then accept;" in six
    assert "172.31" not in six[six.index("export filter") : six.index("calico_export_to_bgp_peers")]


def test_a_node_without_ipv4_has_a_router_id_that_follows_from_its_name() -> None:
    six = network_of("ipv6-only")
    first, second = bird.router_id(six, "w-1"), bird.router_id(six, "w-2")
    assert first != second
    assert first == bird.hashed("w-1")
    assert 0 < first.packed[0] < 224
    ends = [end for end in six.ends if end.host == "cp-1"]
    text = gobgp.configuration(ends, ip_address("10.0.0.11"), {})  # type: ignore[arg-type]
    assert 'neighbor-address = "fd00:4::2"' in text
    assert 'afi-safi-name = "ipv6-unicast"' in text


class Answers:
    """A router whose daemon says this."""

    def __init__(self, table: dict[str, object]) -> None:
        self._table = table

    def show(self, words: str) -> dict[str, object]:
        return self._table if words == "ip route bgp" else {}


def test_next_hops_several_hops_away_are_those_that_bgp_named() -> None:
    hops = [
        {"ip": "192.168.30.21", "active": True, "recursive": True},
        {"ip": "198.18.0.6", "active": True, "fib": True, "resolver": True},
        {"ip": "192.168.30.22", "recursive": True},
    ]
    said = {
        "192.168.61.10/32": [{"protocol": "bgp", "selected": True, "nexthops": hops}],
        "10.0.0.0/8": [{"nexthops": hops}],
    }
    read = FrrTable(Answers(said)).routes()  # type: ignore[arg-type]
    assert read == {SERVICE: {ip_address("192.168.30.21")}}
