"""Shapes that nobody means, where a list of names or a word is expected: a finding at most, and the report goes on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from anycastle.compose import validate_tree
from anycastle.finding import Severity

EXAMPLE = Path(__file__).resolve().parents[2] / "output-example"
PROJECT = """\
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: more, namespace: argocd, finalizers: FINALIZERS}
spec:
  sourceRepos: ["https://git.example.com/platform/home.git"]
  destinations: [{server: https://kubernetes.default.svc, namespace: web}]
  clusterResourceWhitelist: ENTRIES
  namespaceResourceWhitelist: ENTRIES
"""
OBJECT = """\
apiVersion: VERSION
kind: KIND
metadata: {name: more, namespace: web}
"""


def codes(files: dict[str, str], root: Path) -> set[str]:
    home = Path(shutil.copytree(EXAMPLE, root / "home"))
    for path, text in files.items():
        (home / path).write_text(text)
    return {found.code for found in validate_tree(home).findings if found.severity is Severity.ERROR}


@pytest.mark.parametrize("entries", ["[{kind: Namespce}]", "[{group: apps}]", "[{}]", "[null, 3, a]", "{a: b}", "7"])
@pytest.mark.parametrize("finalizers", ["[[a]]", "a", "[{}]", "[null]"])
def test_a_project_of_odd_lists(entries: str, finalizers: str, tmp_path: Path) -> None:
    text = PROJECT.replace("ENTRIES", entries).replace("FINALIZERS", finalizers)
    assert codes({"argocd/projects/more.yaml": text}, tmp_path) - {"ARGO011"} <= {
        "OBJ004",
        "OBJ005",
        "OBJ003",
        "OBJ006",
    }


@pytest.mark.parametrize("kind", ["'**x'", "/x", "x" * 300, "'[a-'", "'..'"])
@pytest.mark.parametrize("version", ["v1", "apps/**v1", "apps/v1", "'[/v1'", "a" * 300 + "/v1"])
def test_an_object_of_an_odd_kind(kind: str, version: str, tmp_path: Path) -> None:
    text = OBJECT.replace("VERSION", version).replace("KIND", kind)
    assert codes({"argocd/apps/more.yaml": text}, tmp_path)
