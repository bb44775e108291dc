"""What only the owner of the site can say of the world outside: a few keys of `site.yaml`, read as plain YAML.

Names and gateways of subnets, ranges that belong to others, speakers that others configure, owned number resources, and
the exception for an API address on the link. Everything else of the site file is left alone: the other files say what
really happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from ipaddress import ip_address, summarize_address_range
from typing import Any

from anycastle import yamlio
from anycastle.finding import Place
from anycastle.network.addresses import IPAddress, IPNetwork, Reserved, Subnet, WrittenRange
from anycastle.network.model import Declared
from anycastle.reader import documents
from anycastle.reader.files import Tree
from anycastle.reader.notes import Notes, as_number
from anycastle.records import dataclass
from anycastle.schemas.shape import mapping, mappings, sequence, text
from anycastle.yamlio import Path as Keys

FILE = "site.yaml"
_OURS = frozenset(("schema", "kubernetes", "networks", "routers", "bgp", "nodes", "load_balancer", "gitops"))
"""Keys of which a site file has some; other programs have a `site.yaml`, too."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A speaker on a node that somebody else configures: `announces` are the prefixes that it may, with their lines."""

    host: str
    called: str
    source: IPAddress
    asn: int
    announces: tuple[tuple[IPNetwork, Place], ...]
    where: Place


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of a site file; empty where there is none."""

    subnets: Mapping[IPNetwork, Subnet]
    reserved: tuple[Reserved, ...] = ()
    foreign: tuple[Foreign, ...] = ()
    declared: Declared = field(default_factory=Declared)
    repository: str = ""
    folder: str = ""

    def on(self, found: Iterable[Subnet]) -> tuple[Subnet, ...]:
        """The subnets that the files name, with the names and gateways that the site file adds.

        Where the files name none, those of the site file stand alone.
        """
        named = {subnet.cidr: subnet for subnet in found}
        if not named:
            return tuple(self.subnets.values())
        return tuple(
            replace(subnet, name=self.subnets[cidr].name, gateway=self.subnets[cidr].gateway)
            if cidr in self.subnets
            else subnet
            for cidr, subnet in named.items()
        )


NOTHING = Statements({})


def is_here(tree: Tree, notes: Notes) -> bool:
    """Whether there is a site file; one that cannot be read counts."""
    data = tree.data(FILE, notes) if tree.has_file(FILE) else None
    found = documents.load(data, FILE).documents if data is not None else ()
    return data is not None and all(isinstance(one.value, dict) and _OURS & one.value.keys() for one in found[:1])


def read(document: yamlio.Document, notes: Notes) -> Statements:
    """The statements of a site file."""
    value = document.value
    networks = mapping(value, "networks")
    return Statements(
        subnets={subnet.cidr: subnet for subnet in _subnets(document, networks, notes)},
        reserved=tuple(_reserved(document, networks, notes)),
        foreign=tuple(_foreign(document, notes)),
        declared=Declared(
            asns=tuple(sorted(_asns(networks))),
            prefixes=tuple(_prefixes(document, networks, notes)),
            vip_on_link=mapping(value, "kubernetes", "api").get("allow_on_link") is True,
            pools_on_link=tuple(
                text(pool, "name") for _keys, pool in _pools(value) if pool.get("allow_on_link") is True
            ),
            ranges=tuple(_ranges(document, notes)),
        ),
        repository=text(value, "gitops", "repository"),
        folder=text(value, "gitops", "path").strip("/"),
    )


def _subnets(document: yamlio.Document, networks: dict[str, Any], notes: Notes) -> Iterator[Subnet]:
    for keys, entry in mappings(networks, "nodes", ("networks",)):
        where = document.place(*keys, "cidr")
        cidr = notes.network(entry.get("cidr"), where, "a node subnet")
        gateway = notes.address(entry.get("gateway"), document.place(*keys, "gateway"), "a gateway")
        if cidr is not None:
            yield Subnet(name=text(entry, "name"), cidr=cidr, gateway=gateway, where=where)


def _reserved(document: yamlio.Document, networks: dict[str, Any], notes: Notes) -> Iterator[Reserved]:
    for keys, entry in mappings(networks, "reserved", ("networks",)):
        where = document.place(*keys, "range")
        for cidr in parse_range(text(entry, "range"), where, notes):
            yield Reserved(name=text(entry, "name"), cidr=cidr, where=where)


def _foreign(document: yamlio.Document, notes: Notes) -> Iterator[Foreign]:
    """Speakers that are not kube-vip; of that one its manifest speaks."""
    for keys, node in mappings(document.value, "nodes"):
        for inner, entry in mappings(node, "speakers", keys):
            where = document.place(*inner, "source")
            if text(entry, "name") == "kube-vip":
                continue
            source, asn = notes.address(entry.get("source"), where, "a speaker's address"), as_number(entry.get("asn"))
            found = []
            for index, value in enumerate(sequence(entry, "announces")):
                place = document.place(*inner, "announces", index)
                network = notes.network(value, place, "what a speaker announces")
                if network is not None and source is not None and network.version == source.version:
                    found.append((network, place))
            if source is not None and asn is not None and found:
                yield Foreign(text(node, "name"), text(entry, "name"), source, asn, tuple(found), where)


def parse_range(value: str, where: Place, notes: Notes) -> list[IPNetwork]:
    """A network, or `first-last` as the smallest list of networks."""
    first, dash, last = value.partition("-")
    if not dash:
        network = notes.network(value, where, "a reserved range") if value else None
        return [] if network is None else [network]
    try:
        ends = ip_address(first.strip()), ip_address(last.strip())
        return list(summarize_address_range(*ends))
    except (ValueError, TypeError):
        notes.add("READ001", where, f"{value!r} is no range of addresses.", "Write FIRST-LAST, the lower one first.")
        return []


def _pools(value: object) -> Iterator[tuple[Keys, dict[str, Any]]]:
    yield from mappings(mapping(value, "load_balancer"), "pools", ("load_balancer",))


def _ranges(document: yamlio.Document, notes: Notes) -> Iterator[WrittenRange]:
    """The ranges of load-balancer pools that have several."""
    for keys, pool in _pools(document.value):
        written = sequence(pool, "ranges")
        for index, entry in enumerate(written if len(written) > 1 else ()):
            where = document.place(*keys, "ranges", index)
            networks = parse_range(entry, where, notes) if isinstance(entry, str) else []
            if networks:
                yield WrittenRange(pool=text(pool, "name"), first=networks[0][0], last=networks[-1][-1], where=where)


def _asns(networks: dict[str, Any]) -> Iterator[int]:
    for value in sequence(networks, "owned", "asns"):
        number = as_number(value)
        if number is not None:
            yield number


def _prefixes(document: yamlio.Document, networks: dict[str, Any], notes: Notes) -> Iterator[IPNetwork]:
    for index, value in enumerate(sequence(networks, "owned", "prefixes")):
        place = document.place("networks", "owned", "prefixes", index)
        network = notes.network(value, place, "an owned prefix")
        if network is not None:
            yield network
