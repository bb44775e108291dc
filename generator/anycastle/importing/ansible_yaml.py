"""An Ansible inventory in the YAML form, or as `ansible-inventory --list` prints it (JSON)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anycastle.fields import FieldError
from anycastle.importing import codes
from anycastle.importing.facts import MAX_NODES, Notes
from anycastle.importing.host_ranges import expand
from anycastle.importing.inventory import ALL, Inventory, Variable
from anycastle.yamlio import Document, Path

_PARTS = frozenset(("hosts", "children", "vars"))
_META = "_meta"


def looks_like(value: object) -> bool:
    """Whether a document is such an inventory: groups whose only keys are hosts, children and vars."""
    if not isinstance(value, Mapping) or not value:
        return False
    groups = [group for name, group in value.items() if name != _META]
    filled = [group for group in groups if isinstance(group, Mapping) and group]
    return (
        bool(filled)
        and len(filled) == len([g for g in groups if g])
        and all(group.keys() <= _PARTS for group in filled)
    )


def inventory(document: Document, notes: Notes) -> Inventory:
    """The groups of a document."""
    made = Inventory()
    value = document.value
    for name in value:
        if name != _META:
            _group(made, name, document, (name,), notes)
    meta = value.get(_META)
    listed = meta.get("hostvars") if isinstance(meta, Mapping) else None
    for host, own in listed.items() if isinstance(listed, Mapping) else ():
        made.host(host).update(_variables(own, document, (_META, "hostvars", host)))
    made.group(ALL)
    return made


def _group(made: Inventory, name: str, document: Document, at: Path, notes: Notes) -> None:
    """One group and what is written below it; the reader has limited the depth."""
    part = document.below(at)
    value = part.value if part is not None else None
    group = made.group(name)
    if not isinstance(value, Mapping):
        return
    hosts, children = value.get("hosts"), value.get("children")
    for host in hosts if isinstance(hosts, Mapping | list) else ():
        own = hosts[host] if isinstance(hosts, Mapping) else None
        _host(made, name, host, own, (document, (*at, "hosts"), notes))
    for child in children if isinstance(children, Mapping | list) else ():
        group.children.setdefault(str(child), document.place(*at, "children"))
        if isinstance(children, Mapping):
            _group(made, str(child), document, (*at, "children", str(child)), notes)
    group.variables.update(_variables(value.get("vars"), document, (*at, "vars")))


def _host(made: Inventory, group: str, host: object, own: Any, at: tuple[Document, Path, Notes]) -> None:
    document, path, notes = at
    where = document.place(*path, str(host))
    try:
        names = expand(str(host), MAX_NODES - len(made.hosts))
    except FieldError as error:
        notes.findings.append(codes.unusable(where, ("nodes",), error.problem, error.fix))
        return
    variables = _variables(own, document, (*path, str(host)))
    for name in names:
        made.group(group).hosts.setdefault(name, where)
        made.host(name).update(variables)


def _variables(value: Any, document: Document, at: Path) -> dict[str, Variable]:
    if not isinstance(value, Mapping):
        return {}
    return {name: Variable(item, document.place(*at, name)) for name, item in value.items()}
