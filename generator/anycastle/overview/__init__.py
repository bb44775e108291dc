"""A network as a person asks about it: who owns what, who talks to whom, who says what, who believes it.

Pure values over `network`, computed once. Everything that shows a plan starts here: the wizard, `anycastle plan` in
each of its forms, and docs/addresses.md of a generated repository.
"""

from __future__ import annotations

from anycastle.overview.peerings import Peering, peerings
from anycastle.overview.whole import Overview, overview

__all__ = ["Overview", "Peering", "overview", "peerings"]
