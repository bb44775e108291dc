"""Limits of prefixes, and FRR's memory of how far a peer is: read on every platform, judged on whole files."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from test_reader_appliances import ALL, site_data

from anycastle.finding import Finding
from anycastle.network.model import Network
from anycastle.network.questions import on_router
from anycastle.plan import plan
from anycastle.reader import bird, junos, read
from anycastle.reader.frr_statements import parse as frr
from anycastle.reader.notes import Notes
from anycastle.rules import judge
from anycastle.site.load import parse
from test_round_trip import CASES, written

LIMITS = {100: 3, 128: 5}
"""Of the seed: twice what the filter admits and at least 100, for three control planes and five workers."""


def repository(
    data: object, root: Path, path: str = "", edit: Callable[[str], str] = str
) -> tuple[Network, list[Finding]]:
    site = parse(data).site
    assert site is not None
    written(site, plan(site), root)
    if path:
        before = (root / path).read_text()
        assert edit(before) != before
        (root / path).write_text(edit(before))
    found = read(root)
    return found.network, [one for one in (*found.findings, *judge(found.network)) if one.severity != "unchecked"]


def case(name: str) -> object:
    return yaml.safe_load(next(path for path in CASES if path.parent.name == name).read_text())


@pytest.mark.parametrize("software", ALL)
def test_the_limits_of_every_platform_are_read(software: str, tmp_path: Path) -> None:
    network, _findings = repository(site_data("seed", software), tmp_path)
    limits = [end.limit for end in network.ends if on_router(end)]
    assert {limit: limits.count(limit) for limit in limits} == LIMITS
    for end in network.ends:
        if on_router(end) and end.limit_where.path:
            line = (tmp_path / end.limit_where.path).read_text().splitlines()[end.limit_where.line - 1]
            assert software == "routeros" or str(end.limit) in line


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("neighbor 10.0.0.1 maximum-prefix 7", 7),
        ("neighbor 10.0.0.1 maximum-prefix 7 80 restart 1", 7),
        ("neighbor 10.0.0.1 maximum-prefix 7 warning-only", None),
        ("neighbor 10.0.0.1 maximum-prefix-out 7", None),
    ],
)
def test_frr_closes_a_session_unless_it_only_warns(text: str, limit: int | None) -> None:
    config = frr(f"router bgp 65001\n neighbor 10.0.0.1 remote-as 65002\n {text}\n", "frr.conf", Notes())
    assert config.neighbours["10.0.0.1"].limit == limit


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("ipv4 { import limit 7; };", 7),
        ("ipv4 { import limit 7 action restart; };", 7),
        ("ipv4 { receive limit 7 action disable; };", 7),
        ("ipv4 { import limit 7 action warn; };", None),
        ("ipv4 { import limit 7 action block; };", None),
        ("ipv4 { export limit 7; };", None),
    ],
)
def test_bird_closes_a_session_by_some_actions(text: str, limit: int | None) -> None:
    whole = f"protocol bgp a {{ local 10.0.0.9 as 65001; neighbor 10.0.0.1 as 65002; {text} }}"
    notes = Notes()
    assert bird.parse_config(whole, "bird.conf", notes).neighbours["10.0.0.1"].limit == limit
    assert notes.findings == []


def test_junos_closes_a_session_only_with_teardown() -> None:
    group = "set protocols bgp group A"
    lines = [f"{group} neighbor 10.0.0.1 peer-as 65002", f"{group} family inet unicast prefix-limit maximum 7"]
    assert junos.parse("\n".join(lines), "j.set", Notes()).neighbours["A"].limit is None
    lines.append(f"{group} family inet unicast prefix-limit teardown idle-timeout 1")
    assert junos.parse("\n".join(lines), "j.set", Notes()).neighbours["A"].limit == 7


def limited(text: str) -> str:
    return re.sub(r"(K8S-CALICO maximum-prefix) \d+", r"\1 1", text)


def test_a_limit_below_what_services_ask_for_is_found_in_its_line(tmp_path: Path) -> None:
    path = "routers/core/frr.conf"
    _network, findings = repository(case("several-ingresses"), tmp_path, path, limited)
    [finding] = findings
    assert finding.code == "RT013"
    assert "K8S-CALICO maximum-prefix 1" in (tmp_path / path).read_text().splitlines()[finding.where.line - 1]


FAR = "routers/spine/frr.conf"
KEEP = " bgp disable-ebgp-connected-route-check\n"


def without(text: str) -> str:
    return text.replace(KEEP, "")


def test_a_router_that_forgets_how_far_its_peers_are(tmp_path: Path) -> None:
    network, findings = repository(case("rack-control-planes"), tmp_path, FAR, without)
    [finding] = [one for one in findings if one.code == "SESS015"]
    far = [end for end in network.ends if end.host == "spine" and end.hops > 1]
    assert far
    assert finding.where == far[0].where or finding.where.path == FAR


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: "frr version 10.0\n" + without(text),
        lambda text: without(text).replace(" timers connect 5\n", " passive\n"),
        lambda text: re.sub(
            r"( neighbor (K8S-CALICO) timers connect 5\n)", r"\1 neighbor \2 disable-connected-check\n", without(text)
        ),
    ],
    ids=["a release that is mended", "it never dials", "told of the neighbour"],
)
def test_it_is_no_fault_where_nothing_is_forgotten(edit: Callable[[str], str], tmp_path: Path) -> None:
    _network, findings = repository(case("rack-control-planes"), tmp_path, FAR, edit)
    assert "SESS015" not in {one.code for one in findings}
