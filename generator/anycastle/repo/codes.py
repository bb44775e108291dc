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
    Explanation(
        "REPO009",
        "The repository cannot be updated",
        "site.yaml and the manifest of generated files are what an update starts from. Without them nothing tells a "
        "generated file from one that a person wrote, and the person's would be lost.",
    ),
    Explanation(
        "REPO010",
        "A file was edited by hand and is generated anew",
        "Replacing it would lose the edit, and leaving it would mix two states of the site: a router that knows a node "
        "which no machine is. So nothing at all is written until a person has decided.",
    ),
    Explanation(
        "REPO011",
        "Something stands where a file is generated",
        "Writing through a symbolic link changes a file outside of the repository, and a directory in the place of a "
        "file may hold a person's work.",
    ),
    Explanation(
        "REPO012",
        "A file that is not generated any more was edited",
        "It stays, since it holds somebody's work; and whatever reads the repository, the GitOps engine above all, "
        "goes on using it although site.yaml does not ask for it.",
        Severity.WARNING,
    ),
    Explanation(
        "REPO013",
        "An edit that was never committed would be lost",
        "Once overwritten, it is in no history and nobody can bring it back.",
    ),
    Explanation(
        "REPO014",
        "The update cannot be written",
        "The disk is full, or a directory may not be written. Before the first file is replaced that changes nothing; "
        "later some files are new and some old, which running the update again puts right.",
    ),
    Explanation(
        "REPO015",
        "A file to overwrite or to keep is not generated",
        "The option would do nothing, and the file that was meant would stay as it is, or stay in conflict.",
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


def no_git(named: str = "") -> Finding:
    """REPO004; `named` is what GIT_PYTHON_GIT_EXECUTABLE says, if anything."""
    what = f"GIT_PYTHON_GIT_EXECUTABLE names {named!r}, which is no git program" if named else "There is no git on PATH"
    cure = "Install git (apt-get install git, dnf install git, brew install git) and run the command again."
    if named:
        cure = "Take the variable out of the environment, or let it name the program git."
    return _error("REPO004", "git", f"{what}: the repository gets no first commit, and nothing is written.", cure)


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


def not_updatable(path: str, problem: str) -> Finding:
    """REPO009; `problem` goes on after the path."""
    return _error(
        "REPO009",
        path,
        f"{path} {problem}, so generated files cannot be told from others; nothing is written.",
        "Run this in a repository that `anycastle new` made, and restore the file if it was lost or is in conflict: "
        f"git checkout HEAD -- {path}.",
    )


def conflict(path: str, root: Path, *, ours: bool) -> Finding:
    """REPO010; `ours`: it was generated once, so the person has edited it rather than written it."""
    edited = "It was edited by hand, and what is generated now differs from what was: the edit would be lost."
    written = "A file of this name is generated now, and the one that is there was not: it would be lost."
    return _error(
        "REPO010",
        path,
        edited if ours else written,
        f"See both with `anycastle diff {root}`. Move what you need to site.yaml or to the overrides.yaml of its app "
        f"and add --overwrite {path}; or add --keep {path} to leave the file as it is.",
    )


def blocked(path: str, what: str) -> Finding:
    """REPO011; `what` goes on after the path."""
    return _error(
        "REPO011",
        path,
        f"{path} {what}; a generated file belongs there, and nothing is written through or over it.",
        "Move it away, and run the command again.",
    )


def stale(path: str) -> Finding:
    """REPO012."""
    return Finding(
        "REPO012",
        Severity.WARNING,
        Place(path=path),
        "It is not generated any more, but was edited by hand: it is kept, and whatever reads it goes on doing so.",
        f"git rm {path}, unless you want it; from the next update on it counts as yours.",
    )


def uncommitted(path: str) -> Finding:
    """REPO013."""
    return _error(
        "REPO013",
        path,
        "It holds an edit that git does not have; overwriting it would lose the edit for good.",
        f"Commit it first (git add {path} && git commit), so that the history keeps the edit.",
    )


def cannot_update(root: Path, error: OSError) -> Finding:
    """REPO014, before anything was replaced."""
    return _update_failed(root, error, "nothing was changed", "Make room or get the right to write there, and repeat.")


def half_way(root: Path, error: OSError) -> Finding:
    """REPO014, in the middle."""
    fix = "Cure that, and run the same command again: it finishes what is left. Do not commit before."
    return _update_failed(root, error, "some files are new already, and others still old", fix)


def changed_meanwhile(path: str) -> Finding:
    """REPO014, where somebody else writes at the same time."""
    return _update_failed(Path(path), OSError("it was changed while the update ran"), "nothing was changed", "Repeat.")


def _update_failed(place: Path, error: OSError, state: str, fix: str) -> Finding:
    reason = error.strerror or str(error)
    which = f" ({error.filename})" if error.filename else ""
    return _error("REPO014", str(place), f"{place} cannot be written: {reason}{which}; {state}.", fix)


def not_generated(path: str) -> Finding:
    """REPO015."""
    return _error(
        "REPO015",
        path,
        f"{path} is no file that is generated for this site, so there is nothing to decide about it.",
        "Name a path as `anycastle diff` lists it: relative to the repository.",
    )
