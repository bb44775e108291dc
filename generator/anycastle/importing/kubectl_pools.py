"""Calico's pools: of pods and of Services, from IPPool objects and from the operator's Installation."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_network
from typing import Any

from anycastle import fields
from anycastle.finding import Place
from anycastle.importing import codes
from anycastle.importing.facts import Notes
from anycastle.importing.objects import Object
from anycastle.importing.words import parse_block_size

_MODES = {"Always": "", "CrossSubnet": "CrossSubnet"}


def pools(items: list[Object], notes: Notes) -> None:
    """Each pool of the list. A key that is false is left out by Calico's API server, so absent means false."""
    for item in items:
        spec = item.spec
        if spec.get("disabled") is True:
            notes.skip(item.place("spec", "disabled"), f"the pool {item.name} is disabled")
        elif "LoadBalancer" in (spec.get("allowedUses") or ()):
            _of_services(item, notes)
        else:
            _of_pods(item, notes)


def _of_services(item: Object, notes: Notes) -> None:
    at = ("pools", item.name)
    cidr = notes.parse((*at, "ranges"), _one, item.spec.get("cidr"), item.place("spec", "cidr"))
    if cidr:
        notes.parse((*at, "size"), parse_block_size, item.spec.get("blockSize"), item.place("spec", "blockSize"))
    if item.spec.get("assignmentMode") == "Manual":
        notes.say((*at, "assignment"), "manual", item.place("spec", "assignmentMode"))
    elif cidr:
        notes.say((*at, "assignment"), "automatic", item.place("spec"))


def _one(raw: object) -> tuple[fields.IPNetwork, ...]:
    return (fields.parse_cidr(raw),)


def _of_pods(item: Object, notes: Notes) -> None:
    at, spec = ("pods", item.name), item.spec
    notes.parse((*at, "cidr"), fields.parse_cidr, spec.get("cidr"), item.place("spec", "cidr"))
    notes.parse((*at, "block_size"), parse_block_size, spec.get("blockSize"), item.place("spec", "blockSize"))
    notes.say((*at, "encapsulation"), _encapsulation(spec), item.place("spec"))
    notes.say((*at, "nat_outgoing"), spec.get("natOutgoing") is True, item.place("spec"))
    notes.say((*at, "export"), spec.get("disableBGPExport") is not True, item.place("spec"))
    if spec.get("nodeSelector") not in (None, "", "all()"):
        notes.skip(item.place("spec", "nodeSelector"), f"the pool {item.name} is for some nodes only")


def _encapsulation(spec: Mapping[str, Any]) -> str:
    for key, word in (("vxlanMode", "VXLAN"), ("ipipMode", "IPIP")):
        suffix = _MODES.get(str(spec.get(key)))
        if suffix is not None:
            return word + suffix
    return "None"


def installations(items: list[Object], notes: Notes) -> None:
    """The subnets by which Calico finds a node's address; its pools are in the list as IPPools."""
    for item in items:
        _dataplane(item, notes)
        for family in ("V4", "V6"):
            found = item.mapping("spec", "calicoNetwork", f"nodeAddressAutodetection{family}").get("cidrs")
            for text in found if isinstance(found, list) else ():
                where = item.place("spec", "calicoNetwork", f"nodeAddressAutodetection{family}")
                notes.parse(("prefixes", str(text), "cidr"), fields.parse_cidr, text, where)


def _dataplane(item: Object, notes: Notes) -> None:
    """Without eBPF Services are kube-proxy's; with it the operator may be the one that switches kube-proxy off."""
    network, where = item.mapping("spec", "calicoNetwork"), item.place("spec", "calicoNetwork")
    plane = str(network.get("linuxDataplane") or "")
    if plane in ("Iptables", "Nftables"):
        notes.say(("kubernetes", "kube_proxy"), "kept", where)
        notes.say(("kubernetes", "dataplane"), plane.lower(), where)
    elif plane == "BPF" and network.get("kubeProxyManagement") == "Enabled":
        notes.say(("kubernetes", "kube_proxy"), "operator", where)


def reservations(items: list[Object], notes: Notes) -> None:
    """Addresses that Calico gives to nobody by itself; a run of networks is one range."""
    for item in items:
        cidrs = item.spec.get("reservedCIDRs")
        where = item.place("spec", "reservedCIDRs")
        for text in _ranges(cidrs, where, notes) if isinstance(cidrs, list) else ():
            notes.say(("kept", f"{item.name} {text}", "range"), text, where)


def _ranges(cidrs: list[Any], where: Place, notes: Notes) -> list[str]:
    found: list[fields.IPNetwork] = []
    for raw in cidrs:
        try:
            found.append(ip_network(raw) if isinstance(raw, str) and "/" not in raw else fields.parse_cidr(raw))
        except ValueError as error:
            notes.findings.append(codes.unusable(where, ("load_balancer", "reserved"), str(error), "Correct it."))
    runs: list[list[fields.IPNetwork]] = []
    for network in sorted(found, key=lambda one: (one.version, int(one.network_address))):
        last = runs[-1][-1] if runs else None
        follows = last is not None and last.version == network.version and int(last[-1]) + 1 == int(network[0])
        if follows:
            runs[-1].append(network)
        else:
            runs.append([network])
    return [str(run[0]) if len(run) == 1 else f"{run[0][0]}-{run[-1][-1]}" for run in runs]


def controllers(items: list[Object], notes: Notes) -> None:
    """Which Services get an address."""
    for item in items:
        found = item.mapping("spec", "controllers", "loadBalancer").get("assignIPs")
        if found in ("AllServices", "RequestedServicesOnly"):
            words = {"AllServices": "all", "RequestedServicesOnly": "requested"}
            notes.say(("load_balancer", "assign"), words[str(found)], item.place("spec", "controllers", "loadBalancer"))
