"""Amounts of CPU and memory: reading them, and requests held against limits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from anycastle.schemas.fault import Fault, Path
from anycastle.schemas.shape import mapping

_FORM = re.compile(r"([+-]?)(\d{0,200})\.?(\d{0,200})(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d{1,3}))?")
_DECIMAL = {"n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_FINEST = 18
MAX_DIGITS = 400
"""Python makes no number of more than 4,300 digits; a machine has no amount of a hundred."""


def amount(value: Any) -> int | None:
    """What a quantity stands for, in units of 10**-18; None for anything malformed."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    match = _FORM.fullmatch(str(value)[: MAX_DIGITS + 1])
    if match is None or not (match[2] or match[3]):
        return None
    sign, whole, part, binary, decimal, exponent = match.groups()
    power = _FINEST - len(part) + (_DECIMAL[decimal] if decimal else int(exponent or 0))
    factor = 1024 ** ("KMGTPE".index(binary[0]) + 1) if binary else 1
    size = int(whole + part) * factor
    scaled: int = size * 10**power if power >= 0 else size // 10**-power
    return -scaled if sign == "-" else scaled


def resources(container: dict[str, Any], at: Path) -> Iterator[Fault]:
    """Faults of a container's `resources`."""
    limits, requests = mapping(container, "resources", "limits"), mapping(container, "resources", "requests")
    for part, amounts in (("limits", limits), ("requests", requests)):
        for name, value in amounts.items():
            found = amount(value)
            if found is not None and found < 0:
                yield Fault(
                    "OBJ117",
                    (*at, "resources", part, name),
                    f"{value} of {name} is negative",
                    "Write zero or more.",
                )
    for name, value in requests.items():
        asked, allowed = amount(value), amount(limits.get(name))
        if asked is not None and allowed is not None and asked > allowed >= 0:
            yield Fault(
                "OBJ118",
                (*at, "resources", "requests", name),
                f"the request of {value} {name} exceeds the limit of {limits[name]}, so the pod is refused",
                "Raise the limit or lower the request.",
            )
