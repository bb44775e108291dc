"""The bootstrap, command by command: what each wait is for, and that it can be repeated."""

from __future__ import annotations

from collections.abc import Callable

import bootstrap
import pytest
from contents import Files
from repositories import repository
from simulated import Cluster

STEPS = bootstrap.NETWORK
BOTH = {"argocd": repository(), "flux": repository(("engine: argocd", "engine: flux"))}
ENGINES = pytest.mark.parametrize("files", BOTH.values(), ids=BOTH)


def run(files: Files, change: Callable[[list[str]], list[str]] = lambda lines: lines) -> Cluster:
    cluster = Cluster()
    bootstrap.run(cluster, files, change(bootstrap.commands(files, STEPS)))
    return cluster


@ENGINES
def test_it_ends_with_a_network_that_announces(files: Files) -> None:
    cluster = run(files)
    assert cluster.troubles == []
    assert cluster.bgp
    assert cluster.serves_v3


@ENGINES
@pytest.mark.parametrize("words", ["condition=Established", "for=create", "condition=Available"])
def test_without_a_wait_the_next_command_fails(files: Files, words: str) -> None:
    with pytest.raises(bootstrap.StuckError):
        run(files, lambda lines: [line for line in lines if words not in line])


@ENGINES
def test_with_bgp_from_the_beginning_there_is_a_full_mesh(files: Files) -> None:
    cluster = run(files, lambda lines: [line.replace(" --set installation.bgp=Disabled", "") for line in lines])
    assert cluster.troubles == ["BGP without its configuration: a full mesh of AS 64512"]


@ENGINES
def test_with_the_settings_last_there_is_a_full_mesh(files: Files) -> None:
    cluster = run(files, lambda lines: [line for line in lines if "template calico-bgp" not in line])
    assert cluster.troubles == ["BGP without its configuration: a full mesh of AS 64512"]


@ENGINES
def test_with_hooks_a_command_is_refused(files: Files) -> None:
    with pytest.raises(AssertionError, match="hooks would run"):
        run(files, lambda lines: [line.replace(" --no-hooks", "") for line in lines])


@ENGINES
def test_it_can_be_done_again(files: Files) -> None:
    cluster = run(files)
    bootstrap.run(cluster, files, bootstrap.commands(files, STEPS))
    assert cluster.troubles == []
    assert cluster.bgp
