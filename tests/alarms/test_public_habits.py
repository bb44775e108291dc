# ruff: noqa: E501  (a table reads best with one case a line)
"""Habits of public repositories: nothing in them is called a mistake, and a mistake beside them still is one."""

from __future__ import annotations

from pathlib import Path

import pytest
from public_habits import EXAMPLES

from anycastle.compose import validate_tree
from anycastle.finding import Finding, Severity

JUDGED = (Severity.ERROR, Severity.WARNING)


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
    "the real thing is wrong": ("aside", "web/service.yaml", "port: 80", "port: 80000", "OBJ007"),
}  # fmt: skip


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_beside_it_is_one(what: str, tmp_path: Path) -> None:
    name, path, old, new, code = MISTAKES[what]
    files = dict(EXAMPLES[name])
    assert old in files[path]
    found = said({**files, path: files[path].replace(old, new, 1)}, tmp_path)
    assert code in {one.code for one in found}, found
