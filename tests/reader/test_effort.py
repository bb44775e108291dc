"""How often the expensive parts of reading are done: calls are counted, never time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from anycastle import yamlio
from anycastle.compose import validate_tree
from anycastle.reader import documents, flux_units, kustomize, read

_LEVEL = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: level-%d, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./levels/%d
  sourceRef: {kind: GitRepository, name: flux-system}
  patches:
    - target: {kind: Kustomization, name: level-%d}
      patch: '[{op: add, path: /spec/%s, value: %s}]'
"""
_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: web}\n"
_DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web-%d, namespace: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "registry.example.com/web:1"}]}
"""


def written(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def nested(root: Path, levels: int, key: str, value: str) -> None:
    """Kustomizations of Flux, each of which applies the next one and patches it."""
    written(root, "clusters/home.yaml", _LEVEL % (0, 0, 1, key, value))
    for level in range(levels - 1):
        written(root, f"levels/{level}/next.yaml", _LEVEL % (level + 1, level + 1, level + 2, key, value))
    written(root, f"levels/{levels - 1}/map.yaml", _MAP % "m")


def counting(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> Counter[str]:
    """The calls of a function from now on."""
    calls: Counter[str] = Counter()
    inner: Callable[..., Any] = getattr(module, name)

    def outer(*given: Any) -> Any:
        calls[name] += 1
        return inner(*given)

    monkeypatch.setattr(module, name, outer)
    return calls


@pytest.mark.parametrize("levels", [5, 30])
def test_patches_of_nested_kustomizations_look_into_each_folder_once(
    levels: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nested(tmp_path, levels, "timeout", "7m")
    folders, gathered = counting(monkeypatch, flux_units, "folders"), counting(monkeypatch, kustomize, "gathered")
    assert [found for found in validate_tree(tmp_path).findings if found.severity == "error"] == []
    assert folders["folders"] == 2
    assert gathered["gathered"] == 2 * levels


def test_a_patched_path_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody remembers folders of Kustomizations that have others by now."""
    nested(tmp_path, 3, "path", "./elsewhere")
    written(tmp_path, "elsewhere/map.yaml", _MAP % "e")
    folders = counting(monkeypatch, flux_units, "folders")
    reached = read(tmp_path).reached
    assert "elsewhere/map.yaml" in reached
    assert "levels/1/next.yaml" not in reached
    assert folders["folders"] > 2


def test_a_file_is_parsed_once_where_nothing_is_said_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The place of a value that is not there is not looked up: no memory holds all trees of a large repository."""
    for number in range(12):
        written(tmp_path, f"web/{number}.yaml", _DEPLOYMENT % number)
    monkeypatch.setattr(documents, "_ROOM", 0)
    loads = counting(monkeypatch, yamlio, "load")
    assert [one for one in validate_tree(tmp_path).findings if one.severity == "error"] == []
    assert loads["load"] == 12
