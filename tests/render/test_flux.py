"""What Flux is told: order with readiness, protection, sources, and nothing else that changes with the engine."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from examples import CASES, Answers, example

from anycastle import yamlio
from anycastle.network.order import AFTER, FOUNDATION, Part
from anycastle.render import flux, render
from anycastle.render.release import releases
from tree import difference, tree_of

Object = dict[str, Any]
EXPECTED = CASES / "flux" / "expected"
STEPS = 9


def on_flux(answers: Answers) -> None:
    answers["gitops"] |= {"engine": "flux"}


def with_repository(url: str) -> Any:
    def change(answers: Answers) -> None:
        answers["gitops"] |= {"engine": "flux", "repository": url}

    return change


def objects(case: str = "seed", change: Any = on_flux) -> dict[str, list[Object]]:
    files = flux.files(*example(case, change))
    return {path: [dict(one.value) for one in yamlio.load(data).documents] for path, data in files.items()}


def steps(case: str = "seed") -> dict[str, Object]:
    found = [
        one for many in objects(case).values() for one in many if one.get("kind") == "Kustomization" and "spec" in one
    ]
    return {one["metadata"]["name"]: one for one in found if one["metadata"]["name"] != "flux-system"}


def helm_releases(case: str = "seed") -> dict[str, Object]:
    return {path.split("/")[1]: many[0] for path, many in objects(case).items() if path.endswith("/release.yaml")}


@pytest.mark.parametrize("case", ["seed", "lab-ja"])
def test_every_app_waits_for_the_one_before_and_is_waited_for(case: str) -> None:
    found = steps(case)
    names = [app.name for app in example(case, on_flux)[1].apps]
    assert sorted(found) == sorted(names)
    assert [found[name]["spec"].get("dependsOn") for name in names] == [None, *([{"name": n}] for n in names[:-1])]
    assert all(one["spec"]["wait"] is True for one in found.values())


def test_a_chain_holds_every_need() -> None:
    """Each app comes after all that it needs, as the order of parts says; the engine itself is no app here."""
    names = [app.name for app in example("seed", on_flux)[1].apps]
    assert len(names) == STEPS
    assert Part.ENGINE not in names
    for part in names:
        needed = [names.index(other) for other in AFTER.get(Part(part), ()) if other in names]
        assert all(position < names.index(part) for position in needed), part


def test_a_step_waits_longer_than_its_release() -> None:
    minutes = {name: int(one["spec"]["timeout"].removesuffix("m")) for name, one in steps().items()}
    of_release = {name: int(one["spec"]["timeout"].removesuffix("m")) for name, one in helm_releases().items()}
    assert all(minutes[name] > of_release[name] for name in minutes)


def test_the_foundation_is_neither_pruned_nor_deleted() -> None:
    mark = {"kustomize.toolkit.fluxcd.io/prune": "disabled"}
    released = helm_releases()
    for name, step in steps().items():
        protected = name in {str(part) for part in FOUNDATION}
        release = released[name]
        assert step["spec"]["prune"] is not protected, name
        assert (step["spec"].get("deletionPolicy") == "Orphan") is protected, name
        for one in (step, release):
            assert (one["metadata"].get("annotations") == mark) is protected, name
        kept = release["spec"].get("commonMetadata") == {"annotations": {"helm.sh/resource-policy": "keep"}}
        assert kept is protected, name


def test_no_hook_of_the_foundation_runs_and_no_failure_takes_a_release_off() -> None:
    for name, release in helm_releases().items():
        spec = release["spec"]
        assert all(spec[action]["strategy"]["name"] == "RetryOnFailure" for action in ("install", "upgrade"))
        assert "remediation" not in spec["install"] | spec["upgrade"]
        if name in {str(part) for part in FOUNDATION}:
            actions = ("install", "upgrade", "rollback", "uninstall")
            assert all(spec[action]["disableHooks"] is True for action in actions), name
            assert spec["upgrade"]["chartNameChangeStrategy"] == "InPlaceUpdate"


def test_definitions_follow_their_chart() -> None:
    for name, release in helm_releases().items():
        policies = {release["spec"][action].get("crds") for action in ("install", "upgrade")}
        assert policies == ({"CreateReplace"} if name in ("calico-crds", "traefik") else {None}), name


def test_releases_are_named_as_the_bootstrap_names_them() -> None:
    site, network = example("seed", on_flux)
    for name, release in releases(site, network).items():
        spec = helm_releases()[name]["spec"]
        assert (spec["releaseName"], spec["targetNamespace"]) == (release.name, release.namespace)
        chart = spec["chart"]["spec"]
        if release.local:
            assert chart["chart"] == f"./charts/{release.chart}"
            assert chart["sourceRef"] == {"kind": "GitRepository", "name": "flux-system"}
        else:
            assert (chart["chart"], chart["version"]) == (release.chart, release.version)
            sources = {one["metadata"]["name"]: one["spec"]["url"] for one in objects()["clusters/home/sources.yaml"]}
            assert sources[chart["sourceRef"]["name"]] == release.repository


def test_value_files_are_those_of_the_app_and_the_persons_comes_last() -> None:
    site, network = example("seed", on_flux)
    files = render(site, network)
    for name, release in helm_releases().items():
        (kustomization,) = objects()[f"flux/{name}/kustomization.yaml"]
        (generator,) = kustomization["configMapGenerator"]
        given = dict(entry.split("=") for entry in generator["files"])
        paths = {key: str(Path("flux", name, path)) for key, path in given.items()}
        assert [entry["valuesKey"] for entry in release["spec"]["valuesFrom"]] == ["values.yaml", "overrides.yaml"]
        assert {entry["name"] for entry in release["spec"]["valuesFrom"]} == {generator["name"]}
        for key, path in paths.items():
            assert f"apps/{name}/{key}" in files
            assert path == f"flux/{name}/../../apps/{name}/{key}"


def test_a_changed_value_changes_the_release() -> None:
    """The name of the ConfigMap gets a hash, in the release, too: else the release is ready with its old values."""
    (configuration,) = objects()["flux/references.yaml"]
    assert configuration == {
        "nameReference": [
            {
                "kind": "ConfigMap",
                "version": "v1",
                "fieldSpecs": [{"path": "spec/valuesFrom/name", "kind": "HelmRelease"}],
            }
        ]
    }
    for name in helm_releases():
        (kustomization,) = objects()[f"flux/{name}/kustomization.yaml"]
        assert kustomization["configurations"] == ["../references.yaml"]
        assert "generatorOptions" not in kustomization


def test_calico_is_ready_when_the_operator_says_so() -> None:
    expressions = helm_releases()["calico-installation"]["spec"]["healthCheckExprs"]
    assert [one["kind"] for one in expressions] == ["Installation", "APIServer"]
    for one in expressions:
        assert one.keys() == {"apiVersion", "kind", "current"}, "Degraded is no failure"


@pytest.mark.parametrize(
    ("conditions", "ready"),
    [
        ([], False),
        ([{"type": "Ready", "status": "True", "observedGeneration": 3}], True),
        ([{"type": "Ready", "status": "True", "observedGeneration": 2}], False),
        ([{"type": "Ready", "status": "False", "observedGeneration": 3}], False),
        ([{"type": "Degraded", "status": "True"}, {"type": "Ready", "status": "True", "observedGeneration": 3}], True),
        ([{"type": "Degraded", "status": "False", "observedGeneration": 3}], False),
    ],
)
def test_the_expression_on_recorded_states(conditions: list[Object], ready: bool) -> None:
    cel = pytest.importorskip("cel_expr_python.cel")
    (expression, _same) = helm_releases()["calico-installation"]["spec"]["healthCheckExprs"]
    environment = cel.NewEnv(variables={"status": cel.Type.DYN, "metadata": cel.Type.DYN})
    given = {"status": {"conditions": conditions}, "metadata": {"generation": 3}}
    assert environment.compile(expression["current"]).eval(data=given).value() is ready


@pytest.mark.parametrize(
    ("written", "taken"),
    [
        ("https://git.example.com/platform/home.git", "https://git.example.com/platform/home.git"),
        ("git@git.example.com:platform/home.git", "ssh://git@git.example.com/platform/home.git"),
        ("ssh://git@git.example.com:2222/home.git", "ssh://git@git.example.com:2222/home.git"),
    ],
)
def test_the_repository_in_a_form_that_flux_knows(written: str, taken: str) -> None:
    source, root = objects(change=with_repository(written))["clusters/home/flux-system/gotk-sync.yaml"]
    assert source["spec"]["url"] == taken
    assert root["spec"]["path"] == "./clusters/home"


def test_the_sync_file_is_the_one_that_flux_bootstrap_writes() -> None:
    """Byte for byte, so that it finds its own file and commits no other (flux2 v2.9.4, pkg/manifestgen/sync)."""
    expected = """# This manifest was generated by flux. DO NOT EDIT.
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata:
  name: flux-system
  namespace: flux-system
spec:
  interval: 1m0s
  ref:
    branch: main
  secretRef:
    name: flux-system
  url: https://git.example.com/platform/home.git
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: flux-system
  namespace: flux-system
spec:
  interval: 10m0s
  path: ./clusters/home
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
"""
    files = flux.files(*example("seed", on_flux))
    assert files["clusters/home/flux-system/gotk-sync.yaml"].decode() == expected


def changed_by_the_engine() -> tuple[dict[str, bytes], dict[str, bytes]]:
    """What is another file, or only there, with each engine: (Argo CD, Flux)."""
    argocd, other = render(*example("seed")), render(*example("seed", on_flux))
    return (
        {path: data for path, data in argocd.items() if other.get(path) != data},
        {path: data for path, data in other.items() if argocd.get(path) != data},
    )


NAMING_THE_ENGINE = {
    ".anycastle/manifest.json",
    "Makefile",  # names of steps
    "README.md",
    "apps/edge/values.yaml",  # the route to Argo CD
    "apps/namespaces/values.yaml",  # its namespace; Flux brings its own
    "bootstrap.sh",
    "docs/runbook.md",
    "docs/waves.svg",
    "renovate.json",
    "site.yaml",
}


def test_every_other_byte_stays_the_same() -> None:
    before, after = changed_by_the_engine()
    gone = {path for path in before if path not in after}
    new = {path for path in after if path not in before}
    assert all(path.startswith(("argocd/", "apps/argo-cd/")) for path in gone), gone
    assert all(path.startswith(("clusters/home/", "flux/")) for path in new), new
    assert before.keys() & after.keys() == NAMING_THE_ENGINE


def test_nothing_speaks_of_the_other_engine() -> None:
    _before, after = changed_by_the_engine()
    left = {path for path, data in after.items() if re.search(rb"argo ?cd", data, re.IGNORECASE)}
    assert left == {"apps/edge/values.yaml", "site.yaml"}, "the key of the route, which is off; the other choice"


def test_the_golden_files(update_golden: bool, tmp_path: Path) -> None:
    """`pytest --update-golden` writes them anew."""
    _before, after = changed_by_the_engine()
    for path in after.keys() - (
        NAMING_THE_ENGINE - {"apps/edge/values.yaml", "apps/namespaces/values.yaml", "bootstrap.sh"}
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(after[path])
    if update_golden:
        shutil.rmtree(EXPECTED, ignore_errors=True)
        shutil.copytree(tmp_path, EXPECTED)
    expected, actual = tree_of(EXPECTED), tree_of(tmp_path)
    assert actual == expected, difference(expected, actual)
