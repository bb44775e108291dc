"""Habits of people that are no mistakes, what could not be read, and several clusters in one folder."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from anycastle.compose import validate_tree
from anycastle.finding import Finding, Severity
from anycastle.network.model import Unread
from anycastle.reader import read

EXAMPLE = Path(__file__).resolve().parents[3] / "output-example"
HERE = Path(__file__).parent
SET = """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: things, namespace: argocd}
spec:
  generators:
    - %s
  template:
    metadata: {name: "%s"}
    spec:
      project: default
      source: {repoURL: "https://git.example.org/x.git", targetRevision: main, path: "%s"}
      destination: {server: "https://kubernetes.default.svc", namespace: things}
"""
POOL = """\
apiVersion: projectcalico.org/v3
kind: IPPool
metadata: {name: services}
spec: {cidr: %s, allowedUses: [LoadBalancer], assignmentMode: Automatic}
"""


def copied(name: str, tmp_path: Path) -> Path:
    return Path(shutil.copytree(HERE / name, tmp_path / name))


@pytest.fixture
def example(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "home"))


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def written(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def judged(root: Path) -> list[Finding]:
    return [f for f in validate_tree(root).findings if f.severity in (Severity.ERROR, Severity.WARNING)]


def codes(root: Path) -> list[str]:
    return [finding.code for finding in judged(root)]


# --- what is no mistake


def test_a_sample_outside_of_nodes_is_nobodys_mistake(example: Path) -> None:
    shutil.copytree(example / "nodes/k8s-master-1", example / "examples")
    assert judged(example) == []
    said = {(finding.code, finding.where.path) for finding in validate_tree(example).findings}
    assert ("READ015", "examples") in said


def test_a_further_pod_that_fits_no_node_is_left_out(example: Path) -> None:
    shutil.copy(example / "nodes/k8s-master-1/kube-vip.yaml", example / "spare-kube-vip.yaml")
    assert judged(example) == []
    said = {(finding.code, finding.where.path) for finding in validate_tree(example).findings}
    assert ("READ014", "spare-kube-vip.yaml") in said


def test_samples_are_meant_where_the_engine_names_them(tmp_path: Path) -> None:
    root = copied("raw", tmp_path)
    (root / "calico").rename(root / "examples")
    assert read(root).network.pools == ()
    written(root / "argocd/app.yaml", SET % ("list: {elements: [{name: net}]}", "{{name}}", "examples"))
    assert [pool.name for pool in read(root).network.pools] == ["pods", "services"] or read(root).network.pools


def test_where_everything_lies_in_examples_it_is_meant(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    shutil.copytree(HERE / "raw", root / "examples")
    assert [node.name for node in read(root).network.nodes] == ["cp1", "cp2", "cp3", "lathe", "press"]


def test_tags_of_ansible_are_no_mistake(example: Path) -> None:
    written(example / "group_vars/all.yaml", "password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6162\n")
    assert judged(example) == []


def test_a_tag_in_a_manifest_is_one_and_its_cure_takes_one_line(tmp_path: Path) -> None:
    root = copied("raw", tmp_path)
    edited(
        root / "calico/bgp.yaml",
        "    nodeSelector: ingress == 'true'\n",
        "    nodeSelector: !has(x) |\n      a\n      b\n",
    )
    (finding,) = judged(root)
    assert finding.code == "YAML003"
    assert "\n" not in finding.fix


def test_a_chart_without_values_is_legal(example: Path) -> None:
    written(example / "charts/own/Chart.yaml", "apiVersion: v2\nname: own\nversion: 0.1.0\n")
    written(
        example / "charts/own/templates/map.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own, namespace: whoami}\ndata: {a: b}\n",
    )
    app = (example / "argocd/apps/whoami.yaml").read_text()
    for word in ("name: whoami", "charts/whoami", "apps/whoami", "releaseName: whoami", "project: whoami"):
        app = app.replace(word, word.replace("whoami", "own"))
    written(example / "argocd/apps/own.yaml", app)
    project = (example / "argocd/projects/whoami.yaml").read_text()
    project = project.replace("name: whoami\n", "name: own\n").replace("kind: Service\n", "kind: ConfigMap\n")
    written(example / "argocd/projects/own.yaml", project)
    for name in ("values.yaml", "overrides.yaml"):
        written(example / "apps/own" / name, "")
    assert judged(example) == []


def test_templates_of_other_tools_are_not_checked(tmp_path: Path) -> None:
    root = copied("raw", tmp_path)
    written(
        root / "roles/node/templates/kubeadm.yaml",
        "kind: InitConfiguration\nname: {{ name }}\n{% if x %}\n{% endif %}\n",
    )
    written(root / "calico/extra.yaml", POOL % '"{{ extra_pool }}"')
    assert judged(root) == []
    said = {(finding.code, finding.where.path) for finding in validate_tree(root).findings}
    assert {("READ007", "roles/node/templates/kubeadm.yaml"), ("READ013", "calico/extra.yaml")} <= said


def test_a_daemon_set_runs_where_its_selectors_say(tmp_path: Path) -> None:
    root = copied("raw", tmp_path)
    pod = (root / "boot/vip-cp1.yaml").read_text().partition("spec:\n")[2]
    shutil.rmtree(root / "boot")
    indented = "".join(
        f"    {line}\n" for line in pod.splitlines() if "bgp_routerid" not in line and "10.40.0.11" not in line
    )
    written(
        root / "boot/kube-vip.yaml",
        "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: kube-vip, namespace: kube-system}\nspec:\n"
        "  selector: {matchLabels: {app: kube-vip}}\n  template:\n    metadata: {labels: {app: kube-vip}}\n    spec:\n"
        "      nodeSelector: {node-role.kubernetes.io/control-plane: ''}\n" + indented,
    )
    assert [pod.node for pod in read(root).network.kube_vips] == ["cp1", "cp2", "cp3"]
    edited(root / "boot/kube-vip.yaml", "control-plane: ''", "storage: ''")
    assert read(root).network.kube_vips == ()


# --- Kustomize, ApplicationSets, Flux


def test_what_a_kustomization_lists_and_what_it_changes(tmp_path: Path) -> None:
    root = copied("raw", tmp_path)
    listed = "bgp.yaml, installation.yaml, pools.yml, ingress-service.yaml"
    written(root / "calico/kustomization.yaml", f"resources: [{listed}]\n")
    assert validate_tree(root).findings == ()
    written(root / "calico/forgotten.yaml", POOL % "10.40.9.0/25")
    assert [f.code for f in validate_tree(root).findings] == ["READ023"]
    written(root / "calico/kustomization.yaml", f"resources: [{listed}]\npatches: [{{path: forgotten.yaml}}]\n")
    found = read(root)
    assert [(f.code, f.where.line) for f in found.findings if f.code == "READ007"] == [("READ007", 2)]
    assert found.network.pools == ()
    assert not found.network.knows(Unread.POOLS)
    assert judged(root) == []


@pytest.mark.parametrize(
    ("generator", "name", "path"),
    [
        ("list: {elements: [{name: net, folder: calico}]}", "{{name}}", "{{folder}}"),
        ("list: {elements: [{name: net, folder: calico}]}", "{{ .name }}", "{{ .folder }}"),
        ("git: {repoURL: x, revision: main, directories: [{path: calic*}]}", "{{path.basename}}", "{{path}}"),
        ("git: {repoURL: x, directories: [{path: '*'}, {path: gear, exclude: on}]}", "{{.path.basename}}", "{{.path.path}}"),
    ],
)  # fmt: skip
def test_a_static_set_of_applications_is_followed(generator: str, name: str, path: str, tmp_path: Path) -> None:
    root = copied("raw", tmp_path)
    written(root / "set.yaml", SET % (generator, name, path))
    found = read(root)
    assert [f.code for f in found.findings if f.code == "READ007"] == []
    assert "calico-installation" in {part for app in found.network.apps for part in app.provides}


@pytest.mark.parametrize(
    ("generator", "name"),
    [
        ("clusters: {}", "{{name}}"),
        ("list: {elements: [{name: net}]}", "{{ .name | upper }}"),
        ("matrix: {generators: []}", "{{name}}"),
        ("git: {repoURL: x, files: [{path: '*.json'}]}", "{{name}}"),
    ],
)
def test_a_set_that_asks_the_cluster_is_unchecked(generator: str, name: str, tmp_path: Path) -> None:
    root = copied("raw", tmp_path)
    written(root / "set.yaml", SET % (generator, name, "calico"))
    found = read(root)
    assert [(f.code, f.where.path) for f in found.findings if f.code == "READ007"] == [("READ007", "set.yaml")]
    assert not found.network.knows(Unread.SETTINGS)


def test_a_release_beside_objects_of_its_kinds(tmp_path: Path) -> None:
    root = copied("flux", tmp_path)
    shutil.copy(root / "infrastructure/pools/pool.yaml", root / "infrastructure/operator/pool.yaml")
    (root / "infrastructure/pools/pool.yaml").unlink()
    written(root / "infrastructure/pools/nothing.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
    assert ("FLUX004", "infrastructure/operator/pool.yaml") in {(f.code, f.where.path) for f in judged(root)}


# --- what could not be read


BROKEN: dict[str, Callable[[Path], None]] = {
    "a key that the chart refuses": lambda root: written(
        root / "apps/calico-bgp/overrides.yaml", "peers: {router: {peerIp: 192.168.10.1}}\n"
    ),
    "values that are no YAML": lambda root: written(root / "apps/calico-loadbalancer/overrides.yaml", "a: [\n"),
    "a value file that is missing": lambda root: (root / "apps/calico-bgp/values.yaml").unlink(),
    "an unquoted selector": lambda root: (
        edited(root / "apps/calico-bgp/values.yaml", "nodeSelector: '!has", "nodeSelector: !has")
        if "'!has(node-role.kubernetes.io/control-plane)'" not in (root / "apps/calico-bgp/values.yaml").read_text()
        else edited(
            root / "apps/calico-bgp/values.yaml",
            "'!has(node-role.kubernetes.io/control-plane)'",
            "!has(node-role.kubernetes.io/control-plane)",
        )
    ),
    "a folder that is missing": lambda root: edited(
        root / "argocd/apps/calico-bgp.yaml", "path: charts/calico-bgp", "path: charts/calico-pgb"
    ),
    "a static pod that is no YAML": lambda root: written(
        root / "nodes/k8s-master-2/kube-vip.yaml",
        (root / "nodes/k8s-master-2/kube-vip.yaml").read_text() + "\tx: [\n",
    ),
    "a node that is no YAML": lambda root: written(
        root / "nodes/k8s-node-3/kubeadm.yaml", (root / "nodes/k8s-node-3/kubeadm.yaml").read_text() + "\tx: [\n"
    ),
    "a Kubernetes release that the charts refuse": lambda root: edited(
        root / "nodes/k8s-master-1/kubeadm.yaml", "kubernetesVersion: v1.36.4", "kubernetesVersion: v1.30.1"
    ),
}
CAUSES = {"HELM001", "YAML001", "YAML003", "ARGO001", "ARGO002", "READ006", "VER004", "REPO007", "REPO008"}


@pytest.mark.parametrize("name", BROKEN)
def test_nothing_follows_from_what_could_not_be_read(name: str, example: Path) -> None:
    shutil.rmtree(example / ".anycastle")
    BROKEN[name](example)
    found = codes(example)
    assert set(found) & CAUSES
    assert set(found) <= CAUSES, judged(example)
    assert len(found) <= 2


def test_without_nodes_and_without_the_cluster_configuration(tmp_path: Path) -> None:
    root = copied("raw", tmp_path)
    shutil.rmtree(root / "machines")
    assert judged(root) == []
    assert [f.code for f in validate_tree(root).findings] == ["READ016", "READ020"]
    edited(root / "calico/pools.yml", "cidr: 10.40.9.0/25", "cidr: 10.40.8.0/24")
    assert "ADDR004" in codes(root), "the API address is known, whoever announces it"
    edited(root / "boot/vip-cp1.yaml", 'value: "64600"', 'value: "64607"')
    assert "SESS012" in codes(root)


def test_a_router_whose_address_nobody_says(tmp_path: Path) -> None:
    root = copied("raw", tmp_path)
    edited(root / "gear/tor.conf", " bgp router-id 10.40.0.1\n", "")
    edited(root / "calico/bgp.yaml", "metadata: {name: tor}", "metadata: {name: rack}")
    edited(root / "calico/bgp.yaml", "peerIP: 10.40.0.1", "peerIP: 10.40.0.2")
    edited(root / "calico/bgp.yaml", "asNumber: 64600", "asNumber: 64605")
    for pod in (root / "boot").iterdir():
        edited(pod, 'value: "64600"', 'value: "64604"')
    assert ("READ017", "gear/tor.conf") in {(f.code, f.where.path) for f in validate_tree(root).findings}


def test_a_node_that_names_neither_itself_nor_its_address(tmp_path: Path) -> None:
    root = copied("raw", tmp_path)
    written(
        root / "machines/any-worker.yaml",
        "apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\n"
        "discovery: {bootstrapToken: {token: '${JOIN_TOKEN}', apiServerEndpoint: 'k8s.plant.example.net:6443',"
        " caCertHashes: ['${CA_HASH}']}}\n",
    )
    assert judged(root) == []
    assert [(f.code, f.where.path) for f in validate_tree(root).findings] == [("READ025", "machines/any-worker.yaml")]


# --- places


@pytest.mark.parametrize(
    ("path", "old", "new", "code"),
    [
        ("apps/calico-installation/values.yaml", "host: 192.168.20.1", "host: 192.168.20.9", "API001"),
        ("apps/calico-bgp/values.yaml", "asNumber: 65010", "asNumber: 65011", "SESS002"),
        ("apps/calico-bgp/values.yaml", "  - cidr: 192.168.20.64/26", "  - cidr: 192.168.20.64/27", "POOL003"),
        ("apps/calico-loadbalancer/values.yaml", "cidr: 192.168.20.64/26", "cidr: 192.168.10.64/26", "ADDR002"),
    ],
)  # fmt: skip
def test_the_place_is_the_line_of_the_value(path: str, old: str, new: str, code: str, example: Path) -> None:
    text = (example / path).read_text()
    if old not in text:
        pytest.skip("the example writes it in another way")
    line = text[: text.index(old)].count("\n") + 1
    edited(example / path, old, new)
    found = {(f.code, f.where.path, f.where.line) for f in judged(example)}
    assert (code, path, line) in found or (code == "POOL003" and code in {one[0] for one in found})


def test_of_two_equal_values_the_one_that_counts_is_named(tmp_path: Path) -> None:
    root = copied("argo", tmp_path)
    values = root / "helm/network/prod.yaml"
    values.write_text("decoy: {remote: 64806, tor-b: 64806, asNumber: 64806}\n" + values.read_text())
    edited(values, "address: 172.20.0.3\n    remote: 64800", "address: 172.20.0.3\n    remote: 64806")
    (found,) = judged(root)
    assert (found.where.path, found.where.line, found.where.key) == ("helm/network/prod.yaml", 10, "peers[1].remote")


# --- several clusters


def test_a_folder_above_a_repository_invents_nothing(example: Path) -> None:
    shutil.copytree(example, example.parent / "second")
    report = validate_tree(example.parent)
    assert [f for f in report.findings if f.severity in (Severity.ERROR, Severity.WARNING)] == []
    assert {f.where.path.partition("/")[0] for f in report.findings} == {"home", "second"}
    edited(example / "apps/calico-bgp/values.yaml", "peerIP: 192.168.10.1", "peerIP: 192.168.10.2")
    assert {f.where.path for f in judged(example.parent)} == {"home/apps/calico-bgp/values.yaml"}


def test_a_folder_above_one_without_a_record(example: Path) -> None:
    shutil.rmtree(example / ".anycastle")
    assert judged(example.parent) == []


def test_a_folder_inside_a_large_repository(tmp_path: Path) -> None:
    root = copied("argo", tmp_path) / "."
    home = tmp_path / "mono" / "prod"
    shutil.copytree(root, home)
    for path in (home / "applications").glob("*.yaml"):
        path.write_text(path.read_text().replace("path: helm/", "path: mono/prod/helm/"))
    edited(home / "bootstrap/root.yaml", "path: applications", "path: mono/prod/applications")
    assert judged(home) == []


# --- bytes of any kind


def test_any_bytes_in_a_router_give_findings_at_most(tmp_path: Path) -> None:
    chance = random.Random(11)
    sources = [
        (HERE / "raw/gear/tor.conf").read_bytes(),
        (HERE / "bird/gateway/bird.conf").read_bytes(),
        (HERE / "raw/gear/rules.nft").read_bytes(),
        (HERE / "raw/gear/99-sysctl.conf").read_bytes(),
    ]
    raw = copied("raw", tmp_path)
    for _round in range(120):
        for source, path in zip(sources, ("tor.conf", "bird.conf", "rules.nft", "99-sysctl.conf"), strict=True):
            data = bytearray(source)
            for _hit in range(chance.randrange(1, 9)):
                at = chance.randrange(len(data))
                data[at : at + chance.randrange(4)] = chance.randbytes(chance.randrange(5))
            (raw / "gear" / path).write_bytes(bytes(data))
        read(raw)


@pytest.mark.parametrize(
    "text",
    [
        "router bgp 1\n neighbor ² remote-as ²\n timers bgp ² ²\n maximum-paths ²\n",
        "router bgp " + "9" * 5000 + "\n maximum-paths " + "9" * 5000 + "\n",
        "router bgp 1\n neighbor\n neighbor x\n no\n no neighbor\n bgp\n address-family\n",
        "protocol bgp { neighbor as; } ; } } {",
        "protocol bgp x { " + "{" * 5000,
        'protocol bgp x { local as 1; neighbor 10.0.0.1 as 2; password "',
        "filter f { if net ~ [ then accept; } protocol bgp a { local as 1; neighbor 10.0.0.1 as 1; import filter f; }",
        "template bgp a from b { } template bgp b from a { } protocol bgp c from a { local as 1; neighbor ::1 as 2; }",
    ],
)
def test_odd_statements_of_a_router(text: str, tmp_path: Path) -> None:
    (tmp_path / "odd.conf").write_text(text)
    assert read(tmp_path) is not None


def test_a_misspelt_statement_is_counted_once_for_a_file(tmp_path: Path) -> None:
    root = copied("raw", tmp_path)
    edited(root / "gear/tor.conf", "  maximum-paths 16\n", "  maximum-pathes 16\n  maximum-pathes 17\n")
    (finding,) = validate_tree(root).findings
    assert (finding.code, finding.where.line) == ("READ018", 38)
    assert "(and 1 more)" in finding.message


def test_bird_1_says_the_same_as_bird_2(tmp_path: Path) -> None:
    root = copied("bird", tmp_path)
    meant = read(root).network
    path = root / "gateway/bird.conf"
    text = path.read_text()
    for new, old in (
        ("  ipv4 { import filter from_masters; export none; };", "  import filter from_masters;\n  export none;"),
        (
            "  ipv4 {\n    import filter from_workers;\n    export none;\n  };",
            "  import filter from_workers; export none;",
        ),
        ("  ipv4 { import where net ~ [ 10.7.9.64/26{32,32} ]; export none; };", "  import filter from_workers;"),
        ("  ipv4 { preference 50; };", "  preference 50;"),
        ("  local 10.7.0.1 as LAN_AS;", "  local as LAN_AS;\n  source address 10.7.0.1;"),
    ):
        assert new in text
        text = text.replace(new, old)
    path.write_text(text)
    said = read(root).network
    assert (said.routers, said.ends) == (meant.routers, meant.ends)
    assert {(a.prefix, a.peers) for a in said.acceptances} >= {
        (a.prefix, a.peers) for a in meant.acceptances if len(a.peers) > 1
    }


@pytest.mark.parametrize(
    ("path", "old", "new", "code"),
    [
        ("calico/ingress-service.yaml", """'["10.40.9.10"]'""", "10.40.9.10", "CAL070"),
        ("calico/bgp.yaml", "nodeSelector: ingress == 'true'", 'nodeSelector: "ingress = true"', "CAL014"),
    ],
)
def test_one_fact_is_said_once(path: str, old: str, new: str, code: str, tmp_path: Path) -> None:
    root = copied("raw", tmp_path)
    edited(root / path, old, new)
    assert codes(root) == [code]
