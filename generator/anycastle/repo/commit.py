"""The first commit: the same bytes give the same commit everywhere, whoever runs it.

Author and date are constants, and nothing of the user's git takes part: no configuration, no template
directory, no hook, no signature, no ignore file, no conversion of line ends. docs/decisions/0004 says why.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from anycastle.finding import Refused
from anycastle.repo import codes
from anycastle.repo.staging import Stage

BRANCH = "main"
MESSAGE = "Initial commit of the generated repository"
NAME = "anycastle"
EMAIL = "anycastle@localhost"
DATE = "2000-01-01T00:00:00+00:00"


def require_git() -> Any:
    """GitPython, which looks for the program when it is imported. Raises `Refused` where there is none."""
    try:
        import git
    except ImportError as error:
        raise Refused([codes.no_git(os.environ.get("GIT_PYTHON_GIT_EXECUTABLE", ""))]) from error
    return git


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Take every variable that git listens to out of the environment, and put all of them back.

    Inside a git hook some name another repository (GIT_DIR, GIT_COMMON_DIR) or forbid every commit
    (GIT_QUARANTINE_PATH), even where they are empty; GitPython hands on whatever this process has.
    """
    held = {name: os.environ.pop(name) for name in [*os.environ] if name.startswith("GIT_")}
    try:
        yield
    finally:
        os.environ.update(held)


def first_commit(stage: Stage) -> None:
    """Turn the stage into a repository whose one commit holds every file in it."""
    git = require_git()
    root = stage.path.absolute()
    runner = git.Git(str(root))
    environment = _environment(root)
    try:
        with alone():
            for arguments in _COMMANDS:
                # The child holds the lock, too: a stage that git still writes to is not stale.
                runner.execute(["git", *arguments], env=environment, pass_fds=(stage.lock,))
    except git.GitCommandNotFound as error:
        raise Refused([codes.no_git()]) from error
    except git.GitCommandError as error:
        raise Refused([codes.git_failed(str(error.stderr or error))]) from error


_SETTINGS = ("-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", f"core.hooksPath={os.devnull}")
_COMMANDS = (
    ("init", "--quiet", f"--initial-branch={BRANCH}", "--template="),
    (*_SETTINGS, "add", "--all", "--force"),  # --force: a generated .gitignore must not drop a generated file
    (*_SETTINGS, "commit", "--quiet", "--no-verify", "--no-gpg-sign", f"--message={MESSAGE}"),
)


def _environment(root: Path) -> Mapping[str, str]:
    """What git is told instead of what the user has configured."""
    folder = root / ".git"
    return {
        "HOME": os.devnull,  # for git before 2.32, which does not know GIT_CONFIG_GLOBAL
        "XDG_CONFIG_HOME": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_DEFAULT_HASH": "sha1",
        "GIT_DIR": str(folder),
        "GIT_WORK_TREE": str(root),
        "GIT_INDEX_FILE": str(folder / "index"),
        "GIT_OBJECT_DIRECTORY": str(folder / "objects"),
        "GIT_AUTHOR_NAME": NAME,
        "GIT_AUTHOR_EMAIL": EMAIL,
        "GIT_AUTHOR_DATE": DATE,
        "GIT_COMMITTER_NAME": NAME,
        "GIT_COMMITTER_EMAIL": EMAIL,
        "GIT_COMMITTER_DATE": DATE,
    }
