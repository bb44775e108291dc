"""Argo CD brings the repository into a cluster: in order, without a loss, and not without any one of its gates."""

from __future__ import annotations

from typing import Any

import bootstrap
import pytest
from argo import OPTIONS, WAVE, ArgoCd, annotation
from contents import Files, documents, of_chart, values
from repositories import edited, released, repository, without
from simulated import API_SERVER, INSTALLATION, Cluster

ORDER = ["namespaces", "calico-crds", "tigera-operator", "calico-bgp", "calico-installation", "calico-loadbalancer",
         "argo-cd", "traefik", "edge", "whoami"]  # fmt: skip
SETTINGS = "apps/argo-cd/values.yaml"
HEALTH = "resource.customizations.health."
PATIENCE = 400
NO_API = 'sync of calico-bgp failed: no matches for kind "BGP'


def brought_up(files: Files, steps: tuple[str, ...] = bootstrap.ARGO_CD) -> Cluster:
    cluster = Cluster()
    bootstrap.run(cluster, files, bootstrap.commands(files, steps))
    return cluster


def at_the_network(files: Files, late: str = "", rollout: int = 6, serving: int = 3) -> ArgoCd:
    """A bootstrap that ended before BGP; since then the repository has a newer Argo CD, and another API server."""
    cluster = Cluster(rollout=rollout, serving=serving)
    bootstrap.run(cluster, files, bootstrap.commands(files, bootstrap.CALICO))
    lines = bootstrap.commands(files, ("argo-cd",))
    bootstrap.run(cluster, files, [line.replace("--version 10.3.3", "--version 10.3.2") for line in lines])
    cluster.objects[API_SERVER].applied["spec"] = {"apiServerDeployment": {}}
    return begun(ArgoCd(cluster, files, late))


def alone(files: Files, late: str = "") -> ArgoCd:
    """Without any bootstrap, but for Argo CD itself."""
    cluster = Cluster()
    cluster.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "argocd"}})
    for item in of_chart("argo-cd", "argocd", "argocd", "10.3.3", values([files[SETTINGS]])).objects:
        cluster.apply(item)
    cluster.step()
    return begun(ArgoCd(cluster, files, late))


def begun(engine: ArgoCd) -> ArgoCd:
    engine.begin()
    return engine


def run(engine: ArgoCd, steps: int = PATIENCE, *, whole: bool = False) -> list[str]:
    """Let it work until everything is there; the troubles on the way."""
    for _step in range(steps):
        engine.step()
        if engine.watch.all_there() and not whole:
            break
    return engine.cluster.troubles


def application(name: str) -> str:
    return f"argocd/apps/{name}.yaml"


def early(files: Files, name: str) -> Files:
    """The app in the wave of the one before it."""
    (before,) = documents(files, application(ORDER[ORDER.index(name) - 1]))
    wave = {WAVE: annotation(before, WAVE)}
    return edited(files, application(name), lambda app: app["metadata"]["annotations"].update(wave))


def without_health(files: Files, kind: str) -> Files:
    return edited(files, SETTINGS, lambda value: value["configs"]["cm"].pop(HEALTH + kind))


# --- what an app may write


@pytest.mark.parametrize("name", ORDER)
def test_without_a_kind_in_its_project_an_app_is_not_synced(name: str) -> None:
    def narrower(project: Any) -> None:
        lists = [key for key in project["spec"] if key.endswith("Whitelist")]
        project["spec"][lists[-1]] = [{"group": "example.com", "kind": "Nothing"}]

    files = edited(repository(), f"argocd/projects/{name}.yaml", narrower)
    start = alone if name in ORDER[:3] else at_the_network
    assert any(f"is not permitted in project {name}" in trouble for trouble in run(start(files)))


def test_an_app_in_the_project_of_argo_cd_itself_may_do_nothing() -> None:
    files = edited(repository(), application("whoami"), lambda app: app["spec"].update(project="default"))
    troubles = run(at_the_network(files))
    assert any("is not permitted in project default" in trouble for trouble in troubles)


# --- from nothing


@pytest.mark.parametrize("late", ["", *ORDER])
def test_from_an_empty_cluster_it_converges_without_a_trouble(late: str) -> None:
    files = repository()
    engine = begun(ArgoCd(brought_up(files), files, late))
    assert run(engine) == []
    assert engine.watch.all_there()


@pytest.mark.parametrize("late", ["", *ORDER])
def test_from_a_bootstrap_that_stopped_before_bgp_it_converges_without_a_trouble(late: str) -> None:
    engine = at_the_network(repository(), late)
    assert not engine.cluster.bgp
    assert run(engine) == []
    assert engine.watch.all_there()
    assert engine.cluster.bgp


def test_without_the_bootstrap_it_stops_before_it_switches_anything_on() -> None:
    engine = alone(repository())
    troubles = run(engine, 120)
    assert [text for text in troubles if not text.startswith(NO_API)] == []
    assert troubles
    assert INSTALLATION not in engine.cluster.objects


def test_a_whole_day_changes_nothing_more() -> None:
    files = repository()
    engine = settled(files)
    before = {key: there.generation for key, there in engine.cluster.objects.items()}
    assert run(engine, 60, whole=True) == []
    assert {key: there.generation for key, there in engine.cluster.objects.items()} == before


# --- without one gate


@pytest.mark.parametrize("name", ORDER[1:4])
def test_without_the_wave_of_an_app_before_the_network(name: str) -> None:
    needed = ORDER[ORDER.index(name) - 1]
    assert f"{name} before {needed}" in run(alone(early(repository(), name), late=needed), 60)


@pytest.mark.parametrize("name", ORDER[4:])
def test_without_the_wave_of_an_app(name: str) -> None:
    needed = ORDER[ORDER.index(name) - 1]
    assert f"{name} before {needed}" in run(at_the_network(early(repository(), name), late=needed))


def test_without_its_wave_the_installation_switches_bgp_on_too_early() -> None:
    files = early(repository(), "calico-installation")
    assert "BGP without its configuration: a full mesh of AS 64512" in run(at_the_network(files, late="calico-bgp"))


@pytest.mark.parametrize(
    ("kind", "rollout", "serving"),
    [
        ("argoproj.io_Application", 6, 3),
        ("operator.tigera.io_Installation", 20, 3),
        ("operator.tigera.io_APIServer", 6, 20),
    ],
)
def test_without_a_health_check(kind: str, rollout: int, serving: int) -> None:
    troubles: list[list[str]] = []
    for files in (repository(), without_health(repository(), kind)):
        troubles.append(run(at_the_network(files, rollout=rollout, serving=serving)))
    assert troubles[0] == []
    assert troubles[1] != []


OFFICIAL = """
hs = {}
hs.status = "Progressing"
hs.message = ""
if obj.status ~= nil then
  if obj.status.health ~= nil then
    hs.status = obj.status.health.status
    hs.message = obj.status.health.message
  end
end
return hs
"""


def test_with_the_health_check_of_the_documentation_the_waves_do_not_hold() -> None:
    """It believes the verdict on what is there, and of the spec before (argo-cd#27917, argo-cd#5585)."""
    key = f"{HEALTH}argoproj.io_Application"
    files = edited(repository(), SETTINGS, lambda value: value["configs"]["cm"].update({key: OFFICIAL}))
    assert [text for text in run(at_the_network(files)) if " before " in text]


def test_with_a_health_check_that_passes_degraded_on_the_sync_fails() -> None:
    script = """
    for _, c in ipairs((obj.status or {}).conditions or {}) do
      local newest = c.observedGeneration == obj.metadata.generation
      if c.type == "Degraded" and c.status == "True" then return { status = "Degraded", message = "" } end
      if c.type == "Ready" and c.status == "True" and newest then return { status = "Healthy", message = "" } end
    end
    return { status = "Progressing", message = "" }
    """
    key = f"{HEALTH}operator.tigera.io_Installation"
    files = edited(repository(), SETTINGS, lambda value: value["configs"]["cm"].update({key: script}))
    assert "sync of calico-installation failed: a resource is Degraded" in run(at_the_network(files))


def test_with_five_tries_a_slow_network_is_given_up() -> None:
    """Argo CD's default; the API server is away for longer than that."""
    files = edited(repository(), application("calico-bgp"), lambda app: app["spec"]["syncPolicy"].pop("retry"))
    engine = alone(files)
    run(engine, 60)
    lines = bootstrap.commands(files, bootstrap.CALICO)
    bootstrap.run(engine.cluster, files, lines)
    run(engine, 120)
    assert not engine.watch.there("calico-bgp")
    again = alone(repository())
    run(again, 60)
    bootstrap.run(again.cluster, repository(), lines)
    run(again)
    assert again.watch.all_there()


# --- nothing of the foundation is lost


def settled(files: Files) -> ArgoCd:
    engine = begun(ArgoCd(brought_up(files), files))
    run(engine)
    assert run(engine, 20, whole=True) == []
    return engine


@pytest.mark.parametrize("name", ORDER[:7])
def test_a_file_of_the_foundation_that_vanishes_takes_nothing_along(name: str) -> None:
    engine = settled(repository())
    engine.push(without(repository(), application(name)))
    assert run(engine, 40, whole=True) == []


def test_without_protection_the_network_goes_with_the_file() -> None:
    """The hook of the operator's chart runs though the Application has no finalizer (since Argo CD 3.3)."""
    bare = application("tigera-operator")
    files = edited(repository(), bare, lambda app: app["metadata"]["annotations"].pop(OPTIONS))
    engine = settled(files)
    engine.push(without(files, application("tigera-operator")))
    assert "deleted Installation default" in run(engine, 40, whole=True)


def test_what_vanishes_from_a_chart_of_the_foundation_stays() -> None:
    files = repository()
    engine = settled(files)
    engine.push(edited(files, "apps/namespaces/values.yaml", lambda value: value["namespaces"].pop("whoami")))
    run(engine, 40, whole=True)
    assert [text for text in engine.cluster.troubles if text.startswith("deleted")] == []


def test_an_app_that_is_no_foundation_goes_with_its_file() -> None:
    engine = settled(repository())
    engine.push(without(repository(), application("whoami")))
    assert run(engine, 40, whole=True) == []
    assert not [key for key in engine.cluster.objects if key[1] == "Application" and key[3] == "whoami"]


# --- changes


CALICO, TRAEFIK, ARGO_CD = {"calico": "3.33.0"}, {"traefik_chart": "41.4.0"}, {"argocd_chart": "10.4.0"}


@pytest.mark.parametrize("versions", [CALICO, TRAEFIK, CALICO | TRAEFIK | ARGO_CD], ids=["calico", "traefik", "all"])
@pytest.mark.parametrize("late", ["", "calico-crds", "tigera-operator", "argo-cd"])
def test_a_new_release_goes_through_in_order(versions: dict[str, str], late: str) -> None:
    engine = settled(repository())
    engine.late = late
    engine.push(released(**versions))
    assert run(engine) == []
    assert engine.watch.all_there()


def test_without_the_wave_a_new_operator_runs_with_old_definitions() -> None:
    engine = settled(early(repository(), "tigera-operator"))
    engine.late = "calico-crds"
    engine.push(early(released(**CALICO), "tigera-operator"))
    assert "the operator 3.33.0 runs with definitions ['3.32.2']" in run(engine)


def test_a_release_that_drops_a_definition_deletes_no_route() -> None:
    engine = settled(repository())
    engine.push(released(traefik_chart="42.0.0"))
    assert run(engine, 80, whole=True) == []
    unguarded = application("traefik")
    drop: Any = lambda app: app["spec"]["syncPolicy"]["syncOptions"].remove("Prune=confirm")  # noqa: E731
    engine = settled(edited(repository(), unguarded, drop))
    engine.push(edited(released(traefik_chart="42.0.0"), unguarded, drop))
    assert "deleted CustomResourceDefinition ingressrouteudps.traefik.io" in run(engine, 80, whole=True)


POOL = (
    ("name: loadbalancer-pool, ranges: [192.168.20.64/26]", "name: second-pool, ranges: [192.168.21.64/26]"),
    ("192.168.20.100", "192.168.21.100"),
)


def test_a_new_pool_arrives_though_nothing_orders_it() -> None:
    """A change of values alone reaches its app at once (argo-cd#8778): the Service may ask before there is a pool."""
    engine = settled(repository())
    engine.push(repository(*POOL))
    troubles = run(engine)
    assert engine.watch.all_there()
    assert not [text for text in troubles if text.startswith(("deleted", "BGP without", "sync of"))]


def test_the_range_of_a_pool_cannot_be_changed_in_place() -> None:
    engine = settled(repository())
    engine.push(repository(("192.168.20.64/26", "192.168.21.64/26"), ("192.168.20.100", "192.168.21.100")))
    assert "sync of calico-loadbalancer failed: IPPool CIDR cannot be modified" in run(engine, 60)


def test_an_object_that_stays_behind_holds_no_wave_up() -> None:
    """The old pool stays, as all of the foundation does; a new release after that must still get through."""
    engine = settled(repository())
    engine.push(repository(*POOL))
    run(engine)
    pinned = ("\ngitops:", "\nversions: {traefik_chart: 41.4.0}\ngitops:")
    engine.push(repository(*POOL, pinned))
    run(engine)
    assert engine.watch.all_there()
