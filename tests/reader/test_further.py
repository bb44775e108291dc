"""Speakers that somebody else configures: the site file names them, and the routers are held against it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from anycastle.lab.placement import of_the_site
from anycastle.network.bgp import Software
from anycastle.network.questions import on_router
from anycastle.overview import overview
from anycastle.plan import plan
from anycastle.reader import read
from anycastle.report.plan_sections import sections
from anycastle.rules import judge
from anycastle.site.load import parse
from patches import CASES
from patches import read as data_of
from test_round_trip import written

Edit = Callable[[str], str]


def data(*, routers: int = 1) -> dict[str, object]:
    found: dict[str, object] = data_of(CASES / "further-speakers" / "site.yaml")
    if routers == 2:
        found["routers"] = [*found["routers"], {"name": "other", "address": "192.168.42.2", "asn": 64514}]  # type: ignore[misc]
    return found


def said(root: Path, path: str, edit: Edit, *, routers: int = 1) -> list[tuple[str, str, str]]:
    """Severity, code and file of every finding after an edit."""
    site = parse(data(routers=routers)).site
    assert site is not None
    written(site, plan(site), root)
    before = (root / path).read_text()
    assert edit(before) != before
    (root / path).write_text(edit(before))
    found = read(root)
    everything = (*found.findings, *judge(found.network))
    return [(one.severity, one.code, one.where.path) for one in everything if one.severity != "unchecked"]


def swapped(old: str, new: str) -> Edit:
    return lambda text: re.sub(old, new, text)


FRR = "routers/gateway/frr.conf"


@pytest.mark.parametrize(
    ("edit", "code", "where"),
    [
        (swapped("asn: 64521", "asn: 64529"), "SESS002", FRR),
        (swapped("10.199.0.0/24", "10.200.0.0/24"), "RT001", FRR),
        (swapped(r"(192\.168\.70\.64/32)\]", r"\1, 10.201.0.0/16]"), "RT001", FRR),
    ],
    ids=["another number", "another prefix", "a prefix more"],
)
def test_an_answer_that_the_router_does_not_know_of(edit: Edit, code: str, where: str, tmp_path: Path) -> None:
    found = said(tmp_path, "site.yaml", edit)
    assert ("error", code, where) in found
    assert {one for _severity, one, _path in found} <= {code, "RT002", "FW003", "RT006"}


def test_a_router_that_does_not_know_the_speaker(tmp_path: Path) -> None:
    edit = swapped(r" neighbor 192\.168\.42\.123 .*\n", "")
    assert ("error", "SESS001", "site.yaml") in said(tmp_path, FRR, edit)
    assert ("error", "SESS001", "site.yaml") in said(tmp_path / "two", FRR, edit, routers=2)


def test_a_speaker_that_is_not_named_any_more(tmp_path: Path) -> None:
    found = said(tmp_path, "site.yaml", swapped(r", speakers: \[\{name: lab-bird, .*\}\]\}", "}"))
    assert ("warning", "SESS001", FRR) in found
    assert {code for _severity, code, _path in found} == {"SESS001", "FW003", "NODE007"}


def test_the_plan_calls_it_by_its_name() -> None:
    site = parse(data()).site
    assert site is not None
    shown = str(sections(overview(plan(site))))
    assert "metallb AS 64520" in shown
    assert "lab-bird AS 64521" in shown


def test_the_lab_does_without_it() -> None:
    site = parse(data()).site
    assert site is not None
    network = plan(site)
    left = of_the_site(network)
    assert Software.OTHER not in {item.software for item in (*left.ends, *left.speakers, *left.announcements)}
    assert {end.peer for end in network.ends if on_router(end)} - {end.peer for end in left.ends if on_router(end)} == {
        end.address for end in network.ends if end.called
    }
    assert of_the_site(left) == left


def test_kube_vip_has_a_number_of_its_own_on_one_node(tmp_path: Path) -> None:
    """Its manifest and the router have it; an answer that was changed alone is told of."""
    found = said(tmp_path, "site.yaml", swapped("asn: 64525", "asn: 64526"))
    assert found == [("warning", "SITE020", "nodes/cp-3/kube-vip.yaml")]
    numbers = {end.host: end.asn for end in read(tmp_path).network.ends if end.software is Software.KUBE_VIP}
    assert numbers == {"cp-1": 64515, "cp-2": 64515, "cp-3": 64525}
