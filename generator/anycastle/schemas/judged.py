"""Objects on their way through the check: what comes in, what was found in it, what goes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anycastle.finding import Finding, Place
from anycastle.records import dataclass
from anycastle.schemas.codes import CODES
from anycastle.schemas.fault import Fault, Path, Subject


@dataclass(frozen=True, slots=True)
class Item:
    """One object to be checked.

    `place` tells where a path inside the object stands. Objects of one `scope` share a cluster's name space:
    static pods of different nodes bear the same names and need a scope each. `space` is the namespace into which
    something else puts an object that names none.
    """

    value: dict[str, Any]
    place: Callable[[Path], Place]
    scope: str = ""
    space: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """An object with the faults found in it."""

    item: Item
    subject: Subject
    faults: tuple[Fault, ...]


def finding(item: Item, title: str, fault: Fault) -> Finding:
    """The finding of a fault, with the object named where the fault is about one."""
    message = f"{title}: {fault.message}." if title else f"{fault.message[0].upper()}{fault.message[1:]}."
    severity = CODES[fault.code].severity
    return Finding(fault.code, severity, item.place(fault.keys), message, fault.fix)
