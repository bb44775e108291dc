"""The Services that Traefik's chart makes of its values.

Chart 41.3.0; the rules for name, annotations and ports are held against the chart itself by a test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from anycastle.reader.merging import Values, on_defaults
from anycastle.schemas.shape import mapping, text

CHART = "traefik"


def _port(exposed: int, *, open_: bool) -> Values:
    return {"expose": {"default": open_}, "exposedPort": exposed, "protocol": "TCP"}


DEFAULTS: Values = {
    "service": {"enabled": True, "single": True, "spec": {"type": "LoadBalancer"}},
    "ports": {
        "metrics": _port(9100, open_=False),
        "traefik": _port(8080, open_=False),
        "web": _port(80, open_=True),
        "websecure": {**_port(443, open_=True), "http": {"tls": {"enabled": True}}},
    },
}
"""Of the chart's defaults, those that make the Service."""


def services(values: Mapping[str, Any], release: str, namespace: str) -> Iterator[Values]:
    """The Services of a release, in the chart's order."""
    full = on_defaults(DEFAULTS, values)
    default = mapping(full, "service")
    named = {**mapping(default, "additionalServices"), "default": default}
    for name, service in sorted(named.items()):
        if isinstance(service, dict) and service.get("enabled") is not False:
            yield from _service(full, name, service, release, namespace)


def _service(full: Values, name: str, service: Values, release: str, namespace: str) -> Iterator[Values]:
    whole = fullname(full, release)
    own = text(service, "nameOverride") or whole if name == "default" else f"{whole}-{name}"
    single = service.get("single") is True
    owner = _owner(full, release, namespace)
    tcp, udp = _ports(full, name, single=single)
    if tcp or single:
        yield _object(owner, own, service, "annotationsTCP", (tcp + udp) if single else tcp)
    if udp and not single:
        yield _object(owner, f"{own}-udp", service, "annotationsUDP", udp)


def fullname(values: Mapping[str, Any], release: str) -> str:
    """Helm's usual rule: the release's name where it holds the chart's, else both."""
    if override := text(values, "fullnameOverride"):
        return _cut(override)
    chart = text(values, "nameOverride") or CHART
    return _cut(release if chart in release else f"{release}-{chart}")


def _cut(name: str) -> str:
    return name[:63].removesuffix("-")


def _owner(full: Values, release: str, namespace: str) -> Values:
    """Namespace and selector, which all Services of a release share."""
    where = _cut(text(full, "namespaceOverride")) or namespace
    selector = {
        "app.kubernetes.io/name": _cut(text(full, "nameOverride") or CHART),
        "app.kubernetes.io/instance": _cut(text(full, "instanceLabelOverride") or f"{release}-{where}"),
    }
    return {"namespace": where, "selector": selector}


def _object(owner: Values, name: str, service: Values, extra: str, ports: list[Values]) -> Values:
    metadata: Values = {"name": name, "namespace": owner["namespace"]}
    if labels := mapping(service, "labels"):
        metadata["labels"] = labels
    if annotations := {**mapping(service, "annotations"), **mapping(service, extra)}:
        metadata["annotations"] = annotations
    spec = {**mapping(service, "spec"), "selector": owner["selector"], "ports": ports}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}


def _ports(full: Values, service: str, *, single: bool) -> tuple[list[Values], list[Values]]:
    """Ports of a Service for TCP (and HTTP/3 beside it in a single Service), and those for UDP."""
    tcp: dict[str, Values] = {}
    udp: dict[str, Values] = {}
    for name, port in mapping(full, "ports").items():
        if not isinstance(port, dict) or mapping(port, "expose").get(service) is not True:
            continue
        protocol = str(port.get("protocol") or "TCP")
        entry = _port_entry(name, port, port.get("exposedPort") or port.get("port"), protocol)
        (udp if protocol == "UDP" else tcp)[name] = entry
        if mapping(port, "http3").get("enabled") is True:
            exposed = mapping(port, "http3").get("advertisedPort") or port.get("exposedPort")
            key = f"{name}-http3"
            (tcp if single else udp)[key] = _port_entry(key, port, exposed, "UDP")
    return [tcp[key] for key in sorted(tcp)], [udp[key] for key in sorted(udp)]


def _port_entry(name: str, port: Values, exposed: object, protocol: str) -> Values:
    target = port.get("targetPort") or name.lower()
    entry: Values = {
        "port": exposed,
        "name": _port_name(name),
        "targetPort": _port_name(target) if isinstance(target, str) else target,
        "protocol": protocol,
    }
    for key in ("nodePort", "appProtocol"):
        if port.get(key):
            entry[key] = port[key]
    return entry


def _port_name(name: str) -> str:
    return name.lower().removeprefix("-")[:15].removesuffix("-")
