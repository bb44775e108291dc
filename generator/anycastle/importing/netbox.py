"""An export of NetBox: answers of its REST API (JSON), or the tables that it writes as CSV.

The shapes are those of NetBox 3 and 4: lists are under `results`, choices are `{value, label}`, related objects bring
their `name` and `slug`, addresses have their prefix length, and the role of a device was `device_role` before 4.0.
Config contexts, comments and the addresses of management controllers are never read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from anycastle import yamlio
from anycastle.finding import Place
from anycastle.importing import codes, netbox_ipam
from anycastle.importing.facts import Notes, Read, Source
from anycastle.importing.netbox_words import device_role, label, slugs
from anycastle.importing.node_table import machine
from anycastle.importing.table import header, rows

KIND = "netbox"

DEVICE, ADDRESS, PREFIX, RANGE, ASN = "device", "address", "prefix", "range", "asn"
_LIVE = frozenset(("", "active", "planned", "staged", "reserved", "container", "deprecated"))
"""Of `offline`, `failed`, `inventory` and `decommissioning` nothing is taken."""

_URLS = {
    "/dcim/devices/": DEVICE,
    "/virtualization/virtual-machines/": DEVICE,
    "/ipam/ip-addresses/": ADDRESS,
    "/ipam/prefixes/": PREFIX,
    "/ipam/ip-ranges/": RANGE,
    "/ipam/asns/": ASN,
}
_KEYS = (("start_address", RANGE), ("prefix", PREFIX), ("address", ADDRESS), ("asn", ASN), ("primary_ip4", DEVICE),
         ("device_type", DEVICE), ("vcpus", DEVICE))  # fmt: skip


class Record(NamedTuple):
    """An object of NetBox, what it is, and where it stands."""

    kind: str
    value: Mapping[str, Any]
    where: Place


def looks_like(value: object) -> bool:
    """Whether a document is such an answer: a page, a list of objects, or several under names."""
    return any(_kind(item) for item, _at in _objects(value))


def looks_like_table(text: str) -> bool:
    """Whether the first line is that of a table of NetBox."""
    names = set(header(text))
    own = bool(names & {"tenant", "manufacturer", "vrf", "rir", "asdot"}) or {"status", "site"} <= names
    return own and bool(names & {"name", "prefix", "ip_address", "asn", "start_address"})


def read(source: Source) -> Read:
    """The facts of an export."""
    notes = Notes()
    records = list(_from_table(source, notes) if looks_like_table(source.text) else _from_json(source, notes))
    live = [record for record in records if label(record.value.get("status")) in _LIVE]
    devices = [record for record in live if record.kind == DEVICE]
    roles = [device_role(record.value) for record in devices]
    for record, role in zip(devices, roles, strict=True):
        if role is None:
            name = codes.shown(record.value.get("name") or "a device without a name")
            notes.skip(
                record.where, f"{name} has the role {_role_words(record.value)}, which is no machine of a cluster"
            )
        else:
            _device(record, role, notes)
    if not devices and not any(record.kind != DEVICE for record in live):
        message = "The export holds no device, virtual machine, address, prefix or AS number."
        notes.findings.append(codes.no_machines(Place(source.label), message, "Export /api/dcim/devices/ as well."))
    netbox_ipam.read([(record.kind, record.value, record.where) for record in live if record.kind != DEVICE], notes)
    return notes.done(source.label, KIND)


def _role_words(value: Mapping[str, Any]) -> str:
    return codes.shown(" ".join(slugs(value.get("role") or value.get("device_role"))) or "none")


def _from_json(source: Source, notes: Notes) -> Iterator[Record]:
    loaded = yamlio.load(source.text, source.label)
    notes.findings += loaded.findings
    for document in loaded.documents:
        for item, at in _objects(document.value):
            if kind := _kind(item):
                yield Record(kind, item, document.place(*at))
        for page, at in _pages(document.value):
            if page.get("next"):
                held = len(page["results"])
                notes.skip(
                    document.place(*at),
                    f"the answer holds {held} objects of {page.get('count', 'more')}, one page only",
                )


def _pages(value: Any) -> Iterator[tuple[Mapping[str, Any], yamlio.Path]]:
    if isinstance(value, Mapping):
        if isinstance(value.get("results"), list):
            yield value, ()
        else:
            for name, part in value.items():
                if isinstance(part, Mapping) and isinstance(part.get("results"), list):
                    yield part, (name,)


def _objects(value: Any, at: yamlio.Path = ()) -> Iterator[tuple[Mapping[str, Any], yamlio.Path]]:
    """Objects of a list, of a page, of several pages under names, or a single one."""
    if isinstance(value, list):
        yield from ((item, (*at, index)) for index, item in enumerate(value) if isinstance(item, Mapping))
    elif isinstance(value, Mapping) and isinstance(value.get("results"), list):
        yield from _objects(value["results"], (*at, "results"))
    elif isinstance(value, Mapping) and _kind(value):
        yield value, at
    elif isinstance(value, Mapping) and not at:
        for name, part in value.items():
            yield from _objects(part, (name,))


def _kind(item: Mapping[str, Any]) -> str:
    """By the address in the API, else by a key that only such an object has."""
    url = item.get("url")
    if isinstance(url, str):
        return next((kind for path, kind in _URLS.items() if path in url), "")
    return next((kind for key, kind in _KEYS if key in item), "") if "apiVersion" not in item else ""


def _from_table(source: Source, notes: Notes) -> Iterator[Record]:
    for row in rows(source.text, source.label, notes):
        cells, where = dict(row.cells), Place(source.label, row.line)
        if "prefix" in cells:
            yield Record(PREFIX, cells, where)
        elif "start_address" in cells:
            yield Record(RANGE, cells, where)
        elif "asn" in cells and "name" not in cells:
            yield Record(ASN, cells, where)
        elif "name" in cells:
            found = {
                "primary_ip4": cells.get("ipv4_address") or cells.get("ip_address"),
                "primary_ip6": cells.get("ipv6_address"),
            }
            yield Record(DEVICE, cells | {key: text for key, text in found.items() if text}, where)
        elif "ip_address" in cells:
            yield Record(ADDRESS, cells | {"address": cells["ip_address"]}, where)


def _device(record: Record, role: str, notes: Notes) -> None:
    """A device or virtual machine as a line of a table of machines."""
    value = record.value
    custom = value.get("custom_fields")
    own = custom if isinstance(custom, Mapping) else {}
    cells = {
        "name": str(value.get("name") or ""),
        "role": role,
        "address": _address(value.get("primary_ip4")) or _address(value.get("primary_ip")),
        "second": _address(value.get("primary_ip6")),
        "rack": label(value.get("rack")),
        "asn": str(own.get("asn") or own.get("bgp_asn") or ""),
    }
    if not cells["address"]:
        cells["address"], cells["second"] = cells["second"], ""
    machine({key: text for key, text in cells.items() if text}, record.where, notes)


def _address(value: Any) -> str:
    """`10.0.0.17/24` of a related address; a table has the text alone."""
    return str(value.get("address") or "") if isinstance(value, Mapping) else value if isinstance(value, str) else ""
