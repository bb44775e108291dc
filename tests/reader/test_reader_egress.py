"""The way out in files that people wrote: whom a proxy is asked by, what it is asked for, where mirrors lead."""

from pathlib import Path

import handmade
import pytest
from handmade import Change, added

from anycastle.network.certificates import fingerprints
from anycastle.network.model import Network
from anycastle.reader import read
from anycastle.rules import judge

NODE = "nodes/k8s-node-1"
VALUES = "apps/argo-cd/values.yaml"
PROXY = "http://proxy.example.com:3128"
KUBELET = f'[Service]\nEnvironment="HTTPS_PROXY={PROXY}" "NO_PROXY=%s"\n'
ENV = f"repoServer:\n  env:\n  - {{name: https_proxy, value: {PROXY}}}\n%s"
FLUX = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [gotk-components.yaml]
patches:
- target: {kind: Deployment, labelSelector: app.kubernetes.io/part-of=flux}
  patch: |
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: all}
    spec:
      template:
        spec:
          containers:
          - name: manager
            env:
            - {name: HTTPS_PROXY, value: "http://proxy.example.com:3128"}
            - {name: NO_PROXY, value: "%s"}
"""


def network(root: Path, *changes: Change) -> Network:
    found = handmade.read_changed(root, *changes)
    assert handmade.judged(found) == []
    return found.network


def said(root: Path, *changes: Change) -> list[tuple[str, str, str]]:
    """What the rules say of the way out: code, weight, place."""
    found = judge(network(root, *changes))
    return [(one.code, str(one.severity), str(one.where)) for one in found if one.code.startswith("EGR")]


def drop_in(program: str, exempt: str, folder: str = NODE) -> Change:
    return added(f"{folder}/{program}.service.d/http-proxy.conf", KUBELET % exempt)


@pytest.mark.parametrize(
    ("exempt", "wrong"),
    [
        ("", True),
        ("localhost,127.0.0.1,10.0.0.0/8,192.168.0.0/16", True),
        ("k8s.example.com", False),
        (".k8s.example.com", False),
        ("control.k8s.example.com:6443", False),
        ("control.k8s.example", True),
        ("*", False),
    ],
)
def test_kubelet_dials_the_api_by_its_name(exempt: str, wrong: bool, tmp_path: Path) -> None:
    """An address in NO_PROXY does not help: it is the name that kubelet asks for, and nothing resolves it first."""
    found = said(tmp_path, drop_in("kubelet", exempt))
    place = f"{NODE}/kubelet.service.d/http-proxy.conf:2"
    assert found == ([("EGR001", "error", place)] if wrong else [])


def test_containerd_alone_needs_no_exemption(tmp_path: Path) -> None:
    assert said(tmp_path, drop_in("containerd", "")) == []


@pytest.mark.parametrize(
    ("exempt", "wrong"),
    [
        ("", True),
        ("  - {name: no_proxy, value: argocd-repo-server}\n", True),
        ("  - {name: no_proxy, value: 'localhost,10.96.0.0/12'}\n", False),
        ("  - {name: NO_PROXY, value: '10.96.0.1'}\n", False),
        ("  - {name: NO_PROXY, value: '10.0.0.0/8,.svc'}\n", False),
    ],
)
def test_argo_cd_reaches_the_api_server_by_the_service_range(exempt: str, wrong: bool, tmp_path: Path) -> None:
    text = handmade.repository()[VALUES] + ENV % exempt
    assert said(tmp_path, added(VALUES, text)) == ([("EGR001", "error", f"{VALUES}:5 repoServer.env")] if wrong else [])


@pytest.mark.parametrize(
    ("exempt", "wrong"),
    [
        (".cluster.local,.svc,10.96.0.0/12", True),
        (".cluster.local.,10.96.0.0/12", False),
        (".cluster.local.,.svc", True),
    ],
)
def test_parts_of_flux_call_one_another(exempt: str, wrong: bool, tmp_path: Path) -> None:
    path = "clusters/home/flux-system/kustomization.yaml"
    found = handmade.read_changed(tmp_path, added(path, FLUX % exempt))
    assert [one.code for one in handmade.judged(found)] == [], "what flux bootstrap brings is not missing"
    codes = [(one.code, str(one.where)) for one in judge(found.network) if one.code.startswith("EGR")]
    assert codes == ([("EGR001", f"{path}:5 patches[0]")] if wrong else [])


def test_a_patch_of_what_is_here_is_still_not_imitated(tmp_path: Path) -> None:
    """Only what `flux bootstrap` will write may be patched without a word."""
    change = added("manifests/pools/kustomization.yaml", FLUX.replace("gotk-components.yaml", "pool.yaml"))
    found = handmade.read_changed(tmp_path, change)
    assert "READ007" in {one.code for one in found.findings}


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ('[host."https://m.example.com"]\n', "https://m.example.com"),
        ('[host."https://m.example.com/v2"]\n', "https://m.example.com"),
        ('[host."https://m.example.com/v2/hub"]\noverride_path = true\n', "https://m.example.com/hub"),
        ('[host."http://m.example.com:5000/artifactory/hub"]\n', "http://m.example.com:5000/artifactory/hub"),
        ('server = "https://m.example.com"\n', "https://m.example.com"),
        ('[host."https://first.example.com"]\n[host."https://second.example.com"]\n', "https://first.example.com"),
    ],
)
def test_a_mirror_is_the_first_host(text: str, url: str, tmp_path: Path) -> None:
    found = network(tmp_path, added(f"{NODE}/containerd/certs.d/registry.example.org_5000_/hosts.toml", text)).mirrors
    assert [(one.node, one.registry, one.url) for one in found] == [("k8s-node-1", "registry.example.org:5000", url)]


def test_a_mirror_outside_of_every_machine_is_that_of_all(tmp_path: Path) -> None:
    text = '[host."https://m.example.com"]\n'
    assert [one.node for one in network(tmp_path, added("files/certs.d/docker.io/hosts.toml", text)).mirrors] == [""]
    assert said(tmp_path / "again", added("files/certs.d/docker.io/hosts.toml", text)) == []


def test_one_machine_without_a_mirror(tmp_path: Path) -> None:
    text = '[host."https://m.example.com"]\n'
    nodes = [*handmade.MASTERS, *handmade.WORKERS][:-1]
    changes = [added(f"nodes/{name}/certs.d/docker.io/hosts.toml", text) for name in nodes]
    assert [code for code, _weight, _place in said(tmp_path, *changes)] == ["EGR002"]


def test_damaged_files_are_no_fault_of_the_program(tmp_path: Path) -> None:
    for number, data in enumerate(
        (b"\xff\xfe", b"[[[[", b"host = 3\n", b"[host]\nx = 7\n", b'[host."https://["]\n', b"")
    ):
        root = handmade.write(tmp_path / str(number), handmade.repository())
        path = root / NODE / "certs.d/docker.io/hosts.toml"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        found = read(root)
        judge(found.network)
        assert {one.code for one in handmade.judged(found)} <= {"EGR010", "YAML005", "READ003"}
    root = handmade.write(tmp_path / "drop", handmade.repository())
    path = root / NODE / "kubelet.service.d/proxy.conf"
    path.parent.mkdir(parents=True)
    path.write_text("[Service]\nEnvironment=\"HTTPS_PROXY=http://[\nEnvironment='\n")
    judge(read(root).network)


def test_a_file_of_beginnings_is_no_certificate_and_no_riddle() -> None:
    assert fingerprints("-----BEGIN CERTIFICATE-----\n" * 140_000) == ()
