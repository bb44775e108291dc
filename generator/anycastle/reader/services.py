"""Services of type LoadBalancer, and what they ask of Calico."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from ipaddress import ip_address

from anycastle.finding import NOWHERE, Place
from anycastle.network.addresses import IPAddress, Service, TrafficPolicy
from anycastle.reader.documents import Object
from anycastle.schemas.shape import sequence, text
from anycastle.yamlio import Path as Keys

_PREFIX = "projectcalico.org/"
ADDRESSES = _PREFIX + "loadBalancerIPs"
POOLS = (_PREFIX + "ipv4pools", _PREFIX + "ipv6pools")


def services(objects: Iterable[Object]) -> Iterator[Service]:
    """Every Service that asks for an address; of one that stands twice, the first."""
    seen: set[tuple[str, str]] = set()
    for item in objects:
        if item.kind != "Service" or item.group or text(item.spec, "type") != "LoadBalancer":
            continue
        if (item.namespace, item.name) not in seen:
            seen.add((item.namespace, item.name))
            yield _service(item)


def _service(item: Object) -> Service:
    requested = item.annotations.get(ADDRESSES)
    requested = requested if isinstance(requested, str) else ""
    at: Keys = ("metadata", "annotations", ADDRESSES) if requested else ("metadata", "name")
    return Service(
        namespace=item.namespace,
        name=item.name,
        policy=TrafficPolicy.LOCAL if text(item.spec, "externalTrafficPolicy") == "Local" else TrafficPolicy.CLUSTER,
        requested=requested,
        addresses=_addresses(requested),
        pools=tuple(name for key in POOLS for name in _texts(item.annotations.get(key))),
        load_balancer_class=text(item.spec, "loadBalancerClass"),
        families=_families(item),
        family_policy=text(item.spec, "ipFamilyPolicy"),
        pools_where=_pools_place(item),
        field_address=text(item.spec, "loadBalancerIP"),
        field_where=item.place(("spec", "loadBalancerIP")),
        where=item.place(at),
    )


def _pools_place(item: Object) -> Place:
    key = next((key for key in POOLS if key in item.annotations), None)
    return item.place(("metadata", "annotations", key)) if key else NOWHERE


def _families(item: Object) -> tuple[int, ...]:
    """Families that the Service names; both where it asks for two and names one at most."""
    named = {_FAMILIES[name] for name in sequence(item.spec, "ipFamilies") if name in _FAMILIES}
    two = text(item.spec, "ipFamilyPolicy") in ("PreferDualStack", "RequireDualStack")
    return (4, 6) if two else tuple(sorted(named))


_FAMILIES = {"IPv4": 4, "IPv6": 6}


def _texts(value: object) -> tuple[str, ...]:
    """A JSON list of texts inside a text, as Calico wants its annotations; empty where it is none."""
    try:
        found = json.loads(value) if isinstance(value, str) else None
    except (ValueError, RecursionError):
        return ()
    listed = isinstance(found, list) and all(isinstance(entry, str) for entry in found)
    return tuple(found) if listed and isinstance(found, list) else ()


def _addresses(requested: str) -> tuple[IPAddress, ...]:
    """What Calico makes of the annotation: one unreadable address spoils the whole list."""
    try:
        return tuple(ip_address(entry) for entry in _texts(requested))
    except ValueError:
        return ()
