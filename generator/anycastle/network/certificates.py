"""Certificates as text, told apart by what they are and not by how they were written down."""

from __future__ import annotations

import binascii
import re

_BEGIN = "-----BEGIN CERTIFICATE-----"
_PEM = _BEGIN + r"\s([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----"
"""Compiled with the first certificate: a cold run seldom sees one."""


def fingerprints(text: str) -> tuple[str, ...]:
    """SHA-256 of every certificate of a PEM text, in hexadecimal, sorted; what is no base64 is left out."""
    bodies = re.findall(_PEM, text) if _BEGIN in text else ()
    return tuple(sorted({found for body in bodies if (found := _fingerprint(body))}))


def _fingerprint(body: str) -> str:
    import hashlib

    try:
        return hashlib.sha256(binascii.a2b_base64("".join(body.split()), strict_mode=True)).hexdigest()
    except ValueError:
        return ""
