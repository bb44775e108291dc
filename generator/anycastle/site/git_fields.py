"""Value types of `gitops`: a folder of a Git repository, and host keys of its server."""

from __future__ import annotations

import base64
import binascii
import re

from anycastle.fields import FieldError

_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*\Z")
_HOST = re.compile(r"\[?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?:\]:[0-9]{1,5})?\Z")
_KEY_TYPES = ("ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa")
"""Host keys that OpenSSH and Go's SSH library take; ssh-dss is gone from both."""
_LONGEST = 200


def parse_folder(value: object) -> str:
    """A folder below the root of a Git repository, `clusters/home`; empty for the root itself."""
    example = "Write a folder from the root of the repository, such as clusters/home."
    if not isinstance(value, str):
        raise FieldError("The folder is no text.", example)
    if not value:
        return value
    if value.startswith("/") or value.endswith("/"):
        raise FieldError(
            f"{value[:60]!r} begins or ends with a slash, and the engines would look for another folder.",
            f"Write {value.strip('/')[:60] or 'nothing for the root'}.",
        )
    parts = value.split("/")
    if ".." in parts or "." in parts:
        raise FieldError(f"{value[:60]!r} goes through `.` or `..`, which Argo CD refuses.", example)
    if len(value) > _LONGEST or not all(_PART.match(part) and not part.endswith(".") for part in parts):
        raise FieldError(
            f"{value[:60]!r} is no folder that every part of the tool chain can name.",
            "Use letters, digits, dots, underscores and hyphens, each name beginning with a letter, a digit or an "
            "underscore, such as clusters/home.",
        )
    return value


def parse_known_host(value: object) -> str:
    """One line of a known_hosts file (sshd(8)): HOST or [HOST]:PORT, the type of the key, the key in base64."""
    example = "Write a line of `ssh-keyscan HOST`, such as git.example.com ssh-ed25519 AAAA..."
    if not isinstance(value, str) or not value.strip() or "\n" in value.strip():
        raise FieldError("A known host is one line of text.", example)
    words = value.split()
    if words[0].startswith("|"):
        raise FieldError("The name of the host is hashed, so nobody can see whose key this is.", example)
    if words[0].startswith("@"):
        raise FieldError(f"A line with {words[0]} is not read by Argo CD and Flux alike.", example)
    if len(words) < 3 or not all(_HOST.match(name) and name.count("[") == name.count("]") for name in names(value)):
        raise FieldError(f"{value.strip()[:60]!r} is no line of a known_hosts file.", example)
    if words[1] not in _KEY_TYPES:
        raise FieldError(f"{words[1][:40]!r} is no type of a host key.", f"Use one of {', '.join(_KEY_TYPES)}.")
    if not _key_of(words[2], words[1]):
        raise FieldError(f"The key of {words[0]} is damaged: it is not what {words[1]} says.", example)
    return " ".join(words[:3])


def names(line: str) -> tuple[str, ...]:
    """The hosts that a line speaks of."""
    return tuple(line.split(maxsplit=1)[0].split(","))


def _key_of(text: str, kind: str) -> bool:
    """Whether a key in base64 begins with the name of its type (RFC 4253, section 6.6) and has something behind it."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    wanted = len(kind).to_bytes(4, "big") + kind.encode()
    return data.startswith(wanted) and len(data) >= len(wanted) + 4 + 32
