"""A CSV of machines, one a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from ipaddress import ip_network
from typing import Any

from anycastle import fields
from anycastle.fields import FieldError
from anycastle.finding import Place
from anycastle.importing import codes
from anycastle.importing.facts import Notes, Read, Source
from anycastle.importing.table import Row, header, rows
from anycastle.importing.words import CONTROL_PLANE, ROUTER, WORKER, parse_interface_address, parse_name, role_of

KIND = "csv"

_ALIASES: Mapping[str, tuple[str, ...]] = {
    "name": ("name", "hostname", "host_name", "host", "node", "node_name", "fqdn", "machine", "server"),
    "address": ("address", "ip", "ip_address", "ipv4", "ipv4_address", "node_ip", "internal_ip", "primary_ip"),
    "second": ("ipv6", "ipv6_address", "ip6"),
    "role": ("role", "roles", "node_role", "type", "kind", "function"),
    "subnet": ("subnet", "network", "cidr", "prefix", "node_subnet"),
    "mask": ("netmask", "mask", "subnet_mask", "prefix_length"),
    "gateway": ("gateway", "gw", "default_gateway", "default_gw"),
    "rack": ("rack", "zone", "location"),
    "asn": ("asn", "as", "as_number", "local_as", "bgp_asn"),
    "router_asn": ("router_asn", "peer_asn", "gateway_asn", "tor_asn"),
    "labels": ("labels", "node_labels"),
}


def looks_like(text: str) -> bool:
    """Whether the first line names a column for machines and one for their addresses or roles."""
    names = set(header(text))
    return bool(names & set(_ALIASES["name"])) and bool(
        names & {*_ALIASES["address"], *_ALIASES["second"], *_ALIASES["role"]}
    )


def read(source: Source) -> Read:
    """The facts of a table."""
    notes = Notes()
    names = set(header(source.text))
    for column in ("name", "address"):
        if not names & {*_ALIASES[column], *(_ALIASES["second"] if column == "address" else ())}:
            notes.findings.append(
                codes.unreadable(
                    Place(source.label, 1),
                    f"No column of the first line is the {column} of a machine.",
                    f"Call it one of: {', '.join(_ALIASES[column])}.",
                )
            )
    if notes.findings:
        return notes.done(source.label, KIND)
    found = rows(source.text, source.label, notes)
    for row in found:
        machine(_cells(row), Place(source.label, row.line), notes)
    if not found:
        notes.findings.append(
            codes.no_machines(Place(source.label, 1), "The table has no line below its first.", "Add one a machine.")
        )
    return notes.done(source.label, KIND)


def _cells(row: Row) -> dict[str, str]:
    """The known columns by one name each."""
    found = ((column, next((row.cells[a] for a in names if a in row.cells), "")) for column, names in _ALIASES.items())
    return {column: cell for column, cell in found if cell}


def machine(cells: Mapping[str, str], where: Place, notes: Notes) -> None:
    """One line: a node, or a router where its role says so."""
    roles = {role_of(part, server=CONTROL_PLANE) for part in cells.get("role", "").replace("+", ",").split(",")}
    if "" in roles and cells.get("role"):
        notes.findings.append(
            codes.unusable(
                where,
                ("nodes", cells.get("name", ""), "role"),
                f"{cells['role'][:40]!r} is no role of a machine.",
                "Write control-plane, worker or router.",
            )
        )
        return
    if roles == {ROUTER}:
        _router(cells, where, notes)
        return
    name = notes.parse(("nodes", cells.get("name", "")[:63], "name"), parse_name, cells.get("name"), where)
    if name is None:
        return
    at = ("nodes", str(name))
    notes.say((*at, "in_source"), True, where)
    if roles & {CONTROL_PLANE, WORKER}:
        notes.say((*at, "role"), CONTROL_PLANE if CONTROL_PLANE in roles else WORKER, where)
    if {CONTROL_PLANE, WORKER} <= roles:
        notes.say((*at, "workloads"), True, where)
    _values(at, cells, where, notes)


def _values(at: tuple[str, ...], cells: Mapping[str, str], where: Place, notes: Notes) -> None:
    parsers: Mapping[str, Callable[[object], Any]] = {
        "address": lambda raw: parse_interface_address(_with_mask(str(raw), cells)),
        "second": parse_interface_address,
        "subnet": _subnet,
        "gateway": fields.parse_address,
        "rack": lambda raw: fields.parse_label(str(raw).lower()),
        "asn": fields.parse_asn,
        "labels": _labels,
    }
    for column, parser in parsers.items():
        notes.parse((*at, column), parser, cells.get(column), where)
    if "router_asn" in cells:
        notes.parse((*at, "router_asn"), fields.parse_asn, cells["router_asn"], where)


def _router(cells: Mapping[str, str], where: Place, notes: Notes) -> None:
    raw = cells.get("name", "router").split(".")[0].lower()
    name = notes.parse(("routers", raw[:63], "name"), fields.parse_label, raw, where)
    if name is not None:
        at = ("routers", str(name))
        notes.parse((*at, "address"), lambda text: parse_interface_address(text).ip, cells.get("address"), where)
        notes.parse((*at, "asn"), fields.parse_asn, cells.get("asn"), where)
        if "rack" in cells:
            notes.parse((*at, "rack"), lambda text: fields.parse_label(str(text).lower()), cells["rack"], where)


def _with_mask(text: str, cells: Mapping[str, str]) -> str:
    mask = cells.get("mask", "").removeprefix("/")
    return f"{text}/{mask}" if mask and "/" not in text else text


def _subnet(raw: object) -> fields.IPNetwork:
    """A network, or any address in it with its prefix length."""
    text = str(raw)
    try:
        return ip_network(text, strict=False) if "/" in text and "%" not in text else fields.parse_cidr(text)
    except FieldError:
        raise
    except ValueError:
        return fields.parse_cidr(text)


def _labels(raw: object) -> dict[str, str]:
    pairs = (part.strip().partition("=") for part in str(raw).replace(",", ";").split(";") if part.strip())
    return {fields.parse_label_key(key): fields.parse_label_value(value) for key, _, value in pairs}
