# ruff: noqa: E501  (a table reads best with one case a line)
"""One mistake in a good repository: its code, its place, and nothing else."""

import re
from dataclasses import dataclass
from pathlib import Path

import handmade
import pytest
from handmade import Change, added, application, folder, read_changed, replaced, upstream

from anycastle.finding import Severity
from anycastle.reader import CODES, read

MASTER = "nodes/k8s-master-1/kube-vip.yaml"
NODE = "nodes/k8s-node-1/kubeadm.yaml"
FRR = "routers/router/frr.conf"
BGP = "manifests/bgp/bgp.yaml"
TRAEFIK = "apps/traefik/values.yaml"
VALUE = "{name: %s, value: %s}"


@dataclass(frozen=True)
class Case:
    """What is changed, what must be said of it, and at which place (`path:line key`)."""

    code: str
    place: str
    change: Change
    also: tuple[str, ...] = ()


def env(name: str, old: str, new: str) -> Change:
    return replaced(MASTER, f"{{name: {name}, value: {old}}}", f"{{name: {name}, value: {new}}}")


def more_env(name: str, value: str) -> Change:
    return replaced(
        MASTER, "        - {name: cp_enable", f"        - {{name: {name}, value: {value}}}\n        - {{name: cp_enable"
    )


ENV = "spec.containers[0].env[%s].value"
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: apps}\n"
OPENED = "stringData: {a: 'ENC[x]'}\nsops: {mac: 'ENC[m]', age: [{recipient: age1one}]}\n"


def for_another(files: handmade.Files) -> None:
    files |= {"secrets/s.yaml": SECRET + OPENED, ".sops.yaml": "creation_rules: [{age: age1other}]\n"}


CASES = [
    # --- values that no program can read
    Case("READ001", f"{NODE}:7 nodeRegistration.kubeletExtraArgs[0].value", replaced(NODE, "192.168.10.20", "192.168.10.999")),
    Case("READ001", f"{BGP}:9 spec.serviceLoadBalancerIPs[0].cidr", replaced(BGP, "- cidr: 192.168.20.64/26", "- cidr: 192.168.20.65/26")),
    Case("READ001", f"{BGP}:26 spec.peerIP", replaced(BGP, "peerIP: 192.168.10.1", "peerIP: router.example.com")),
    Case("READ001", f"{BGP}:28 spec.maxRestartTime", replaced(BGP, "2m5s", "two minutes")),
    Case("READ001", f"{BGP}:27 spec.asNumber", replaced(BGP, "asNumber: 65010", "asNumber: 65010.7")),
    Case("READ001", "manifests/pools/pool.yaml:5 spec.cidr", replaced("manifests/pools/pool.yaml", "192.168.20.64/26", "192.168.20.64/33")),
    Case("READ001", f"{FRR}:7", replaced(FRR, "permit 192.168.20.1/32", "permit 192.168.20.1/24")),
    Case("READ001", "routers/router/nftables.conf:4", replaced("routers/router/nftables.conf", "192.168.20.1,", "192.168.20.256,")),
    Case("READ001", "site.yaml:8 networks.reserved[0].range", replaced("site.yaml", "192.168.10.128-192.168.10.130", "192.168.10.130-192.168.10.128")),
    Case("READ004", f"{NODE}:3 nodeRegistration", replaced(NODE, "name: node-ip", "name: v")),
    Case("READ005", f"{BGP}:25 spec.nodeSelector", replaced(BGP, "!has(node-role", "!has[node-role")),
    Case("READ011", f"{NODE}:7 nodeRegistration.kubeletExtraArgs[0].value", added("nodes/a/kubeadm.yaml", handmade.node("k8s-node-1", "192.168.10.20", master=False))),
    # --- YAML
    Case("YAML001", f"{BGP}:6", replaced(BGP, "spec:\n", "spec: [\n")),
    Case("YAML002", f"{TRAEFIK}:6", added(TRAEFIK, handmade.TRAEFIK + "service: {}\n")),
    Case("YAML003", f"{BGP}:25", replaced(BGP, '"!has(node-role.kubernetes.io/control-plane)"', "!has(node-role.kubernetes.io/control-plane)")),
    Case("YAML004", "big.yaml:1", added("big.yaml", "a: " + "[" * 200 + "]" * 200 + "\n")),
    Case("YAML006", "odd.yaml:1", added("odd.yaml", "? [a, b]\n: c\n")),
    # --- kube-vip
    Case("KVIP001", f"{MASTER}:11 {ENV % 0}", env("address", "192.168.20.1", "192.168.20.1/32")),
    Case("KVIP001", f"{MASTER}:12 {ENV % 1}", env("vip_subnet", '"32"', '"/32"')),
    Case("KVIP001", f"{MASTER}:12 {ENV % 1}", env("vip_subnet", '"32"', '"24"')),
    Case("KVIP001", f"{MASTER}:15 {ENV % 4}", env("bgp_enable", '"true"', '"yes"')),
    Case("KVIP001", f"{MASTER}:16 {ENV % 5}", env("bgp_as", '"65020"', '"1.10"')),
    Case("KVIP001", f"{MASTER}:17 {ENV % 6}", env("bgp_routerid", "192.168.10.17", '"fd00::1"')),
    Case("KVIP001", f"{MASTER}:18 {ENV % 7}", env("bgp_peers", '"192.168.10.1:65010::false"', '"192.168.10.1"')),
    Case("KVIP001", f"{MASTER}:18 {ENV % 7}", env("bgp_peers", '"192.168.10.1:65010::false"', '"192.168.10.1:65010::no"')),
    Case("KVIP001", f"{MASTER}:18 {ENV % 7}", env("bgp_peers", '"192.168.10.1:65010::false"', '"192.168.10.1:65010,192.168.10.1:65010"')),
    Case("KVIP001", f"{MASTER}:10 spec.containers[0].env", replaced(MASTER, "name: bgp_peers", "name: peers")),
    Case("KVIP002", f"{MASTER}:15 {ENV % 4}", replaced(MASTER, "name: bgp_enable", "name: bgp_enabled")),
    Case("KVIP008", f"{MASTER}:12 {ENV % 1}", replaced(MASTER, '{name: vip_subnet, value: "32"}', '{name: vip_leaderelection, value: "true"}')),
    Case("KVIP001", f"{MASTER}:19 {ENV % 8}", env("control_plane_health_check_address", '"https://192.168.10.17:6443/livez"', "192.168.10.17")),
    Case("KVIP001", f"{MASTER}:14 {ENV % 3}", more_env("vip_arp", '"true"')),
    Case("KVIP001", f"{MASTER}:14 {ENV % 3}", more_env("control_plane_health_check_period_seconds", '"0"')),
    Case("KVIP001", f"{MASTER}:14 {ENV % 3}", more_env("bgp_hold_time", '"9s"')),
    Case("KVIP002", f"{MASTER}:14 {ENV % 3}", more_env("vip_cidr", '"32"')),
    Case("KVIP003", f"{MASTER}:10 spec.containers[0].env", replaced(MASTER, "name: bgp_as", "name: as")),
    Case("KVIP004", f"{MASTER}:20 {ENV % 9}", replaced(MASTER, "mountPath: /etc/kubernetes/pki/ca.crt", "mountPath: /etc/ca.crt")),
    Case("KVIP005", f"{MASTER}:18 {ENV % 7}", env("bgp_peers", '"192.168.10.1:65010::false"', '"192.168.10.1:65010::false:::true;300;300;3"')),
    # --- Argo CD
    Case("ARGO001", "argocd/pools.yaml:12 spec.source.path", replaced("argocd/pools.yaml", "path: manifests/pools", "path: manifests/pool")),
    Case("ARGO002", "argocd/traefik.yaml:18 spec.sources[0].helm.valueFiles[0]", replaced("argocd/traefik.yaml", "traefik/values.yaml", "traefik/value.yaml")),
    Case("ARGO003", "argocd/traefik.yaml:18 spec.sources[0].helm.valueFiles[0]", replaced("argocd/traefik.yaml", "$values/", "$value/")),
    Case("ARGO003", "argocd/traefik.yaml:18 spec.sources[0].helm.valueFiles[0]", replaced("argocd/traefik.yaml", "$values/", "values/")),
    Case("ARGO004", "argocd/bgp.yaml:7 metadata.annotations.argocd.argoproj.io/sync-wave", replaced("argocd/bgp.yaml", '"-30"', '"-30s"')),
    Case("ARGO007", "argocd/pools.yaml:12 spec.source.path", replaced("argocd/pools.yaml", "path: manifests/pools", "path: ../pools")),
    Case("ARGO008", "argocd/pools.yaml:12 spec.source.repoURL", replaced("site.yaml", "schema: 1\n", "schema: 1\ngitops: {repository: https://git.example.com/other.git}\n"), also=("ARGO008",)),
    # --- FRR
    Case("FRR001", f"{FRR}:30", replaced(FRR, " neighbor WORKERS timers 3 9\n", " neighbor WORKERS timers 3 9 ! quick\n")),
    Case("FRR001", f"{FRR}:30", replaced(FRR, " neighbor WORKERS timers 3 9\n", " neighbor WORKERS timers 3 9 # quick\n")),
    Case("FRR001", f"{FRR}:31", replaced(FRR, " neighbor WORKERS timers 3 9\n", " neighbor WORKERS timers 3 9\n neighbor WORKERS timers connect 0\n")),
    Case("FRR002", f"{FRR}:45", replaced(FRR, "neighbor WORKERS route-map POOL-IN in", "neighbor WORKERS route-map POOLS-IN in")),
    Case("FRR002", f"{FRR}:11", replaced(FRR, "match ip address prefix-list VIP", "match ip address prefix-list VIPS")),
    Case("FRR003", f"{FRR}:4", replaced(FRR, "ip route 192.168.20.1/32 blackhole 254", "ip route 192.168.20.1/32 blackhole")),
    Case("FRR004", f"{FRR}:31", replaced(FRR, " neighbor WORKERS timers 3 9\n", " neighbor WORKERS timers 3 9\n neighbor WORKERS graceful-restart-disable\n")),
    Case("FRR005", f"{FRR}:34", replaced(FRR, "  neighbor WORKERS activate\n", ""), also=("FRR005",)),
    Case("FRR006", f"{FRR}:32", replaced(FRR, " neighbor MASTERS timers 3 9\n", " neighbor MASTERS timers 3 9\n neighbor MASTERS ttl-security hops 1\n"), also=("FRR006",)),
    # --- Traefik's values
    Case("TRF001", f"{TRAEFIK}:2 service.externalTrafficPolicy", replaced(TRAEFIK, "  spec:\n    externalTrafficPolicy", "  externalTrafficPolicy")),
    Case("TRF001", f"{TRAEFIK}:6 deployment.replica", added(TRAEFIK, handmade.TRAEFIK + "deployment: {replica: 3}\n")),
    Case("TRF001", f"{TRAEFIK}:6 deployment.kind", added(TRAEFIK, handmade.TRAEFIK + "deployment: {kind: StatefulSet}\n")),
    Case("TRF001", f"{TRAEFIK}:6 ports.web.transport.lifecycle", added(TRAEFIK, handmade.TRAEFIK + "ports: {web: {transport: {lifecycle: {graceTimeOut: 9s}}}}\n")),
    Case("TRF001", f"{TRAEFIK}:6 ports.web.http3.enable", added(TRAEFIK, handmade.TRAEFIK + "ports: {web: {http3: {enable: true}}}\n")),
    Case("TRF001", f"{TRAEFIK}:3 service.spec.ports", replaced(TRAEFIK, "  spec:\n", "  spec:\n    ports: []\n")),
    # --- the way out
    Case("EGR010", "nodes/k8s-node-1/certs.d/quay.io/hosts.toml", added("nodes/k8s-node-1/certs.d/quay.io/hosts.toml", "[host.https://m.example.com]\n")),
    Case("EGR011", "certs.d/quay.io/hosts.toml:1", added("certs.d/quay.io/hosts.toml", '[host."https://m.example.com/quay.io"]\noverride_path = true\n')),
    Case("EGR012", "certs.d/quay.io/hosts.toml:1", added("certs.d/quay.io/hosts.toml", '[host."https://me:hunter2@m.example.com"]\n')),
    Case("EGR012", "containerd/proxy.conf:2", added("containerd/proxy.conf", "[Service]\nEnvironment=HTTPS_PROXY=http://me:hunter2@proxy.example.com:3128\n")),
    # --- secrets
    Case("SEC001", "manifests/secret.yaml:4 stringData.password", added("manifests/secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: bgp}\nstringData: {password: hunter2}\n")),
    Case("SEC002", f"{NODE}:11 discovery.bootstrapToken.token", replaced(NODE, 'zone=z1"\n', 'zone=z1"\ndiscovery:\n  bootstrapToken: {token: abcdef.0123456789abcdef}\n')),
    Case("SEC002", "nodes/k8s-master-2/kubeadm.yaml:11 controlPlane.certificateKey", replaced("nodes/k8s-master-2/kubeadm.yaml", "controlPlane:\n", "controlPlane:\n  certificateKey: " + "ab" * 32 + "\n")),
    Case("SEC003", f"{MASTER}:18 {ENV % 7}", env("bgp_peers", '"192.168.10.1:65010::false"', '"192.168.10.1:65010:hunter2:false"')),
    Case("SEC003", f"{MASTER}:14 {ENV % 3}", more_env("bgp_peerpass", "hunter2")),
    Case("SEC004", "routers/router/key.pem:2", added("routers/router/key.pem", "x\n-----BEGIN EC PRIVATE KEY-----\nMIIB\n")),
    Case("SEC006", "secrets/s.yaml:4 stringData.a", added("secrets/s.yaml", SECRET + "stringData: {a: <s/a>}\n")),
    Case("SEC007", "secrets/s.yaml:4 stringData.a", added("secrets/s.yaml", SECRET + "stringData: {a: 'ENC[AES256_GCM,data:x]'}\n")),
    Case("SEC008", "secrets/s.yaml:5 sops.age", for_another, also=("SEC008",)),
    Case("SEC005", f"{FRR}:30", replaced(FRR, " neighbor WORKERS timers 3 9\n", " neighbor WORKERS password hunter2\n neighbor WORKERS timers 3 9\n")),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.place[-28:]}")
def test_a_mistake_is_named_with_its_place(case: Case, tmp_path: Path) -> None:
    found = handmade.judged(read_changed(tmp_path, case.change))
    assert case.place in [str(finding.where) for finding in found if finding.code == case.code], found
    others = {finding.code for finding in found} - {case.code} - set(case.also)
    assert not others, found
    assert len(found) == 1 or case.also, found
    for finding in found:
        assert finding.message.endswith((".", ")"))
        assert finding.fix, "a finding says what to write instead"
        assert "hunter2" not in finding.message + finding.fix


UNCHECKED = [
    Case("READ006", "charts/lost/Chart.yaml", added("charts/lost/Chart.yaml", "apiVersion: v2\nname: lost\nversion: 0.1.0\n")),
    Case("READ007", "argocd/set.yaml:2 kind", added("argocd/set.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: x}\n")),
    Case("READ007", "manifests/pools/kustomization.yaml:2 namePrefix", added("manifests/pools/kustomization.yaml", "resources: [pool.yaml]\nnamePrefix: x-\n")),
    Case("READ008", "routers/other/bird.conf", added("routers/other/bird.conf", "router id 1.2.3.4;\n")),
    Case("READ009", f"{BGP}:16 spec.exportV4[0]", replaced(BGP, "matchOperator: In}", "matchOperator: In, interface: eth9}")),
    Case("READ009", f"{FRR}:7", replaced(FRR, "ip prefix-list VIP seq 5 permit", "ip prefix-list VIP seq 3 deny 192.168.20.0/30 le 31\nip prefix-list VIP seq 5 permit")),
    Case("READ010", "manifests/mesh.yaml:4 spec", added("manifests/mesh.yaml", "apiVersion: projectcalico.org/v3\nkind: BGPPeer\nmetadata: {name: rr}\nspec: {nodeSelector: all(), peerSelector: has(rr)}\n")),
    Case("ARGO005", "argocd/other.yaml:12 spec.source.path", added("argocd/other.yaml", application("other", 9, '  source: {repoURL: "https://elsewhere.example/x.git", path: base}\n'))),
    Case("ARGO006", "argocd/lost.yaml:14 spec.sources[0].chart", added("argocd/lost.yaml", application("lost", 9, upstream("cert-manager", "1.2.3", "$values/apps/traefik/values.yaml")))),
]  # fmt: skip


@pytest.mark.parametrize("case", UNCHECKED, ids=lambda case: f"{case.code}-{case.place[-28:]}")
def test_what_nobody_can_judge_is_said(case: Case, tmp_path: Path) -> None:
    found = read_changed(tmp_path, case.change)
    assert handmade.judged(found) == []
    assert (case.code, case.place) in [(finding.code, str(finding.where)) for finding in found.findings]


def test_not_utf8(tmp_path: Path) -> None:
    handmade.write(tmp_path, handmade.repository())
    (tmp_path / "manifests/latin.yaml").write_bytes("a: grün\n".encode("latin-1"))
    assert handmade.codes(read(tmp_path)) == ["YAML005"]


def test_a_link_out_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("a: 1\n")
    root = handmade.write(tmp_path / "repo", handmade.repository())
    (root / "manifests" / "out.yaml").symlink_to(tmp_path / "secret.yaml")
    (root / "manifests" / "in.yaml").symlink_to(root / "manifests" / "pools" / "pool.yaml")
    found = read(root)
    assert [(finding.code, finding.where.path) for finding in handmade.judged(found)] == [
        ("READ002", "manifests/out.yaml")
    ]


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    handmade.write(tmp_path, handmade.repository())
    with (tmp_path / "huge.yaml").open("wb") as file:
        file.truncate(17 * 1024 * 1024)
    assert handmade.codes(read(tmp_path)) == ["READ003"]


@pytest.mark.parametrize("missing", [False, True])
def test_nothing_to_read(tmp_path: Path, missing: bool) -> None:
    root = tmp_path / "nowhere" if missing else tmp_path
    assert handmade.codes(read(root)) == (["READ003"] if missing else []) + ["READ012"]


def test_a_second_kube_vip_on_a_node(tmp_path: Path) -> None:
    found = read_changed(tmp_path, added("nodes/k8s-master-1/two.yaml", handmade.kube_vip("192.168.10.17")))
    assert handmade.codes(found) == ["READ011"]


def test_a_chart_that_breaks(tmp_path: Path) -> None:
    chart = {
        "charts/pools/Chart.yaml": "apiVersion: v2\nname: pools\nversion: 0.1.0\n",
        "charts/pools/templates/pool.yaml": '{{ fail "pools.size is missing" }}\n',
        "charts/pools/templates/lint.yaml": "",
    }
    app = application("broken", 1, folder("charts/pools"))
    found = read_changed(
        tmp_path, *(added(path, text) for path, text in chart.items()), added("argocd/broken.yaml", app)
    )
    assert [(f.code, f.where.path, f.where.line) for f in handmade.judged(found)] == [
        ("HELM001", "charts/pools/templates/pool.yaml", 1)
    ]
    chart["charts/pools/templates/pool.yaml"] = "kind: [\n"
    (tmp_path / "lint").mkdir()
    found = read_changed(
        tmp_path / "lint", *(added(path, text) for path, text in chart.items()), added("argocd/broken.yaml", app)
    )
    assert {f.code for f in handmade.judged(found)} <= {"HELM001", "HELM002", "YAML001"}
    assert handmade.judged(found)


def test_every_code_has_a_case_and_every_case_a_code() -> None:
    files = (Path(__file__), *Path(__file__).parent.glob("foreign/test_*.py"))
    here = "\n".join(path.read_text(encoding="utf-8") for path in files)
    known = {entry.code for entry in CODES}
    assert len(known) == len(CODES)
    mentioned = set(re.findall(r'"((?:YAML|HELM|READ|KVIP|ARGO|FRR|TRF|SEC|FLUX|EGR)\d{3})[" ]', here))
    assert known - mentioned <= {"HELM003"}, "that one has its tests beside the engine's"
    package = Path(read.__code__.co_filename).parent
    raised = {code for path in package.glob("*.py") for code in re.findall(r'"([A-Z]{3,5}\d{3})"', path.read_text())}
    assert raised == known
    for entry in CODES:
        assert entry.title
        assert entry.why.endswith(".")
        assert isinstance(entry.severity, Severity)
