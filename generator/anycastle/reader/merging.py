"""Values as Helm puts them together.

Maps merge key by key, everything else is replaced, and a null stays until the chart's defaults are laid under:
there it deletes the key (Helm, chartutil.CoalesceValues).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

Values = dict[str, Any]


def merged(layers: Sequence[Mapping[str, Any]]) -> Values:
    """Value files in their order, the later over the earlier."""
    result: Values = {}
    for layer in layers:
        result = _over(result, layer)
    return result


def _over(under: Mapping[str, Any], over: Mapping[str, Any]) -> Values:
    result = dict(under)
    for key, value in over.items():
        below = result.get(key)
        result[key] = _over(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return result


def on_defaults(defaults: Mapping[str, Any], values: Mapping[str, Any]) -> Values:
    """What a template sees: values over the chart's defaults, nulls deleting keys."""
    return _without_nulls(_over(defaults, values))


def _without_nulls(values: Mapping[str, Any]) -> Values:
    return {
        key: _without_nulls(value) if isinstance(value, dict) else value
        for key, value in values.items()
        if value is not None
    }


_STEP = re.compile(r"((?:\\.|[^.\[\\])+)((?:\[\d+\])*)\.?")


def parameter(name: str, value: str, *, text: bool) -> Values | None:
    """`--set name=value` (`text`: `--set-string`) as a layer of values; None for a list index, which replaces."""
    steps: list[str] = []
    position = 0
    while position < len(name):
        match = _STEP.match(name, position)
        if match is None or match[2]:
            return None
        steps.append(re.sub(r"\\(.)", r"\1", match[1]))
        position = match.end()
    layer: Any = value if text else _typed(value)
    for step in reversed(steps):
        layer = {step: layer}
    return layer if isinstance(layer, dict) else None


def _typed(value: str) -> object:
    words: dict[str, object] = {"true": True, "false": False, "null": None}
    if value in words:
        return words[value]
    whole = re.fullmatch(r"-?(0|[1-9]\d{0,18})", value)
    return int(value) if whole else value
