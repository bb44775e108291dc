# ruff: noqa: F811  (fixtures of another module)
"""Behind an air gap: charts in the repository, images from mirrors, either engine, and the network cut."""

from collections.abc import Callable
from pathlib import Path

import pytest
from test_vendor import Server, chart, grave, offline, packed, server  # noqa: F401 - fixtures

from anycastle import compose, yamlio
from anycastle.cli import run
from anycastle.finding import Severity
from anycastle.reader import read
from anycastle.render import render

CASE = Path(__file__).resolve().parents[1] / "cases/behind-a-proxy/site.yaml"
REPO_SERVER = """apiVersion: apps/v1
kind: Deployment
metadata: {name: argocd-repo-server}
spec:
  selector: {matchLabels: {app: repo-server}}
  template:
    metadata: {labels: {app: repo-server}}
    spec:
      initContainers:
        {{- tpl (toYaml .Values.repoServer.initContainers) $ | nindent 8 }}
      containers:
      - name: repo-server
        image: quay.io/argoproj/argocd:v3.5.1
        resources: {limits: {memory: 64Mi}}
        env:
          {{- toYaml .Values.repoServer.env | nindent 10 }}
        volumeMounts:
          {{- toYaml .Values.repoServer.volumeMounts | nindent 10 }}
      volumes:
        {{- toYaml .Values.repoServer.volumes | nindent 8 }}
"""
EXTRA = """apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cm}
data:
  {{- toYaml .Values.configs.cm | nindent 2 }}
{{ range .Values.extraObjects }}---
{{ toYaml . }}
{{ end }}"""
IMAGE = '{{- define "argo-cd.defaultTag" }}v3.5.1{{ end }}'
DEFAULTS = "global: {image: {repository: quay.io/argoproj/argocd}}\nrepoServer: {image: {}}\n"
ARGO_CD = packed(
    "argo-cd",
    {
        "Chart.yaml": b"apiVersion: v2\nname: argo-cd\nversion: 10.3.3\n",
        "values.yaml": DEFAULTS.encode(),
        "templates/server.yaml": REPO_SERVER.encode(),
        "templates/extra.yaml": EXTRA.encode(),
        "templates/_image.tpl": IMAGE.encode(),
    },
)
"""As much of Argo CD's chart as says what its repo-server is told."""


def made(root: Path, engine: str) -> Path:
    text = CASE.read_text().replace("engine: argocd", f"engine: {engine}\n  source: vendored")
    judged = compose.site_findings(yamlio.load(text).documents[0].value)
    assert judged.site is not None, judged.findings
    assert judged.network is not None
    for path, data in render(judged.site, judged.network).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def switch(root: Path, engine: str, other: str) -> None:
    site = root / "site.yaml"
    text = site.read_text()
    assert f"engine: {other}" in text
    site.write_text(text.replace(f"engine: {other}", f"engine: {engine}"))
    assert run(["update", str(root)]) == 0


@pytest.mark.parametrize("engine", ["argocd", "flux"])
def test_a_vendored_repository_is_judged_without_a_network(
    engine: str,
    server: Server,
    offline: Callable[[], None],
    tmp_path: Path,
) -> None:
    root = made(tmp_path / "home", engine)
    server.serve("argo-cd", "10.3.3", ARGO_CD)
    assert run(["vendor", str(root), "--charts", server.address]) == 0
    offline()
    found = compose.validate_tree(root).findings
    assert [one for one in found if one.severity is Severity.UNCHECKED] == []
    assert [str(one) for one in found if one.severity is Severity.ERROR] == []
    assert not {one.code[:4] for one in found} & {"VEND", "FLUX", "EGR0", "SITE", "HELM"}
    assert run(["vendor", str(root)]) == 0


def test_nothing_of_flux_leads_out_of_a_vendored_repository(tmp_path: Path) -> None:
    root = made(tmp_path / "home", "flux")
    kinds = [item.kind for item in read(root).objects if item.group == "source.toolkit.fluxcd.io"]
    assert kinds == ["GitRepository"]
    for item in read(root).objects:
        if item.kind == "HelmRelease":
            chart_of = item.spec["chart"]["spec"]
            assert chart_of["sourceRef"] == {"kind": "GitRepository", "name": "flux-system"}
            assert chart_of["chart"].startswith(("./charts/", "./vendor/"))
            assert "version" not in chart_of


def test_the_engine_is_switched_and_back(server: Server, tmp_path: Path) -> None:
    """The chart of Argo CD goes with Argo CD and comes back with it; all others stay, byte for byte."""
    root = made(tmp_path / "home", "argocd")
    asked = ["vendor", str(root), "--charts", server.address]
    assert run(asked) == 0
    before = {path: path.read_bytes() for path in sorted((root / "vendor").rglob("*")) if path.is_file()}
    switch(root, "flux", "argocd")
    assert run(asked) == 0
    assert not (root / "vendor/argo-cd").exists()
    assert not (root / "argocd").exists()
    assert not [one for one in grave(root) if one.startswith(("FLUX", "ARGO", "VEND", "SITE", "REPO"))]
    network = read(root).network
    assert {proxy.program for proxy in network.proxies} == {"containerd", "flux"}
    switch(root, "argocd", "flux")
    assert run(asked) == 0
    assert {path: path.read_bytes() for path in sorted((root / "vendor").rglob("*")) if path.is_file()} == before
    assert not (root / "clusters").exists()
    assert not [one for one in grave(root) if one.startswith(("FLUX", "ARGO", "VEND", "SITE", "REPO"))]


def test_what_the_repo_server_is_told_is_read_from_the_rendered_chart(
    server: Server,
    tmp_path: Path,
) -> None:
    root = made(tmp_path / "home", "argocd")
    server.serve("argo-cd", "10.3.3", ARGO_CD)
    before = read(root).network
    assert run(["vendor", str(root), "--charts", server.address]) == 0
    after = read(root).network
    assert [proxy.program for proxy in after.proxies if not proxy.node] == ["argo-cd"]
    assert (after.proxies, after.trusts, after.mirrors) != ((), (), ())
    assert len(after.trusts) == len(after.nodes) + 1
    judged = compose.site_findings(yamlio.load((root / "site.yaml").read_bytes()).documents[0].value)
    assert judged.network is not None
    assert after.proxies == judged.network.proxies
    assert after.trusts == judged.network.trusts
    assert {proxy.program for proxy in before.proxies} == {"containerd"}, "before, no chart and no values were read"


def test_images_have_the_names_of_their_own_mirrors(server: Server, tmp_path: Path) -> None:
    root = made(tmp_path / "home", "flux")
    assert run(["vendor", str(root), "--charts", server.address, "--registry", "rest.example.net"]) == 0
    named = (root / "vendor/images.txt").read_text().splitlines()
    assert "quay.io/tigera/operator:v1.42.0 registry.example.net:5000/tigera/operator:v1.42.0" in named
    assert "docker.io/library/traefik:v3.7.0 registry.example.net/docker.io/library/traefik:v3.7.0" in named
    assert not [line for line in named if "rest.example.net" in line]
    server.serve("traefik", "41.3.0", chart("traefik", "41.3.0"))


def test_an_image_without_a_mirror_is_named(server: Server, tmp_path: Path) -> None:
    root = made(tmp_path / "home", "argocd")
    site = root / "site.yaml"
    lines = site.read_text().splitlines(keepends=True)
    site.write_text("".join(line for line in lines if "{registry: ghcr.io" not in line))
    assert run(["update", str(root)]) == 0
    assert run(["vendor", str(root), "--charts", server.address]) == 0
    [found] = [one for one in compose.validate_tree(root).findings if one.code == "EGR014"]
    assert found.severity is Severity.WARNING
    assert "ghcr.io/kube-vip/kube-vip:v1.2.4" in found.message
    assert found.where.path.endswith("kube-vip.yaml")


def test_the_repository_of_charts_in_the_site_file_is_asked(server: Server, tmp_path: Path) -> None:
    """The lock names upstream all the same: whose bytes they are, not who handed them over."""
    root = made(tmp_path / "home", "argocd")
    site = root / "site.yaml"
    site.write_text(site.read_text().replace("egress:\n", f'egress:\n  charts: "{server.address}"\n', 1))
    assert run(["update", str(root)]) == 0
    assert run(["vendor", str(root)]) == 0
    lock = yamlio.load((root / "vendor/charts.lock.yaml").read_bytes()).documents[0].value
    assert {one["repository"] for one in lock["charts"]} == {
        "https://argoproj.github.io/argo-helm",
        "https://docs.tigera.io/calico/charts",
        "https://traefik.github.io/charts",
    }
