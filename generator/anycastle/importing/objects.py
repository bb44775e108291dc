"""An object of Kubernetes inside of a larger document, with the places of its values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anycastle.finding import Place
from anycastle.records import dataclass
from anycastle.yamlio import Document, Key, Path

_EMPTY: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Object:
    """`at` is its path in the document."""

    kind: str
    value: Mapping[str, Any]
    document: Document
    at: Path

    @property
    def name(self) -> str:
        """`metadata.name`; empty where there is none."""
        return str(self.mapping("metadata").get("name") or "")

    @property
    def spec(self) -> Mapping[str, Any]:
        """`spec`."""
        return self.mapping("spec")

    @property
    def labels(self) -> Mapping[str, str]:
        """Labels, as text."""
        return {str(key): str(value) for key, value in self.mapping("metadata", "labels").items()}

    @property
    def annotations(self) -> Mapping[str, str]:
        """Annotations, as text."""
        return {str(key): str(value) for key, value in self.mapping("metadata", "annotations").items()}

    def mapping(self, *keys: str) -> Mapping[str, Any]:
        """The mapping at a path; empty where there is none."""
        found: Any = self.value
        for key in keys:
            found = found.get(key) if isinstance(found, Mapping) else None
        return found if isinstance(found, Mapping) else _EMPTY

    def mappings(self, *keys: str) -> list[Mapping[str, Any]]:
        """The mappings in the list at a path."""
        found = self.mapping(*keys[:-1]).get(keys[-1])
        return [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []

    def place(self, *keys: Key) -> Place:
        """Where a value stands; the key is that of the object, since its number in a list says nothing."""
        full = self.document.place(*self.at, *keys)
        path = ".".join(map(str, keys))
        return Place(full.path, full.line, f"{self.kind}/{self.name} {path}".strip())
