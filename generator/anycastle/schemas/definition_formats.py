"""Formats that an API server knows in definitions of custom resources.

The names are those of the server, which ignores all others. Not judged here: bsonobjectid, creditcard, email,
hexcolor, hostname, isbn, password, rgbcolor, ssn and uri, whose values are passed on.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from datetime import date

from anycastle.schemas.fault import Complaint
from anycastle.schemas.formats import Format, base64_text, duration, time_stamp

_MAC = re.compile(r"([0-9A-Fa-f]{2}([:-]))([0-9A-Fa-f]{2}\2){4}([0-9A-Fa-f]{2}\2){0,14}[0-9A-Fa-f]{2}")
_UUID = re.compile(r"[0-9A-Fa-f]{8}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{12}")
_SCALA_DURATION = re.compile(
    r"\d+\s*(ns|nanos?|us|µs|micros?|ms|millis?|s|secs?|m|mins?|h|hours?|d|days?|w|weeks?)", re.IGNORECASE
)


def _cidr(value: str) -> Complaint | None:
    address, slash, length = value.partition("/")
    if (
        slash
        and length.isascii()
        and length.isdigit()
        and _parses(ipaddress.ip_interface, value)
        and "%" not in address
    ):
        return None
    return _complaint(value, "is no network", "Write address, slash and prefix length, such as 192.0.2.0/24.")


def _ipv4(value: str) -> Complaint | None:
    if _parses(ipaddress.IPv4Address, value):
        return None
    return _complaint(value, "is no IPv4 address", "Write e.g. 192.0.2.1.")


def _ipv6(value: str) -> Complaint | None:
    if _parses(ipaddress.IPv6Address, value) and "%" not in value:
        return None
    return _complaint(value, "is no IPv6 address", "Write e.g. 2001:db8::1.")


def _date(value: str) -> Complaint | None:
    if len(value) == 10 and _parses(date.fromisoformat, value):
        return None
    return _complaint(value, "is no date", "Write e.g. 2026-01-31.")


def _duration(value: str) -> Complaint | None:
    return None if _SCALA_DURATION.fullmatch(value) else duration(value)


def _mac(value: str) -> Complaint | None:
    return None if _MAC.fullmatch(value) else _complaint(value, "is no MAC address", "Write e.g. 02:00:5e:10:00:01.")


def _uuid(value: str) -> Complaint | None:
    return None if _UUID.fullmatch(value) else _complaint(value, "is no UUID", "Write 32 hexadecimal digits.")


def _parses(parse: Callable[[str], object], value: str) -> bool:
    try:
        parse(value)
    except ValueError:
        return False
    return True


def _complaint(value: str, what: str, fix: str) -> Complaint:
    return Complaint("OBJ008", f"`{value}` {what}, so the object is refused", fix)


DEFINITION_FORMATS: dict[str, Format] = {
    "byte": Format(base64_text),
    "cidr": Format(_cidr),
    "date": Format(_date),
    "date-time": Format(time_stamp),
    "datetime": Format(time_stamp),
    "duration": Format(_duration),
    "ipv4": Format(_ipv4),
    "ipv6": Format(_ipv6),
    "mac": Format(_mac),
    "uuid": Format(_uuid),
}


def acceptors() -> dict[str, Callable[[str], bool]]:
    """The formats as the schema engine wants them."""
    return {name: _accepts(form) for name, form in DEFINITION_FORMATS.items()}


def _accepts(form: Format) -> Callable[[str], bool]:
    return lambda value: form.explain(value) is None
