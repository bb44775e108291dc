"""What Calico v3.32 demands of its BGP objects beyond types and choices (same sources as calico_pools.py)."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from typing import Any

from anycastle.schemas.addresses import interface, is_address, split_port
from anycastle.schemas.fault import Fault, Path, Subject
from anycastle.schemas.shape import mapping, mappings, number, sequence, text, texts

_COMMUNITY = re.compile(r"\d+:\d+(:\d+)?")
_ONLY_DEFAULT = (
    "asNumber",
    "nodeMeshMaxRestartTime",
    "nodeMeshPassword",
    "nodeToNodeMeshEnabled",
    "serviceClusterIPs",
    "serviceExternalIPs",
    "serviceLoadBalancerIPs",
)
_EXCLUSIVE = (
    ("node", "nodeSelector"),
    ("peerIP", "peerSelector"),
    ("peerSelector", "asNumber"),
    ("localWorkloadSelector", "peerIP"),
    ("localWorkloadSelector", "peerSelector"),
)
_OPERATIONS = ("addCommunity", "prependASPath", "setPriority")


def peer(subject: Subject) -> Iterator[Fault]:
    """Laws of a BGPPeer."""
    spec = subject.spec
    for one, other in _EXCLUSIVE:
        if spec.get(one) and spec.get(other):
            yield Fault(
                "CAL020",
                ("spec", other),
                f"{one} and {other} exclude each other, so the peer is refused and no session comes up",
                f"Keep {one} or {other}.",
            )
    if spec.get("localWorkloadSelector") and not spec.get("asNumber"):
        yield Fault(
            "CAL020",
            ("spec", "asNumber"),
            "localWorkloadSelector needs asNumber, so the peer is refused",
            "Add the AS number of the workload.",
        )
    if spec.get("keepOriginalNextHop") is True and spec.get("nextHopMode"):
        yield Fault(
            "CAL023",
            ("spec", "keepOriginalNextHop"),
            "keepOriginalNextHop and nextHopMode both set the next hop, so the peer is refused",
            "Keep nextHopMode; `Keep` means the same.",
        )
    if "nodeSelector" in spec and spec["nodeSelector"] in (None, "") and not spec.get("node"):
        yield Fault(
            "CAL026",
            ("spec", "nodeSelector"),
            "the selector is empty, so every node holds this session: an exclamation mark without quotes leaves that "
            "behind, and so does a template without its value",
            "Write the selector in quotes; where every node is meant, write all().",
        )
    yield from _reachable(spec)
    yield from _somebody(spec)


def _reachable(spec: dict[str, Any]) -> Iterator[Fault]:
    gateway, remote = text(spec, "reachableBy"), split_port(text(spec, "peerIP")) or ""
    if not gateway:
        return
    if not remote:
        yield Fault(
            "CAL022",
            ("spec", "reachableBy"),
            "reachableBy is the way to peerIP, which is absent, so the peer is refused",
            "Add peerIP or remove reachableBy.",
        )
    elif is_address(gateway) and is_address(remote) and _version(gateway) != _version(remote):
        yield Fault(
            "CAL022",
            ("spec", "reachableBy"),
            f"{gateway} and {remote} are of different address families, so the peer is refused",
            "Name a gateway of the family of peerIP.",
        )


def _version(value: str) -> int:
    return ipaddress.ip_address(value).version


def _somebody(spec: dict[str, Any]) -> Iterator[Fault]:
    if not any(spec.get(key) for key in ("localWorkloadSelector", "peerIP", "peerSelector")):
        yield Fault(
            "CAL024",
            ("spec", "peerIP"),
            "the peer has neither address nor selector, so no session follows from it",
            "Add peerIP and asNumber, or peerSelector.",
        )
    if text(spec, "peerIP") and not any(spec.get(key) for key in ("asNumber", "peerSelector")):
        yield Fault(
            "CAL025",
            ("spec", "asNumber"),
            f"the peer {text(spec, 'peerIP')} has no AS number: BIRD does not accept remote AS 0, so the session "
            "never comes up",
            "Add asNumber, the AS of the router.",
        )


def bgp_filter(subject: Subject) -> Iterator[Fault]:
    """Laws of a BGPFilter."""
    for family, width in ((4, 32), (6, 128)):
        for direction in ("export", "import"):
            for at, rule in mappings(subject.spec, f"{direction}V{family}", ("spec",)):
                yield from _rule(rule, at)
                yield from _networks(rule, at, family, width)


def _rule(rule: dict[str, Any], at: Path) -> Iterator[Fault]:
    if bool(rule.get("cidr")) != bool(rule.get("matchOperator")):
        absent = "matchOperator" if rule.get("cidr") else "cidr"
        yield Fault(
            "CAL030",
            (*at, absent),
            f"cidr and matchOperator stand together, {absent} is missing, so the filter is refused",
            f"Add {absent}, such as {'In' if absent == 'matchOperator' else '192.0.2.0/24'}.",
        )
    if "prefixLength" in rule and not rule.get("cidr"):
        yield Fault(
            "CAL031",
            (*at, "prefixLength"),
            "prefixLength narrows a cidr, which is missing, so the filter is refused",
            "Add cidr and matchOperator.",
        )
    if sequence(rule, "operations") and rule.get("action") != "Accept":
        yield Fault(
            "CAL032",
            (*at, "operations"),
            "a route that is not accepted cannot be changed, so the filter is refused",
            "Remove operations or write action Accept.",
        )
    for here, operation in mappings(rule, "operations", at):
        chosen = [key for key in _OPERATIONS if operation.get(key) is not None]
        if len(chosen) != 1:
            yield Fault(
                "CAL033",
                here,
                f"the entry has {' and '.join(chosen) or 'no operation'}, so the filter is refused",
                f"Write exactly one of {', '.join(_OPERATIONS)} in each entry.",
            )


def _networks(rule: dict[str, Any], at: Path, family: int, width: int) -> Iterator[Fault]:
    found = interface(text(rule, "cidr"))
    if found is not None and found.version != family:
        yield Fault(
            "CAL034",
            (*at, "cidr"),
            f"{rule['cidr']} is IPv{found.version} in a list for IPv{family}: the rule matches nothing or is refused",
            f"Move the rule to the list whose name ends in V{found.version}.",
        )
        return
    shortest = found.network.prefixlen if found is not None else 0
    least, most = number(rule, "prefixLength", "min"), number(rule, "prefixLength", "max")
    for key, value in (("max", most), ("min", least)):
        if value is not None and not shortest <= value <= width:
            yield Fault(
                "CAL035",
                (*at, "prefixLength", key),
                f"length {value} is not between {shortest} and {width}, so the rule never matches or is refused",
                f"Write {shortest} to {width}.",
            )
    if least is not None and most is not None and least > most:
        yield Fault(
            "CAL035",
            (*at, "prefixLength", "min"),
            f"min {least} is above max {most}, so the rule matches nothing",
            "Exchange the two.",
        )


def configuration(subject: Subject) -> Iterator[Fault]:
    """Laws of a BGPConfiguration."""
    spec, name = subject.spec, subject.name
    if name != "default" and not name.startswith("node."):
        yield Fault(
            "CAL041",
            ("metadata", "name"),
            f"Calico reads the BGPConfigurations `default` and `node.<name>`, nobody reads `{name}`",
            "Call it default.",
        )
    for key in _ONLY_DEFAULT if name.startswith("node.") else ():
        if key in spec:
            yield Fault(
                "CAL041",
                ("spec", key),
                f"{key} counts for the cluster only, so it is refused or ignored in the configuration of a node",
                "Move it to the BGPConfiguration default.",
            )
    for key in ("nodeMeshMaxRestartTime", "nodeMeshPassword"):
        if key in spec and spec.get("nodeToNodeMeshEnabled") is False:
            yield Fault(
                "CAL040",
                ("spec", key),
                f"{key} belongs to the node-to-node mesh, which is off, so the object is refused",
                f"Remove {key}.",
            )
    yield from _communities(spec)


def _communities(spec: dict[str, Any]) -> Iterator[Fault]:
    named = {text(each, "name"): at for at, each in mappings(spec, "communities", ("spec",))}
    used: set[str] = set()
    for at, advertisement in mappings(spec, "prefixAdvertisements", ("spec",)):
        for here, value in texts(advertisement, "communities", at):
            used.add(value)
            if value not in named and _COMMUNITY.fullmatch(value) is None:
                yield Fault(
                    "CAL043",
                    here,
                    f"the community `{value}` is neither a value nor named under communities",
                    "Add it there, or write the value.",
                )
    for name, at in named.items():
        if name and name not in used:
            yield Fault(
                "CAL043",
                at,
                f"the community `{name}` is used by no prefix advertisement, so the object is refused",
                "Use it, or remove it.",
            )


def password(subject: Subject) -> Iterator[Fault]:
    """OBJ005: a reference to a password without the Secret's name leads nowhere."""
    for key in ("nodeMeshPassword", "password"):
        reference = mapping(subject.spec, key)
        if key in subject.spec and not text(reference, "secretKeyRef", "name"):
            yield Fault(
                "OBJ005",
                ("spec", key, "secretKeyRef", "name"),
                "the password refers to no Secret, so the session is set up without one and never comes up",
                "Name a Secret in calico-system, and its key.",
            )
