"""How NetBox says what something is for: a role, tags, and a description, all of them free words of its owner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from anycastle.importing.words import CONTROL_PLANE, ROUTER, WORKER, role_of, word

_MACHINES = frozenset(
    ("server", "servers", "compute", "hypervisor", "host", "bare_metal", "baremetal", "kubernetes", "k8s")
)
"""Roles of machines that may be nodes; what they are in the cluster is said elsewhere, or by nobody."""


def label(value: Any) -> str:
    """The word of a choice (`{value, label}`), of a related object (`{slug, name}`) or of a cell, in one spelling."""
    if isinstance(value, Mapping):
        value = value.get("value") or value.get("slug") or value.get("name") or ""
    return word(str(value)).replace("_", "-") if value else ""


def slugs(value: Any) -> Iterator[str]:
    """The words of a related object, of a list of them, or of a cell with commas."""
    if isinstance(value, list):
        for item in value:
            yield from slugs(item)
    elif isinstance(value, str):
        yield from (label(part) for part in value.split(",") if part.strip())
    elif value:
        yield label(value)


def device_role(value: Mapping[str, Any]) -> str | None:
    """The role in a cluster by the device's role or tags: empty where it is not said, None for what is no machine."""
    said = [*slugs(value.get("role") or value.get("device_role")), *slugs(value.get("tags"))]
    roles = {_in_words(text) for text in said}
    if ROUTER in roles:
        return ROUTER
    found = [role for role in (CONTROL_PLANE, WORKER) if role in roles]
    if found:
        return ",".join(found)
    machine = any(set(word(text).replace("_", "-").split("-")) & _MACHINES or word(text) in _MACHINES for text in said)
    return "" if machine or not said else None


def _in_words(text: str) -> str:
    """`k8s-control-plane` and `kubernetes-worker` by their ends."""
    parts = text.split("-")
    return next((role for start in range(len(parts)) if (role := role_of("-".join(parts[start:])))), "")


def purposes(value: Mapping[str, Any]) -> frozenset[str]:
    """Single words of role, tags and description, by which a prefix or a number is told from others."""
    said = [*slugs(value.get("role")), *slugs(value.get("tags")), label(value.get("description"))]
    return frozenset(part for text in said for part in text.split("-") if part)
