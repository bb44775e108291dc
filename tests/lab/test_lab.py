"""The example site as a lab: everything stands, every failure ends as promised, and nothing is left behind."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lab_command import Command, Ended, an_ordinary_user, environment, started, until

EXAMPLE = Path(__file__).resolve().parents[2] / "output-example"
MOST = 40  # seconds for up, checks, the usual failures, and down

pytestmark = [pytest.mark.daemons, pytest.mark.usefixtures("daemons")]


def assert_as_planned(ended: Ended, seconds: float) -> None:
    assert ended.status == 0, ended.said
    verdicts = ended.verdicts()
    assert set(verdicts.values()) == {"passed"}
    assert {"sessions", "routes", "client reaches and spreads", "nothing else is let in"} <= verdicts.keys()
    assert seconds <= MOST


def test_the_example_stands_and_fails_as_planned(anycastle: Command, tmp_path: Path) -> None:
    begun = time.monotonic()
    picture = tmp_path / "timeline.svg"
    ended = anycastle(
        "lab", "test", EXAMPLE, "--format", "json", "--svg", picture, "--name", f"as-caller-{os.getpid()}"
    )
    assert_as_planned(ended, time.monotonic() - begun)
    assert ended.report["endpoints"] == {"traefik/traefik": ["k8s-node-1", "k8s-node-2"]}
    changes = [event["text"] for one in ended.report["scenarios"] for event in one["events"]]
    assert "router: 192.168.20.1/32 3 -> 2 next hops" in changes
    assert "router: 192.168.20.100/32 2 -> 1 next hops" in changes
    assert picture.read_text().count("<title>") >= 3


def test_an_ordinary_user_can_do_the_same(anycastle: Command) -> None:
    prefix = an_ordinary_user()
    begun = time.monotonic()
    ended = anycastle("lab", "test", EXAMPLE, "--format", "json", "--name", f"as-nobody-{os.getpid()}", prefix=prefix)
    assert_as_planned(ended, time.monotonic() - begun)


@pytest.mark.slow
def test_every_failure_ends_within_its_promise(anycastle: Command) -> None:
    ended = anycastle(
        "lab", "test", EXAMPLE, "--format", "json", "--scenario", "all", "--name", f"everything-{os.getpid()}"
    )
    assert ended.status == 0, ended.said
    rehearsed = {one["name"]: one for one in ended.report["scenarios"]}
    skipped = {name for name, one in rehearsed.items() if one["verdict"] == "skipped"}
    assert skipped == {"router-lost", "link-down", "wrong-password"}, "it has one router, one subnet and no password"
    for name, one in rehearsed.items():
        if name not in skipped:
            assert one["right_after"] <= one["promised"], name
    assert rehearsed["node-cut-off"]["promised"] == 9 + 2
    assert rehearsed["node-cut-off"]["right_after"] > 5
    assert rehearsed["speaker-killed"]["right_after"] < 1
    lost = {name: sum(target["lost"] for target in one["targets"]) for name, one in rehearsed.items()}
    assert lost["node-cut-off"] > 10
    assert lost["leaked-block"] == lost["second-speaker"] == 0


def test_two_labs_run_at_once_and_can_be_entered(tmp_path: Path) -> None:
    variables = environment(tmp_path)

    def ask(*words: str) -> "subprocess.CompletedProcess[str]":
        argv = [sys.executable, "-P", "-m", "anycastle.cli", "lab", *words]
        return subprocess.run(argv, capture_output=True, text=True, env=variables, timeout=60, check=False)

    with started("left-lab", variables) as one, started("right-lab", variables) as two:
        for process in (one, two):
            until("every session and route of the plan stands", process)
        assert ask("status").stdout.count("router: 8 of 8 sessions") == 2
        words = ("router", "--", "vtysh", "-c", "show bgp ipv4 unicast 192.168.20.1/32 json")
        assert json.loads(ask("exec", "--name", "right-lab", *words).stdout)["prefix"] == "192.168.20.1/32"
        assert ask("exec", "--name", "right-lab", "nowhere", "--", "true").returncode == 2
        with started("right-lab", variables) as taken:
            assert "runs already" in until("runs already", taken)
        assert ask("down", "--name", "left-lab").returncode == 0
        assert "left-lab" not in ask("status").stdout
        assert ask("down").returncode == 0
    assert (one.returncode, two.returncode, taken.returncode) == (143, 143, 2)


def test_a_missing_program_is_named_with_its_package(anycastle: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from anycastle.lab import commands, preflight

    monkeypatch.setattr(
        preflight, "found", lambda program: "" if program in ("bird", "birdc") else commands.found(program)
    )
    assert preflight.lacks() == ("bird, birdc missing; on Debian and Ubuntu: apt-get install bird2",)


def test_a_router_that_refuses_its_file_is_quoted(anycastle: Command, tmp_path: Path) -> None:
    root = tmp_path / "typo"
    shutil.copytree(EXAMPLE, root)
    file = root / "routers/router/frr.conf"
    file.write_text(file.read_text().replace(" bgp router-id", " bgp ruoter-id"))
    ended = anycastle("lab", "test", root)
    assert ended.status == 2
    assert "Unknown command" in ended.said
    assert "ruoter-id" in ended.said
