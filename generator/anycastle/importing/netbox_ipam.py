"""Addresses, prefixes, ranges and AS numbers of NetBox.

What each is for stands in free words of its owner, so only clear ones count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from anycastle import fields
from anycastle.finding import Place
from anycastle.importing.facts import Notes
from anycastle.importing.netbox_words import label, purposes
from anycastle.importing.words import parse_interface_address, parse_name

Item = tuple[str, Mapping[str, Any], Place]

_BALANCER = frozenset(("loadbalancer", "lb", "vips", "ingress"))
_API = frozenset(("api", "apiserver", "kube", "control", "k8s", "kubernetes"))
_ROUTER_AS = frozenset(("router", "tor", "leaf", "fabric", "gateway", "spine"))
_CLUSTER_AS = frozenset(("calico", "worker", "workers", "kubernetes", "k8s", "cluster", "nodes"))
_FIRST_HOP = frozenset(("vrrp", "hsrp", "glbp", "carp"))


def read(items: Iterable[Item], notes: Notes) -> None:
    """Everything that is no device."""
    readers = {"prefix": _prefix, "address": _address, "range": _range, "asn": _asn}
    for kind, value, where in items:
        readers[kind](value, where, notes)


def _prefix(value: Mapping[str, Any], where: Place, notes: Notes) -> None:
    said = purposes(value)
    raw = value.get("prefix")
    if said & {"pod", "pods"}:
        notes.parse(("pods", "default-ipv6-ippool" if ":" in str(raw) else "default-ipv4-ippool", "cidr"),
                    fields.parse_cidr, raw, where)  # fmt: skip
    elif said & _BALANCER or {"load", "balancer"} <= said:
        notes.parse(("pools", f"loadbalancer-pool {raw}", "ranges"), _one_cidr, raw, where)
    elif said & {"service", "services"} and said & {"kubernetes", "k8s", "cluster"}:
        notes.parse(("service_ranges", str(raw), "cidr"), fields.parse_cidr, raw, where)
    elif said & {"dhcp", "vpn", "clients"}:
        name = next(word for word in ("dhcp", "vpn", "clients") if word in said)
        notes.parse(("reserved", f"{name} {raw}", "range"), fields.parse_cidr, raw, where)
    elif label(value.get("status")) != "container":
        notes.parse(("prefixes", str(raw), "cidr"), fields.parse_cidr, raw, where)


def _one_cidr(raw: object) -> tuple[fields.IPNetwork, ...]:
    return (fields.parse_cidr(raw),)


def _address(value: Mapping[str, Any], where: Place, notes: Notes) -> None:
    """The address of a node's interface, of the API, or of a first hop that routers share."""
    raw, role = value.get("address"), label(value.get("role"))
    words = purposes(value) | frozenset(label(value.get("dns_name")).replace(".", "-").split("-"))
    if role in _FIRST_HOP:
        notes.parse(("gateways", str(raw), "address"), parse_interface_address, raw, where)
    elif role in ("vip", "anycast") and words & _API:
        notes.parse(("kubernetes", "api", "vips"), lambda text: (parse_interface_address(text).ip,), raw, where)
        if value.get("dns_name"):
            notes.parse(("kubernetes", "api", "name"), parse_name, value["dns_name"], where, firm=False)
    elif not role and (device := _holder(value)):
        name = notes.parse(("interfaces", device, "name"), parse_name, device, where, firm=False)
        if name:
            notes.parse(("interfaces", f"{name} {raw}", "address"), parse_interface_address, raw, where)


def _holder(value: Mapping[str, Any]) -> str:
    """The device or virtual machine whose interface has the address."""
    held = value.get("assigned_object")
    if not isinstance(held, Mapping):
        return ""
    device = held.get("device") or held.get("virtual_machine")
    return str(device.get("name") or "") if isinstance(device, Mapping) else ""


def _range(value: Mapping[str, Any], where: Place, notes: Notes) -> None:
    """Ranges belong to somebody: to Services where it is said, else to another."""
    ends = [str(value.get(key) or "").partition("/")[0] for key in ("start_address", "end_address")]
    text = "-".join(ends)
    said = purposes(value)
    if said & _BALANCER or {"load", "balancer"} <= said:
        notes.parse(
            ("pools", f"loadbalancer-pool {text}", "ranges"),
            lambda raw: fields.parse_range(raw) and (str(raw),),
            text,
            where,
        )
    else:
        name = "dhcp" if "dhcp" in said else "range"
        notes.parse(
            ("reserved", f"{name} {text}", "range"), lambda raw: fields.parse_range(raw) and str(raw), text, where
        )


def _asn(value: Mapping[str, Any], where: Place, notes: Notes) -> None:
    said = purposes(value)
    if said & _ROUTER_AS:
        notes.parse(("router_asns", str(value.get("asn")), "asn"), fields.parse_asn, value.get("asn"), where)
    elif {"kube", "vip"} <= said or {"control", "plane"} <= said:
        notes.parse(("bgp", "control_plane_asn"), fields.parse_asn, value.get("asn"), where)
    elif said & _CLUSTER_AS:
        notes.parse(("bgp", "worker_asn"), fields.parse_asn, value.get("asn"), where)
    else:
        notes.skip(
            where, f"the AS number {str(value.get('asn'))[:12]} has no role, tag or description that says whose it is"
        )
