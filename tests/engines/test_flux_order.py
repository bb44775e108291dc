"""Flux brings the repository into a cluster: in order, without a loss, and not without any one of its gates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bootstrap
import pytest
from contents import Files
from flux_engine import HELM, Flux, kustomization
from repositories import edited, repository, without
from simulated import API_SERVER, INSTALLATION, Cluster

ORDER = ["namespaces", "calico-crds", "tigera-operator", "calico-bgp", "calico-installation", "calico-loadbalancer",
         "traefik", "edge", "whoami"]  # fmt: skip
ON_FLUX = ("engine: argocd", "engine: flux")
PATIENCE = 400
NO_API = 'release calico-bgp failed: no matches for kind "BGP'


def on_flux(*changes: tuple[str, str]) -> Files:
    return repository(ON_FLUX, *changes)


def released(**versions: str) -> Files:
    pinned = ", ".join(f"{name}: {version}" for name, version in versions.items())
    return on_flux(("\ngitops:", f"\nversions: {{{pinned}}}\ngitops:"))


def brought_up(files: Files, steps: tuple[str, ...] = bootstrap.NETWORK) -> Cluster:
    cluster = Cluster()
    bootstrap.run(cluster, files, bootstrap.commands(files, steps))
    return cluster


def at_the_network(files: Files, late: str = "", rollout: int = 6, serving: int = 3) -> Flux:
    """A bootstrap that ended before BGP; since then the repository has another API server."""
    cluster = Cluster(rollout=rollout, serving=serving)
    bootstrap.run(cluster, files, bootstrap.commands(files, bootstrap.CALICO))
    cluster.objects[API_SERVER].applied["spec"] = {"apiServerDeployment": {}}
    return begun(Flux(cluster, files, late))


def alone(files: Files, late: str = "") -> Flux:
    return begun(Flux(Cluster(), files, late))


def begun(engine: Flux) -> Flux:
    engine.begin()
    return engine


def run(engine: Flux, steps: int = PATIENCE, *, whole: bool = False) -> list[str]:
    for _step in range(steps):
        engine.step()
        if engine.watch.all_there() and not whole:
            break
    return engine.cluster.troubles


def settled(files: Files) -> Flux:
    engine = begun(Flux(brought_up(files), files))
    run(engine)
    assert run(engine, 20, whole=True) == []
    return engine


def step(name: str) -> str:
    return f"clusters/home/{name}.yaml"


def of(name: str) -> str:
    return f"flux/{name}/release.yaml"


Spec = dict[str, Any]


def changed(files: Files, path: str, change: Callable[[Spec], object]) -> Files:
    return edited(files, path, lambda value: change(value["spec"]))


# --- from nothing


@pytest.mark.parametrize("late", ["", *ORDER])
def test_from_an_empty_cluster_it_converges_without_a_trouble(late: str) -> None:
    files = on_flux()
    engine = begun(Flux(brought_up(files), files, late))
    assert run(engine) == []
    assert engine.watch.all_there()


@pytest.mark.parametrize("late", ["", *ORDER])
def test_from_a_bootstrap_that_stopped_before_bgp_it_converges_without_a_trouble(late: str) -> None:
    engine = at_the_network(on_flux(), late)
    assert not engine.cluster.bgp
    assert run(engine) == []
    assert engine.watch.all_there()
    assert engine.cluster.bgp


def test_without_the_bootstrap_it_stops_before_it_switches_anything_on() -> None:
    engine = alone(on_flux())
    troubles = run(engine, 120)
    assert [text for text in troubles if not text.startswith(NO_API)] == []
    assert troubles
    assert INSTALLATION not in engine.cluster.objects


def test_it_goes_on_by_itself_when_the_bootstrap_comes_later() -> None:
    files = on_flux()
    engine = alone(files)
    run(engine, 60)
    bootstrap.run(engine.cluster, files, bootstrap.commands(files, bootstrap.CALICO))
    run(engine)
    assert engine.watch.all_there()


def test_a_whole_day_changes_nothing_more() -> None:
    engine = settled(on_flux())
    before = {key: there.generation for key, there in engine.cluster.objects.items()}
    assert run(engine, 60, whole=True) == []
    assert {key: there.generation for key, there in engine.cluster.objects.items()} == before


# --- without one gate


def engine_for(name: str, files: Files, late: str) -> Flux:
    """Gates before the network bite in an empty cluster, the others on one that has a network."""
    return alone(files, late) if ORDER.index(name) < 4 else at_the_network(files, late)


@pytest.mark.parametrize("name", ORDER[1:])
def test_without_its_dependency_an_app_comes_too_early(name: str) -> None:
    needed = ORDER[ORDER.index(name) - 1]
    files = changed(on_flux(), step(name), lambda spec: spec.pop("dependsOn"))
    assert [text for text in run(engine_for(name, files, needed), 120) if text.startswith(f"{name} before ")]


@pytest.mark.parametrize("name", ORDER[1:])
def test_without_waiting_for_the_app_before_it_comes_too_early(name: str) -> None:
    needed = ORDER[ORDER.index(name) - 1]
    files = changed(on_flux(), step(needed), lambda spec: spec.update(wait=False))
    engine = engine_for(name, files, "")
    engine.slow = needed
    assert [text for text in run(engine, 120) if text.startswith(f"{name} before ")]


def test_without_its_dependency_the_installation_switches_bgp_on_too_early() -> None:
    files = changed(on_flux(), step("calico-installation"), lambda spec: spec.pop("dependsOn"))
    assert "BGP without its configuration: a full mesh of AS 64512" in run(at_the_network(files, late="calico-bgp"))


@pytest.mark.parametrize(("index", "rollout", "serving"), [(0, 20, 3), (1, 6, 30)], ids=["Installation", "APIServer"])
def test_without_an_expression_for_readiness(index: int, rollout: int, serving: int) -> None:
    """kstatus calls an object without the conditions it knows current."""
    troubles: list[list[str]] = []
    for files in (on_flux(), changed(on_flux(), of("calico-installation"), lambda s: s["healthCheckExprs"].pop(index))):
        troubles.append(run(at_the_network(files, rollout=rollout, serving=serving)))
    assert troubles[0] == []
    assert troubles[1] != []


def test_without_retries_a_release_that_failed_once_stays_away() -> None:
    def default(spec: Spec) -> None:
        spec["install"].pop("strategy")

    files = changed(on_flux(), of("calico-bgp"), default)
    engine = alone(files)
    run(engine, 60)
    bootstrap.run(engine.cluster, files, bootstrap.commands(files, bootstrap.CALICO))
    run(engine, 200)
    assert not engine.watch.there("calico-bgp")


def test_with_remediation_a_failure_takes_the_network_away() -> None:
    def remedied(spec: Spec) -> None:
        for name in ("install", "upgrade"):
            spec[name] = {"remediation": {"retries": 3}}
        spec.pop("commonMetadata")
        spec.pop("uninstall")

    files = on_flux()
    troubles: list[list[str]] = []
    for tried in (files, changed(files, of("tigera-operator"), remedied)):
        engine = begun(Flux(brought_up(released(calico="3.32.1")), tried))
        engine.timeout = 0  # Helm has no patience at all
        troubles.append(run(engine, 60))
    assert not [text for text in troubles[0] if text.startswith("deleted")]
    assert "deleted Installation default" in troubles[1]


def test_without_a_hash_in_the_name_of_the_values_the_next_app_does_not_wait() -> None:
    """The HelmRelease is not changed by a changed value, so it is ready all the time."""

    def plain(files: Files) -> Files:
        for name in ORDER:
            path = f"flux/{name}/kustomization.yaml"
            files = edited(files, path, lambda value: value.update(generatorOptions={"disableNameSuffixHash": True}))
        return files

    engine = settled(plain(on_flux()))
    engine.slow = "calico-loadbalancer"
    engine.push(plain(on_flux(*POOL)))
    assert "traefik before calico-loadbalancer" in run(engine)


# --- nothing of the foundation is lost


@pytest.mark.parametrize("name", ORDER[:6])
def test_a_file_of_the_foundation_that_vanishes_takes_nothing_along(name: str) -> None:
    engine = settled(on_flux())
    following = ORDER[ORDER.index(name) + 1]
    engine.push(changed(without(on_flux(), step(name)), step(following), lambda spec: spec.pop("dependsOn")))
    assert run(engine, 40, whole=True) == []
    engine.push(without(on_flux(), step(name), f"flux/{name}/"))
    assert not [text for text in run(engine, 40, whole=True) if text.startswith("deleted")]


@pytest.mark.parametrize("name", ["tigera-operator", "calico-installation", "calico-crds"])
def test_a_release_of_the_foundation_that_is_deleted_leaves_all_behind(name: str) -> None:
    engine = settled(on_flux())
    engine._delete((HELM, "HelmRelease", "flux-system", name))
    assert engine.cluster.troubles == []
    assert engine.cluster.network


def test_without_protection_the_network_goes_with_the_file() -> None:
    def unguarded(value: dict[str, Any]) -> None:
        value["metadata"].pop("annotations")
        spec = value["spec"]
        if value["kind"] == "Kustomization":
            spec.pop("deletionPolicy")
            spec["prune"] = True
        else:
            spec.pop("commonMetadata")
            spec.pop("uninstall")

    files = on_flux()
    for path in (step("tigera-operator"), of("tigera-operator")):
        files = edited(files, path, unguarded)
    engine = settled(files)
    engine.push(without(files, step("tigera-operator")))
    assert "deleted Installation default" in run(engine, 40, whole=True)


def test_each_guard_alone_keeps_the_network() -> None:
    """Annotation on the Kustomization, its policy, the release's annotation, hooks off with objects kept."""

    def bare(files: Files, but: str) -> Files:
        def step_of(value: dict[str, Any]) -> None:
            if but != "annotation of the step":
                value["metadata"].pop("annotations")
            if but != "policy":
                value["spec"].pop("deletionPolicy")
                value["spec"]["prune"] = True

        def release_of(value: dict[str, Any]) -> None:
            if but != "annotation of the release":
                value["metadata"].pop("annotations")
            if but != "Helm":
                value["spec"].pop("commonMetadata")
                value["spec"].pop("uninstall")

        return edited(edited(files, step("tigera-operator"), step_of), of("tigera-operator"), release_of)

    for guard in ("annotation of the step", "policy", "annotation of the release", "Helm"):
        files = bare(on_flux(), guard)
        engine = settled(files)
        engine.push(without(files, step("tigera-operator")))
        assert run(engine, 40, whole=True) == [], guard


def test_an_app_that_is_no_foundation_goes_with_its_file() -> None:
    engine = settled(on_flux())
    engine.push(without(on_flux(), step("whoami")))
    assert run(engine, 40, whole=True) == []
    assert kustomization("whoami") not in engine.cluster.objects
    assert not [key for key in engine.cluster.objects if key[2] == "whoami"]


def test_what_vanishes_from_a_chart_of_the_foundation_stays() -> None:
    engine = settled(on_flux())
    files = edited(on_flux(), "apps/namespaces/values.yaml", lambda value: value["namespaces"].pop("whoami"))
    engine.push(files)
    assert run(engine, 40, whole=True) == []


# --- changes

CALICO, TRAEFIK = {"calico": "3.33.0"}, {"traefik_chart": "41.4.0"}
POOL = (
    ("name: loadbalancer-pool, ranges: [192.168.20.64/26]", "name: second-pool, ranges: [192.168.21.64/26]"),
    ("192.168.20.100", "192.168.21.100"),
)


@pytest.mark.parametrize("versions", [CALICO, TRAEFIK, CALICO | TRAEFIK], ids=["calico", "traefik", "both"])
@pytest.mark.parametrize("late", ["", "calico-crds", "tigera-operator", "traefik"])
def test_a_new_release_goes_through_in_order(versions: dict[str, str], late: str) -> None:
    engine = settled(on_flux())
    engine.slow = late
    engine.push(released(**versions))
    assert run(engine) == []
    assert engine.watch.all_there()


def test_without_its_dependency_a_new_operator_runs_with_old_definitions() -> None:
    def independent(files: Files) -> Files:
        return changed(files, step("tigera-operator"), lambda spec: spec.pop("dependsOn"))

    engine = settled(on_flux())
    engine.slow = "calico-crds"
    engine.push(independent(released(**CALICO)))
    assert "the operator 3.33.0 runs with definitions ['3.32.2']" in run(engine)


@pytest.mark.parametrize("late", ["", "calico-bgp", "calico-loadbalancer"])
def test_a_new_pool_goes_through_in_order(late: str) -> None:
    """Every app is looked at anew for each commit: the Service asks when the pool is there."""
    engine = settled(on_flux())
    engine.slow = late
    engine.push(on_flux(*POOL))
    assert run(engine) == []
    assert engine.watch.all_there()


def test_a_release_that_drops_a_definition_deletes_no_route() -> None:
    engine = settled(on_flux())
    engine.push(released(traefik_chart="42.0.0"))
    assert run(engine, 80, whole=True) == []


def test_new_definitions_of_traefik_arrive_only_because_they_are_replaced() -> None:
    engine = settled(on_flux())
    engine.push(released(**TRAEFIK))
    run(engine)
    routes = ("apiextensions.k8s.io", "CustomResourceDefinition", "", "ingressroutes.traefik.io")
    version = "app.kubernetes.io/version"
    assert engine.cluster.objects[routes].applied["metadata"]["labels"][version] == "41.4.0"

    def skipped(files: Files) -> Files:
        return changed(files, of("traefik"), lambda spec: spec["upgrade"].pop("crds"))

    engine = settled(skipped(on_flux()))
    engine.push(skipped(released(**TRAEFIK)))
    run(engine)
    assert engine.cluster.objects[routes].applied["metadata"]["labels"][version] == "41.3.0"
