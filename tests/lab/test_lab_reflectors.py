"""Route reflectors among the nodes: every path reaches the router, and a dead reflector is remembered by the other."""

from __future__ import annotations

import os
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from lab_command import Command
from sites import case, generated

from anycastle.lab import bird
from anycastle.lab.expected import tables
from anycastle.lab.placement import place
from anycastle.network.model import Network
from anycastle.plan import plan
from anycastle.site.load import parse

SERVICE = ip_network("10.88.20.70/32")


def behind_frr() -> dict[str, Any]:
    """The example behind a router that the lab can run."""
    data = case("route-reflectors")
    data["routers"][0] |= {"software": "frr", "interface": "eth1"}
    data["bgp"]["restart_time"] = 5
    return data


@pytest.fixture(scope="module")
def reflected() -> Network:
    parsed = parse(behind_frr())
    assert parsed.site is not None, parsed.findings
    return plan(parsed.site)


def test_a_router_is_to_hold_a_path_to_every_node(reflected: Network) -> None:
    table = tables(reflected, place(reflected, 5))["tor"]
    assert {str(hop) for hop in table[SERVICE]} == {f"10.88.10.{last}" for last in range(21, 26)}


def test_reflectors_call_the_others_clients_and_not_each_other(reflected: Network) -> None:
    said = bird.configuration(reflected, place(reflected), "node-1", {})
    parts = {text.split()[0]: text for text in said.split("protocol bgp ")[1:]}
    assert "rr client; rr cluster id 244.0.0.1;" in parts["Node_10_88_10_23"]
    assert "rr client" not in parts["Node_10_88_10_22"]
    assert "next hop keep;" in parts["Node_10_88_10_1"]
    assert "next hop keep;" not in parts["Node_10_88_10_23"]


def test_the_others_dial_reflectors_only(reflected: Network) -> None:
    said = bird.configuration(reflected, place(reflected), "node-3", {})
    names = [text.split()[0] for text in said.split("protocol bgp ")[1:]]
    assert names == ["Node_10_88_10_21", "Node_10_88_10_22"]
    assert "rr client" not in said


@pytest.mark.daemons
@pytest.mark.slow
@pytest.mark.usefixtures("daemons")
def test_the_lab_stands_and_fails_as_planned(anycastle: Command, tmp_path: Path) -> None:
    root = generated(behind_frr(), tmp_path / "reflected")
    words = ("--name", f"reflected-{os.getpid()}", "--endpoints", "5", "--scenario", "speaker-killed")
    found = anycastle("lab", "test", root, "--format", "json", *words)
    assert found.status == 0, found.said
    verdicts = found.verdicts()
    assert set(verdicts.values()) == {"passed"}
    assert {"sessions", "routes", "client reaches and spreads", "nothing else is let in"} <= verdicts.keys()
    [killed] = found.report["scenarios"]
    assert killed["promised_by"] == "restart time of 5 s, and 2 s"
    assert 3 < killed["right_after"] <= 7, "the other reflector keeps what the dead one said"
