"""Two routers, racks, data centres, both families, iBGP, two hundred workers: all stand and fail as planned."""

import os
import re
import shutil
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from lab_command import EXAMPLE, Command, Ended
from sites import case, generated, with_workers

AT_ONCE = 3  # labs side by side: they wait for timers most of the time
SITES: Mapping[str, tuple[str, ...]] = {
    "lab-ja": ("router-restarted", "leaked-block"),
    "two-routers-one-as": ("router-lost",),
    "two-routers-two-as": ("router-lost", "endpoint-gone"),
    "rack-control-planes": ("router-lost", "speaker-killed", "second-speaker"),
    "three-data-centres": ("speaker-killed", "leaked-block"),
    "dual-stack": ("node-cut-off", "leaked-block"),
    "ipv6-only": ("node-cut-off", "endpoint-gone", "leaked-block"),
    "one-as": ("speaker-killed",),
    "passwords": ("wrong-password", "router-lost"),
    "converged": ("speaker-killed",),
    "further-speakers": ("speaker-killed",),
}
WITH_PASSWORD = ("passwords", "converged")
"""kube-vip speaks from an address of its own in the second one."""
CHANGED = {
    "hold-6": (" timers 3 9", " timers 2 6", "node-cut-off"),
    "hold-15": (" timers 3 9", " timers 5 15", "node-cut-off"),
    "helping": (" bgp graceful-restart-disable\n", "", "node-reboots"),
    "password": (r"( neighbor K8S-CALICO) remote-as .*\n", r"\g<0>\1 password a-word\n", "wrong-password"),
}

pytestmark = [pytest.mark.daemons, pytest.mark.slow]


def site(name: str) -> dict[str, Any]:
    """An example site with FRR, which the lab runs."""
    data = case(name)
    for router in data["routers"]:
        router.pop("software", None)
        if name in WITH_PASSWORD:
            router.setdefault("password", "bgp-routers/key")
    return data


def ended(anycastle: Command, root: Path, *scenarios: str) -> Ended:
    words = [word for scenario in scenarios or ("none",) for word in ("--scenario", scenario)]
    return anycastle("lab", "test", root, "--format", "json", "--name", f"{root.name}-{os.getpid()}", *words)


@pytest.fixture(scope="module")
def rehearsed(
    daemons: None, anycastle: Command, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Future[Ended]]:
    """Site, or way in which the example's router was changed -> its lab."""
    root = tmp_path_factory.mktemp("sites")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        jobs = {
            name: pool.submit(ended, anycastle, generated(site(name), root / name), *scenarios)
            for name, scenarios in SITES.items()
        }
        for name, (pattern, text, scenario) in CHANGED.items():
            changed = shutil.copytree(EXAMPLE, root / name)
            edit(changed / "routers/router/frr.conf", pattern, text)
            jobs[name] = pool.submit(ended, anycastle, changed, scenario)
    return jobs


@pytest.mark.parametrize("name", SITES)
def test_every_topology_stands_and_fails_as_planned(name: str, rehearsed: Mapping[str, Future[Ended]]) -> None:
    found = rehearsed[name].result()
    assert found.status == 0, found.said
    verdicts = found.verdicts()
    assert set(verdicts.values()) == {"passed"}
    assert {"routes", "client reaches and spreads", "nodes reach through the router", *SITES[name]} <= verdicts.keys()
    assert all(one["right_after"] <= one["promised"] for one in found.report["scenarios"])


def test_a_client_hardly_notices_that_a_router_is_lost(rehearsed: Mapping[str, Future[Ended]]) -> None:
    for name in ("two-routers-one-as", "two-routers-two-as", "rack-control-planes"):
        outcome = next(one for one in rehearsed[name].result().report["scenarios"] if one["name"] == "router-lost")
        assert [target["sent"] > 150 for target in outcome["targets"]] == [True, True]
        assert sum(target["lost"] for target in outcome["targets"]) <= 10, name


def test_requests_go_to_both_families(rehearsed: Mapping[str, Future[Ended]]) -> None:
    outcome = rehearsed["dual-stack"].result().report["scenarios"][0]
    assert [target["target"] for target in outcome["targets"]] == [
        "API (172.31.255.1:6443)",
        "API ([fd00:31:255::1]:6443)",
        "traefik (172.31.254.1:80)",
        "traefik ([fd00:31:254::1]:80)",
    ]
    assert all(0 < target["lost"] < target["sent"] for target in outcome["targets"])


@pytest.mark.parametrize(("keepalive", "hold"), [(2, 6), (5, 15)])
def test_the_hold_time_of_the_files_is_kept(keepalive: int, hold: int, rehearsed: Mapping[str, Future[Ended]]) -> None:
    found = rehearsed[f"hold-{hold}"].result()
    assert found.status == 0, found.said
    [outcome] = found.report["scenarios"]
    assert outcome["promised"] == hold + 2
    assert outcome["promised_by"] == f"hold time of {hold} s, and 2 s"
    assert hold - keepalive - 1 <= outcome["right_after"] <= hold + 2
    assert all(target["lost"] for target in outcome["targets"])


def test_a_router_that_helps_restarts_keeps_a_dead_node_for_the_restart_time(
    rehearsed: Mapping[str, Future[Ended]],
) -> None:
    found = rehearsed["helping"].result()
    assert found.status == 0, found.said
    [outcome] = found.report["scenarios"]
    assert (outcome["promised"], outcome["promised_by"]) == (17, "restart time of 15 s, and 2 s")
    assert 13 < outcome["right_after"] <= 17
    lost = {target["target"]: target["lost"] for target in outcome["targets"]}
    assert lost["traefik (192.168.20.100:80)"] > 50, "half of the requests go to a dead node until then"


def test_a_node_with_another_password_stays_out(rehearsed: Mapping[str, Future[Ended]]) -> None:
    found = rehearsed["password"].result()
    assert found.status == 0, found.said
    assert found.verdicts()["wrong-password"] == "passed"


@pytest.mark.usefixtures("daemons")
def test_two_hundred_workers(anycastle: Command, tmp_path: Path) -> None:
    found = ended(anycastle, generated(with_workers(200), tmp_path / "hall"))
    assert found.status == 0, found.said
    seconds = {check["name"]: check["seconds"] for check in found.report["checks"]}
    assert found.report["up"] + max(seconds["sessions"], seconds["routes"]) <= 30
    assert found.report["mebibytes"] <= 1024


def edit(file: Path, pattern: str, text: str) -> None:
    before = file.read_text()
    after = re.sub(pattern, text, before)
    assert after != before
    file.write_text(after)
