"""Ansible's short form of many hosts: `node[01:20].example.com`, `rack-[a:f]`, `db[1:9:2]`."""

from __future__ import annotations

import re

from anycastle.fields import FieldError

_RANGE = re.compile(r"\[([0-9]+|[A-Za-z]):([0-9]+|[A-Za-z])(?::([0-9]{1,6}))?\]")
_TOO_LONG = 9


def expand(pattern: str, most: int) -> list[str]:
    """The hosts that a pattern stands for, at most `most` of them. Raises `FieldError`."""
    names = [""]
    at = 0
    for match in _RANGE.finditer(pattern):
        parts = _numbers(match) if match[1].isdigit() else _letters(match)
        if len(parts) * len(names) > most:
            raise FieldError(
                f"{pattern[:60]!r} stands for more than {most} machines.", "Shorten the range, or split the inventory."
            )
        names = [f"{name}{pattern[at : match.start()]}{part}" for name in names for part in parts]
        at = match.end()
    rest = pattern[at:]
    if "[" in rest or "]" in rest:
        raise FieldError(
            f"{pattern[:60]!r} has brackets that are no range.", "Write [FIRST:LAST], such as node[01:20]."
        )
    return [name + rest for name in names]


def _numbers(match: re.Match[str]) -> range | list[str]:
    first, last, step = match[1], match[2], int(match[3] or 1)
    if not last.isdigit() or len(first) > _TOO_LONG or len(last) > _TOO_LONG or int(first) > int(last) or not step:
        raise _backward(match[0])
    width = len(first) if first.startswith("0") and len(first) > 1 else 0
    if width and len(last) != width:
        raise FieldError(
            f"{match[0]!r} begins and ends with different numbers of digits.", "Write [01:20], not [01:5]."
        )
    numbers = range(int(first), int(last) + 1, step)
    return [f"{number:0{width}d}" for number in numbers] if width and len(numbers) <= 10**5 else numbers


def _letters(match: re.Match[str]) -> list[str]:
    first, last, step = match[1], match[2], int(match[3] or 1)
    if last.isdigit() or first.isupper() != last.isupper() or first > last or not step:
        raise _backward(match[0])
    return [chr(code) for code in range(ord(first), ord(last) + 1, step)]


def _backward(text: str) -> FieldError:
    return FieldError(f"{text[:60]!r} is no range from a lower to a higher end.", "Write the lower end first: [1:5].")
