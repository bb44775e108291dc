# ruff: noqa: E501  (a table reads best with one case a line)
"""Habits of public repositories: nothing in them is called a mistake, and a mistake beside them still is one."""

from __future__ import annotations

from pathlib import Path

import handwritten_habits
import public_habits
import pytest

from anycastle.compose import validate_tree
from anycastle.finding import Finding, Severity

JUDGED = (Severity.ERROR, Severity.WARNING)
EXAMPLES = {**public_habits.EXAMPLES, **handwritten_habits.EXAMPLES}


def said(files: dict[str, str], root: Path) -> list[Finding]:
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return [found for found in validate_tree(root).findings if found.severity in JUDGED]


@pytest.mark.parametrize("name", EXAMPLES)
def test_nothing_is_called_a_mistake(name: str, tmp_path: Path) -> None:
    assert said(dict(EXAMPLES[name]), tmp_path) == []


MISTAKES = {
    "the patch leaves a key out": ("flux-patches", "flock/root.yaml", "interval: 1h\n          prune: true", "prune: true", "OBJ005"),
    "the patch is for others": ("flux-patches", "flock/root.yaml", "defaults=yes,!plain", "defaults!=yes", "OBJ005"),
    "the patch writes an unknown key": ("flux-patches", "flock/root.yaml", "targetNamespace: web", "targetNamspace: web", "OBJ003"),
    "a fixed value beside variables": ("flux-substitutes", "flock/parts/claim/pvc.yaml", "${MODE:=ReadWriteOnce}", "ReadWriteOften", "OBJ006"),
    "a secret in clear": ("flux-substitutes", "flock/apps/web/secret.yaml", "op://vault/web/token", "correct horse", "SEC001"),
    "the issuers beside the chart": ("flux-lists", "flock/apps/certs/app/kustomization.yaml", "[release.yaml", "[release.yaml, ../../issuers/app/issuer.yaml", "FLUX004"),
    "a file that nobody makes": ("flux-lists", "flock/apps/local/.gitignore", "env.yaml", "env.json", "READ024"),
    "the root is this repository": ("flux-sources", "flock/web/sources.yaml", "name: upstream}}", "name: flux-system}}", "FLUX005"),
    "one cluster says it twice": ("two-clusters", "fleet/clusters/east/root.yaml", "  prune: true", "  prune: yes please", "OBJ004"),
    "a copy with the old name": ("choices", "net/two.yaml", "name: two", "name: one", "OBJ010"),
    "a text of another type": ("choices", "net/ebpf.yaml", "hostPorts: null", "hostPorts: 7", "OBJ004"),
    "a key and no sentence": ("keys", "web/README.md", "<your key>", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "SEC004"),
    "a key behind a word about it": ("keys", "web/module.py", '\n"""\n', '\n"""\n-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\nlQdG\n', "SEC004"),
    "a block that is open in part": ("keys", "web/ceph.yaml", "^(userKey|adminKey)$", "^(data|stringData)$", "SEC007"),
    "a picked key that is open": ("keys", "web/ceph.yaml", "^(userKey|adminKey)$", "^(user.*)$", "SEC007"),
    "a Service without ports": ("parts-of-services", "families/services.yaml", "{ip", "{selector: {app: web}, ip", "OBJ137"),
    "a session of no family": ("ethernet", "router/frr.conf", "  neighbor MESH activate\n", "", "FRR005"),
    "nobody carries pods": ("first-node", "init/cluster.yaml", "---\n", handwritten_habits.JOINED, "WORK001"),
    "a chart that should be here": ("elsewhere", "apps/vendor.yaml", "name: upstream", "name: flux-system", "FLUX006"),
    "a release that is listed": ("elsewhere", "apps/kustomization.yaml", "vendor.yaml", "vendor.yaml, old/release.yaml", "FLUX006"),
    "a chart that defines": ("defined-before", "apps/certs.yaml", "enabled: false", "enabled: true", "FLUX004"),
    "another chart comes before": ("defined-before", "bootstrap/helmfile.d/apps.yaml.gotmpl", "/external-secrets", "/external-secrets-more", "FLUX004"),
    "a default that is no name": ("defaults", "apps/claim.yaml", "${CLAIM:-", "${NO:-Web_", "OBJ101"),
    "two in one namespace": ("namespaces", "apps/two/kustomization.yaml", "namespace: two", "namespace: one", "OBJ010"),
    "nothing decrypts": ("side-by-side", "kubernetes/main/flux/root.yaml", "name: network}", "name: other}", "FLUX005"),
    "nothing is patched": ("doubted", "root.yaml", "target: {kind: Kustomization}", "target: {kind: HelmRelease}", "FLUX005"),
    "the real thing is wrong": ("aside", "web/service.yaml", "port: 80", "port: 80000", "OBJ007"),
}  # fmt: skip


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_beside_it_is_one(what: str, tmp_path: Path) -> None:
    name, path, old, new, code = MISTAKES[what]
    files = dict(EXAMPLES[name])
    assert old in files[path]
    found = said({**files, path: files[path].replace(old, new, 1)}, tmp_path)
    assert code in {one.code for one in found}, found
