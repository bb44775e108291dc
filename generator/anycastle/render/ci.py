"""Who runs `anycastle validate`: the forge on every push, and pre-commit before every commit.

Where this repository is a folder of a larger one, GitHub and Gitea do not look into it: their workflow lies in `ci/`,
to be copied to the root. GitLab reads it from there by `include: local` (docs.gitlab.com/ci/yaml/includes).
"""

from __future__ import annotations

import re

from anycastle import __version__, yamlio
from anycastle.render.inside import from_root
from anycastle.site.model import Site

WORKFLOW = ".github/workflows/validate.yaml"
GITEA = ".gitea/workflows/validate.yaml"
GITLAB = ".gitlab-ci.yml"
PRE_COMMIT = ".pre-commit-config.yaml"
REPORT = "gl-code-quality-report.json"

_ACTIONS = "actions/checkout@v5", "actions/setup-python@v6"
_ACTIONS_AT = "https://github.com/"
"""Gitea looks for an action without a host where its administrator says; with one it is the same everywhere."""
_PYTHON = "3.13"
_PACKAGE = f"anycastle=={__version__}"
_HEAD = "Holds every commit against the rules, as `make validate` does."
_HOST = re.compile(r"(?:[a-z+]+://)?(?:[^@/]*@)?([^:/]+)")

_Object = dict[str, object]


def files(site: Site) -> dict[str, bytes]:
    """The file for the forge that the repository is on, and that for pre-commit."""
    forms = {"github": _workflow, "gitea": _workflow, "gitlab": _gitlab}
    whose = forge(site)
    result = {PRE_COMMIT: _file(_HEAD, _pre_commit(site))}
    if whose in forms:
        result[path(site)] = _file(_head(site), forms[whose](site))
    return result


def forge(site: Site) -> str:
    """Whose CI runs: the one that the site file names, else GitLab's where the host is one, else GitHub's."""
    return site.gitops.ci or ("gitlab" if on_gitlab(site) else "github")


def on_gitlab(site: Site) -> bool:
    """Whether the host of the repository is a GitLab: gitlab.com, or another with gitlab in its name."""
    found = _HOST.match(site.gitops.repository)
    return found is not None and "gitlab" in found[1].lower()


def path(site: Site) -> str:
    """Where the forge's file lies in this repository; empty where there is none."""
    if forge(site) == "gitlab":
        return GITLAB
    return f"ci/{site.name}.yaml" if site.gitops.path and forge(site) != "none" else read_at(site)


def read_at(site: Site) -> str:
    """Where the forge reads it, from the root of the Git repository; empty where no forge does."""
    if forge(site) == "gitlab":
        return from_root(site, GITLAB)
    workflow = {"github": WORKFLOW, "gitea": GITEA}.get(forge(site), "")
    return workflow.replace("validate.yaml", f"{site.name}.yaml") if site.gitops.path else workflow


def _file(head: str, value: _Object) -> bytes:
    return (yamlio.header(head) + yamlio.dump(value)).encode()


def _head(site: Site) -> str:
    if not site.gitops.path:
        return _HEAD
    where = read_at(site)
    if forge(site) == "gitlab":
        include = f"  include: [{{local: /{where}}}]"
        return f"{_HEAD}\nThe .gitlab-ci.yml at the root of the repository has to include it:\n{include}"
    return f"{_HEAD}\nRead only as {where} at the root of the repository:\ncopy it there, and again after an update."


def _command(site: Site, form: str = "") -> str:
    return f"anycastle validate {site.gitops.path or '.'}{form and f' --format {form}'}"


def _workflow(site: Site) -> _Object:
    """Gitea takes no annotations from the output, no permissions and no time limit (docs.gitea.com, comparison)."""
    github = forge(site) == "github"
    checkout, python = (action if github else _ACTIONS_AT + action for action in _ACTIONS)
    steps: list[_Object] = [
        {"uses": checkout},
        {"uses": python, "with": {"python-version": _PYTHON}},
        {"run": f"pip install {_PACKAGE}"},
        {"run": _command(site, "github" if github else "")},
    ]
    only = {"paths": [f"{site.gitops.path}/**", read_at(site)]} if site.gitops.path else {}
    job: _Object = {"runs-on": "ubuntu-latest", **({"timeout-minutes": 10} if github else {}), "steps": steps}
    return {
        "name": f"validate {site.name}" if only else "validate",
        "on": {"push": {"branches": ["**"], **only}, "pull_request": dict(only)},
        **({"permissions": {"contents": "read"}} if github else {}),
        "jobs": {"validate": job},
    }


def _gitlab(site: Site) -> _Object:
    """The image has glibc, which the embedded Helm engine needs; those of Alpine have not.

    The first command writes the report that GitLab shows in a merge request, the second one decides.
    """
    script = [f"pip install {_PACKAGE}", f"{_command(site, 'gitlab')} >{REPORT} || true", _command(site)]
    only = {"rules": [{"changes": [f"{site.gitops.path}/**/*"]}]} if site.gitops.path else {}
    job: _Object = {
        "image": f"python:{_PYTHON}-slim",
        "timeout": "10 minutes",
        **only,
        "script": script,
        "artifacts": {"reports": {"codequality": REPORT}},
    }
    return {f"validate-{site.name}" if only else "validate": job}


def _pre_commit(site: Site) -> _Object:
    """A hook of this repository itself, so that the release of anycastle is pinned without another repository."""
    hook: _Object = {
        "id": "anycastle-validate",
        "name": "anycastle validate",
        "entry": _command(site),
        "language": "python",
        "additional_dependencies": [_PACKAGE],
        **({"files": f"^{re.escape(site.gitops.path)}/"} if site.gitops.path else {}),
        "pass_filenames": False,
    }
    return {"repos": [{"repo": "local", "hooks": [hook]}]}
