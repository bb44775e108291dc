"""Each app has a project that lets through what the app writes, and nothing else: held against the rendered objects."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from examples import CASES, Answers, example

from anycastle import helm, yamlio
from anycastle.render import app_kinds, apps, namespaces, projects
from anycastle.render.release import Release, releases
from anycastle.site.model import Site

OURS = Path(__file__).resolve().parents[2] / "charts"
ARGOCD = [
    name
    for name in sorted(path.name for path in CASES.iterdir())
    if "flux" not in (CASES / name / "site.yaml").read_text()
]
INVITED = {
    "calico-bgp": {("projectcalico.org", "FelixConfiguration")},
    "edge": {("traefik.io", "TLSStore")},
    "whoami": {("batch", "Job"), ("", "Pod")},
}
"""What a comment in the values says how to switch on."""
SHOWN = {
    ("apps", "Deployment"): {("apps", "ReplicaSet"), ("", "Pod")},
    ("apps", "StatefulSet"): {("apps", "ControllerRevision"), ("", "Pod")},
    ("batch", "Job"): {("", "Pod")},
}
"""What a workload's controller makes: without it Argo CD shows no pod and no log."""

Object = dict[str, Any]
Kind = tuple[str, str]


def specs(case: str, change: Any = None) -> dict[str, Object]:
    """The project of each app by name; each stands in a file of that name."""
    result = {}
    for path, data in projects.files(*example(case, change)).items():
        (document,) = yamlio.load(data).documents
        name = document.value["metadata"]["name"]
        assert path == f"argocd/projects/{name}.yaml"
        assert document.value["metadata"]["namespace"] == "argocd"
        result[name] = document.value["spec"]
    return result


def kinds(entries: Iterable[Mapping[str, str]]) -> set[Kind]:
    return {(entry["group"], entry["kind"]) for entry in entries}


def spaces(spec: Object) -> set[str]:
    assert {entry["server"] for entry in spec["destinations"]} == {"https://kubernetes.default.svc"}
    return {entry["namespace"] for entry in spec["destinations"]}


def rendered(chart: Path, release: Release, values: Any) -> list[Object]:
    made = helm.render(chart, values, helm.Release(release.name, release.namespace, "v1.36.4"), release.app)
    assert made.findings == ()
    found = [one.value for _path, text in made.texts for one in yamlio.load(text).documents if one.value]
    return [one for one in found if "pre-delete" not in str(one["metadata"].get("annotations"))]


def group(item: Object) -> str:
    return str(item["apiVersion"].rpartition("/")[0])


def holds(spec: Object, release: Release, objects: list[Object], cluster_wide: set[Kind], invited: set[Kind]) -> None:
    """The project allows exactly these objects."""
    wide = [item for item in objects if (group(item), item["kind"]) in cluster_wide]
    within = [item for item in objects if item not in wide]
    here = {item["metadata"].get("namespace", release.namespace) for item in within}
    assert spaces(spec) == here | {release.namespace}
    made = {(group(item), item["kind"]) for item in within}
    shown = {kind for workload in made for kind in SHOWN.get(workload, set())}
    named = {(group(item), item["kind"]) for item in wide}
    assert kinds(spec.get("clusterResourceWhitelist", ())) == named | (invited & cluster_wide)
    listed = made | shown | (invited - cluster_wide)
    if listed:
        assert kinds(spec["namespaceResourceWhitelist"]) == listed
        assert "namespaceResourceBlacklist" not in spec
    else:
        assert spec["namespaceResourceBlacklist"] == [{"group": "*", "kind": "*"}]


CLUSTER_WIDE = {
    ("", "Namespace"),
    ("apiextensions.k8s.io", "CustomResourceDefinition"),
    ("networking.k8s.io", "IngressClass"),
    ("operator.tigera.io", "APIServer"),
    ("operator.tigera.io", "Installation"),
    ("rbac.authorization.k8s.io", "ClusterRole"),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"),
    ("scheduling.k8s.io", "PriorityClass"),
    *(
        ("projectcalico.org", kind)
        for kind in (
            "BGPConfiguration",
            "BGPFilter",
            "BGPPeer",
            "FelixConfiguration",
            "IPPool",
            "IPReservation",
            "KubeControllersConfiguration",
        )
    ),
}


def _values(site: Site, network: Any, release: Release) -> Any:
    return yamlio.load(apps.files(site, network)[release.values[0]]).documents[0].value


@pytest.mark.parametrize("case", ARGOCD)
def test_a_project_allows_what_our_chart_makes_and_nothing_else(case: str) -> None:
    site, network = example(case)
    found = specs(case)
    for name, release in releases(site, network).items():
        if not release.repository and not release.folder:
            objects = rendered(OURS / release.chart, release, _values(site, network, release))
            holds(found[name], release, objects, CLUSTER_WIDE, INVITED.get(name, set()))


@pytest.mark.parametrize("case", ["seed", "passwords", "several-ingresses"])
@pytest.mark.shared
def test_a_project_allows_what_upstream_s_chart_makes_and_nothing_else(
    case: str, charts_dir: Path, tmp_path: Path
) -> None:
    site, network = example(case)
    found, compared = specs(case), set()
    for name, release in releases(site, network).items():
        folder = charts_dir / release.chart
        if release.repository and folder.is_dir():
            chart = alone(folder, tmp_path / name)
            objects = rendered(chart, release, _values(site, network, release))
            inside = (chart / "crds").is_dir() and release.definitions
            invited = {app_kinds.CRD} if inside else set()
            holds(found[name], release, objects, CLUSTER_WIDE, invited)
            compared.add(release.chart)
    assert compared, f"{charts_dir} has none of the charts"


def alone(folder: Path, to: Path) -> Path:
    """A chart without its dependencies, all of which are off with our values."""
    chart = Path(shutil.copytree(folder, to / folder.name))
    text = (chart / "Chart.yaml").read_text()
    value = {key: one for key, one in yamlio.load(text.encode()).documents[0].value.items() if key != "dependencies"}
    (chart / "Chart.yaml").write_text(yamlio.dump(value))
    (chart / "Chart.lock").unlink(missing_ok=True)
    return chart


@pytest.mark.parametrize("case", ARGOCD)
def test_sources_are_this_repository_and_where_the_chart_comes_from(case: str) -> None:
    site, network = example(case)
    found = specs(case)
    for name, release in releases(site, network).items():
        upstream = [release.repository] if release.repository and not release.vendored else []
        assert found[name]["sourceRepos"] == [site.gitops.repository, *upstream]


def test_a_namespace_is_allowed_by_name() -> None:
    site, network = example("seed")
    entries = specs("seed")["namespaces"]["clusterResourceWhitelist"]
    values = namespaces.values(site, network).value
    assert isinstance(values, Mapping)
    assert {entry["name"] for entry in entries if entry["kind"] == "Namespace"} == set(values["namespaces"])
    assert {entry["name"] for entry in entries if entry["kind"] == "PriorityClass"} == set(values["priorityClasses"])


def test_only_argo_cd_itself_its_root_and_its_route_reach_the_namespace_of_argo_cd() -> None:
    found = specs("seed")
    assert {name for name, spec in found.items() if "argocd" in spaces_or_none(spec)} == {"argo-cd", "edge", "root"}
    assert all(entry["group"] == "traefik.io" for entry in found["edge"]["namespaceResourceWhitelist"])
    assert found["root"]["namespaceResourceWhitelist"] == [{"group": "argoproj.io", "kind": "Application"}]
    assert "clusterResourceWhitelist" not in found["root"]


def spaces_or_none(spec: Object) -> set[str]:
    return spaces(spec) if spec["destinations"] else set()


def test_argo_cd_s_own_project_is_locked() -> None:
    """It exists whether we write it or not, and allows everything: each list must be there, to be replaced."""
    spec = specs("seed")["default"]
    assert (spec["sourceRepos"], spec["destinations"], spec["clusterResourceWhitelist"]) == ([], [], [])
    assert spec["namespaceResourceBlacklist"] == [{"group": "*", "kind": "*"}]


def test_what_a_site_does_not_ask_for_is_not_allowed() -> None:
    def plain(given: Answers) -> None:
        given["ingress"] = []

    found = specs("seed", plain)
    assert not {"traefik", "edge", "whoami"} & found.keys()
    assert "traefik" not in str(found["namespaces"])

    def single(given: Answers) -> None:
        given["ingress"][0]["replicas"] = 1

    budget = {"group": "policy", "kind": "PodDisruptionBudget"}
    assert budget in specs("seed")["traefik"]["namespaceResourceWhitelist"]
    assert budget not in specs("seed", single)["traefik"]["namespaceResourceWhitelist"]


def test_only_one_of_two_traefiks_brings_the_definitions() -> None:
    found = specs("several-ingresses")
    site, network = example("several-ingresses")
    charts = {name: release for name, release in releases(site, network).items() if release.chart == "traefik"}
    assert len(charts) > 1
    for name, release in charts.items():
        assert (app_kinds.CRD in kinds(found[name]["clusterResourceWhitelist"])) is release.definitions
