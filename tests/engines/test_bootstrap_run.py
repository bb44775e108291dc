"""`bootstrap.sh` in a real shell, on a workstation whose programs act on a model: again, interrupted, and too early."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from copy import deepcopy

import pytest
from argo import ArgoCd
from flux_engine import Flux
from kubectl import DESTRUCTIVE, Kubectl
from repositories import repository
from simulated import INSTALLATION, Cluster
from workstation import Workstation

BOTH = {"argocd": repository(), "flux": repository(("engine: argocd", "engine: flux"))}
ENGINES = pytest.mark.parametrize("engine", BOTH)
EXPECTED = {
    "argocd": ["1-namespaces", "2-definitions", "3-calico", "4-bgp", "5-argo-cd", "6-hand-over"],
    "flux": ["1-namespaces", "2-definitions", "3-calico", "4-bgp", "5-flux", "6-hand-over"],
}
GIVEN = {"GIT_PASSWORD": "token"}
Made = Callable[..., Workstation]


TAKES_OVER = {"argocd": 5, "flux": 4}
"""How many steps come before the one by which the engine takes over."""
Stands = dict[object, tuple[int, int]]
Handed = Callable[[str], tuple[Workstation, Stands]]


def opened(engine: str) -> Workstation:
    kubectl = Kubectl(Cluster())

    def begin() -> ArgoCd | Flux:
        made = (ArgoCd if engine == "argocd" else Flux)(kubectl.cluster, BOTH[engine])
        made.begin()
        return made

    kubectl.engine = begin
    return Workstation(BOTH[engine], kubectl).__enter__()


@pytest.fixture
def station() -> Iterator[Made]:
    made: list[Workstation] = []

    def make(engine: str) -> Workstation:
        made.append(opened(engine))
        return made[-1]

    yield make
    for one in made:
        one.__exit__()


def whole(station: Workstation, labels: list[str]) -> None:
    for label in labels:
        run = station.step(label, **GIVEN)
        assert (run.code, run.err) == (0, ""), (label, run.out, run.err)
        assert f"done: {label}" in run.out


@ENGINES
def test_without_a_word_it_lists_the_steps_and_asks_nobody(engine: str, station: Made) -> None:
    made = station(engine)
    run = made.step()
    assert (run.code, run.calls) == (0, [])
    assert made.labels() == EXPECTED[engine]


@pytest.fixture(scope="module")
def handed_over() -> Iterator[Handed]:
    """A cluster that was brought up whole, and what stood in it before the hand-over."""
    known: dict[str, tuple[Workstation, Stands]] = {}

    def make(engine: str) -> tuple[Workstation, Stands]:
        if engine not in known:
            made = opened(engine)
            whole(made, EXPECTED[engine][: TAKES_OVER[engine]])
            before = _stands_since(made.kubectl.cluster)
            whole(made, EXPECTED[engine][TAKES_OVER[engine] :])
            known[engine] = made, before
        return known[engine]

    yield make
    for made, _before in known.values():
        made.__exit__()


@ENGINES
def test_it_ends_with_a_cluster_that_follows_the_repository(engine: str, handed_over: Handed) -> None:
    made, _before = handed_over(engine)
    cluster = made.kubectl.cluster
    assert cluster.troubles == []
    assert (cluster.network, cluster.bgp, cluster.serves_v3) == (True, True, True)
    assert made.kubectl.running.watch.all_there()


@ENGINES
def test_the_engine_finds_its_own_objects_and_changes_none_of_them(engine: str, handed_over: Handed) -> None:
    """The same names, namespaces and values: nothing of the bootstrap is made again, or gets another spec."""
    made, before = handed_over(engine)
    for _time in range(60):
        made.kubectl.running.step()
    after = _stands_since(made.kubectl.cluster)
    assert {key: after.get(key) for key in before} == before
    assert made.kubectl.cluster.troubles == []


def _stands_since(cluster: Cluster) -> Stands:
    return {key: (one.created, one.generation) for key, one in cluster.objects.items()}


@ENGINES
def test_a_second_time_changes_nothing_and_deletes_nothing(engine: str, handed_over: Handed) -> None:
    made, _before = handed_over(engine)
    made.kubectl.changed.clear()
    whole(made, EXPECTED[engine])
    assert made.kubectl.changed == []
    assert made.kubectl.cluster.bgp
    assert made.kubectl.cluster.troubles == []
    assert [call for call in made.calls if DESTRUCTIVE.search(call)] == []


@ENGINES
def test_the_step_before_bgp_leaves_bgp_on_where_it_is_on(engine: str, station: Made) -> None:
    made = station(engine)
    whole(made, EXPECTED[engine][:4])
    run = made.step("3-calico")
    assert run.code == 0
    assert "BGP is on already" in run.out
    assert made.kubectl.cluster.objects[INSTALLATION].applied["spec"]["calicoNetwork"]["bgp"] == "Enabled"
    assert not any("installation.bgp" in call for call in run.calls)


@ENGINES
def test_every_step_asks_for_the_one_before(engine: str, station: Made) -> None:
    """With nothing but an API that answers, each step but the first says what is missing, and changes nothing."""
    made = station(engine)
    for label in EXPECTED[engine][1:]:
        run = made.step(label, **GIVEN)
        assert run.code == 3, (label, run.out, run.err)
        assert "First: make bootstrap-" in run.err
        assert made.kubectl.changed == []


@ENGINES
@pytest.mark.parametrize("tool", ["kubectl", "helm", "git"])
def test_a_missing_program_is_named_before_anything(engine: str, tool: str, station: Made) -> None:
    made = station(engine)
    made.without(tool)
    run = made.step("1-namespaces")
    assert (run.code, run.calls) == (3, [])
    assert f"not installed: {tool}" in run.err


@ENGINES
def test_another_cluster_is_left_alone(engine: str, station: Made) -> None:
    made = station(engine)
    made.kubectl.endpoint = "other.example.com:6443"
    for label in EXPECTED[engine]:
        run = made.step(label, **GIVEN)
        assert run.code == 3
        assert "kubectl speaks to another cluster" in run.err
    assert made.kubectl.changed == []


@ENGINES
def test_an_api_that_does_not_answer_is_said(engine: str, station: Made) -> None:
    made = station(engine)
    made.kubectl.answers = False
    run = made.step("1-namespaces")
    assert run.code == 3
    assert "the API does not answer" in run.err


@ENGINES
def test_what_is_not_pushed_is_not_handed_over(engine: str, station: Made) -> None:
    made = station(engine)
    made.pushed = False
    whole(made, EXPECTED[engine][:4])
    for label in EXPECTED[engine][4:]:
        if label != "5-argo-cd":
            break
        whole(made, [label])
    run = made.step(label, **GIVEN)
    assert run.code == 3
    assert "git push" in run.err
    assert made.kubectl.running is None


def test_without_a_token_flux_is_not_begun(station: Made) -> None:
    made = station("flux")
    whole(made, EXPECTED["flux"][:4])
    run = made.step("5-flux")
    assert run.code == 3
    assert "GIT_PASSWORD" in run.err


def test_both_sets_of_definitions_together_are_refused(station: Made) -> None:
    made = station("argocd")
    whole(made, ["1-namespaces"])
    name = "ippools.projectcalico.org"
    spec = {"group": "projectcalico.org", "names": {"kind": "IPPool"}}
    kind = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    made.kubectl.cluster.apply({**kind, "metadata": {"name": name}, "spec": spec})
    run = made.step("2-definitions")
    assert run.code == 3
    assert f"crd/{name} is there" in run.err


def test_a_chart_that_helm_refuses_stops_the_step(station: Made) -> None:
    made = station("argocd")
    whole(made, ["1-namespaces"])
    made.unfetched = "crd.projectcalico.org.v1"
    run = made.step("2-definitions")
    assert run.code == 1
    assert "nothing of this was applied" in run.err
    assert not any("apply" in call.split()[:2] for call in run.calls)


@pytest.mark.parametrize("words", [("7",), ("calico",), ("1", "2"), ("",)])
def test_a_word_that_is_no_step_is_refused(words: tuple[str, ...], station: Made) -> None:
    run = station("argocd").step(*words)
    assert (run.code, run.calls) == (2, [])


def test_make_knows_every_step(station: Made) -> None:
    made = station("argocd")
    assert [line.split()[1] for line in made.step("bootstrap", by=("make",)).out.splitlines()] == [
        f"bootstrap-{label}" for label in EXPECTED["argocd"]
    ]
    run = made.step("-j4", "bootstrap-1-namespaces", "bootstrap-2-definitions", by=("make",))
    assert run.code == 0, run.err
    assert run.out.index("done: 1-namespaces") < run.out.index("apply: helm template calico-crds")


EACH = 1 if os.environ.get("ANYCASTLE_LONG") else 11
"""Of so many places where the script can be killed, one is tried; the others by the long run."""


@pytest.mark.slow
@ENGINES
@pytest.mark.parametrize("label", range(6))
def test_a_step_that_is_killed_is_finished_by_the_next_run(engine: str, label: int, station: Made) -> None:
    """Killed before a call, or when the call has had its effect and before the script knows."""
    reference = station(engine)
    whole(reference, EXPECTED[engine][: label + 1])
    made = station(engine)
    whole(made, EXPECTED[engine][:label])
    start, kubectl = deepcopy(made.kubectl.cluster), made.kubectl
    calls = len(reference.calls) - len(made.calls)
    assert calls > 2
    for at in range(label % EACH, 2 * calls, EACH):
        if kubectl.running is None:
            kubectl.cluster = deepcopy(start)
        made.dies_at, made.late = divmod(at, 2)
        assert made.step(EXPECTED[engine][label], **GIVEN).code == -9, at
        whole(made, [EXPECTED[engine][label]])
        assert kubectl.cluster.troubles == [], at
        assert _stands(kubectl) == _stands(reference.kubectl), at
    assert [call for call in made.calls if DESTRUCTIVE.search(call)] == []


def _stands(kubectl: Kubectl) -> dict[object, object]:
    """What is in the cluster, when the engine has done what it does."""
    for _time in range(400 if kubectl.running is not None else 0):
        if kubectl.running.watch.all_there():
            break
        kubectl.running.step()
    return {key: one.applied for key, one in kubectl.cluster.objects.items()}


@pytest.mark.parametrize("engine", BOTH)
def test_the_script_has_no_fault_that_shellcheck_knows(engine: str) -> None:
    script = BOTH[engine]["bootstrap.sh"]
    done = subprocess.run(["shellcheck", "-"], input=script, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()
