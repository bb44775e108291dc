"""Secrets out of git, in both engines: they are there before what reads them, and not without any one of the gates."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import bootstrap
import pytest
import yaml
from argo import WAVE, ArgoCd, annotation
from contents import Files, documents, of_chart, values
from flux_engine import Flux
from repositories import edited, without
from simulated import Cluster

import secret_files
from anycastle import yamlio
from anycastle.plan import plan
from anycastle.render import render
from anycastle.site.load import parse

CASES = Path(__file__).resolve().parents[1] / "cases"
NAMES = ("secrets-sops", "secrets-sealed", "secrets-external")
PATIENCE = 400
Engine = ArgoCd | Flux
every_case = pytest.mark.parametrize("name", NAMES)
every_engine = pytest.mark.parametrize("engine", ["argocd", "flux"])


@cache
def repository(name: str, engine: str) -> Files:
    data: dict[str, Any] = yaml.safe_load((CASES / name / "site.yaml").read_text())
    data["gitops"]["engine"] = engine
    parsed = parse(data)
    assert parsed.site is not None, parsed.findings
    files = render(parsed.site, plan(parsed.site))
    for path in [path for path in files if path.startswith("secrets/")]:
        files[path] = yamlio.dump(secret_files.filled(documents(files, path)[0], [])).encode()
    return files


def at_the_network(files: Files, engine: str, late: str = "") -> Engine:
    """A bootstrap that ended before BGP, and before anybody made a Secret by hand."""
    cluster = Cluster()
    bootstrap.run(cluster, files, bootstrap.commands(files, bootstrap.CALICO))
    if engine == "argocd":
        bootstrap.run(cluster, files, bootstrap.commands(files, ("argo-cd",)))
    found: Engine = ArgoCd(cluster, files, late) if engine == "argocd" else Flux(cluster, files, late)
    found.begin()
    return found


def run(engine: Engine, steps: int = PATIENCE, *, whole: bool = False) -> list[str]:
    for _step in range(steps):
        engine.step()
        if engine.watch.all_there() and not whole:
            break
    return engine.cluster.troubles


@every_engine
@every_case
def test_every_secret_is_there_before_it_is_read(name: str, engine: str) -> None:
    found = at_the_network(repository(name, engine), engine)
    assert run(found) == []
    assert found.watch.all_there()
    secrets = {key[3] for key in found.cluster.objects if key[:2] == ("", "Secret")}
    assert secrets >= ({"wildcard"} if name == "secrets-external" else {"bgp-routers"})


@every_engine
@pytest.mark.parametrize(("name", "late"), [("secrets-sealed", "sealed-secrets"), ("secrets-sops", "secrets")])
def test_a_slow_controller_holds_the_peers_up(name: str, late: str, engine: str) -> None:
    found = at_the_network(repository(name, engine), engine, late)
    assert run(found) == []
    assert found.watch.all_there()


def early(files: Files, name: str, like: str) -> Files:
    """The app in the wave of another one."""
    (before,) = documents(files, f"argocd/apps/{like}.yaml")
    wave = {WAVE: annotation(before, WAVE)}
    return edited(files, f"argocd/apps/{name}.yaml", lambda app: app["metadata"]["annotations"].update(wave))


@pytest.mark.parametrize("name", ["secrets-sops", "secrets-sealed"])
def test_without_its_wave_a_session_has_no_password(name: str) -> None:
    files = early(repository(name, "argocd"), "secrets", "calico-loadbalancer")
    troubles = run(at_the_network(files, "argocd"))
    assert "the session of tor-a has no password" in troubles
    assert "calico-bgp before secrets" in troubles


def test_without_the_wave_of_the_controller_the_sealed_secrets_are_unknown() -> None:
    files = early(repository("secrets-sealed", "argocd"), "sealed-secrets", "secrets")
    troubles = run(at_the_network(files, "argocd", late="sealed-secrets"))
    assert [text for text in troubles if text.startswith(("secrets before", "sync of secrets failed"))]


def test_without_the_dependency_a_session_of_flux_has_no_password() -> None:
    files = repository("secrets-sealed", "flux")
    path = "clusters/secrets-sealed/calico-crds.yaml"
    free = edited(files, path, lambda value: value["spec"].update(dependsOn=[{"name": "namespaces"}]))
    assert "the session of tor-a has no password" in run(at_the_network(free, "flux", late="sealed-secrets"))


def test_without_its_expression_flux_takes_a_sealed_secret_for_a_secret() -> None:
    """kstatus calls an object without conditions ready: nobody has unsealed it yet."""
    files = repository("secrets-sealed", "flux")
    near = "clusters/secrets-sealed/calico-bgp.yaml"  # the bootstrap has brought what lies between
    files = edited(files, near, lambda value: value["spec"].update(dependsOn=[{"name": "secrets"}]))
    path = "clusters/secrets-sealed/secrets.yaml"
    blind = edited(files, path, lambda value: value["spec"].pop("healthCheckExprs"))
    early = "calico-bgp before secrets"
    troubles: list[list[str]] = []
    for one in (files, blind):
        found = at_the_network(one, "flux")
        found.cluster.unsealing = 20
        troubles.append(run(found))
    assert (early in troubles[0], early in troubles[1]) == (False, True)


@every_engine
@pytest.mark.parametrize(("name", "app"), [("secrets-sops", "secrets"), ("secrets-sealed", "sealed-secrets")])
def test_a_file_that_vanishes_takes_no_secret_along(name: str, app: str, engine: str) -> None:
    files = repository(name, engine)
    found = at_the_network(files, engine)
    run(found)
    found.push(without(files, f"argocd/apps/{app}.yaml", f"clusters/{name}/{app}.yaml"))
    run(found, 40, whole=True)
    assert [text for text in found.cluster.troubles if text.startswith("deleted")] == []
    assert ("", "Secret", "calico-system", "bgp-routers") in found.cluster.objects


def test_the_controllers_of_the_model_need_what_is_rendered() -> None:
    for name, chart in (("secrets-sealed", "sealed-secrets"), ("secrets-external", "external-secrets")):
        files = repository(name, "argocd")
        made = of_chart(chart, chart, chart, "1.0.0", values([files[f"apps/{chart}/values.yaml"]]))
        assert any(item["kind"] == "Deployment" for item in made.objects)
