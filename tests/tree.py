"""Directory trees as values, and their differences in words."""

import difflib
from collections.abc import Mapping
from pathlib import Path

SHOWN = 400  # lines of a difference


def tree_of(root: Path) -> dict[str, bytes]:
    """Every file below a directory by its path; git's own are left out."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }


def difference(expected: Mapping[str, bytes], actual: Mapping[str, bytes]) -> str:
    """First the paths, then the bytes as a unified diff; empty where both are equal."""
    lines = [f"- {path}" for path in sorted(expected.keys() - actual.keys())]
    lines += [f"+ {path}" for path in sorted(actual.keys() - expected.keys())]
    for path in sorted(expected.keys() & actual.keys()):
        if expected[path] != actual[path]:
            lines += _diff(path, expected[path], actual[path]) or [f"{path}: differs in its line ends or bytes only"]
    more = [f"... {len(lines) - SHOWN} more lines"] if len(lines) > SHOWN else []
    return "\n".join(lines[:SHOWN] + more)


def _diff(path: str, expected: bytes, actual: bytes) -> list[str]:
    before, after = (text.decode("utf-8", "replace").splitlines() for text in (expected, actual))
    return list(difflib.unified_diff(before, after, f"expected/{path}", f"actual/{path}", lineterm=""))
