"""Upstream charts inside the repository, so that a sync and a check need no network.

Each chart is fetched once by version, held against the digest of its repository's index, unpacked in memory and locked:
from then on the lock says what the same version must be, and what the files below `vendor/` must be.
"""

from __future__ import annotations

from anycastle.vendoring.codes import EXPLANATIONS
from anycastle.vendoring.locking import LOCK, Locked
from anycastle.vendoring.wanted import FOLDER, Wanted

__all__ = ["EXPLANATIONS", "FOLDER", "LOCK", "Locked", "Wanted"]
