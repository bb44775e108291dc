"""What git has of a file: asked before an edit is overwritten, since only the history could bring it back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from anycastle.repo.commit import alone, require_git

_ENVIRONMENT = {"GIT_OPTIONAL_LOCKS": "0", "GIT_LITERAL_PATHSPECS": "1"}


def uncommitted(root: Path, paths: Iterable[str]) -> Iterator[str]:
    """Those of the paths whose bytes on disk are in no commit, as far as anything proves that they are.

    Outside of a git work tree there is no history that could have them, and nobody expects one: none.
    """
    whole = root.absolute()
    if not any((folder / ".git").exists() for folder in (whole, *whole.parents)):
        return
    for path in sorted(paths):
        if _status(root, path):
            yield path


def _status(root: Path, path: str) -> str:
    """What `git status` says of one file, empty where it is committed. Raises `Refused` without a git program."""
    git = require_git()
    command = ["git", "status", "--porcelain", "--untracked-files=all", "--ignored", "--", path]
    try:
        with alone():
            return str(git.Git(str(root)).execute(command, env=_ENVIRONMENT))
    except git.GitCommandError as error:
        return str(error)
