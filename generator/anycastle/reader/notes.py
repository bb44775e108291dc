"""What is noted down while files are read: findings, and values that could or could not be parsed.

A value that cannot be parsed gives one finding and is then absent, so that one mistake is reported once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address, ip_network

from anycastle.finding import Finding, Place, Severity
from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.reader.agreement.codes import CODES as AGREEMENT
from anycastle.reader.codes import CODES

MAX_ASN = 4_294_967_295

_PLACEHOLDER = re.compile(r"\$\{?\w|\{\{|<[A-Za-z][^>]*>|\bENC\[|@@?\w+@@?")
"""Values that a script, Ansible, Flux or SOPS fills in."""
_NOT_UNDERSTOOD = frozenset(("READ001", "READ005", "READ009", "READ013"))

_SEVERITY = {entry.code: entry.severity for entry in (*CODES, *AGREEMENT)}
_GO_DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?(?:\d+(?:ms|us|ns))?\Z")


_LONGEST_DURATION = 40
"""Characters; Go counts nanoseconds in 64 bits, so nothing longer means anything."""


class Notes:
    """Findings in the making."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.unknown: set[str] = set()
        self.aside: set[tuple[str, str]] = set()
        """Kinds and names of objects that are there and were not read, since something changes them on the way."""

    def unread(self, *parts: str) -> None:
        """Parts of the network that exist and could not be read: nothing may follow from their absence."""
        self.unknown.update(parts)

    @contextmanager
    def reading(self, *parts: str) -> Iterator[None]:
        """Whatever cannot be understood inside makes these parts unread."""
        before = len(self.findings)
        yield
        if any(finding.code in _NOT_UNDERSTOOD for finding in self.findings[before:]):
            self.unread(*parts)

    def add(self, code: str, place: Place, message: str, fix: str = "") -> None:
        """Note a finding; its weight is that of its code."""
        self.findings.append(Finding(code, _SEVERITY.get(code, Severity.ERROR), place, message, fix))

    def address(self, value: object, place: Place, what: str) -> IPAddress | None:
        """A host address. `what` says whose, as in `node-ip of k8s-node-1`."""
        try:
            return ip_address(value.strip()) if isinstance(value, str) else None
        except ValueError:
            self._unreadable(value, place, what, "an IP address", "Write an address such as 192.168.10.20.")
            return None

    def network(self, value: object, place: Place, what: str) -> IPNetwork | None:
        """A network without host bits."""
        if not isinstance(value, str):
            return None
        try:
            return ip_network(value.strip())
        except ValueError:
            self._unreadable(value, place, what, "a network", _cure_of_network(value))
            return None

    def asn(self, value: object, place: Place, what: str) -> int | None:
        """An AS number: a whole number, or `high.low` as text (RFC 5396)."""
        number = as_number(value)
        if number is None and value is not None:
            self._unreadable(value, place, what, "an AS number", "Write a number from 1 to 4294967295.")
        return number

    def seconds(self, value: object, place: Place, what: str) -> int | None:
        """Whole seconds of a duration in Go's notation."""
        if not isinstance(value, str):
            return None
        match = _GO_DURATION.match(value) if len(value) <= _LONGEST_DURATION else None
        if match is None or not value:
            self._unreadable(value, place, what, "a duration", "Write it as 15s or 2m0s.")
            return None
        hours, minutes, seconds = match.groups()
        return int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(float(seconds or 0))

    def _unreadable(self, value: object, place: Place, what: str, kind: str, fix: str) -> None:
        if isinstance(value, str) and _PLACEHOLDER.search(value):
            self.add("READ013", place, f"{what} is the placeholder {value!r}; what takes its place was not checked.")
            return
        self.add("READ001", place, f"{what} is {value!r}, which is not {kind}; the component refuses it.", fix)


def as_number(value: object) -> int | None:
    """An AS number, or None where it is none; a float is none, since 1.10 and 1.1 would be one number."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return None
    parts = str(value).split(".")
    if not all(part.isascii() and part.isdigit() and len(part) < 12 for part in parts):
        return None
    if len(parts) == 2 and all(int(part) < 65536 for part in parts):
        number = int(parts[0]) * 65536 + int(parts[1])
    else:
        number = int(parts[0]) if len(parts) == 1 else 0
    return number if 1 <= number <= MAX_ASN else None


def _cure_of_network(value: str) -> str:
    try:
        loose = ip_network(value.strip(), strict=False)
    except ValueError:
        return "Write an address and a prefix length, such as 192.168.10.0/24."
    return f"It has host bits set; write {loose}."
