"""Functions that Kubernetes adds to CEL and no library brings along.

Addresses, networks, quantities and URLs travel through an expression as texts in their canonical form, so that
`==` compares what they mean. A call that would stop an API server's evaluation (`ip('banana')`) is noted in
`MISUSE`, since an exception here does not survive the way through every library.

Source: the documentation of CEL in Kubernetes. Not here: semver, format, sets, regular expressions beyond `matches`.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import pairwise
from typing import Any
from urllib.parse import SplitResult, urlsplit

from anycastle.records import dataclass
from anycastle.schemas.formats import quantity as quantity_fault

MISUSE: list[str] = []
"""What went wrong in calls since it was cleared."""

_SUFFIXES = {
    **{name: Decimal(1024) ** (power + 1) for power, name in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi", "Ei"))},
    **{name: Decimal(1000) ** power for power, name in enumerate(("k", "M", "G", "T", "P", "E"), 1)},
    **{name: Decimal(1000) ** -power for power, name in enumerate(("m", "u", "n"), 1)},
}


@dataclass(frozen=True, slots=True)
class Function:
    """One overload. Kinds are `text`, `int`, `double`, `bool`, `list`, `any`; the first is the receiver of a member."""

    name: str
    kinds: tuple[str, ...]
    result: str
    run: Callable[..., Any]
    member: bool = True


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    found = ipaddress.ip_address(text)
    if "%" in text or (isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped):
        raise ValueError(text)
    return found


def _network(text: str) -> ipaddress.IPv4Interface | ipaddress.IPv6Interface:
    address, slash, length = text.partition("/")
    if not slash or not (length.isascii() and length.isdigit()):
        raise ValueError(text)
    _address(address)
    return ipaddress.ip_interface(text)


def _url(text: str) -> SplitResult:
    parts = urlsplit(text)
    if not (parts.scheme or text.startswith("/")) or any(character.isspace() for character in text):
        raise ValueError(text)
    _ = parts.port  # raises for a port that is no number
    return parts


def _amount(text: str) -> Decimal:
    if quantity_fault(text) is not None:
        raise ValueError(text)
    suffix = next((each for each in _SUFFIXES if text.endswith(each)), "")
    return Decimal(text.removesuffix(suffix)) * _SUFFIXES.get(suffix, Decimal(1))


def _plain(amount: Decimal) -> str:
    return f"{amount.normalize():f}" if amount else "0"


def _sum(entries: list[Any]) -> Any:
    return sum(entries[1:], entries[0]) if entries else 0


def _in_order(entries: list[Any]) -> bool:
    return all(one <= other for one, other in pairwise(entries))


def _first(entries: Any, wanted: Any) -> int:
    return entries.index(wanted) if wanted in entries else -1


def _last(entries: Any, wanted: Any) -> int:
    if isinstance(entries, str):
        return entries.rfind(wanted)
    return len(entries) - 1 - entries[::-1].index(wanted) if wanted in entries else -1


def _inside(network: str, other: str) -> bool:
    outer, inner = _network(network).network, _network(other).network
    return outer.version == inner.version and inner.subnet_of(outer)  # type: ignore[arg-type]


def _holds(network: str, address: str) -> bool:
    return _address(address) in _network(network).network


def _readable(parse: Callable[[str], object]) -> Callable[[str], bool]:
    def is_one(text: str) -> bool:
        try:
            parse(text)
        except (ValueError, ArithmeticError):
            return False
        return True

    return is_one


def _noted(function: Function) -> Function:
    """The same, with a wrong call noted instead of raised."""

    def run(*given: Any) -> Any:
        try:
            return function.run(*given)
        except (ValueError, ArithmeticError, TypeError, IndexError):
            MISUSE.append(f"{function.name}({', '.join(repr(each) for each in given)}) has no value")
            return _NO_VALUE[function.result]

    return Function(function.name, function.kinds, function.result, run, function.member)


_NO_VALUE: dict[str, Any] = {"text": "", "int": 0, "double": 0.0, "bool": False, "list": [], "any": ""}


def _addresses() -> Iterator[Function]:
    def ip_member(name: str, result: str, ask: Callable[[Any], Any]) -> Function:
        return Function(name, ("text",), result, lambda text: ask(_address(text)))

    yield Function("isIP", ("text",), "bool", _readable(_address), member=False)
    yield Function("ip", ("text",), "text", lambda text: str(_address(text)), member=False)
    yield Function("ip.isCanonical", ("text",), "bool", lambda text: str(_address(text)) == text, member=False)
    yield ip_member("family", "int", lambda found: found.version)
    yield ip_member("isUnspecified", "bool", lambda found: found.is_unspecified)
    yield ip_member("isLoopback", "bool", lambda found: found.is_loopback)
    yield ip_member("isLinkLocalUnicast", "bool", lambda found: found.is_link_local)
    yield ip_member(
        "isLinkLocalMulticast",
        "bool",
        lambda found: found in ipaddress.ip_network("224.0.0.0/24" if found.version == 4 else "ff02::/16"),
    )
    yield ip_member(
        "isGlobalUnicast",
        "bool",
        lambda found: (
            not (found.is_unspecified or found.is_loopback or found.is_link_local or found.is_multicast)
            and str(found) != "255.255.255.255"
        ),
    )


def _networks() -> Iterator[Function]:
    yield Function("isCIDR", ("text",), "bool", _readable(_network), member=False)
    yield Function("cidr", ("text",), "text", lambda text: str(_network(text)), member=False)
    yield Function("ip", ("text",), "text", lambda text: str(_network(text).ip))
    yield Function("masked", ("text",), "text", lambda text: str(_network(text).network))
    yield Function("prefixLength", ("text",), "int", lambda text: _network(text).network.prefixlen)
    yield Function("containsIP", ("text", "text"), "bool", _holds)
    yield Function("containsCIDR", ("text", "text"), "bool", _inside)


def _urls() -> Iterator[Function]:
    def part(name: str, ask: Callable[[SplitResult], str]) -> Function:
        return Function(name, ("text",), "text", lambda text: ask(_url(text)))

    yield Function("isURL", ("text",), "bool", _readable(_url), member=False)
    yield Function("url", ("text",), "text", lambda text: _url(text).geturl(), member=False)
    yield part("getScheme", lambda parts: parts.scheme)
    yield part("getHost", lambda parts: parts.netloc.rpartition("@")[2])
    yield part("getHostname", lambda parts: parts.hostname or "")
    yield part("getPort", lambda parts: str(parts.port or ""))
    yield part("getEscapedPath", lambda parts: parts.path)


def _quantities() -> Iterator[Function]:
    def compare(name: str, result: str, ask: Callable[[Decimal, Decimal], Any]) -> Function:
        return Function(name, ("text", "text"), result, lambda one, other: ask(_amount(one), _amount(other)))

    yield Function("isQuantity", ("text",), "bool", _readable(_amount), member=False)
    yield Function("quantity", ("text",), "text", lambda text: _plain(_amount(text)), member=False)
    yield compare("isGreaterThan", "bool", lambda one, other: one > other)
    yield compare("isLessThan", "bool", lambda one, other: one < other)
    yield compare("compareTo", "int", lambda one, other: int(one.compare(other)))
    yield compare("add", "text", lambda one, other: _plain(one + other))
    yield compare("sub", "text", lambda one, other: _plain(one - other))
    yield Function("sign", ("text",), "int", lambda text: int(_amount(text).compare(Decimal(0))))
    yield Function("isInteger", ("text",), "bool", lambda text: _amount(text) % 1 == 0)
    yield Function("asInteger", ("text",), "int", lambda text: int(_amount(text)))
    yield Function("asApproximateFloat", ("text",), "double", lambda text: float(_amount(text)))


def _lists() -> Iterator[Function]:
    yield Function("isSorted", ("list",), "bool", _in_order)
    yield Function("sum", ("list",), "any", _sum)
    yield Function("min", ("list",), "any", min)
    yield Function("max", ("list",), "any", max)
    for kind in ("text", "int", "double", "bool"):
        yield Function("indexOf", ("list", kind), "int", _first)
        yield Function("lastIndexOf", ("list", kind), "int", _last)


def _texts() -> Iterator[Function]:
    yield Function("lowerAscii", ("text",), "text", str.lower)
    yield Function("upperAscii", ("text",), "text", str.upper)
    yield Function("trim", ("text",), "text", str.strip)
    yield Function("charAt", ("text", "int"), "text", lambda text, at: text[at : at + 1])
    yield Function("split", ("text", "text"), "list", lambda text, by: text.split(by) if by else list(text))
    yield Function("split", ("text", "text", "int"), "list", lambda text, by, most: text.split(by, most - 1))
    yield Function("substring", ("text", "int"), "text", lambda text, start: text[start:])
    yield Function("substring", ("text", "int", "int"), "text", lambda text, start, end: text[start:end])
    yield Function("replace", ("text", "text", "text"), "text", str.replace)
    yield Function("join", ("list",), "text", "".join)
    yield Function("join", ("list", "text"), "text", lambda entries, between: between.join(entries))
    yield Function("indexOf", ("text", "text"), "int", str.find)
    yield Function("lastIndexOf", ("text", "text"), "int", str.rfind)


FUNCTIONS: tuple[Function, ...] = tuple(
    _noted(function) for family in (_addresses, _networks, _urls, _quantities, _lists, _texts) for function in family()
)
