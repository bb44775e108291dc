"""Pure questions about the way out: what goes through a proxy, and what around it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import ip_address, ip_network

from anycastle.network.addresses import IPAddress, IPNetwork


def around(host: str, exempt: Iterable[str]) -> bool:
    """Whether a program written in Go asks a host directly (golang.org/x/net/http/httpproxy, `useProxy`).

    `.example.com` and `example.com` both cover the names below it, the second the name itself, too.
    """
    address = _address(host)
    if host == "localhost" or (address is not None and address.is_loopback):
        return True
    return any(_covers(entry.strip().lower(), host.lower(), address) for entry in exempt)


def holds(network: IPNetwork, exempt: Iterable[str]) -> bool:
    """Whether every address of a network is asked directly."""
    return any(
        entry.strip() == "*" or ((found := _network(entry.strip())) is not None and _inside(network, found))
        for entry in exempt
    )


def _covers(entry: str, host: str, address: IPAddress | None) -> bool:
    if entry == "*":
        return True
    if address is not None:
        found = _network(entry)
        return found is not None and found.version == address.version and address in found
    name = _without_port(entry)
    if name.startswith("*."):
        name = name[1:]
    return bool(name.strip(".")) and (host == name or host.endswith(name if name.startswith(".") else f".{name}"))


def _without_port(entry: str) -> str:
    name, colon, port = entry.rpartition(":")
    return name if colon and port.isdigit() else entry


def _inside(network: IPNetwork, other: IPNetwork) -> bool:
    return network.version == other.version and network.prefixlen >= other.prefixlen and network[0] in other


def _address(text: str) -> IPAddress | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


@lru_cache(maxsize=1024)
def _network(text: str) -> IPNetwork | None:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None
