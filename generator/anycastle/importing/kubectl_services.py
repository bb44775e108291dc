"""Traefik: its Service, its IngressClass, and how many of it run."""

from __future__ import annotations

import json

from anycastle import fields
from anycastle.fields import FieldError
from anycastle.importing.facts import Notes
from anycastle.importing.objects import Object

_ADDRESSES = "projectcalico.org/loadBalancerIPs"
_POOLS = ("projectcalico.org/ipv4pools", "projectcalico.org/ipv6pools")
_CONTROLLER = "traefik.io/ingress-controller"
_NAME = "app.kubernetes.io/name"
_INSTANCE = "app.kubernetes.io/instance"
_DEFAULT = "ingressclass.kubernetes.io/is-default-class"


def ingress(items: list[Object], notes: Notes) -> None:
    """Each Traefik Service of type LoadBalancer; the others are counted, since a site file does not make them."""
    services = [item for item in items if item.kind == "Service" and item.spec.get("type") == "LoadBalancer"]
    classes = [item for item in items if item.kind == "IngressClass" and item.spec.get("controller") == _CONTROLLER]
    deployments = {item.name: item for item in items if item.kind == "Deployment"}
    every = [item for item in items if item.kind == "Service"]
    if every and not any(_is_traefik(item) for item in services):
        notes.say(("no_ingress",), True, every[0].place("metadata", "name"))
    for item in services:
        if _is_traefik(item):
            _traefik(item, notes)
            _class(item, classes, notes)
            _replicas(item, deployments.get(item.name), notes)
        else:
            notes.skip(item.place("metadata", "name"), f"the Service {_namespace(item)}/{item.name} is not an ingress")


def _is_traefik(item: Object) -> bool:
    return item.labels.get(_NAME) == "traefik" or item.name == "traefik"


def _namespace(item: Object) -> str:
    return str(item.mapping("metadata").get("namespace") or "default")


def _traefik(item: Object, notes: Notes) -> None:
    at = ("ingress", item.name)
    notes.say((*at, "name"), item.name, item.place("metadata", "name"))
    where = item.place("metadata", "annotations", _ADDRESSES)
    notes.parse((*at, "addresses"), _addresses, item.annotations.get(_ADDRESSES), where)
    policy = item.spec.get("externalTrafficPolicy")
    if policy in ("Local", "Cluster"):
        notes.say((*at, "traffic_policy"), policy, item.place("spec", "externalTrafficPolicy"))
    if item.annotations.get(_ADDRESSES) is None:
        notes.say((*at, "addresses"), (), item.place("spec"))
    for key in _POOLS:
        notes.parse((*at, "pool"), _pool, item.annotations.get(key), item.place("metadata", "annotations", key))


def _addresses(raw: object) -> tuple[fields.IPAddress, ...]:
    return tuple(fields.parse_address(item) for item in _listed(raw))


def _pool(raw: object) -> str:
    """The pool of a site file; `name-2`, `name-3` are its further ranges."""
    names = [str(name) for name in _listed(raw)]
    first = min(names, key=len, default="")
    if not names or any(name != first and not name.startswith(f"{first}-") for name in names):
        raise FieldError(
            f"The Service may take addresses of {len(names)} pools.", "A site file names one pool at most."
        )
    return fields.parse_label(first)


def _listed(raw: object) -> list[object]:
    """The annotation is a JSON list inside a string."""
    try:
        found = json.loads(str(raw)) if len(str(raw)) < 4096 else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, list):
        raise FieldError("The annotation is not a JSON list.", 'Write a list such as ["192.168.20.100"].')
    return found


def _class(item: Object, classes: list[Object], notes: Notes) -> None:
    """The class of the same release, else that of the same name, else the only one."""
    release = item.labels.get(_INSTANCE)
    chosen = [one for one in classes if release and one.labels.get(_INSTANCE) == release]
    chosen = chosen or [one for one in classes if one.name == item.name] or (classes if len(classes) == 1 else [])
    for one in chosen:
        notes.parse(("ingress", item.name, "class"), fields.parse_label, one.name, one.place("metadata", "name"))
        default = one.annotations.get(_DEFAULT) == "true"
        notes.say(("ingress", item.name, "default"), default, one.place("metadata", "annotations"))


def _replicas(item: Object, deployment: Object | None, notes: Notes) -> None:
    count = deployment.spec.get("replicas") if deployment is not None else None
    if deployment is not None and isinstance(count, int) and 1 <= count <= 1000:
        notes.say(("ingress", item.name, "replicas"), count, deployment.place("spec", "replicas"))
