"""Which engine is installed: said by its files, so that a cache need not load 85 MB to know."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def identity() -> tuple[tuple[str, int, int], ...]:
    """The files of the engine by name, size and time, without loading any: another engine has another identity.

    Raises `ModuleNotFoundError` where it is not installed, and `OSError`.
    """
    found = find_spec("helm_python")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("helm_python")
    package = Path(found.origin).parent
    looked_at = ((path, path.stat()) for path in (*sorted(package.glob("*.py")), *sorted((package / "lib").rglob("*"))))
    return tuple((path.name, status.st_size, status.st_mtime_ns) for path, status in looked_at)
