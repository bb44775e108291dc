"""`anycastle schemas`: definitions from a folder, and `validate` that judges by them."""

import json
from pathlib import Path

import pytest

from anycastle.cli import run

DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {kind: Thing, plural: things}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer}}}
"""
THING = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a, namespace: b}\nspec: {size: large}\n"


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANYCASTLE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def definitions(tmp_path: Path) -> Path:
    folder = tmp_path / "definitions"
    folder.mkdir()
    (folder / "things.yaml").write_text(DEFINITION)
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "thing.yaml").write_text(THING)
    return folder


def codes(root: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    run(["validate", str(root), "--format", "json", *options])
    return [row["code"] for row in json.loads(capsys.readouterr().out)["findings"] if row["code"].startswith("OBJ")]


def test_what_was_fetched_is_used_and_left_aside_on_demand(
    definitions: Path, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert codes(repository, capsys) == ["OBJ011"], "nobody knows the kind"
    assert run(["schemas", "fetch", "--from", str(definitions)]) == 0
    assert capsys.readouterr().out == "folder: 1 kinds, 0 rules\n"
    assert codes(repository, capsys) == ["OBJ004"]
    assert codes(repository, capsys, "--no-cache") == ["OBJ011"]


def test_status_says_what_is_there(definitions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schemas", "status"]) == 0
    assert "no definitions; `anycastle schemas fetch` brings them" in capsys.readouterr().out
    run(["schemas", "fetch", "--from", str(definitions)])
    capsys.readouterr()
    assert run(["schemas", "status"]) == 0
    assert ": 1 kinds\n" in capsys.readouterr().out


def test_a_folder_without_definitions_changes_nothing(
    tmp_path: Path, definitions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["schemas", "fetch", "--from", str(definitions)])
    (tmp_path / "empty").mkdir()
    assert run(["schemas", "fetch", "--from", str(tmp_path / "empty")]) == 1
    assert "Nothing was changed." in capsys.readouterr().out
    run(["schemas", "status"])
    assert ": 1 kinds\n" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["fetch", "--from", "/does/not/exist"], ["nonsense"], ["status", "x"]])
def test_misuse_is_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schemas", *arguments]) == 2
    assert "Error: " in capsys.readouterr().err
