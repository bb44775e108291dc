"""One slip in a repository for Flux: its code, in the file where it stands."""

from pathlib import Path

import pytest

from anycastle.compose import site_findings, validate_tree
from anycastle.finding import Severity
from anycastle.render import render
from patches import CASES, read

JUDGED = (Severity.ERROR, Severity.WARNING)
RELEASE, LIST = "flux/calico-installation/release.yaml", "flux/calico-installation/kustomization.yaml"
SLIPS = {
    "apiVersion of Kustomize": (LIST, "kustomize.config.k8s.io/v1beta1", "kustomise.config.k8s.io/v1beta1", "READ026"),
    "kind of Kustomize": (LIST, "kind: Kustomization", "kind: Kustomisation", "READ026"),
    "file of a generator": (LIST, "../../apps/calico-installation/values.yaml", "../../apps/calico/values.yaml", "READ024"),
    "own configuration": (LIST, "../references.yaml", "../reference.yaml", "READ024"),
    "name of a generated map": (LIST, "name: calico-installation-values", "name: calico-values", "FLUX007"),
    "key of a generated map": (LIST, "overrides.yaml=", "more.yaml=", "FLUX007"),
    "key of the values": (RELEASE, "valuesKey: values.yaml", "valuesKey: value.yaml", "FLUX007"),
    "hash that nobody follows": (LIST, "configurations:\n- ../references.yaml\n", "", "FLUX008"),
    "path of a reference": ("flux/references.yaml", "spec/valuesFrom/name", "spec/valueFrom/name", "FLUX008"),
    "word of Helm": (RELEASE, "helm.sh/resource-policy: keep", "helm.sh/resource-policy: Retain", "FLUX009"),
    "word of Flux": (RELEASE, "fluxcd.io/prune: disabled", "fluxcd.io/prune: never", "FLUX009"),
    "chart of an update": ("renovate.json", '"depNameTemplate": "traefik"', '"depNameTemplate": "traffik"', "UPD001"),
    "repository of an update": ("renovate.json", "traefik.github.io/charts", "traefik.github.io/chart", "UPD001"),
    "project of an update": ("renovate.json", "fluxcd/flux2", "fluxcd/flux", "UPD001"),
    "hooks of one action": (RELEASE, "uninstall:\n    disableHooks: true", "uninstall:\n    disableHooks: false", "FLUX011"),
    "history that goes": (RELEASE, "    keepHistory: true\n", "", "FLUX011"),
    "pruning beside Orphan": ("clusters/home/calico-bgp.yaml", "prune: false", "prune: true", "FLUX011"),
    "health of another kind": (RELEASE, "kind: APIServer", "kind: APIServers", "FLUX010"),
    "namespace of a release": (RELEASE, "targetNamespace: tigera-operator", "targetNamespace: tigera", "ARGO012"),
    "version of an API": ("clusters/home/whoami.yaml", "fluxcd.io/v1\n", "fluxcd.io/w1\n", "OBJ009"),
    "group of an API": ("clusters/home/sources.yaml", "source.toolkit.fluxcd.io", "sourse.toolkit.fluxcd.io", "OBJ009"),
    "group of kubeadm": ("nodes/k8s-master-1/kubeadm.yaml", "kubeadm.k8s.io/v1beta4\nkind: Cluster", "kubfadm.k8s.io/v1beta4\nkind: Cluster", "OBJ009"),
    "source of a Kustomization": ("clusters/home/whoami.yaml", "name: flux-system", "name: flux-sistem", "FLUX006"),
    "namespace of a source": ("clusters/home/sources.yaml", "namespace: flux-system", "namespace: flux", "FLUX006"),
}  # fmt: skip
INNOCENT = {
    "name without a hash": (LIST, "configurations:\n- ../references.yaml\n", "generatorOptions: {disableNameSuffixHash: true}\n"),
    "values that may be missing": (RELEASE, "valuesKey: overrides.yaml", "valuesKey: more.yaml\n    optional: true"),
    "pruning without any guard": ("clusters/home/whoami.yaml", "prune: true", "prune: false"),
    "pruning that a variable decides": ("clusters/home/calico-bgp.yaml", "prune: false", "prune: ${PRUNE}"),
    "hooks off for one action": ("flux/whoami/release.yaml", "targetNamespace", "uninstall: {disableHooks: true}\n  targetNamespace"),
    "no kind at all": (LIST, "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n", ""),
    "a namespace that Helm makes": (RELEASE, "disableHooks: true\n  upgrade", "disableHooks: true\n    createNamespace: true\n  upgrade"),
}  # fmt: skip


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    judged = site_findings(read(CASES / "flux" / "site.yaml"))
    assert judged.site is not None
    assert judged.network is not None
    return render(judged.site, judged.network)


def said(files: dict[str, bytes], root: Path, change: tuple[str, str, str]) -> set[tuple[str, str]]:
    path, old, new = change
    text = files[path].decode()
    assert old in text
    for name, data in {**files, path: text.replace(old, new, 1).encode()}.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return {(found.code, found.where.path) for found in validate_tree(root).findings if found.severity in JUDGED}


@pytest.mark.parametrize("what", SLIPS)
def test_a_slip_is_found(files: dict[str, bytes], tmp_path: Path, what: str) -> None:
    path, old, new, code = SLIPS[what]
    assert code in {one for one, _path in said(files, tmp_path, (path, old, new))}


@pytest.mark.parametrize("what", INNOCENT)
def test_another_way_is_none(files: dict[str, bytes], tmp_path: Path, what: str) -> None:
    assert said(files, tmp_path, INNOCENT[what]) == set()
