"""Nodes behind links of two addresses: everything stands, one link down loses nothing, and what is missing shows."""

import os
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from lab_command import Command, Ended
from linked import both_families, links, reflectors, some_on_a_subnet
from sites import generated

SITES = {
    "links": (links, ("--scenario", "link-down")),
    "both-families": (both_families, ("--scenario", "router-lost")),
    "some-on-a-subnet": (some_on_a_subnet, ("--scenario", "none")),
    "reflectors": (reflectors, ("--scenario", "none", "--endpoints", "3")),
    "forgotten": (links, ("--scenario", "link-down")),
}
SETTING = "net.ipv4.conf.all.ignore_routes_with_linkdown = 1\n"

pytestmark = [pytest.mark.daemons, pytest.mark.slow]


@pytest.fixture(scope="module")
def rehearsed(
    daemons: None, anycastle: Command, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Future[Ended]]:
    """Site -> its lab. All stand side by side: they wait for timers most of the time."""
    root = tmp_path_factory.mktemp("linked")
    for name, (site, _words) in SITES.items():
        generated(site(), root / name)
    for script in (root / "forgotten").glob("nodes/*/install.sh"):
        text = script.read_text()
        assert SETTING in text
        script.write_text(text.replace(SETTING, ""))
    with ThreadPoolExecutor(len(SITES)) as pool:
        return {name: pool.submit(_ended, anycastle, root / name, words) for name, (_, words) in SITES.items()}


def _ended(anycastle: Command, root: Path, words: tuple[str, ...]) -> Ended:
    return anycastle("lab", "test", root, "--format", "json", "--name", f"{root.name}-{os.getpid()}", *words)


@pytest.mark.parametrize("name", [name for name in SITES if name != "forgotten"])
def test_sites_behind_links_stand_and_fail_as_planned(name: str, rehearsed: Mapping[str, Future[Ended]]) -> None:
    found = rehearsed[name].result()
    assert found.status == 0, found.said
    verdicts = found.verdicts()
    assert set(verdicts.values()) == {"passed"}
    assert {"sessions", "routes", "client reaches and spreads", "nodes reach through the router"} <= verdicts.keys()
    assert verdicts.keys() & {"link-down", "router-lost"} == {SITES[name][1][1]} - {"none"}


def test_routers_take_what_reflectors_pass_on_from_a_node_without_a_session(
    rehearsed: Mapping[str, Future[Ended]],
) -> None:
    report = rehearsed["reflectors"].result().report
    assert report["endpoints"] == {"traefik/traefik": ["node-1", "node-2", "node-3"]}
    assert {"sessions", "routes"} <= {one["name"] for one in report["checks"] if one["verdict"] == "passed"}


def test_the_routers_get_their_files_as_they_are(rehearsed: Mapping[str, Future[Ended]]) -> None:
    assert {"routers/tor-a/frr.conf", "routers/tor-b/nftables.conf"} <= rehearsed["links"].result().report[
        "files"
    ].keys()


def test_a_link_that_goes_down_takes_its_own_routes_and_no_others(rehearsed: Mapping[str, Future[Ended]]) -> None:
    [outcome] = rehearsed["links"].result().report["scenarios"]
    assert outcome["what"] == "links are cut: control-1 to tor-a, node-1 to tor-a"
    changes = [event["text"] for event in outcome["events"] if event["at"] < outcome["right_after"] + 1]
    assert {"tor-a: 10.40.1.1/32 3 -> 2 next hops", "tor-a: 10.40.2.10/32 2 -> 1 next hops"} <= set(changes)
    assert not [text for text in changes if text.startswith("tor-b")]


def test_both_families_are_asked_for_on_one_cable(rehearsed: Mapping[str, Future[Ended]]) -> None:
    [outcome] = rehearsed["both-families"].result().report["scenarios"]
    assert [target["target"] for target in outcome["targets"]] == [
        "API (10.40.1.1:6443)",
        "API ([fd00:40:1::1]:6443)",
        "traefik (10.40.2.10:80)",
        "traefik ([fd00:40:2::10]:80)",
    ]


def test_a_node_that_goes_on_sending_into_a_dead_link_is_found(rehearsed: Mapping[str, Future[Ended]]) -> None:
    found = rehearsed["forgotten"].result()
    assert found.status == 1, found.said
    assert {name for name, verdict in found.verdicts().items() if verdict == "failed"} == {"link-down"}
    assert "node-1 sends the packets to" in found.text("link-down")
    assert "into the dead link eth0" in found.text("link-down")
