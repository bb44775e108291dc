"""Lists of nodes in short: `k8s-node-[1-5]=192.168.10.20+` is five nodes with consecutive addresses.

    list    = "none" | item *( "," item )
    item    = name "=" address | pattern "=" address "+"
    pattern = one name with [first-last] in it; leading zeros are kept: n[01-12]

`expand` and `compact` are each other's inverse on lists of nodes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from anycastle.fields import FieldError, IPAddress, parse_address, parse_dns_name

NodeList = tuple[tuple[str, IPAddress], ...]

MAX_NODES = 10_000
NONE = "none"

_EXAMPLE = "k8s-node-[1-5]=192.168.10.20+"
_ITEM = re.compile(r"([^=\s]+)[ \t]*=[ \t]*([^=\s+]+)(\+?)\Z")
_RANGE = re.compile(r"([^\[\]]*)\[([0-9]{1,9})-([0-9]{1,9})\]([^\[\]]*)\Z")
_DIGITS = re.compile(r"[0-9]+")
_SHOWN = 24


def expand(text: str) -> NodeList:
    """Names and addresses in the order given. Raises `FieldError`."""
    if text.strip(" \t").lower() in ("", NONE):
        return ()
    items = text.split(",")
    if len(items) > MAX_NODES:
        raise _too_many(len(items))
    nodes: list[tuple[str, IPAddress]] = []
    for item in items:
        nodes += _expand_item(item.strip(" \t"), MAX_NODES - len(nodes))
    _refuse_twins(nodes)
    return tuple(nodes)


def _expand_item(item: str, room: int) -> Iterator[tuple[str, IPAddress]]:
    match = _ITEM.match(item)
    if match is None:
        if not item:
            raise FieldError("There is nothing between two commas.", f"Write {_EXAMPLE}, or take the comma out.")
        raise FieldError(
            f"{_shown(item)} is not NAME=ADDRESS.",
            f"Write {_EXAMPLE}, or k8s-node-1=192.168.10.20; a comma between two.",
        )
    pattern, address, plus = parse_pattern(match[1]), parse_address(match[2]), match[3]
    if isinstance(pattern, str):
        if plus:
            raise FieldError(f"{_shown(item)} counts addresses up for one name.", f"Write {pattern}={address}.")
        return iter(((parse_dns_name(pattern), address),))
    if not plus:
        raise FieldError(
            f"{_shown(item)} gives one address to several nodes.", f"End it with a plus to count up: {item[:60]}+."
        )
    if len(pattern) > room:
        raise _too_many(MAX_NODES - room + len(pattern))
    return _count_up(pattern, address, item)


class Pattern:
    """`n[01-12].rack` as the names that it stands for."""

    def __init__(self, head: str, first: int, last: int, width: int, tail: str) -> None:
        self._numbers = range(first, last + 1)
        self._head, self._width, self._tail = head, width, tail

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[str]:
        return (f"{self._head}{number:0{self._width}d}{self._tail}" for number in self._numbers)


def parse_pattern(text: str) -> str | Pattern:
    """The text itself where it has no brackets."""
    if "[" not in text and "]" not in text:
        return text
    match = _RANGE.match(text)
    if match is None:
        raise FieldError(f"{_shown(text)} has brackets that are not one [FIRST-LAST].", f"Write {_EXAMPLE}.")
    head, first, last, tail = match.groups()
    width = len(first) if first.startswith("0") and len(first) > 1 else 0
    if int(first) > int(last):
        raise FieldError(f"{_shown(text)} counts down.", f"Write {head}[{last}-{first}]{tail}.")
    if width and len(last) != width:
        raise FieldError(
            f"{_shown(text)} begins with {len(first)} digits and ends with {len(last)}.",
            f"Write both ends with as many digits, such as [{first}-{int(last):0{width}d}].",
        )
    return Pattern(head, int(first), int(last), width, tail)


def _count_up(names: Pattern, address: IPAddress, item: str) -> Iterator[tuple[str, IPAddress]]:
    if int(address) + len(names) > 2**address.max_prefixlen:
        raise FieldError(f"{_shown(item)} runs past the last address there is.", "Begin at a lower address.")
    for step, name in enumerate(names):
        yield parse_dns_name(name), address + step


def _refuse_twins(nodes: Sequence[tuple[str, IPAddress]]) -> None:
    names: dict[str, IPAddress] = {}
    owners: dict[IPAddress, str] = {}
    for name, address in nodes:
        if name in names:
            raise FieldError(f"The name {name} is given twice; a node joins once.", "Choose another name.")
        if address in owners:
            raise FieldError(
                f"{address} is given to {owners[address]} and to {name}; two machines would answer for it.",
                "Give each node an address of its own.",
            )
        names[name] = address
        owners[address] = name


def _too_many(count: int) -> FieldError:
    return FieldError(f"That is {count} nodes, more than {MAX_NODES}.", "Shorten the ranges.")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def compact(nodes: Iterable[tuple[str, IPAddress]]) -> str:
    """The shortest list, from left to right, that `expand` turns into these nodes."""
    rest = list(nodes)
    parts: list[str] = []
    at = 0
    while at < len(rest):
        length, text = _longest(rest, at)
        parts.append(text)
        at += length
    return ", ".join(parts) or NONE


def _longest(nodes: Sequence[tuple[str, IPAddress]], at: int) -> tuple[int, str]:
    """The most nodes from `at` on that one item can name, and that item."""
    name, address = nodes[at]
    best = (1, f"{name}={address}")
    for digits in _DIGITS.finditer(name):
        head, first, tail = name[: digits.start()], digits[0], name[digits.end() :]
        width = len(first) if first.startswith("0") and len(first) > 1 else 0
        length = _run_length(nodes, at, (head, int(first), width, tail)) if len(first) < 10 else 1
        if length > best[0]:
            best = (length, f"{head}[{first}-{int(first) + length - 1:0{width}d}]{tail}={address}+")
    return best


def _run_length(nodes: Sequence[tuple[str, IPAddress]], at: int, pattern: tuple[str, int, int, str]) -> int:
    head, first, width, tail = pattern
    limit = 10 ** (width or 9)
    start = nodes[at][1]
    length = 1
    while at + length < len(nodes) and first + length < limit:
        name, address = nodes[at + length]
        same_family = address.version == start.version
        if not same_family or int(address) != int(start) + length or name != f"{head}{first + length:0{width}d}{tail}":
            break
        length += 1
    return length


def table(nodes: NodeList) -> str:
    """One line for each node, as a person checks them; long lists keep their beginning and their end."""
    if not nodes:
        return "    no nodes"
    wide = max(len(name) for name, _ in nodes)
    lines = [f"    {name:{wide}}  {address}" for name, address in nodes]
    if len(lines) > _SHOWN:
        lines[_SHOWN - 4 : -2] = [f"    ... {len(lines) - _SHOWN + 2} more ..."]
    return "\n".join(lines)
