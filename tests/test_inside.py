"""A repository that is a folder of a larger one: what is resolved from the root of that, and nothing else, changes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from anycastle import yamlio
from anycastle.cli import run
from anycastle.finding import Finding, Severity
from anycastle.plan import plan
from anycastle.reader import read
from anycastle.render import render
from anycastle.repo.place import nesting
from anycastle.site.load import parse

CASES = Path(__file__).parent / "cases"
FOLDER = "clusters/of.mine"
ENGINES = ("argocd", "flux")


def files_at(folder: str, engine: str, **gitops: Any) -> dict[str, bytes]:
    data = yamlio.load((CASES / "seed/site.yaml").read_bytes()).documents[0].value
    data["gitops"] |= {"engine": engine, "path": folder, **gitops}
    site = parse(data).site
    assert site is not None
    return render(site, plan(site))


def written(root: Path, files: dict[str, bytes]) -> Path:
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def said(root: Path) -> list[Finding]:
    return [finding for finding in read(root).findings if finding.severity is not Severity.UNCHECKED]


def resolved(value: Any, key: str = "") -> Iterator[str]:
    """Texts that an engine resolves from the root of the Git repository."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from resolved(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from resolved(inner, key)
    elif key in ("path", "valueFiles") or (key == "chart" and str(value).startswith("./")):
        yield str(value)


def below(path: str) -> str:
    start = next((start for start in ("$values/", "./") if path.startswith(start)), "")
    return f"{start}{FOLDER}/{path.removeprefix(start)}"


@pytest.mark.parametrize("engine", ENGINES)
def test_every_path_of_the_engine_begins_with_the_folder_and_nothing_else_changes(engine: str) -> None:
    plain, inside = files_at("", engine), files_at(FOLDER, engine)
    manifests = [path for path in plain if path.startswith(("argocd/apps", "argocd/root", "clusters/", "flux/"))]
    manifests.remove("flux/references.yaml") if engine == "flux" else None
    assert len(manifests) > 10
    found = 0
    for path in manifests:
        for before, after in zip(
            (document.value for document in yamlio.load(plain[path]).documents),
            (document.value for document in yamlio.load(inside[path]).documents),
            strict=True,
        ):
            paths = list(zip(resolved(before), resolved(after), strict=True))
            found += len(paths)
            assert [after for _before, after in paths] == [below(before) for before, _after in paths]
    assert found >= 15
    changed = {path for path in plain.keys() & inside.keys() if plain[path] != inside[path]} - set(manifests)
    assert changed <= {"README.md", "site.yaml", ".anycastle/manifest.json", ".pre-commit-config.yaml", "bootstrap.sh"}
    assert plain.keys() ^ inside.keys() == {
        ".github/workflows/validate.yaml",
        "ci/home.yaml",
        "renovate.json",
        "renovate-preset.json",
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_the_folder_is_read_alike_wherever_it_lies(engine: str, tmp_path: Path) -> None:
    plain = read(written(tmp_path / "plain", files_at("", engine)))
    alone = read(written(tmp_path / "anywhere", files_at(FOLDER, engine)))
    assert alone.network == plain.network
    assert len(alone.objects) == len(plain.objects)
    assert not said(tmp_path / "anywhere")
    written(tmp_path / "outer" / FOLDER, files_at(FOLDER, engine))
    (tmp_path / "outer" / ".git").mkdir()
    assert not said(tmp_path / "outer" / FOLDER)
    assert run(["validate", "--no-cache", str(tmp_path / "outer")]) == 0
    assert run(["validate", "--no-cache", str(tmp_path / "outer" / FOLDER)]) == 0


@pytest.mark.parametrize(
    ("engine", "path", "old", "new", "code"),
    [
        ("argocd", "argocd/apps/edge.yaml", f"path: {FOLDER}/charts", "path: charts", "ARGO001"),
        ("argocd", "argocd/apps/edge.yaml", f"values/{FOLDER}/apps/edge/values", "values/apps/edge/values", "ARGO002"),
        ("flux", "clusters/home/edge.yaml", f"./{FOLDER}/flux", "./flux", "FLUX006"),
        ("flux", "flux/edge/release.yaml", f"./{FOLDER}/charts", "./charts", "FLUX006"),
    ],
)
def test_a_path_without_the_folder_is_nothing(
    engine: str, path: str, old: str, new: str, code: str, tmp_path: Path
) -> None:
    files = files_at(FOLDER, engine)
    assert old.encode() in files[path]
    files[path] = files[path].replace(old.encode(), new.encode())
    [finding] = [one for one in said(written(tmp_path, files)) if one.severity is Severity.ERROR]
    assert (finding.code, finding.where.path) == (code, path)
    assert f"Write {FOLDER}/" in finding.fix


def test_a_folder_of_another_name_is_said(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    root = written(tmp_path / "clusters" / "other", files_at(FOLDER, "argocd"))
    [finding] = said(root)
    assert finding.code == "SITE020"
    assert finding.message.endswith("says gitops.path: clusters/of.mine; here it is clusters/other.")


def test_renovate_names_the_file_from_the_root_and_leaves_the_rest_of_the_folder_alone() -> None:
    value = json.loads(files_at(FOLDER, "argocd")["renovate-preset.json"])
    assert {one["managerFilePatterns"][0] for one in value["customManagers"]} == {r"/^clusters/of\.mine/site\.yaml$/"}
    assert "enabledManagers" not in value
    assert [(rule["matchFileNames"], rule["enabled"]) for rule in value["packageRules"]] == [
        ([f"{FOLDER}/**"], False),
        ([f"{FOLDER}/site.yaml"], True),
    ]


def test_a_preset_that_names_no_file_is_said(tmp_path: Path) -> None:
    files = files_at(FOLDER, "argocd")
    files["renovate-preset.json"] = files["renovate-preset.json"].replace(rb"clusters/of\\.mine/", b"", 1)
    [finding] = said(written(tmp_path, files))
    assert (finding.code, finding.where.path) == ("UPD001", "renovate-preset.json")


def site_file(folder: Path, where: str) -> Path:
    data = yamlio.load((CASES / "seed/site.yaml").read_bytes()).documents[0].value
    data["gitops"]["path"] = where
    path = folder / "answers.yaml"
    path.write_text(yamlio.dump(data))
    return path


def test_new_makes_a_folder_without_a_history_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outer = tmp_path / "outer"
    subprocess.run(["git", "init", "--quiet", str(outer)], check=True)
    answers = site_file(tmp_path, "clusters/home")
    assert run(["new", "--no-input", "--answers", str(answers), "-o", str(outer / "clusters")]) == 0
    assert "warning" not in capsys.readouterr().out
    assert not (outer / "clusters/home/.git").exists()
    assert sorted(path.name for path in (outer / "clusters").iterdir()) == ["home"]
    assert run(["validate", "--no-cache", str(outer)]) == 0
    assert run(["diff", str(outer / "clusters/home")]) == 0


def test_moving_it_is_one_key_and_one_update(tmp_path: Path) -> None:
    answers = site_file(tmp_path, "clusters/home")
    assert run(["new", "--no-input", "--answers", str(answers), "-o", str(tmp_path)]) == 0
    site = tmp_path / "home/site.yaml"
    site.write_text(site.read_text().replace("path: clusters/home", "path: k8s"))
    assert run(["update", str(tmp_path / "home")]) == 0
    assert "path: k8s/argocd/apps" in (tmp_path / "home/argocd/root.yaml").read_text()
    assert run(["validate", "--no-cache", str(tmp_path / "home")]) == 0


def test_a_place_that_the_site_file_does_not_name_is_said_before(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert nesting(tmp_path / "clusters" / "home", "clusters/home") == ""
    assert "gitops.path says clusters/home" in nesting(tmp_path / "home", "clusters/home")
