"""Passwords of BGP sessions: Calico's node agent may read them only where a Role says so."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.network.model import Unread
from anycastle.reader import sealing
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, mappings, sequence, text

_NAMESPACE, _ACCOUNT = "calico-system", "calico-node"
_GROUP = "rbac.authorization.k8s.io"
_VERBS = ("get", "list", "watch")


def check(subject: Subject, notes: Notes) -> None:
    """Every secret that a BGPPeer or the mesh names."""
    brought = (known for item in subject.objects if (known := sealing.provided(item)) is not None)
    made = {(space, name): keys for space, name, keys in brought}
    for item, keys, secret in _named(subject):
        name, key = text(secret, "name"), text(secret, "key")
        if not _readable(name, subject):
            notes.add(
                "REF012",
                item.place(keys),
                f"Nothing here lets calico-node read the Secret {_NAMESPACE}/{name}: the session is opened without its "
                "password, and the peer drops every packet.",
                f"Add a Role in {_NAMESPACE} with get, list and watch on the Secret {name}, and a RoleBinding to the "
                "ServiceAccount calico-node.",
            )
        elif (listed := made.get((_NAMESPACE, name))) is not None and key not in listed:
            notes.add(
                "REF012",
                item.place(keys),
                f"The Secret {_NAMESPACE}/{name} has no key {key}: the session is opened without its password.",
                "Name one of its keys.",
            )


def _named(subject: Subject) -> Iterator[tuple[Object, tuple[str, ...], dict[str, object]]]:
    for item in subject.objects:
        field = {"BGPPeer": "password", "BGPConfiguration": "nodeMeshPassword"}.get(item.kind, "")
        secret = mapping(item.spec, field, "secretKeyRef") if field and item.group.endswith("projectcalico.org") else {}
        if text(secret, "name"):
            yield item, ("spec", field, "secretKeyRef"), secret


def _readable(name: str, subject: Subject) -> bool:
    """Whether a binding to calico-node leads to a rule for the Secret; what some chart brings is not known here."""
    if not subject.network.knows(Unread.APPS):
        return True
    return any(
        _reads(name, role)
        for item in subject.objects
        if item.group == _GROUP and item.kind in ("RoleBinding", "ClusterRoleBinding") and _binds(item)
        for role in _roles(item, subject)
    )


def _binds(item: Object) -> bool:
    names = {text(entry, "name") for _keys, entry in mappings(item.value, "subjects")}
    inside = item.kind == "ClusterRoleBinding" or item.namespace == _NAMESPACE
    return inside and bool(names & {_ACCOUNT, "system:serviceaccounts", f"system:serviceaccounts:{_NAMESPACE}"})


def _roles(binding: Object, subject: Subject) -> Iterator[Object]:
    kind, name = text(binding.value, "roleRef", "kind"), text(binding.value, "roleRef", "name")
    for item in subject.objects:
        here = kind == "ClusterRole" or item.namespace == binding.namespace
        if item.group == _GROUP and (item.kind, item.name) == (kind, name) and here:
            yield item


def _reads(name: str, role: Object) -> bool:
    return any(
        {"secrets", "*"} & set(map(str, sequence(rule, "resources")))
        and name in (sequence(rule, "resourceNames") or [name])
        and ("*" in sequence(rule, "verbs") or all(verb in sequence(rule, "verbs") for verb in _VERBS))
        for _keys, rule in mappings(role.value, "rules")
    )
