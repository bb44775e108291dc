"""Complete definitions at hand in one run: those in the repository itself, then those in the cache."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import TYPE_CHECKING, Any

from anycastle.records import dataclass
from anycastle.schemas.crd import Definition, Name, UnusableError, definition, names

if TYPE_CHECKING:
    from anycastle.schemas.fetched import Pack


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where definitions are looked up. A definition of the repository is read when an object of its kind occurs."""

    stated: dict[Name, dict[str, Any]]
    pack: Pack | None
    _read: dict[Name, Definition | UnusableError | None] = field(default_factory=dict)

    def find(self, name: Name) -> Definition | None:
        """The definition of a kind, or None. Raises `UnusableError` for one that cannot be read."""
        if name not in self._read:
            self._read[name] = self._looked_up(name)
        found = self._read[name]
        if isinstance(found, UnusableError):
            raise found
        return found

    def _looked_up(self, name: Name) -> Definition | UnusableError | None:
        try:
            if name in self.stated:
                return definition(self.stated[name], name)
            return self.pack.find(name) if self.pack else None
        except UnusableError as error:
            return error
        except (ValueError, TypeError, KeyError, RecursionError):
            return UnusableError("the cache holds something else in its place")

    def kinds(self, api_version: str) -> tuple[str, ...]:
        """The kinds of a group and version."""
        return tuple(sorted(kind for found, kind in self._names() if found == api_version))

    def versions(self, group: str, kind: str) -> tuple[str, ...]:
        """The apiVersions in which a kind of a group is served."""
        found = (version for version, name in self._names() if name == kind and version.rpartition("/")[0] == group)
        return tuple(sorted(found))

    def _names(self) -> set[Name]:
        return {*self.stated, *(self.pack.lines if self.pack else ())}


def shelf(crds: Iterable[dict[str, Any]], pack: Pack | None) -> Shelf:
    """Definitions of these CustomResourceDefinitions and of the cache; the first to define a kind counts."""
    stated: dict[Name, dict[str, Any]] = {}
    for crd in crds:
        for name in names(crd):
            stated.setdefault(name, crd)
    return Shelf(stated, pack)
