"""What the lab takes from a node's own files: the default routes that its script asks of the machine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_WAY = re.compile(r"^#\s+ip\s+(.*\broute replace default\b.*)$", re.MULTILINE)


def ways_out(script: str) -> Iterator[Sequence[str]]:
    """Arguments of `ip`, as the first lines of `install.sh` have them: the script itself changes no route."""
    head = script.partition("\nset -eu\n")[0]
    yield from (words.split() for words in _WAY.findall(head))
