"""What Argo CD is told: order, protection, sources. What it may write: test_projects.py."""

from __future__ import annotations

from typing import Any

import pytest
from examples import example

from anycastle import yamlio
from anycastle.network.order import FOUNDATION
from anycastle.render import apps, argocd, charts
from anycastle.render.release import releases

CASES = pytest.mark.parametrize("case", ["seed", "lab-ja"])

Object = dict[str, Any]


def read(files: dict[str, bytes], path: str) -> Object:
    loaded = yamlio.load(files[path])
    assert loaded.findings == ()
    assert len(loaded.documents) == 1
    return dict(loaded.documents[0].value)


def applications(case: str) -> dict[str, Object]:
    files = argocd.files(*example(case))
    return {
        path.removeprefix("argocd/apps/").removesuffix(".yaml"): read(files, path)
        for path in files
        if path.startswith("argocd/apps/")
    }


@CASES
def test_an_application_for_every_app_in_its_wave(case: str) -> None:
    _site, network = example(case)
    waves = {
        name: obj["metadata"]["annotations"]["argocd.argoproj.io/sync-wave"] for name, obj in applications(case).items()
    }
    assert waves == {app.name: str(app.wave) for app in network.apps}
    for name, obj in applications(case).items():
        assert obj["metadata"]["name"] == name
        assert obj["metadata"]["namespace"] == "argocd"


@CASES
def test_the_foundation_is_neither_pruned_nor_deleted(case: str) -> None:
    for name, obj in applications(case).items():
        protected = name in {str(part) for part in FOUNDATION}
        options = obj["metadata"]["annotations"].get("argocd.argoproj.io/sync-options")
        assert (options == "Prune=false,Delete=false") is protected, name
        assert obj["spec"]["syncPolicy"]["automated"] == {"prune": not protected, "selfHeal": True}


@CASES
def test_no_application_takes_its_objects_with_it(case: str) -> None:
    root = read(argocd.files(*example(case)), "argocd/root.yaml")
    for obj in (root, *applications(case).values()):
        assert "finalizers" not in obj["metadata"]


@CASES
def test_value_files_exist_and_the_persons_comes_last(case: str) -> None:
    site, network = example(case)
    files = apps.files(site, network)
    for name, obj in applications(case).items():
        chart, git = obj["spec"]["sources"]
        assert git == {"repoURL": site.gitops.repository, "targetRevision": "main", "ref": "values"}
        paths = [path.removeprefix("$values/") for path in chart["helm"]["valueFiles"]]
        assert paths == [f"apps/{name}/values.yaml", f"apps/{name}/overrides.yaml"]
        assert set(paths) <= set(files)


@CASES
def test_charts_come_from_this_repository_or_from_a_pinned_release(case: str) -> None:
    pinned = {
        "calico-crds": ("crd.projectcalico.org.v1", "v3.32.2"),
        "tigera-operator": ("tigera-operator", "v3.32.2"),
        "traefik": ("traefik", "41.3.0"),
        "argo-cd": ("argo-cd", "10.3.3"),
    }
    for name, obj in applications(case).items():
        source = obj["spec"]["sources"][0]
        if name in pinned:
            assert (source["chart"], source["targetRevision"]) == pinned[name]
            assert "path" not in source
        else:
            assert f"{source['path']}/Chart.yaml" in charts.files()
            assert "chart" not in source


def test_releases_are_named_as_the_bootstrap_names_them() -> None:
    site, network = example("seed")
    for name, obj in applications("seed").items():
        release = releases(site, network)[name]
        assert obj["spec"]["sources"][0]["helm"]["releaseName"] == release.name
        assert obj["spec"]["destination"] == {
            "server": "https://kubernetes.default.svc",
            "namespace": release.namespace,
        }
        assert release.template.startswith(f"helm template {release.name} ")
        assert f"--namespace {release.namespace} --no-hooks" in release.template


@CASES
def test_objects_of_kinds_that_others_define_pass_the_dry_run(case: str) -> None:
    skip = "SkipDryRunOnMissingResource=true"
    for name, obj in applications(case).items():
        options = obj["spec"]["syncPolicy"]["syncOptions"]
        assert options[:2] == ["ServerSideApply=true", "FailOnSharedResource=true"]
        wants = name in {"calico-bgp", "calico-installation", "calico-loadbalancer", "edge", "whoami"}
        assert (skip in options) is wants, name


def test_traefik_s_definitions_are_not_pruned_in_silence() -> None:
    assert "Prune=confirm" in applications("seed")["traefik"]["spec"]["syncPolicy"]["syncOptions"]


@CASES
def test_syncs_are_tried_without_end_and_with_the_newest_commit(case: str) -> None:
    root = read(argocd.files(*example(case)), "argocd/root.yaml")
    for obj in (root, *applications(case).values()):
        assert obj["spec"]["syncPolicy"]["retry"] == {
            "limit": -1,
            "refresh": True,
            "backoff": {"duration": "10s", "factor": 2, "maxDuration": "1m"},
        }


def test_the_root_holds_the_applications_and_prunes() -> None:
    spec = read(argocd.files(*example("seed")), "argocd/root.yaml")["spec"]
    assert spec["source"] == {
        "repoURL": "https://git.example.com/platform/home.git",
        "targetRevision": "main",
        "path": "argocd/apps",
    }
    assert spec["syncPolicy"]["automated"] == {"prune": True, "selfHeal": True}
    assert spec["project"] == "root"
