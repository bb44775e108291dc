"""Networks to break: plans of the example sites, and ways to change one thing in them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from ipaddress import ip_address, ip_network
from typing import Any

from anycastle.network.addresses import IPAddress, IPNetwork, PoolUse
from anycastle.network.bgp import Software
from anycastle.network.canonical import canonical
from anycastle.network.model import Network
from anycastle.plan import plan
from anycastle.site.load import parse
from patches import patched

Pick = Callable[[Any], bool]


def planned(site: str = "seed", /, **change: object) -> Network:
    """The plan of a case; keys with `__` for a dot, such as `bgp__worker_asn=65010`."""
    return planned_from({key.replace("__", "."): value for key, value in change.items()}, site)


def planned_from(change: dict[str, object], site: str = "seed") -> Network:
    parsed = parse(patched(site, change))
    assert parsed.site is not None, parsed.findings
    return plan(parsed.site)


@dataclass(frozen=True)
class Case:
    """One law: a network that breaks it and nothing else, and one that looks like it and is right."""

    code: str
    what: str
    broken: Callable[[], Network]
    innocent: Callable[[], Network]


@cache
def seed() -> Network:
    return planned()


@cache
def lab() -> Network:
    return planned("lab-ja")


def change(network: Network, field: str, pick: Pick = lambda _item: True, /, **values: object) -> Network:
    """The items of a field that are picked get new values; there must be one."""
    items = getattr(network, field)
    if not isinstance(items, tuple):
        return replace(network, **{field: replace(items, **values)})
    assert any(map(pick, items)), f"nothing to change in {field}"
    return replace(network, **{field: tuple(replace(item, **values) if pick(item) else item for item in items)})


def add(network: Network, field: str, *items: object) -> Network:
    return canonical(replace(network, **{field: (*getattr(network, field), *items)}))


def drop(network: Network, field: str, pick: Pick = lambda _item: True, /) -> Network:
    items = getattr(network, field)
    assert any(map(pick, items)), f"nothing to drop from {field}"
    return replace(network, **{field: tuple(item for item in items if not pick(item))})


def address(text: str) -> IPAddress:
    return ip_address(text)


def net(text: str) -> IPNetwork:
    return ip_network(text)


def named(name: str) -> Pick:
    return lambda item: getattr(item, "name", None) == name


def ends_of(host: str, software: Software | None = None) -> Pick:
    return lambda end: end.host == host and software in (None, end.software)


def of(software: Software) -> Pick:
    return lambda item: item.software is software


def towards(peer: str) -> Pick:
    return lambda end: end.peer == address(peer)


def use(kind: PoolUse) -> Pick:
    return lambda pool: pool.use is kind


def component(name: str) -> Pick:
    return lambda version: version.component == name


def provides(part: str) -> Pick:
    return lambda app: part in app.provides
