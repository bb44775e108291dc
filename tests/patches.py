"""Example sites with a few answers changed."""

import copy
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anycastle import yamlio

CASES = Path(__file__).parent / "cases"


def read(path: Path) -> Any:
    loaded = yamlio.load(path.read_bytes(), path.name)
    assert loaded.findings == ()
    return copy.deepcopy(loaded.documents[0].value)


def patched(site: str, change: Mapping[str, object]) -> Any:
    """The site file of a case with dotted keys changed: null removes, the index behind the last element appends."""
    data = read(CASES / site / "site.yaml")
    for key, value in change.items():
        apply(data, key, value)
    return data


def apply(data: Any, key: str, value: object) -> None:
    *steps, last = (int(step) if step.isdigit() else step for step in re.findall(r"[^.\[\]]+", key))
    for step in steps:
        data = data.setdefault(step, {}) if isinstance(data, dict) else data[step]
    if value is None:
        del data[last]
    elif isinstance(data, list) and last == len(data):
        data.append(value)
    else:
        data[last] = value
