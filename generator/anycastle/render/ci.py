"""Who runs `anycastle validate`: the forge on every push, and pre-commit before every commit."""

from __future__ import annotations

import re

from anycastle import __version__, yamlio
from anycastle.site.model import Site

WORKFLOW = ".github/workflows/validate.yaml"
GITLAB = ".gitlab-ci.yml"
PRE_COMMIT = ".pre-commit-config.yaml"

_ACTIONS = "actions/checkout@v5", "actions/setup-python@v6"
_PYTHON = "3.13"
_PACKAGE = f"anycastle=={__version__}"
_HEAD = "Holds every commit against the rules, as `make validate` does."
_HOST = re.compile(r"(?:[a-z+]+://)?(?:[^@/]*@)?([^:/]+)")


def files(site: Site) -> dict[str, bytes]:
    """The file for the forge that the repository is on, and that for pre-commit."""
    forge = (GITLAB, _gitlab()) if on_gitlab(site) else (WORKFLOW, _workflow())
    return {
        path: (yamlio.header(_HEAD) + yamlio.dump(value)).encode()
        for path, value in (forge, (PRE_COMMIT, _pre_commit()))
    }


def on_gitlab(site: Site) -> bool:
    """Whether the host of the repository is a GitLab: gitlab.com, or another with gitlab in its name."""
    found = _HOST.match(site.gitops.repository)
    return found is not None and "gitlab" in found[1].lower()


def _workflow() -> dict[str, object]:
    checkout, python = _ACTIONS
    steps: list[dict[str, object]] = [
        {"uses": checkout},
        {"uses": python, "with": {"python-version": _PYTHON}},
        {"run": f"pip install {_PACKAGE}"},
        {"run": "anycastle validate . --format github"},
    ]
    return {
        "name": "validate",
        "on": {"push": {"branches": ["**"]}, "pull_request": {}},
        "permissions": {"contents": "read"},
        "jobs": {"validate": {"runs-on": "ubuntu-latest", "timeout-minutes": 10, "steps": steps}},
    }


def _gitlab() -> dict[str, object]:
    """The image has glibc, which the embedded Helm engine needs; those of Alpine have not."""
    script = [f"pip install {_PACKAGE}", "anycastle validate ."]
    return {"validate": {"image": f"python:{_PYTHON}-slim", "timeout": "10 minutes", "script": script}}


def _pre_commit() -> dict[str, object]:
    """A hook of this repository itself, so that the release of anycastle is pinned without another repository."""
    hook = {
        "id": "anycastle-validate",
        "name": "anycastle validate",
        "entry": "anycastle validate .",
        "language": "python",
        "additional_dependencies": [_PACKAGE],
        "pass_filenames": False,
    }
    return {"repos": [{"repo": "local", "hooks": [hook]}]}
