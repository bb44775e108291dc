"""Values that something else fills in before the API server sees them: Flux, SOPS, a script, a person.

Nobody can judge such a value, nor what is refused because of it, so that it counts as unchecked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from anycastle.schemas.fault import Fault, Path, Subject
from anycastle.schemas.shape import at

_HOLE = re.compile(r"\$\{[A-Za-z_]|\AENC\[AES256_GCM,|\A\{\{.*\}\}\Z|<[A-Z][A-Z0-9_ -]*>", re.DOTALL)
_UNCHECKED = "OBJ012"


def is_hole(value: Any) -> bool:
    """Whether a text waits for somebody to fill it in."""
    return isinstance(value, str) and _HOLE.search(value) is not None


def is_filled_in_later(subject: Subject) -> bool:
    """Whether it is not even known what the object will be."""
    return is_hole(subject.kind) or is_hole(subject.api_version)


def without_holes(subject: Subject, faults: Iterable[Fault]) -> Iterator[Fault]:
    """The same faults; those of values that are filled in later say only that nobody has looked at them."""
    for fault in faults:
        yield replace(fault, code=_UNCHECKED) if _concerned(subject.value, fault.keys) else fault


def _concerned(value: Any, keys: Path) -> bool:
    return is_hole(at(value, keys)) or any(is_hole(key) for key in keys)
