"""`charts/`: our charts, copied byte for byte. No template of theirs is ever opened here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType

NAMES = ("calico-bgp", "calico-installation", "calico-loadbalancer", "edge", "namespaces", "whoami")

_LEFT_OUT = frozenset((".DS_Store", "__pycache__"))


@cache
def files() -> Mapping[str, bytes]:
    """Every file of every chart by its path in a repository, `charts/<chart>/...`; read once per process."""
    source = _source()
    found = {path: data for name in NAMES for path, data in _walk(source / name, f"charts/{name}")}
    return MappingProxyType(found)


def _source() -> Traversable:
    """The charts inside the wheel, or else those of the checkout that this module lies in."""
    packed = resources.files("anycastle") / "_data" / "charts"
    return packed if packed.is_dir() else Path(__file__).parents[3] / "charts"


def _walk(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.name in _LEFT_OUT:
            continue
        if item.is_dir():
            yield from _walk(item, f"{path}/{item.name}")
        else:
            yield f"{path}/{item.name}", item.read_bytes()
