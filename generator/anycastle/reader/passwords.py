"""What a file says of the password of a session: the reference in its mark, or that it stands there.

A password that stands in a file is read no further than here.
"""

from __future__ import annotations

import re

CLEAR_TEXT = "(clear text)"
"""In place of the name of a secret: the password itself stands in the file, or a mark of another kind."""

_MARK = re.compile(r"<([a-z0-9](?:[-.a-z0-9]*[a-z0-9])?/[-_a-zA-Z0-9][-._a-zA-Z0-9]*)>\Z")


def reference(value: str) -> str:
    """`SECRET/KEY` of a mark `<SECRET/KEY>`; nothing of nothing, and of anything else that there is something."""
    value = value.strip().strip("\"'")
    match = _MARK.match(value)
    return match[1] if match else CLEAR_TEXT if value else ""
