"""What a URL names, as far as a site and a repository have to agree on it."""

from __future__ import annotations


def hostname(url: str) -> str:
    """The host of a URL or of `host:port` in lower case, without port and brackets; empty where there is none."""
    rest = url.partition("://")[2] or url
    host = rest.partition("/")[0].rpartition("@")[2]
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()
