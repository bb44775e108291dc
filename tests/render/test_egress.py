"""The way out on machines that stand for real ones: trust, proxy, mirrors; and what the engines are told of it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from examples import CASES, Answers, example
from test_install import SECRETS, Machine, Maker, machine  # noqa: F401 - a fixture

from anycastle.cli import run
from anycastle.compose import validate_tree
from anycastle.finding import Severity
from anycastle.network.certificates import fingerprints
from anycastle.network.egress import around
from anycastle.plan import plan
from anycastle.render import render
from anycastle.render.egress import split
from tree import difference, tree_of

CASE = "behind-a-proxy"
DROP_IN = "etc/systemd/system/containerd.service.d/http-proxy.conf"
STALE = "var/lib/anycastle/containerd-stale"
PROXIES = {"HTTPS_PROXY": "http://shell.example.net:1", "https_proxy": "x", "no_proxy": "y", "ALL_PROXY": "z"}
ONE, TWO = 'plugins."io.containerd.grpc.v1.cri".registry', "plugins.'io.containerd.cri.v1.images'.registry"
DUMPS = {
    "1": f'version = 2\n  [{ONE}]\n      config_path = "/etc/containerd/certs.d"\n',
    "2": f"version = 3\n[{TWO}]\n  config_path = '/etc/containerd/certs.d'\n",
    "both": f"[{TWO}]\nconfig_path = '/etc/containerd/certs.d:/etc/docker/certs.d'",
    "none": f"[{TWO}]\nconfig_path = ''\n",
    "another": "[plugins.'io.containerd.transfer.v1.local']\nconfig_path = '/etc/containerd/certs.d'\n",
}
DEBIAN, RED_HAT = "usr/local/share/ca-certificates", "etc/pki/ca-trust/source/anchors"
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="nodes run Linux")


def program(one: Machine, name: str, body: str = "") -> None:
    path = one.programs / name
    path.write_text(f'#!/bin/sh\necho "{name} $*" >>"$STATE/calls"\n{body}\n')
    path.chmod(0o755)


def ready(make: Maker, node: str = "k8s-node-1", system: str = DEBIAN, dump: str = "2", change: Any = None) -> Machine:
    """A machine with containerd and a trust store; kubeadm leaves the proxy that it was started with behind."""
    one = make(node, CASE, change)
    (one.root / system).mkdir(parents=True)
    (one.state / "dump").write_text(DUMPS[dump])
    program(one, "containerd", 'cat "$STATE/dump"')
    program(one, "systemctl", '[ ! -e "$STATE/systemctl-fails" ]')
    program(one, "update-ca-certificates" if system == DEBIAN else "update-ca-trust")
    kubeadm = one.programs / "kubeadm"
    kubeadm.write_text(kubeadm.read_text() + '\nprintenv | cut -d= -f1 | grep -i proxy >"$STATE/proxies" || :\n')
    for name in ("cut",):
        (one.programs / name).symlink_to(f"/usr/bin/{name}")
    return one


def restarts(one: Machine) -> list[str]:
    return [call for call in one.calls() if call.startswith(("systemctl", "update-ca"))]


@linux
@pytest.mark.parametrize(("system", "refresh"), [(DEBIAN, "update-ca-certificates "), (RED_HAT, "update-ca-trust ")])
def test_everything_is_there_before_kubeadm_runs(machine: Maker, system: str, refresh: str) -> None:  # noqa: F811
    one = ready(machine, system=system)
    done = one.run(env=SECRETS | PROXIES)
    assert done.returncode == 0, done.stderr
    assert restarts(one) == [refresh, "systemctl daemon-reload", "systemctl restart containerd"]
    order = [call.split()[0] for call in one.changes()]
    assert order.index("systemctl") < order.index("kubeadm")
    assert one.text(DROP_IN) == one.source("containerd/http-proxy.conf")
    for number in (1, 2):
        assert one.text(f"{system}/anycastle-ca-{number}.crt") == one.source(f"ca-{number}.crt")
    hosts = {path.parent.name: path.read_text() for path in (one.root / "etc/containerd/certs.d").rglob("hosts.toml")}
    assert set(hosts) == {"docker.io", "ghcr.io", "quay.io", "registry.k8s.io", "registry.example.org_5000_"}
    assert (one.state / "proxies").read_text() == ""
    assert not (one.root / STALE).exists()


@linux
def test_a_second_run_restarts_nothing(machine: Maker) -> None:  # noqa: F811
    one = ready(machine)
    assert one.run(env=SECRETS).returncode == 0
    before = one.tree()
    (one.state / "calls").unlink()
    assert one.run().returncode == 0
    assert one.tree() == before
    assert restarts(one) == []


@linux
def test_a_change_of_the_proxy_restarts_containerd_and_a_mirror_does_not(machine: Maker) -> None:  # noqa: F811
    one = ready(machine)
    assert one.run(env=SECRETS).returncode == 0
    for path, expected in (("etc/containerd/certs.d/docker.io/hosts.toml", 0), (DROP_IN, 3)):
        (one.root / path).write_text("of an earlier life\n")
        (one.state / "calls").unlink()
        assert one.run().returncode == 0
        assert len(restarts(one)) == expected
        assert one.text(path) == one.source(
            f"containerd/{path.partition('containerd/')[2] if not expected else 'http-proxy.conf'}"
        )


@linux
def test_an_interrupted_restart_is_made_up_for(machine: Maker) -> None:  # noqa: F811
    one = ready(machine)
    (one.state / "systemctl-fails").touch()
    assert one.run(env=SECRETS).returncode != 0
    assert (one.root / STALE).exists()
    assert one.calls("kubeadm") == []
    (one.state / "systemctl-fails").unlink()
    (one.state / "calls").unlink()
    assert one.run(env=SECRETS).returncode == 0
    assert restarts(one)[1:] == ["systemctl daemon-reload", "systemctl restart containerd"]
    assert not (one.root / STALE).exists()


@linux
@pytest.mark.parametrize(
    ("dump", "good"), [("1", True), ("2", True), ("both", True), ("none", False), ("another", False)]
)
def test_mirrors_need_the_folder_that_containerd_reads(machine: Maker, dump: str, good: bool) -> None:  # noqa: F811
    one = ready(machine, dump=dump)
    before = one.tree()
    done = one.run(env=SECRETS)
    assert (done.returncode == 0) is good
    if not good:
        assert "config_path" in done.stderr
        assert one.tree() == before
        dry = one.run("--dry-run")
        assert dry.returncode == 0
        assert "config_path" in dry.stdout


@linux
def test_a_machine_without_a_trust_store_is_refused(machine: Maker) -> None:  # noqa: F811
    one = ready(machine)
    (one.programs / "update-ca-certificates").unlink()
    done = one.run(env=SECRETS)
    assert done.returncode == 1
    assert "ca-certificates" in done.stderr
    assert not (one.root / DROP_IN).exists()
    assert one.calls("kubeadm") == []


@linux
def test_a_dry_run_changes_nothing_and_says_what_it_would(machine: Maker) -> None:  # noqa: F811
    one = ready(machine)
    before = one.tree()
    done = one.run("--dry-run")
    assert done.returncode == 0, done.stderr
    assert one.tree() == before
    assert f"would write: /{DROP_IN}" in done.stdout
    assert "would run: systemctl restart containerd" in done.stdout
    assert restarts(one) == []


@linux
@pytest.mark.parametrize("left", ["proxy", "ca_certificates", "mirrors"])
def test_each_part_stands_alone_and_passes_shellcheck(machine: Maker, left: str) -> None:  # noqa: F811
    def only(answers: Answers) -> None:
        answers["egress"] = {left: answers["egress"][left]}

    one = ready(machine, change=only)
    done = one.run(env=SECRETS)
    assert done.returncode == 0, done.stderr
    assert bool(restarts(one)) is (left != "mirrors")
    assert (one.root / DROP_IN).exists() is (left == "proxy")
    checked = subprocess.run(["shellcheck", str(one.script)], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def made(engine: str = "argocd") -> dict[str, bytes]:
    def switched(answers: Answers) -> None:
        answers["gitops"]["engine"] = engine

    site, _network = example(CASE, switched)
    return render(site, plan(site))


def test_a_mirror_is_asked_where_the_names_of_its_images_say() -> None:
    """docker.io/a/b is registry.example.net/docker.io/a/b, whose API is /v2/docker.io/a/b."""
    files = made()
    hosts = {
        path.split("/")[-2]: tomllib.loads(data.decode())["host"]
        for path, data in files.items()
        if path.startswith("nodes/k8s-node-1/containerd/certs.d/")
    }
    assert hosts["docker.io"] == {
        "https://registry.example.net/v2/docker.io": {"capabilities": ["pull", "resolve"], "override_path": True}
    }
    assert hosts["quay.io"] == {"https://registry.example.net:5000": {"capabilities": ["pull", "resolve"]}}
    assert list(hosts["registry.example.org_5000_"]) == ["http://192.168.10.9/v2/apps"]


def environment(entries: list[dict[str, str]]) -> dict[str, str]:
    return {entry["name"]: entry["value"] for entry in entries}


def test_only_what_fetches_in_argo_cd_goes_through_the_proxy() -> None:
    values = yaml.safe_load(made()["apps/argo-cd/values.yaml"])
    env = environment(values["repoServer"]["env"])
    assert env["HTTPS_PROXY"] == "http://proxy.example.net:3128"
    assert set(values["controller"]) == {"env"}
    assert not [entry for entry in values["controller"]["env"] if "PROXY" in entry["name"]]
    exempt = env["NO_PROXY"].split(",")
    for inside in ("10.96.0.1", "172.20.3.4", "192.168.10.17", "192.168.20.1", "192.168.20.100", "git.example.com"):
        assert around(inside, exempt), inside
    for inside in (
        "control.k8s.example.com",
        "argocd-redis.argocd.svc",
        "x.svc.cluster.local",
        "10.200.0.1",
        "a.corp.example.net",
    ):
        assert around(inside, exempt), inside
    for outside in ("argoproj.github.io", "ghcr.io", "example.com", "203.0.113.7", "corp.example.org"):
        assert not around(outside, exempt), outside


def test_certificates_reach_the_one_file_that_git_reads() -> None:
    files = made()
    values = yaml.safe_load(files["apps/argo-cd/values.yaml"])
    server = values["repoServer"]
    [config] = values["extraObjects"]
    [name] = [volume["configMap"]["name"] for volume in server["volumes"] if "configMap" in volume]
    assert config["metadata"] == {"name": name, "namespace": "argocd"}
    wanted = fingerprints(yaml.safe_load(files["site.yaml"])["egress"]["ca_certificates"])
    assert len(wanted) == 2
    assert fingerprints("".join(config["data"].values())) == wanted
    [init] = server["initContainers"]
    mounts = {mount["name"]: mount["mountPath"] for mount in init["volumeMounts"]}
    [mounted] = server["volumeMounts"]
    merged = next(volume for volume in mounts if volume == mounted["name"])
    assert f"{mounts[merged]}/{mounted['subPath']}" in init["command"][2]
    assert mounted["mountPath"] in init["command"][2].split(">")[0]


def test_every_controller_of_flux_is_patched_by_what_bootstrap_keeps() -> None:
    files = made("flux")
    folder = "clusters/home/flux-system"
    value = yaml.safe_load(files[f"{folder}/kustomization.yaml"])
    assert value["resources"] == ["gotk-components.yaml", "gotk-sync.yaml"]
    [patch] = value["patches"]
    assert patch["target"] == {"kind": "Deployment", "labelSelector": "app.kubernetes.io/part-of=flux"}
    pod = yaml.safe_load(patch["patch"])["spec"]["template"]["spec"]
    [container] = pod["containers"]
    env = environment(container["env"])
    assert "source-controller.flux-system.svc.cluster.local.".endswith(".cluster.local.")
    assert ".cluster.local." in env["NO_PROXY"].split(",")
    assert {mount["mountPath"].rpartition("/")[0] for mount in container["volumeMounts"]} == {"/etc/ssl/certs"}
    [generated] = value["configMapGenerator"]
    assert pod["volumes"][0]["configMap"]["name"] == generated["name"]
    assert {mount["subPath"] for mount in container["volumeMounts"]} == set(generated["files"])
    assert all(files[f"{folder}/{name}"] for name in generated["files"])


CHARTS = "https://charts.example.net/upstream"


@pytest.mark.parametrize("engine", ["argocd", "flux"])
def test_one_repository_serves_all_charts(engine: str) -> None:
    def there(answers: Answers) -> None:
        answers["gitops"]["engine"] = engine
        answers["egress"]["charts"] = CHARTS

    site, network = example(CASE, there)
    files = render(site, network)
    named = {
        url
        for data in files.values()
        for url in re.findall(rb"https://[^\s\"']*(?:tigera|argoproj|traefik)[^\s\"']*", data)
    }
    engine_files = b"".join(data for path, data in files.items() if path.startswith(("argocd/", "clusters/", "flux/")))
    assert not [url for url in named if url in engine_files]
    assert CHARTS.encode() in engine_files
    readme = files["README.md"].decode()
    assert f"--repo {CHARTS} --version v3.32.2" in readme + files.get("bootstrap.sh", b"").decode()
    if engine == "flux":
        [source] = yaml.safe_load_all(files["clusters/home/sources.yaml"])
        assert source["spec"]["url"] == CHARTS
        assert b"name: charts\n" in files["flux/traefik/release.yaml"]
    proxy = next(one for one in network.proxies if not one.node)
    assert around("charts.example.net", proxy.exempt)


@pytest.mark.parametrize("engine", ["argocd", "flux"])
def test_a_site_that_says_nothing_gets_nothing(engine: str) -> None:
    def silent(answers: Answers) -> None:
        answers["gitops"]["engine"] = engine

    site, network = example("seed", silent)
    files = render(site, network)
    said = [path for path, data in files.items() if b"PROXY" in data or "certs.d" in path or "ca-1" in path]
    assert said == []
    assert not any(path.endswith("flux-system/kustomization.yaml") for path in files)


def test_a_bundle_is_taken_apart() -> None:
    bundle = (CASES / CASE / "site.yaml").read_text()
    text = yaml.safe_load(bundle)["egress"]["ca_certificates"]
    parts = split(text)
    assert len(parts) == 2
    assert "".join(parts) == text


GOLDEN = re.compile(
    r"nodes/k8s-node-1/(?:containerd/.*|ca-\d\.crt)|clusters/home/flux-system/(?:kustomization\.yaml|ca-.*)"
)


def test_the_golden_files(update_golden: bool) -> None:
    """`tests/cases/behind-a-proxy/egress/`: all that the way out adds to a machine, and to Flux."""
    folder = CASES / CASE / "egress"
    actual = {path: data for path, data in {**made("flux"), **made()}.items() if GOLDEN.fullmatch(path)}
    if update_golden and tree_of(folder) != actual:
        shutil.rmtree(folder, ignore_errors=True)
        for path, data in actual.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
    expected = tree_of(folder)
    assert actual == expected, difference(expected, actual)


def test_every_machine_has_the_same_files() -> None:
    files = made()
    nodes = {path.split("/")[1] for path in files if path.startswith("nodes/")}
    for path in (path for path in files if GOLDEN.fullmatch(path)):
        assert {files[f"nodes/{name}/{path.split('/', 2)[2]}"] for name in nodes} == {files[path]}


def test_nothing_is_said_of_the_case(tmp_path: Path) -> None:
    for engine in ("argocd", "flux"):
        for path, data in made(engine).items():
            (tmp_path / engine / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / engine / path).write_bytes(data)
        found = [one for one in validate_tree(tmp_path / engine).findings if one.severity is not Severity.UNCHECKED]
        assert found == []


def test_update_brings_the_way_out_and_takes_it_away(tmp_path: Path) -> None:
    root = tmp_path / "home"
    for path, data in made().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    site = root / "site.yaml"
    before = site.read_text()
    start, end = before.index("\n# How machines and the engine"), before.index("\n# Releases, all pinned.")
    site.write_text(before[:start] + before[end:])
    assert run(["update", str(root)]) == 0
    assert not list(root.glob("nodes/*/containerd"))
    assert not list(root.glob("nodes/*/*.crt"))
    assert "PROXY" not in (root / "apps/argo-cd/values.yaml").read_text()
    site.write_text(before)
    assert run(["update", str(root)]) == 0
    assert {path: data for path, data in tree_of(root).items() if not path.startswith(".anycastle")} == {
        path: data for path, data in made().items() if not path.startswith(".anycastle")
    }
