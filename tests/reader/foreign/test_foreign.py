"""Repositories that people wrote in their own ways: silent when they are right, and each mistake at its place.

Every folder beside this file is one: raw manifests with kubeadm and FRR, a Flux repository, Calico and FRR without any
node, an app of apps with charts of its own, a gateway with BIRD, two clusters in one repository.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from anycastle.compose import validate_tree
from anycastle.finding import Finding, Severity

HERE = Path(__file__).parent
JUDGED = (Severity.ERROR, Severity.WARNING)

UNCHECKED = {
    "raw": (),
    "flux": (
        "ARGO006 apps/ingress/release.yaml:12",
        "ARGO006 infrastructure/crds/release.yaml:8",
        "ARGO006 infrastructure/operator/release.yaml:11",
        "READ019 router/bgpd.conf:11",
    ),
    "talos": ("READ016 cni/20-bgp.yaml:14", "READ019 peers/leaf-1.conf:18", "READ019 peers/leaf-2.conf:18"),
    "argo": ("ARGO006 applications/operator.yaml:13", "READ019 tor/a/frr.conf:8", "READ019 tor/b/frr.conf:8"),
    "bird": ("READ019 gateway/bird.conf:41",),
    "two": ("READ019 routers/east.conf:7", "READ019 routers/west.conf:7"),
}


@dataclass(frozen=True)
class Mistake:
    """What is changed in which file, and the code and `path:line` of what must be said."""

    repository: str
    path: str
    old: str
    new: str
    code: str
    place: str


MISTAKES = [
    # --- raw manifests, one kubeadm file for several machines, FRR without groups
    Mistake("raw", "calico/bgp.yaml", "peerIP: 10.40.0.1", "peerIP: 10.40.0.2", "SESS001", "calico/bgp.yaml:15"),
    Mistake("raw", "calico/bgp.yaml", "filters: [services]", "filters: [service]", "ANN006", "calico/bgp.yaml:15"),
    Mistake(
        "raw",
        "calico/bgp.yaml",
        "      - cidr: 10.40.9.0/25",
        "      - cidr: 10.40.9.0/26",
        "POOL003",
        "calico/pools.yml:8",
    ),
    Mistake(
        "raw",
        "boot/vip-cp2.yaml",
        '          value: "64600"',
        '          value: "64609"',
        "SESS002",
        "boot/vip-cp2.yaml:30",
    ),
    Mistake(
        "raw",
        "gear/tor.conf",
        "ip prefix-list api permit 10.40.8.1/32",
        "ip prefix-list api permit 10.40.8.2/32",
        "RT001",
        "gear/tor.conf:9",
    ),
    Mistake(
        "raw",
        "gear/tor.conf",
        "neighbor 10.40.0.21 prefix-list services in",
        "neighbor 10.40.0.21 prefix-list service in",
        "FRR002",
        "gear/tor.conf:34",
    ),
    Mistake(
        "raw",
        "gear/rules.nft",
        "ip daddr { 10.40.8.1, 10.40.9.0/25 }",
        "ip daddr { 10.40.9.0/25 }",
        "RT006",
        "gear/rules.nft:4",
    ),
    Mistake("raw", "gear/99-sysctl.conf", "hash_policy = 1", "hash_policy = 0", "RT004", "gear/tor.conf:13"),
    Mistake(
        "raw", "machines/control-plane.yaml", "    - 10.40.8.1", "    - 10.40.8.7", "API002", "boot/vip-cp1.yaml:16"
    ),
    Mistake(
        "raw",
        "calico/pools.yml",
        "projectcalico.org/v3\n    kind: IPPool",
        "crd.projectcalico.org/v1\n    kind: IPPool",
        "READ021",
        "calico/pools.yml:4",
    ),
    # --- Flux
    Mistake(
        "flux",
        "clusters/home/infrastructure.yaml",
        "    - name: calico-crds\n",
        "    - name: calico-crd\n",
        "FLUX001",
        "clusters/home/infrastructure.yaml:37",
    ),
    Mistake(
        "flux",
        "clusters/home/infrastructure.yaml",
        "  path: ./infrastructure/operator\n  prune: false\n  wait: true\n",
        "  path: ./infrastructure/operator\n  prune: false\n",
        "FLUX002",
        "clusters/home/infrastructure.yaml:31",
    ),
    Mistake(
        "flux",
        "clusters/home/infrastructure.yaml",
        "  dependsOn:\n    - name: sources\n",
        "  dependsOn:\n    - name: network\n",
        "FLUX003",
        "clusters/home/infrastructure.yaml:22",
    ),
    Mistake(
        "flux",
        "clusters/home/apps.yaml",
        "  decryption: {provider: sops, secretRef: {name: sops-age}}\n",
        "",
        "FLUX005",
        "clusters/home/apps.yaml:4",
    ),
    Mistake(
        "flux",
        "clusters/home/infrastructure.yaml",
        "path: ./infrastructure/pools",
        "path: ./infrastructure/pool",
        "FLUX006",
        "clusters/home/infrastructure.yaml:76",
    ),
    Mistake(
        "flux",
        "clusters/home/infrastructure.yaml",
        "  dependsOn:\n    - name: network\n",
        "",
        "ORD001",
        "clusters/home/infrastructure.yaml:58",
    ),
    Mistake(
        "flux",
        "infrastructure/operator/release.yaml",
        "version: v3.32.2",
        "version: v3.32.0",
        "VER002",
        "infrastructure/operator/release.yaml:12",
    ),
    Mistake(
        "flux",
        "infrastructure/operator/release.yaml",
        "host: 10.70.8.1",
        "host: 10.70.8.8",
        "API001",
        "infrastructure/operator/release.yaml:26",
    ),
    Mistake(
        "flux",
        "clusters/home/apps.yaml",
        "INGRESS_IP: 10.70.9.10",
        "INGRESS_IP: 10.70.7.10",
        "SVC002",
        "apps/ingress/release.yaml:18",
    ),
    Mistake(
        "flux",
        "infrastructure/network/kustomization.yaml",
        "  - bgp.yaml\n",
        "  - bgp.yml\n",
        "READ024",
        "infrastructure/network/kustomization.yaml:2",
    ),
    Mistake(
        "flux",
        "router/bgpd.conf",
        "neighbor WORKERS remote-as 65530",
        "neighbor WORKERS remote-as 65539",
        "SESS002",
        "router/bgpd.conf:15",
    ),
    # --- no node described
    Mistake(
        "talos",
        "cni/20-bgp.yaml",
        "leaf-2}\n  spec: {peerIP: 172.31.1.2, asNumber: 65100",
        "leaf-2}\n  spec: {peerIP: 172.31.1.2, asNumber: 65109",
        "SESS012",
        "cni/20-bgp.yaml:17",
    ),
    Mistake(
        "talos",
        "peers/leaf-1.conf",
        "neighbor k8s remote-as 65101",
        "neighbor k8s remote-as 65107",
        "SESS012",
        "peers/leaf-1.conf:18",
    ),
    Mistake("talos", "cni/30-lb.yaml", "cidr: 172.31.40.0/24", "cidr: 172.31.41.0/24", "POOL003", "cni/30-lb.yaml:5"),
    Mistake(
        "talos",
        "peers/leaf-2.conf",
        "ip route 172.31.40.0/24 Null0 254",
        "ip route 172.31.44.0/24 Null0 254",
        "RT007",
        "peers/leaf-2.conf:18",
    ),
    Mistake(
        "talos",
        "peers/leaf-2.conf",
        "match ip address prefix-list LB",
        "match ip address prefix-list LBS",
        "FRR002",
        "peers/leaf-2.conf:9",
    ),
    # --- app of apps, charts of the repository: the line of the value, found through the chart
    Mistake(
        "argo",
        "helm/network/prod.yaml",
        "address: 172.20.0.3",
        "address: 172.20.0.4",
        "SESS001",
        "helm/network/prod.yaml:8",
    ),
    Mistake(
        "argo",
        "helm/network/prod.yaml",
        "    address: 172.20.0.3\n    remote: 64800",
        "    address: 172.20.0.3\n    remote: 64806",
        "SESS002",
        "helm/network/prod.yaml:9",
    ),
    Mistake(
        "argo",
        "helm/edge-services/prod.yaml",
        "address: 172.20.9.80",
        "address: 172.20.7.80",
        "SVC002",
        "helm/edge-services/prod.yaml:1",
    ),
    Mistake(
        "argo",
        "applications/network.yaml",
        "path: helm/network",
        "path: helm/networks",
        "ARGO001",
        "applications/network.yaml:14",
    ),
    Mistake(
        "argo", "applications/network.yaml", "prod.yaml]", "production.yaml]", "ARGO002", "applications/network.yaml:16"
    ),
    Mistake(
        "argo", "applications/network.yaml", 'sync-wave: "2"', 'sync-wave: "1"', "ORD001", "applications/network.yaml:4"
    ),
    Mistake(
        "argo",
        "tor/a/frr.conf",
        "permit 172.20.9.0/24 le 32",
        "permit 172.20.9.0/25 le 32",
        "RT001",
        "tor/a/frr.conf:4",
    ),
    # --- BIRD
    Mistake(
        "bird",
        "gateway/bird.conf",
        "10.7.9.64/26{32,32} ];\n\nfilter",
        "10.7.9.64/27{32,32} ];\n\nfilter",
        "RT001",
        "gateway/bird.conf:9",
    ),
    Mistake(
        "bird",
        "gateway/bird.conf",
        "neighbor 10.7.0.21 as 64710;",
        "neighbor 10.7.0.21 as 64711;",
        "SESS002",
        "gateway/bird.conf:47",
    ),
    Mistake("bird", "gateway/bird.conf", "preference 50;", "preference 200;", "FRR003", "gateway/bird.conf:30"),
    Mistake(
        "bird",
        "gateway/bird.conf",
        "import filter from_masters;",
        "import filter from_master;",
        "READ022",
        "gateway/bird.conf:43",
    ),
    Mistake("bird", "gateway/bird.conf", "  route 10.7.9.64/26 blackhole;\n", "", "RT007", "gateway/bird.conf:40"),
    Mistake("bird", "gateway/bird.conf", "  merge paths on limit 8;\n", "", "RT003", "gateway/bird.conf:40"),
    Mistake("bird", "gateway/bird.conf", "  hold time 9;\n", "  hold time 9\n", "READ018", "gateway/bird.conf:36"),
    Mistake("bird", "nodes/all.yaml", '["10.7.0.130"]', '["10.7.0.13"]', "API002", "k8s/kube-vip.yaml:13"),
    # --- two clusters: each is judged with its own half of what they share
    Mistake(
        "two",
        "clusters/west/network.yaml",
        "peerIP: 10.2.0.1",
        "peerIP: 10.1.0.1",
        "SESS001",
        "clusters/west/network.yaml:24",
    ),
    Mistake(
        "two", "clusters/east/network.yaml", "asNumber: 64911", "asNumber: 64912", "SESS002", "routers/east.conf:11"
    ),
    Mistake(
        "two",
        "routers/west.conf",
        "permit 10.2.9.0/24 ge 32",
        "permit 10.1.9.0/24 ge 32",
        "RT001",
        "routers/west.conf:3",
    ),
    Mistake(
        "two",
        "shared/filter.yaml",
        "projectcalico.org/v3",
        "crd.projectcalico.org/v1",
        "READ021",
        "shared/filter.yaml:1",
    ),
]


@pytest.fixture
def copy(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return Path(shutil.copytree(HERE / request.param, tmp_path / request.param))


def said(root: Path, *severities: Severity) -> list[Finding]:
    return [finding for finding in validate_tree(root).findings if finding.severity in severities]


def short(finding: Finding) -> str:
    return f"{finding.code} {finding.where.path}:{finding.where.line}"


@pytest.mark.parametrize("copy", UNCHECKED, indirect=True)
def test_a_right_repository_is_silent_and_says_what_it_could_not_check(copy: Path) -> None:
    assert said(copy, *JUDGED) == []
    assert tuple(sorted(map(short, said(copy, Severity.UNCHECKED)))) == UNCHECKED[copy.name]


def test_every_repository_has_mistakes() -> None:
    assert {path.name for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__"} == set(UNCHECKED)
    for name in UNCHECKED:
        assert sum(mistake.repository == name for mistake in MISTAKES) >= 3


@pytest.mark.parametrize(
    "mistake", MISTAKES, ids=lambda mistake: f"{mistake.repository}-{mistake.code}-{mistake.path[-24:]}"
)
def test_a_mistake_is_found_where_it_stands(mistake: Mistake, tmp_path: Path) -> None:
    root = Path(shutil.copytree(HERE / mistake.repository, tmp_path / mistake.repository))
    text = (root / mistake.path).read_text(encoding="utf-8")
    assert mistake.old in text
    (root / mistake.path).write_text(text.replace(mistake.old, mistake.new, 1), encoding="utf-8")
    severities = (*JUDGED, Severity.UNCHECKED) if mistake.code == "READ018" else JUDGED
    found = [short(finding) for finding in said(root, *severities)]
    assert f"{mistake.code} {mistake.place}" in found
    assert len(set(found)) <= 3, "one mistake is not said in many ways"
