"""Who runs the checks of a generated repository: the forge it is on, and pre-commit."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from anycastle import __version__, yamlio
from anycastle.plan import plan
from anycastle.reader import read
from anycastle.render import render
from anycastle.render.ci import GITEA, GITLAB, PRE_COMMIT, WORKFLOW, on_gitlab
from anycastle.site.load import parse
from anycastle.site.model import Site

ROOT = Path(__file__).resolve().parents[2]


KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBk5zn+aqHqkZJ3fwFftx6dg/wJ59K7j0JuksF0EvjIg"


def site_at(url: str, **gitops: str) -> Site:
    data = yamlio.load((ROOT / "tests/cases/seed/site.yaml").read_bytes()).documents[0].value
    data["gitops"] |= {"repository": url, **gitops}
    if "@" in url:
        host = url.rpartition("@")[2].partition("/")[0]
        name, _, port = host.partition(":")
        data["gitops"]["known_hosts"] = [
            f"[{name.lower()}]:{port} {KEY}" if port.isdigit() else f"{name.lower()} {KEY}"
        ]
    site = parse(data).site
    assert site is not None
    return site


def rendered(url: str, **gitops: str) -> dict[str, bytes]:
    site = site_at(url, **gitops)
    return render(site, plan(site))


def document(data: bytes) -> Any:
    loaded = yamlio.load(data)
    assert not loaded.findings
    return loaded.documents[0].value


@pytest.mark.parametrize(
    ("url", "gitlab"),
    [
        ("https://gitlab.com/a/b.git", True),
        ("https://gitlab.example.com/a/b.git", True),
        ("https://git.gitlab-internal.example.com/a/b.git", True),
        ("git@gitlab.example.com:a/b.git", True),
        ("ssh://git@GitLab.example.com:2222/a/b.git", True),
        ("https://github.com/gitlab/b.git", False),
        ("https://git.example.com/gitlab.git", False),
        ("git@github.com:gitlab/gitlab.git", False),
        ("ssh://gitlab@git.example.com/a.git", False),
    ],
)
def test_the_host_decides(url: str, gitlab: bool) -> None:
    assert on_gitlab(site_at(url)) is gitlab


def test_github_gets_a_workflow_with_annotations_and_nothing_else() -> None:
    files = rendered("https://github.com/a/b.git")
    assert WORKFLOW in files
    assert GITLAB not in files
    workflow = document(files[WORKFLOW])
    steps = [step.get("run") for step in workflow["jobs"]["validate"]["steps"]]
    assert steps[2:] == [f"pip install anycastle=={__version__}", "anycastle validate . --format github"]
    assert workflow["permissions"] == {"contents": "read"}
    assert "github-actions" in json.loads(files["renovate.json"])["enabledManagers"]


def test_gitlab_gets_a_job_and_nothing_of_github() -> None:
    files = rendered("https://gitlab.com/a/b.git")
    assert GITLAB in files
    assert not [path for path in files if path.startswith(".github/")]
    job = document(files[GITLAB])["validate"]
    assert job["script"] == [
        f"pip install anycastle=={__version__}",
        "anycastle validate . --format gitlab >gl-code-quality-report.json || true",
        "anycastle validate .",
    ]
    assert job["artifacts"] == {"reports": {"codequality": "gl-code-quality-report.json"}}
    assert "gitlabci" in json.loads(files["renovate.json"])["enabledManagers"]


def test_gitea_gets_a_workflow_without_what_it_does_not_know() -> None:
    files = rendered("https://git.example.com/a/b.git", ci="gitea")
    assert not [path for path in files if path.startswith((".github/", ".gitlab"))]
    workflow = document(files[GITEA])
    assert "permissions" not in workflow
    job = workflow["jobs"]["validate"]
    assert "timeout-minutes" not in job
    used = [step["uses"] for step in job["steps"] if "uses" in step]
    assert [action.partition("@")[0] for action in used] == [
        "https://github.com/actions/checkout",
        "https://github.com/actions/setup-python",
    ]
    assert job["steps"][-1]["run"] == "anycastle validate ."
    assert json.loads(files["renovate.json"])["enabledManagers"] == ["custom.regex", "github-actions"]


def test_the_answer_outweighs_the_host() -> None:
    files = rendered("https://gitlab.com/a/b.git", ci="none")
    assert not [path for path in files if path.startswith((".github/", ".gitlab", ".gitea/", "ci/"))]
    assert PRE_COMMIT in files
    assert json.loads(files["renovate.json"])["enabledManagers"] == ["custom.regex"]
    assert "so does every push" not in files["README.md"].decode()
    assert GITLAB in rendered("https://github.com/a/b.git", ci="gitlab")


@pytest.mark.parametrize("forge", ["github", "gitea", "gitlab"])
def test_in_a_larger_repository_only_its_own_files_start_the_check(forge: str) -> None:
    files = rendered("https://git.example.com/a/b.git", ci=forge, path="clusters/home")
    if forge == "gitlab":
        [(name, job)] = document(files[GITLAB]).items()
        assert (name, job["rules"]) == ("validate-home", [{"changes": ["clusters/home/**/*"]}])
        assert job["script"][-1] == "anycastle validate clusters/home"
        return
    assert not [path for path in files if path.startswith((".github/", ".gitea/"))]  # nobody reads them there
    workflow = document(files["ci/home.yaml"])
    paths = ["clusters/home/**", f".{forge}/workflows/home.yaml"]
    assert workflow["on"] == {"push": {"branches": ["**"], "paths": paths}, "pull_request": {"paths": paths}}
    assert workflow["jobs"]["validate"]["steps"][-1]["run"].startswith("anycastle validate clusters/home")
    assert f".{forge}/workflows/home.yaml at the root" in files["ci/home.yaml"].decode()


@pytest.mark.parametrize(
    ("forge", "path", "old", "new"),
    [
        ("gitlab", GITLAB, "artifacts:", "artefacts:"),
        ("gitlab", GITLAB, "codequality:", "code_quality:"),
        ("gitlab", GITLAB, "pip install anycastle==", "pip install anycastel=="),
        ("gitlab", GITLAB, "anycastle validate .\n", "anycastle validat .\n"),
        ("gitlab", GITLAB, "--format gitlab", "--format gitlub"),
        ("gitlab", GITLAB, f"anycastle=={__version__}", "anycastle==0.0.1"),
        ("gitea", GITEA, "actions/checkout", "actions/chekout"),
        ("gitea", GITEA, "checkout@v5", "checkout@latest"),
        ("gitea", GITEA, "ubuntu-latest", "ubuntu-lastest"),
    ],
)
def test_a_slip_in_the_file_of_the_forge_is_said(forge: str, path: str, old: str, new: str, tmp_path: Path) -> None:
    files = rendered("https://git.example.com/a/b.git", ci=forge)
    assert old.encode() in files[path]
    for name in (path, PRE_COMMIT, "site.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(files[name])
    assert "CI001" not in {finding.code for finding in read(tmp_path).findings}
    (tmp_path / path).write_bytes(files[path].replace(old.encode(), new.encode()))
    assert "CI001" in {finding.code for finding in read(tmp_path).findings}


def test_jobs_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / GITLAB).write_text("build:\n  scrip: [make]\n  script: [make]\n")
    (tmp_path / "ci").mkdir()
    (tmp_path / "ci/x.yaml").write_text("jobs: {a: {runs-on: ubuntu-lastest, steps: [{run: make}]}}\n")
    assert "CI001" not in {finding.code for finding in read(tmp_path).findings}


def test_pre_commit_runs_the_same_release_whatever_the_forge() -> None:
    for url in ("https://github.com/a/b.git", "https://gitlab.com/a/b.git"):
        (repository,) = document(rendered(url)[PRE_COMMIT])["repos"]
        (hook,) = repository["hooks"]
        assert repository["repo"] == "local"
        assert hook["additional_dependencies"] == [f"anycastle=={__version__}"]
        assert (hook["entry"], hook["language"], hook["pass_filenames"]) == ("anycastle validate .", "python", False)


def test_the_hook_of_this_project_and_the_generated_one_are_alike() -> None:
    (ours,) = document((ROOT / ".pre-commit-hooks.yaml").read_bytes())
    (generated,) = document(rendered("https://github.com/a/b.git")[PRE_COMMIT])["repos"][0]["hooks"]
    shared = ours.keys() & generated.keys()
    assert {"id", "name", "entry", "language", "pass_filenames"} == shared
    assert {key: ours[key] for key in shared} == {key: generated[key] for key in shared}


def test_the_page_about_ci_shows_what_is_generated() -> None:
    page = (ROOT / "docs/ci.md").read_text()
    blocks = [document(block.encode()) for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)]
    gitlab = document(rendered("https://gitlab.com/a/b.git")[GITLAB])
    files = rendered("https://github.com/a/b.git")
    assert gitlab in blocks
    assert document(rendered("https://git.example.com/a/b.git", ci="gitea")[GITEA]) in blocks
    assert document(files[PRE_COMMIT]) in blocks
    assert document(files[WORKFLOW])["jobs"]["validate"]["steps"] in blocks
