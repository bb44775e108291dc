"""ConfigMaps, Secrets, and the smaller kinds around workloads: budgets, policies, routes, rights."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from anycastle.schemas.fault import Fault, Path, Subject
from anycastle.schemas.services import is_network
from anycastle.schemas.shape import mapping, mappings, number, text, texts
from anycastle.schemas.workloads import is_share

_KEY = re.compile(r"(?!\.\.?$)(?!\.\.)[-._a-zA-Z0-9]{1,253}")
MAX_PRIORITY = 1_000_000_000


def keys(subject: Subject) -> Iterator[Fault]:
    """OBJ140, OBJ141: keys of ConfigMaps and Secrets."""
    for part in ("binaryData", "data", "stringData"):
        for key in mapping(subject.value, part):
            if _KEY.fullmatch(key) is None:
                yield Fault(
                    "OBJ140",
                    (part, key),
                    f"`{key}` is no valid key, so the object is refused",
                    "Use letters, digits, `-`, `_` and `.`, at most 253.",
                )
    if subject.kind == "ConfigMap":
        for key in sorted(set(mapping(subject.value, "data")) & set(mapping(subject.value, "binaryData"))):
            yield Fault(
                "OBJ141",
                ("binaryData", key),
                f"`{key}` stands in data and in binaryData, so the object is refused",
                "Keep one of the two.",
            )


def disruption_budget(subject: Subject) -> Iterator[Fault]:
    """OBJ150: the bounds of a PodDisruptionBudget."""
    spec = subject.spec
    bounds = [key for key in ("maxUnavailable", "minAvailable") if spec.get(key) is not None]
    if len(bounds) == 2:
        yield Fault(
            "OBJ150",
            ("spec", "maxUnavailable"),
            "minAvailable and maxUnavailable exclude each other, so the budget is refused",
            "Keep one.",
        )
    for key in bounds:
        if not is_share(spec[key]):
            yield Fault(
                "OBJ150",
                ("spec", key),
                f"{spec[key]} is neither a count nor a percentage",
                "Write e.g. 1 or 50%.",
            )


def network_policy(subject: Subject) -> Iterator[Fault]:
    """OBJ135: networks of a NetworkPolicy."""
    for direction, side in (("ingress", "from"), ("egress", "to")):
        for at, rule in mappings(subject.spec, direction, ("spec",)):
            for here, peer in mappings(rule, side, at):
                yield from _block(mapping(peer, "ipBlock"), (*here, "ipBlock"))


def _block(block: dict[str, Any], at: Path) -> Iterator[Fault]:
    named = [((*at, "cidr"), text(block, "cidr"))] if text(block, "cidr") else []
    for here, value in [*named, *texts(block, "except", at)]:
        if not is_network(value):
            yield Fault(
                "OBJ135",
                here,
                f"`{value}` is no network, so the policy is refused",
                "Write address, slash and prefix length, such as 192.0.2.0/24.",
            )


def ingress(subject: Subject) -> Iterator[Fault]:
    """OBJ138: every rule of an Ingress leads to one backend."""
    spec = subject.spec
    if spec and not spec.get("rules") and not spec.get("defaultBackend"):
        yield Fault(
            "OBJ138",
            ("spec",),
            "the Ingress has neither rules nor a default backend, so it is refused",
            "Add rules.",
        )
    if isinstance(spec.get("defaultBackend"), dict):
        yield from _backend(spec["defaultBackend"], ("spec", "defaultBackend"))
    for at, rule in mappings(spec, "rules", ("spec",)):
        for here, path in mappings(mapping(rule, "http"), "paths", (*at, "http")):
            if isinstance(path.get("backend"), dict):
                yield from _backend(path["backend"], (*here, "backend"))


def _backend(backend: dict[str, Any], at: Path) -> Iterator[Fault]:
    found = [key for key in ("resource", "service") if backend.get(key) is not None]
    port = mapping(backend, "service", "port")
    if len(found) != 1:
        what = "both a service and a resource" if found else "neither a service nor a resource"
        yield Fault("OBJ138", at, f"the backend has {what}, so the Ingress is refused", "Name one.")
    elif found == ["service"] and bool(text(port, "name")) == bool(number(port, "number")):
        yield Fault(
            "OBJ138",
            (*at, "service", "port"),
            "the backend needs the port as a number or as a name, so the Ingress is refused",
            "Write exactly one of number and name.",
        )


def role_binding(subject: Subject) -> Iterator[Fault]:
    """OBJ151: who is bound to what."""
    allowed = ("ClusterRole",) if subject.kind == "ClusterRoleBinding" else ("ClusterRole", "Role")
    bound = text(subject.value, "roleRef", "kind")
    if bound and bound not in allowed:
        yield Fault(
            "OBJ151",
            ("roleRef", "kind"),
            f"a {subject.kind} cannot refer to a {bound}, so it is refused",
            f"Write {' or '.join(allowed)}.",
        )
    everywhere = subject.kind == "ClusterRoleBinding"  # a RoleBinding's own namespace is meant where none is written
    for at, who in mappings(subject.value, "subjects"):
        if everywhere and text(who, "kind") == "ServiceAccount" and not text(who, "namespace"):
            yield Fault(
                "OBJ151",
                (*at, "namespace"),
                "a ServiceAccount needs its namespace here, so the binding is refused",
                "Add the namespace of the account.",
            )


def definition(subject: Subject) -> Iterator[Fault]:
    """OBJ152: the name of a CustomResourceDefinition."""
    plural, group = text(subject.spec, "names", "plural"), text(subject.spec, "group")
    if plural and group and subject.name and subject.name != f"{plural}.{group}":
        yield Fault(
            "OBJ152",
            ("metadata", "name"),
            f"the definition is called {subject.name} and defines {plural}.{group}, so it is refused",
            f"Call it {plural}.{group}.",
        )


def priority_class(subject: Subject) -> Iterator[Fault]:
    """OBJ153: priorities that users may give."""
    if subject.name.startswith("system-"):
        yield Fault(
            "OBJ153", ("metadata", "name"), "names that start with system- are reserved", "Choose another name."
        )
    value = number(subject.value, "value")
    if value is not None and value > MAX_PRIORITY:
        yield Fault(
            "OBJ153",
            ("value",),
            f"{value} is above {MAX_PRIORITY}, which is reserved, so the class is refused",
            f"Write at most {MAX_PRIORITY}.",
        )
