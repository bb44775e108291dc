"""What other tools already know of a cluster, as the first site file of it.

One module for each kind of source, text to facts; then the facts of all sources to the plain data of a site. Only keys
that are known by name are read, so that a password beside them goes nowhere.
"""

from __future__ import annotations

from anycastle.importing.detect import KINDS, detected, read
from anycastle.importing.draft import Draft, draft
from anycastle.importing.facts import Fact, Read, Source

__all__ = ["KINDS", "Draft", "Fact", "Read", "Source", "detected", "draft", "read"]
