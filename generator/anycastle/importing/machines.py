"""The machines of all sources, and the subnets that they are connected to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from ipaddress import IPv4Interface, IPv6Interface, ip_interface, ip_network
from itertools import islice

from anycastle.fields import IPAddress, IPNetwork
from anycastle.finding import Finding, Place
from anycastle.importing import codes
from anycastle.importing.cells import Cell
from anycastle.importing.facts import Fact
from anycastle.importing.merged import Entry, Merged
from anycastle.importing.words import CONTROL_PLANE, WORKER
from anycastle.records import dataclass

_GUESS = {4: 24, 6: 64}
"""Prefix length of a subnet of which no source says one."""

Interface = IPv4Interface | IPv6Interface


@dataclass(frozen=True, slots=True)
class Machine:
    """A node: `addresses` first the one that counts. `named` and `role_where` are None where nobody said so."""

    name: str
    named: Place | None
    role: str
    role_where: Place | None
    addresses: tuple[tuple[Interface, Place], ...]
    facts: Entry

    @property
    def where(self) -> Place:
        """Where the machine is first spoken of."""
        return next(iter(self.facts.values())).where


@dataclass(frozen=True, slots=True)
class Link:
    """A subnet of nodes; `where` is None where it was guessed, `gateway` where nobody named one.

    `free` is the first host that no machine has.
    """

    cidr: IPNetwork
    where: Place | None
    free: IPAddress
    gateway: Fact | None = None


def machines(merged: Merged) -> tuple[tuple[Machine, ...], tuple[Finding, ...]]:
    """Control planes first, each in the order of the sources; a machine without an address is a finding."""
    entries = {name: entry for name, entry in merged.entries("nodes").items() if "in_source" in entry}
    interfaces = _interfaces(merged)
    roles = _roles(entries)
    made: list[Machine] = []
    findings: list[Finding] = []
    for name, found in entries.items():
        entry: Entry = found
        addresses = _addresses(entry, interfaces.get(name, ()))
        if not addresses:
            where = entry["in_source"].where
            findings.append(
                codes.no_machines(where, f"{name} has no address in the source.", "Add it, or leave the machine out.")
            )
            continue
        role, stated = roles[name]
        named = entry["name"].where if "name" in entry else None
        if role == CONTROL_PLANE:
            spoken = {key: merged.get("vip_asns", name, key) for key in ("asn", "router_id", "source")}
            entry = {
                **entry,
                **{key: fact for key, fact in spoken.items() if fact is not None},
            }  # kube-vip speaks there
        made.append(Machine(_name(name), named, role, stated, addresses, entry))
    return tuple(sorted(made, key=lambda one: one.role != CONTROL_PLANE)), tuple(findings)


def _name(name: str) -> str:
    """A host that is listed by its address has no name that a source would know."""
    bare = name.replace(".", "").replace(":", "")
    return f"node-{name.replace('.', '-').replace(':', '-')}" if bare.isdigit() or ":" in name else name


def _roles(entries: Mapping[str, Entry]) -> Mapping[str, tuple[str, Place | None]]:
    """As stated; without any control plane the first three machines of no stated role are taken, or the first."""
    stated = {name: entry.get("role") for name, entry in entries.items()}
    open_ = [name for name, fact in stated.items() if fact is None]
    known = any(fact is not None and fact.value == CONTROL_PLANE for fact in stated.values())
    chosen = [] if known else open_[: 3 if len(open_) > 3 else 1]
    return {
        name: (str(fact.value), fact.where) if fact else (CONTROL_PLANE if name in chosen else WORKER, None)
        for name, fact in stated.items()
    }


def _interfaces(merged: Merged) -> Mapping[str, tuple[Fact, ...]]:
    """Addresses of interfaces by the machine that has them."""
    found: dict[str, list[Fact]] = {}
    for name, entry in merged.entries("interfaces").items():
        if "address" in entry:
            found.setdefault(name.partition(" ")[0], []).append(entry["address"])
    return {name: tuple(facts) for name, facts in found.items()}


def _addresses(entry: Entry, interfaces: Iterable[Fact]) -> tuple[tuple[Interface, Place], ...]:
    """One of each family, the first one first; an interface's address serves where the machine has none of its own."""
    own = [entry[key] for key in ("address", "second") if key in entry]
    lengths = {ip_interface(fact.value).ip: ip_interface(fact.value) for fact in interfaces}
    found: dict[int, tuple[Interface, Place]] = {}
    for fact in own or sorted(interfaces, key=lambda fact: ":" in fact.value):
        value = ip_interface(fact.value)
        found.setdefault(value.version, (lengths.get(value.ip, value), fact.where))
    return tuple(found.values())


def links(merged: Merged, nodes: Sequence[Machine]) -> tuple[tuple[Link, ...], tuple[Finding, ...]]:
    """The subnet of every address: as stated, from a prefix length, or guessed."""
    stated = [
        (ip_network(e["cidr"].value), e["cidr"].where) for e in merged.entries("prefixes").values() if "cidr" in e
    ]
    found: dict[IPNetwork, Place | None] = {}
    for machine in nodes:
        own = machine.facts.get("subnet")
        candidates = [(ip_network(own.value), own.where), *stated] if own is not None else stated
        for interface, where in machine.addresses:
            _add(found, interface, where, candidates)
    gateways, findings = _gateways(merged, nodes, found)
    ordered = sorted(found, key=lambda cidr: (cidr.version, int(cidr.network_address)))
    taken = {interface.ip for machine in nodes for interface, _where in machine.addresses}
    return tuple(Link(cidr, found[cidr], _free(cidr, taken), gateways.get(cidr)) for cidr in ordered), findings


def _free(cidr: IPNetwork, taken: Collection[IPAddress]) -> IPAddress:
    hosts: Iterator[IPAddress] = iter(cidr.hosts())
    return next((address for address in islice(hosts, len(taken) + 1) if address not in taken), cidr[0])


def _add(
    found: dict[IPNetwork, Place | None],
    interface: Interface,
    where: Place,
    candidates: Iterable[tuple[IPNetwork, Place]],
) -> None:
    around = [item for item in candidates if item[0].version == interface.version and interface.ip in item[0]]
    around = [item for item in around if item[0].prefixlen < item[0].max_prefixlen]
    if around:
        cidr, place = max(around, key=lambda item: item[0].prefixlen)
        found[cidr] = found.get(cidr) or place
    elif interface.network.prefixlen < interface.max_prefixlen:
        found[interface.network] = found.get(interface.network) or where
    elif not any(cidr.version == interface.version and interface.ip in cidr for cidr in found):
        length = _GUESS[interface.version]
        found.setdefault(ip_network((interface.ip, length), strict=False), None)


def _gateways(
    merged: Merged, nodes: Sequence[Machine], subnets: Iterable[IPNetwork]
) -> tuple[Mapping[IPNetwork, Fact], tuple[Finding, ...]]:
    """What machines call their gateway, and the addresses that routers share."""
    said = [machine.facts["gateway"] for machine in nodes if "gateway" in machine.facts]
    said += [entry["address"] for entry in merged.entries("gateways").values() if "address" in entry]
    found: dict[IPNetwork, Fact] = {}
    findings: list[Finding] = []
    for fact in said:
        address = ip_interface(fact.value).ip
        home = next((cidr for cidr in subnets if cidr.version == address.version and address in cidr), None)
        held = found.setdefault(home, fact) if home is not None else fact
        if held is not fact and ip_interface(held.value).ip != address:
            values = (address, ip_interface(held.value).ip)
            findings.append(
                codes.disagreement(fact.where, ("networks", "nodes", str(home), "gateway"), values, held.where)
            )
    return found, tuple(findings)


def home_of(address: IPAddress, subnets: Iterable[Link]) -> Link | None:
    """The subnet that holds an address."""
    return next((link for link in subnets if link.cidr.version == address.version and address in link.cidr), None)


def told(value: object, where: Place | None) -> object:
    """A leaf of the site that says whether it was stated."""
    return Cell(value, where) if where is not None else value
