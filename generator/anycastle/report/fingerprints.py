"""What stays the same about a finding while lines are added above it."""

from __future__ import annotations

import re

from anycastle.finding import Finding

_LINE = re.compile(r"\b(line|lines) \d+\b|(?<=\.)(ya?ml|conf|json|sh|tpl|init):\d+")

Identity = tuple[str, str, str]
"""Code, path, and the message without numbers of lines."""


def identity(finding: Finding) -> Identity:
    """By which two runs recognise a finding. Two mistakes of one sort in one file have the same."""
    return finding.code, finding.where.label, _LINE.sub(lambda found: found[1] or found[2], finding.message)


def fingerprint(finding: Finding) -> str:
    """The identity as 32 hexadecimal digits."""
    import hashlib  # only one form of the report needs it

    return hashlib.sha256("\0".join(identity(finding)).encode("utf-8", "replace")).hexdigest()[:32]
