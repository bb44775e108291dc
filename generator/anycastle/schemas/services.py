"""Services: ports, addresses, and fields that belong to one type only."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Iterator
from typing import Any

from anycastle.schemas import names
from anycastle.schemas.addresses import is_address
from anycastle.schemas.containers import port_reference
from anycastle.schemas.fault import Fault, Path, Subject
from anycastle.schemas.shape import mapping, mappings, number, repeated, sequence, text, texts

NODE_PORTS = range(30000, 32768)
_LIST_ANNOTATIONS = tuple(f"projectcalico.org/{name}" for name in ("ipv4pools", "ipv6pools", "loadBalancerIPs"))
_MAKING = frozenset(("ports", "selector", "type", "externalName", "clusterIP", "clusterIPs"))
"""Fields of which somebody who makes a Service writes at least one."""
_ONLY_LOAD_BALANCER = ("allocateLoadBalancerNodePorts", "loadBalancerClass", "loadBalancerSourceRanges")


def ports(subject: Subject) -> Iterator[Fault]:
    """OBJ114, OBJ128, OBJ130 to OBJ132, OBJ137: the list of ports."""
    spec = subject.spec
    listed = list(mappings(spec, "ports", ("spec",)))
    adjusts = spec and _MAKING.isdisjoint(spec)  # one that stands elsewhere: server-side apply takes such a part
    portless = text(spec, "type") == "ExternalName" or spec.get("clusterIP") == "None"
    if spec and not listed and not portless and not adjusts:
        yield Fault(
            "OBJ137",
            ("spec", "ports"),
            "the Service has no ports, so it is refused",
            "Add its ports, or clusterIP None.",
        )
    opened = (
        ((*at, "port"), (port["port"], text(port, "protocol") or "TCP")) for at, port in listed if number(port, "port")
    )
    for at, (value, protocol) in repeated(opened):
        yield Fault(
            "OBJ130",
            at,
            f"port {value}/{protocol} is listed twice, so the Service is refused",
            "Keep one, or change protocol.",
        )
    yield from _port_names(listed)
    for at, port in listed:
        yield from _port(port, at, text(spec, "type") or "ClusterIP")


def _port_names(listed: list[tuple[Path, dict[str, Any]]]) -> Iterator[Fault]:
    for at, port in listed if len(listed) > 1 else ():
        if not port.get("name"):
            yield Fault(
                "OBJ131",
                (*at, "name"),
                "a Service with several ports needs a name for each, so it is refused",
                "Add a name.",
            )
    for at, name in repeated(((*at, "name"), text(port, "name")) for at, port in listed):
        yield Fault("OBJ131", at, f"another port is called `{name}` too, so the Service is refused", "Rename one.")
    for at, port in listed:
        name = text(port, "name")
        if name and not names.is_dns_label(name):
            yield Fault(
                "OBJ114",
                (*at, "name"),
                f"`{name}` is no valid port name, so the Service is refused",
                "Use lower-case letters, digits and `-`.",
            )


def _port(port: dict[str, Any], at: Path, kind: str) -> Iterator[Fault]:
    if "targetPort" in port:
        yield from port_reference(port["targetPort"], (*at, "targetPort"))
    node_port = number(port, "nodePort")
    if not node_port:
        return
    if kind in ("ClusterIP", "ExternalName"):
        yield Fault(
            "OBJ136",
            (*at, "nodePort"),
            f"a Service of type {kind} has no node ports, so it is refused",
            "Remove nodePort, or use type NodePort or LoadBalancer.",
        )
    elif node_port not in NODE_PORTS:
        yield Fault(
            "OBJ132",
            (*at, "nodePort"),
            f"node port {node_port} is outside {NODE_PORTS[0]}-{NODE_PORTS[-1]}, so the Service is refused",
            "Choose one inside, or leave it out.",
        )


def addresses(subject: Subject) -> Iterator[Fault]:
    """OBJ133 to OBJ135, OBJ139: addresses and families."""
    spec = subject.spec
    yield from _cluster_ips(spec)
    outside = [(("spec", "loadBalancerIP"), text(spec, "loadBalancerIP"))] if text(spec, "loadBalancerIP") else []
    for at, value in [*texts(spec, "externalIPs", ("spec",)), *outside]:
        if not _is_usable(value):
            yield Fault(
                "OBJ134",
                at,
                f"`{value}` is no address that a Service can have, so it is refused",
                "Write a plain unicast address.",
            )
    for at, value in texts(spec, "loadBalancerSourceRanges", ("spec",)):
        if not is_network(value):
            yield Fault("OBJ135", at, f"`{value}` is no network, so the Service is refused", _NETWORK_HINT)
    families = [family for family in sequence(spec, "ipFamilies") if isinstance(family, str)]
    single = text(spec, "ipFamilyPolicy") in ("", "SingleStack") and "ipFamilyPolicy" in spec
    if len(set(families)) < len(families) or (single and len(families) > 1):
        yield Fault(
            "OBJ139",
            ("spec", "ipFamilies"),
            f"{', '.join(families)} does not fit the policy {text(spec, 'ipFamilyPolicy') or '(default)'}",
            "List each family once; for both write PreferDualStack or RequireDualStack.",
        )


_NETWORK_HINT = "Write address, slash and prefix length, such as 192.0.2.0/24."


def _cluster_ips(spec: dict[str, Any]) -> Iterator[Fault]:
    single = [(("spec", "clusterIP"), text(spec, "clusterIP"))]
    for at, value in [*single, *texts(spec, "clusterIPs", ("spec",))]:
        if value and value != "None" and not is_address(value):
            yield Fault(
                "OBJ133",
                at,
                f"`{value}` is no cluster IP, so the Service is refused",
                "Leave it out, or write None or an address of the service range.",
            )
    if spec.get("clusterIP") == "None" and text(spec, "type") in ("LoadBalancer", "NodePort"):
        yield Fault(
            "OBJ133",
            ("spec", "clusterIP"),
            f"a Service of type {text(spec, 'type')} cannot be headless and is refused",
            "Remove clusterIP.",
        )


def _is_usable(value: str) -> bool:
    if not is_address(value):
        return False
    parsed = ipaddress.ip_address(value)
    return not (parsed.is_loopback or parsed.is_link_local or parsed.is_multicast or parsed.is_unspecified)


def is_network(value: str) -> bool:
    """A network as Go's ParseCIDR reads it; bits of the host may be set."""
    if "/" not in value or not value.rsplit("/", 1)[1].isdigit():
        return False
    try:
        ipaddress.ip_interface(value)
    except ValueError:
        return False
    return True


def types(subject: Subject) -> Iterator[Fault]:
    """OBJ136: fields that belong to one type of Service."""
    spec, kind = subject.spec, text(subject.spec, "type") or "ClusterIP"
    wrong = [key for key in _ONLY_LOAD_BALANCER if spec.get(key) not in (None, "", []) and kind != "LoadBalancer"]
    reachable = kind in ("LoadBalancer", "NodePort") or bool(sequence(spec, "externalIPs"))
    if text(spec, "externalTrafficPolicy") and not reachable:
        wrong.append("externalTrafficPolicy")
    if number(spec, "healthCheckNodePort") and (
        kind != "LoadBalancer" or text(spec, "externalTrafficPolicy") != "Local"
    ):
        wrong.append("healthCheckNodePort")
    for key in wrong:
        yield Fault(
            "OBJ136",
            ("spec", key),
            f"{key} does not belong to a Service of type {kind}, which is refused",
            "Remove it or change the type.",
        )
    if kind == "ExternalName" and not text(spec, "externalName"):
        yield Fault("OBJ136", ("spec", "externalName"), "type ExternalName needs externalName", "Add the name.")


def selector(subject: Subject) -> Iterator[Fault]:
    """OBJ103 in the selector of a Service."""
    yield from names.labels(mapping(subject.spec, "selector"), ("spec", "selector"))


def calico_annotations(subject: Subject) -> Iterator[Fault]:
    """CAL070: requests to Calico's address management are JSON lists in a text."""
    annotations = mapping(subject.metadata, "annotations")
    for key in _LIST_ANNOTATIONS:
        value = annotations.get(key)
        if not isinstance(value, str):
            continue
        problem = _list_problem(value, are_addresses=key.endswith("loadBalancerIPs"))
        if problem:
            yield Fault(
                "CAL070",
                ("metadata", "annotations", key),
                f"`{value}` {problem}: the Service stays pending, and only kube-controllers' log says why",
                "Write a JSON list in quotes, such as '[\"192.0.2.10\"]', with at most one address of a family.",
            )


def _list_problem(value: str, *, are_addresses: bool) -> str:
    try:
        entries = json.loads(value)
    except (ValueError, RecursionError):
        return "is not JSON"
    if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
        return "is no list of texts"
    if not are_addresses:
        return ""
    wrong = [entry for entry in entries if not is_address(entry)]
    if wrong:
        return f"holds {wrong[0]}, which is no address"
    versions = [ipaddress.ip_address(entry).version for entry in entries]
    return "holds two addresses of one family" if len(set(versions)) < len(versions) else ""
