"""The site file beside what the files say: one difference, and how it is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, KeysView, Set
from ipaddress import ip_address, ip_network
from typing import NamedTuple

from anycastle import yamlio
from anycastle.finding import NOWHERE, Place
from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.notes import Notes
from anycastle.records import dataclass
from anycastle.schemas.shape import at

Keys = tuple[str | int, ...]


class Difference(NamedTuple):
    """What the site file says under `keys`, and what is found at `where`."""

    keys: Keys
    says: object
    found: object
    where: Place


@dataclass(frozen=True, slots=True)
class Site:
    """The site file as plain YAML, beside the repository."""

    document: yamlio.Document
    subject: Subject

    def value(self, *keys: str | int) -> object:
        """The value under `keys`; None where the site file does not have it."""
        found: object = at(self.document.value, keys)
        return found

    def entries(self, *keys: str | int) -> Iterator[tuple[Keys, dict[str, object]]]:
        """The mappings of a list, each with its keys."""
        value = self.value(*keys)
        for index, entry in enumerate(value if isinstance(value, list) else ()):
            if isinstance(entry, dict):
                yield (*keys, index), entry

    def same(self, keys: Keys, found: object, where: Place, default: object = None) -> Iterator[Difference]:
        """A difference, unless the value under `keys` is what is found; nothing where neither it nor a default is."""
        says = self.value(*keys)
        says = default if says is None else says
        if says is not None and says != found:
            yield Difference(keys, says, found, where)


def tell(site: Site, found: Iterable[Difference], notes: Notes) -> None:
    """Each difference as a finding at the file, or at the site file where no file has a line for it."""
    for keys, says, what, where in found:
        key, place = yamlio.dotted(keys), site.document.place(*keys)
        notes.add(
            "SITE020",
            where if where != NOWHERE and where.path else place,
            f"{place.path}:{place.line} says {key}: {_shown(says)}; here it is {_shown(what)}.",
            "Where site.yaml is right, run `anycastle update`; else correct site.yaml.",
        )


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, Set, KeysView)):
        return ", ".join(sorted(map(str, value))) or "nothing"
    return "nothing" if value in (None, "") else str(value)


def address(value: object) -> IPAddress | None:
    """An address; None for anything else, which the check of the site file names."""
    try:
        return ip_address(value) if isinstance(value, str) else None
    except ValueError:
        return None


def network(value: object) -> IPNetwork | None:
    """A network; None for anything else."""
    try:
        return ip_network(value) if isinstance(value, str) else None
    except ValueError:
        return None


def texts(value: object) -> tuple[str, ...]:
    """The texts of a list."""
    return tuple(str(item) for item in value) if isinstance(value, list) else ()
