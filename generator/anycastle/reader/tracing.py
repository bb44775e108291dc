"""Which line of which values file a rendered value came from, found out by trying.

Helm keeps no positions, and equal values stand in several places. So, for a value that a finding speaks of and only
then, the chart is rendered again with one of the candidates changed to something plausible: if the value changes with
it, that is where it came from. Guards and schemas see values of the same shape, so they seldom object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anycastle import yamlio
from anycastle.finding import Place
from anycastle.reader.merging import Values, on_defaults
from anycastle.records import dataclass
from anycastle.schemas.shape import at
from anycastle.yamlio import Path as Keys

if TYPE_CHECKING:
    from anycastle.helm import Release

MOST_TRIES = 10
"""Renders for one finding; each takes some ten milliseconds."""
MOST_TRACES = 24
"""Findings of a run whose places are tried out."""

_SWAPS = {
    "Enabled": "Disabled",
    "Disabled": "Enabled",
    "Local": "Cluster",
    "Cluster": "Local",
    "Accept": "Reject",
    "Reject": "Accept",
    "Always": "Never",
    "None": "VXLAN",
    "VXLANCrossSubnet": "VXLAN",
    "Automatic": "Manual",
    "Manual": "Automatic",
    "RequestedServicesOnly": "AllServices",
    "AllServices": "RequestedServicesOnly",
    "In": "Equal",
    "Equal": "In",
    "BPF": "Iptables",
}


@dataclass(frozen=True, slots=True)
class Tracer:
    """One chart with the values of one app. `documents` hold the values, the ones that count most first."""

    chart: Path
    label: str
    release: Release
    values: Values
    documents: tuple[yamlio.Document, ...]
    _left: list[int] = field(default_factory=lambda: [MOST_TRACES], compare=False, repr=False)

    def origin(self, value: dict[str, Any], keys: Keys) -> Place | None:
        """Where the scalar at `keys` of a rendered object was answered; None where that could not be found out."""
        shown = at(value, keys)
        if shown is None or isinstance(shown, (dict, list)) or self._left[0] <= 0:
            return None
        self._left[0] -= 1
        for path, given in self._candidates(shown, value, keys)[:MOST_TRIES]:
            for other in _others(given):
                if (made := self._rendered(path, other)) is not None:
                    found = [entry for entry in made if _same(entry, value, keys)]
                    if found and all(at(entry, keys) != shown for entry in found):
                        return self._place(path)
                    break
        return None

    def _candidates(self, shown: object, value: dict[str, Any], keys: Keys) -> list[tuple[Keys, object]]:
        """Scalars of the values that may have made what is shown, the likeliest first."""
        defaults = self.documents[-1].value if self.documents else {}
        full = on_defaults(defaults if isinstance(defaults, dict) else {}, self.values)
        words = {str(key) for key in keys} | {str(at(value, ("metadata", "name")))}
        scored = [
            (_likeness(given, shown) * 10 + len(words & set(map(str, path))), path, given)
            for path, given in _scalars(full, ())
        ]
        return [(path, given) for score, path, given in sorted(scored, key=lambda one: -one[0]) if score >= 10]

    def _rendered(self, path: Keys, other: object) -> list[dict[str, Any]] | None:
        from anycastle import helm

        rendered = helm.render(self.chart, _with(self.values, path, other, self.documents), self.release, self.label)
        if not rendered.texts:
            return None
        documents = (document for _name, text in rendered.texts for document in yamlio.load(text).documents)
        return [document.value for document in documents if isinstance(document.value, dict)]

    def _place(self, path: Keys) -> Place | None:
        found = (document for document in self.documents if at(document.value, path) is not None)
        document = next(found, None)
        return document.place(*path) if document is not None else None


def _same(entry: dict[str, Any], value: dict[str, Any], keys: Keys) -> bool:
    """Whether it is the same object, whose name may be what was changed."""
    named = keys == ("metadata", "name") or at(entry, ("metadata", "name")) == at(value, ("metadata", "name"))
    return named and entry.get("kind") == value.get("kind")


def _scalars(value: Any, path: Keys) -> Iterator[tuple[Keys, object]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _scalars(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _scalars(inner, (*path, index))
    elif value is not None:
        yield path, value


def _likeness(given: object, shown: object) -> int:
    """2 for the same text, 1 where one holds the other."""
    one, other = str(given).lower(), str(shown).lower()
    if one == other:
        return 2
    return 1 if min(len(one), len(other)) > 2 and (one in other or other in one) else 0


def _others(given: object) -> Iterator[object]:
    """Plausible values of the same shape."""
    if isinstance(given, bool):
        yield not given
    elif isinstance(given, int):
        yield from (given + 1, given - 1)
    elif isinstance(given, str):
        yield from _texts(given)


def _texts(given: str) -> Iterator[str]:
    if given in _SWAPS:
        yield _SWAPS[given]
        return
    beside = _beside(given)
    if beside:
        yield beside
        return
    if re.search(r"\d", given):
        yield re.sub(r"\d", lambda match: str((int(match[0]) + 1) % 10 or 1), given, count=1)
    yield f"{given}x"


def _beside(given: str) -> str:
    """The address or network beside this one; empty where it is neither."""
    try:
        if "/" not in given:
            return str(ip_address(int(ip_address(given)) ^ 1))
        network = ip_network(given)
        return str(ip_network((int(network.network_address) ^ network.num_addresses, network.prefixlen)))
    except ValueError:
        return ""


def _with(values: Values, path: Keys, other: object, documents: Sequence[yamlio.Document]) -> Values:
    """The values with one scalar changed; a list that stands only in the defaults is taken over whole."""
    result: Any = dict(values)
    here = result
    for depth, key in enumerate(path[:-1]):
        below = here.get(key) if isinstance(here, dict) else here[key]
        if below is None and isinstance(path[depth + 1], int):
            found = (at(document.value, path[: depth + 1]) for document in documents)
            below = next((one for one in found if isinstance(one, list)), [])
        here[key] = list(below) if isinstance(below, list) else dict(below or {})
        here = here[key]
    here[path[-1]] = other
    return dict(result)
