"""What can be said of the place of a new repository before anything is written there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from anycastle.finding import Finding, Refused
from anycastle.repo import codes, target_faults
from anycastle.repo.commit import alone, require_git


def place_faults(target: Path) -> Iterator[Finding]:
    """Why nothing could be created at `target`: it is taken, or no directory can be made there."""
    yield from target_faults(target)
    above = next((parent for parent in target.absolute().parents if os.path.lexists(parent)), Path("/"))
    if not above.is_dir():
        yield codes.cannot_write(target, NotADirectoryError(20, "Not a directory", str(above)))
    elif not os.access(above, os.W_OK | os.X_OK):
        yield codes.cannot_write(target, PermissionError(13, "Permission denied", str(above)))


def nesting(target: Path, meant: str = "") -> str:
    """One sentence where `target` would lie inside another git repository that does not ignore it; else empty.

    `meant` is the folder of a larger repository that it shall be: then that is where it has to lie.
    """
    resolved = target.resolve()
    outer = next((parent for parent in resolved.parents if (parent / ".git").exists()), None)
    if outer is not None and meant:
        return _elsewhere(target, outer, str(resolved.relative_to(outer)), meant)
    if outer is None or _ignored(outer, resolved):
        return ""
    return (
        f"{target} lies inside the git repository {outer}: `git add` there would record a link to it, without its "
        "files. Choose a directory outside with -o, or let the outer repository ignore it."
    )


def _elsewhere(target: Path, outer: Path, found: str, meant: str) -> str:
    if found == meant:
        return ""
    return (
        f"{target} is the folder {found} of the git repository {outer}, and gitops.path says {meant}: the engine would "
        f"find nothing there. Choose {outer / meant} with -o, or correct gitops.path."
    )


def _ignored(outer: Path, target: Path) -> bool:
    """Whether the outer repository leaves it out; no, where git cannot be asked."""
    try:
        git = require_git()
    except Refused:
        return False
    command = ["git", "check-ignore", "--quiet", str(target)]
    with alone():
        status, _out, _err = git.Git(str(outer)).execute(command, with_extended_output=True, with_exceptions=False)
    return bool(status == 0)
