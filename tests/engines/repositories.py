"""Repositories of the default site, and changed ones: answers changed, or one line of the engine's objects."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from contents import Files, documents

from anycastle import yamlio
from anycastle.plan import plan
from anycastle.render import render
from anycastle.site.load import parse

CASE = Path(__file__).resolve().parents[1] / "cases" / "seed" / "site.yaml"
Change = Callable[[dict[str, Any]], object]


@cache
def repository(*changes: tuple[str, str]) -> Files:
    """The default site with texts of its site file replaced."""
    text = CASE.read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    parsed = parse(yamlio.load(text.encode()).documents[0].value)
    assert parsed.site is not None, parsed.findings
    return render(parsed.site, plan(parsed.site))


def released(**versions: str) -> Files:
    """The default site with other releases."""
    pinned = ", ".join(f"{name}: {version}" for name, version in versions.items())
    return repository(("\ngitops:", f"\nversions: {{{pinned}}}\ngitops:"))


def edited(files: Files, path: str, change: Change, index: int = 0) -> Files:
    """A file of one or more documents, with one of them changed."""
    found = deepcopy(documents(files, path))
    change(found[index])
    return {**files, path: "---\n".join(yamlio.dump(one) for one in found).encode()}


def without(files: Files, *prefixes: str) -> Files:
    """The same without some files."""
    return {path: data for path, data in files.items() if not path.startswith(prefixes)}
