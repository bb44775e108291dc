"""Every finding about vendored charts, with the reason behind its code."""

from __future__ import annotations

from anycastle.finding import Explanation, Finding, Place, Severity
from anycastle.vendoring.wanted import FOLDER, Wanted

EXPLANATIONS: tuple[Explanation, ...] = (
    Explanation(
        "VEND001",
        "A chart that cannot be fetched",
        "Without its files an engine whose sources are all local has nothing to apply for that app, the CNI included. "
        "Nothing of the repository was changed.",
    ),
    Explanation(
        "VEND002",
        "A chart that is not what it was",
        "A chart repository may serve other bytes under a version that was used before, by mistake or by an attack. "
        "The digest in its index, and the lock of an earlier run, say which bytes were meant.",
    ),
    Explanation(
        "VEND003",
        "A vendored chart that differs from its lock",
        "The lock names the upstream version whose files these are. An edit here is lost with the next version, and "
        "who reads the version does not see it: what is to differ belongs into `apps/<app>/overrides.yaml`.",
    ),
)


def unreachable(wanted: Wanted, problem: str, fix: str) -> Finding:
    """VEND001."""
    return _error("VEND001", str(wanted), f"The chart {wanted} of {wanted.repository} was not fetched: {problem}.", fix)


def other_bytes(wanted: Wanted, said_by: str, expected: str, found: str) -> Finding:
    """VEND002."""
    return _error(
        "VEND002",
        str(wanted),
        f"{said_by} says that the chart {wanted} has the digest {expected}, but what was fetched has {found}.",
        "Find out why before you use it; if the change is meant, take the entry out of the lock and run this again.",
    )


def unreadable_lock(path: str, problem: str) -> Finding:
    """VEND003."""
    return Finding(
        "VEND003",
        Severity.ERROR,
        Place(path),
        f"The lock {problem}, so nobody can tell whether the vendored charts are upstream's.",
        "Restore it from git, or remove it and run `anycastle vendor` again.",
    )


def edited(name: str, lock: str) -> Finding:
    """VEND003."""
    return Finding(
        "VEND003",
        Severity.WARNING,
        Place(f"{FOLDER}/{name}/Chart.yaml"),
        f"The files of the vendored chart {name} are not those that {lock} names: they were edited, or some are gone.",
        f"Restore them from git, or remove {FOLDER}/{name} and run `anycastle vendor` again.",
    )


def unwritable(path: str, reason: str) -> Finding:
    """VEND001."""
    return _error("VEND001", path, f"{path}/ cannot be written: {reason}.", "Make room, or correct its permissions.")


def _error(code: str, key: str, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(key=key), message, fix)
