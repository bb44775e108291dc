"""One file of the web, whole or not at all."""

from __future__ import annotations

import urllib.error
import urllib.request

TIMEOUT = 30
"""Seconds of silence after which a download is given up."""


class Unreachable(Exception):
    """Raised where there is nothing to have; the message goes on after the address."""


def download(url: str, limit: int) -> bytes:
    """The bytes behind an address of the web, at most `limit` of them. Raises `Unreachable`."""
    if not url.startswith(("https://", "http://")):
        raise Unreachable("is no address of the web")
    request = urllib.request.Request(url, headers={"User-Agent": "anycastle"})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as reply:  # noqa: S310
            data: bytes = reply.read(limit + 1)
    except urllib.error.HTTPError as error:
        raise Unreachable(f"answers {error.code}") from error
    except (OSError, ValueError) as error:
        raise Unreachable(f"cannot be reached ({getattr(error, 'reason', None) or error})") from error
    if len(data) > limit:
        raise Unreachable(f"is larger than {limit >> 20} MiB")
    return data
