"""Versions as numbers, for rules that hold for some releases only."""

from __future__ import annotations

import re

from anycastle.network.cluster import Version
from anycastle.network.model import Network

Release = tuple[int, int, int]

_RELEASE = re.compile(r"v?(\d+)\.(\d+)(?:\.(\d+))?(.*)\Z", re.DOTALL)


def release(text: str) -> Release | None:
    """`1.36.4` as three numbers; None for what is no release number. A suffix (`-rc.1`) is left out."""
    match = _RELEASE.match(text)
    return (int(match[1]), int(match[2]), int(match[3] or 0)) if match else None


def version_of(network: Network, component: str) -> Version | None:
    """The pinned version of a component."""
    return next((version for version in network.versions if version.component == component), None)


def release_of(network: Network, component: str) -> Release | None:
    """The pinned release of a component, where there is one that can be read."""
    version = version_of(network, component)
    return release(version.version) if version else None


def older(one: Release, than: Release) -> bool:
    """Whether a release came before another."""
    return one < than
