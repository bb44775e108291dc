"""The kind of a source, from its content."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from anycastle import yamlio
from anycastle.finding import Place
from anycastle.importing import ansible, ansible_yaml, codes, kubectl, netbox, node_table
from anycastle.importing.ansible_ini import looks_like as looks_like_ini
from anycastle.importing.facts import Read, Source

_READERS: Mapping[str, Callable[[Source], Read]] = {
    ansible.KIND: ansible.read,
    node_table.KIND: node_table.read,
    netbox.KIND: netbox.read,
    kubectl.KIND: kubectl.read,
}

KINDS = tuple(_READERS)


def read(source: Source, kind: str = "") -> Read:
    """The facts of a source, of the kind that is given or the one that its content shows."""
    if not source.text.strip():
        empty = codes.unreadable(Place(source.label), "The file is empty.", "Export it anew.")
        return Read(source.label, kind, (), (empty,))
    found = kind or detected(source.text, source.label)
    if not found:
        return Read(source.label, "", (), (codes.unknown_kind(source.label, KINDS),))
    return _READERS[found](source)


def detected(text: str, label: str = "") -> str:
    """`ansible`, `csv`, `netbox` or `kubectl`; empty for none of them."""
    if looks_like_ini(text):
        return ansible.KIND
    if netbox.looks_like_table(text):
        return netbox.KIND
    if node_table.looks_like(text):
        return node_table.KIND
    documents = yamlio.load(text, label).documents
    return _of_value(documents[0].value) if documents else ""


def _of_value(value: object) -> str:
    if kubectl.looks_like(value):
        return kubectl.KIND
    if ansible_yaml.looks_like(value):
        return ansible.KIND
    return netbox.KIND if netbox.looks_like(value) else ""
