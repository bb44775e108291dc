"""Every finding of the writer, with the reason behind its code."""

from __future__ import annotations

from pathlib import Path

from anycastle.finding import Explanation, Finding, Place, Severity

EXPLANATIONS: tuple[Explanation, ...] = (
    Explanation(
        "REPO001",
        "The place of the new repository is taken",
        "Writing into a directory that holds something would mix two repositories, and a half-replaced one is worse "
        "than none: the GitOps engine applies whatever it finds.",
    ),
    Explanation(
        "REPO002",
        "A path leaves the repository or cannot be stored",
        "An absolute path, `..`, a name of git's own or a backslash would write outside of the repository, into its "
        "history, or to different places on different systems.",
    ),
    Explanation(
        "REPO003",
        "Two files claim one path",
        "One of the two would vanish: they differ in nothing but case, which macOS does not tell apart, or one is a "
        "directory of the other.",
    ),
    Explanation(
        "REPO004",
        "The git program is missing",
        "The repository is handed over with its first commit, since a GitOps engine reads commits and not files.",
    ),
    Explanation(
        "REPO005",
        "git refused to make the first commit",
        "Without a commit there is nothing that a GitOps engine could read; nothing is left at the target.",
    ),
    Explanation(
        "REPO006",
        "The repository cannot be written",
        "The disk is full, or the directory above the target may not be written; nothing is left at the target.",
    ),
    Explanation(
        "REPO007",
        "Generated files are gone",
        "Deleting what is not needed is fine; a file that got lost in a merge is missed only when the machine "
        "or the app that it belongs to is installed.",
        Severity.INFO,
    ),
    Explanation(
        "REPO008",
        "The manifest of generated files cannot be read",
        "It says which files were generated and are unchanged; without it edited files cannot be told from others.",
        Severity.INFO,
    ),
)


def _error(code: str, where: str, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(path=where), message, fix)


def target_taken(target: Path, what: str) -> Finding:
    """REPO001."""
    return _error(
        "REPO001",
        str(target),
        f"{target} {what}; a new repository would mix with what is there.",
        "Choose a path that does not exist, or empty the directory.",
    )


def unsafe_path(path: str, why: str) -> Finding:
    """REPO002."""
    return _error(
        "REPO002",
        path,
        f"The path {path!r} {why}, so nothing is written.",
        "Use a relative path of plain names with forward slashes.",
    )


def colliding_path(path: str, other: str) -> Finding:
    """REPO003."""
    return _error(
        "REPO003",
        path,
        f"The paths {path!r} and {other!r} cannot both exist in one directory tree; one would vanish.",
        "Give the two things different names.",
    )


def no_git() -> Finding:
    """REPO004."""
    return _error(
        "REPO004",
        "git",
        "The program git was not found on PATH, so the repository could not get its first commit; nothing is written.",
        "Install git (apt-get install git, dnf install git, brew install git) and run the command again.",
    )


def git_failed(reason: str) -> Finding:
    """REPO005; `reason` is what git said."""
    return _error(
        "REPO005",
        "git",
        f"git could not make the first commit, so nothing is written: {' '.join(reason.split())}",
        "Run `git --version`; if it works, report this message.",
    )


def cannot_write(target: Path, error: OSError) -> Finding:
    """REPO006."""
    reason = error.strerror or type(error).__name__
    place = f" ({error.filename})" if error.filename else ""
    return _error(
        "REPO006",
        str(target),
        f"{target} cannot be written: {reason}{place}; nothing is left there.",
        "Choose a directory that you may write to, on a file system with space left.",
    )


def lost_files(manifest: str, gone: list[str]) -> Finding:
    """REPO007; names a few and counts the others."""
    named = ", ".join(gone[:3]) + (f" and {len(gone) - 3} more" if len(gone) > 3 else "")
    return Finding(
        "REPO007",
        Severity.INFO,
        Place(path=manifest),
        f"Generated and not there any more: {named}.",
        "Restore what was not deleted on purpose: git log --diff-filter=D --name-only.",
    )


def unreadable_manifest(manifest: str) -> Finding:
    """REPO008."""
    return Finding(
        "REPO008",
        Severity.INFO,
        Place(path=manifest),
        "The manifest is not the JSON that was generated, so edited files cannot be told from others.",
        f"Restore it: git checkout -- {manifest}.",
    )
