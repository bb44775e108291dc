"""Who runs the checks of a generated repository: the forge it is on, and pre-commit."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from anycastle import __version__, yamlio
from anycastle.plan import plan
from anycastle.render import render
from anycastle.render.ci import GITLAB, PRE_COMMIT, WORKFLOW, on_gitlab
from anycastle.site.load import parse
from anycastle.site.model import Site

ROOT = Path(__file__).resolve().parents[2]


def site_at(url: str) -> Site:
    data = yamlio.load((ROOT / "tests/cases/seed/site.yaml").read_bytes()).documents[0].value
    data["gitops"]["repository"] = url
    site = parse(data).site
    assert site is not None
    return site


def rendered(url: str) -> dict[str, bytes]:
    site = site_at(url)
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
    assert document(files[GITLAB])["validate"]["script"] == [
        f"pip install anycastle=={__version__}",
        "anycastle validate .",
    ]
    assert "gitlabci" in json.loads(files["renovate.json"])["enabledManagers"]


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
    assert document(files[PRE_COMMIT]) in blocks
    assert document(files[WORKFLOW])["jobs"]["validate"]["steps"] in blocks
