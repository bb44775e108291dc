"""`sysctl.conf` of a router: how it spreads flows, and whether it sends ICMP redirects."""

from __future__ import annotations

from anycastle.records import dataclass

_HASH = "net.ipv{}.fib_multipath_hash_policy"
_REDIRECTS = "net.ipv4.conf."


@dataclass(frozen=True, slots=True)
class Kernel:
    """`hashed`: families whose flows are told apart by port (policy 1), else all of one client takes one next hop.

    Only IPv4 has a switch for redirects; the kernel sends them where `all` or the interface says so, 1 unless set.
    """

    hashed: frozenset[int] = frozenset()
    redirects: bool = True


def parse(text: str) -> Kernel:
    """How a router's kernel is set, as far as sessions and packets of a plan depend on it."""
    values = {key: value for key, (value, _line) in settings(text).items()}
    redirects = {
        key[len(_REDIRECTS) : -len(".send_redirects")]: value
        for key, value in values.items()
        if key.startswith(_REDIRECTS) and key.endswith(".send_redirects")
    }
    every = redirects.pop("all", "1")
    quiet = every == "0" and bool(redirects) and all(value == "0" for value in redirects.values())
    hashed = frozenset(family for family in (4, 6) if values.get(_HASH.format(family)) == "1")
    return Kernel(hashed, redirects=not quiet)


def settings(text: str) -> dict[str, tuple[str, int]]:
    """Key -> value and line. The last assignment of a key counts, as `sysctl -p` applies them in order."""
    found: dict[str, tuple[str, int]] = {}
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        key, separator, value = line.partition("=")
        if separator and not line.startswith(("#", ";")):
            found[key.strip().removeprefix("-").replace("/", ".")] = value.strip(), number
    return found
