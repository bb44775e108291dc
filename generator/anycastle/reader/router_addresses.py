"""At which addresses a router speaks with the nodes: what its file says, else what the nodes dial.

Many platforms name an interface where FRR would name an address, and the interface's address stands in another file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from ipaddress import ip_address

from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import End
from anycastle.network.canonical import address_key
from anycastle.reader import frr
from anycastle.records import dataclass


@dataclass(frozen=True, slots=True)
class NodeSide:
    """What the nodes know of routers: their ends, and the address under which a BGPPeer names each router."""

    ends: Sequence[End]
    named: Mapping[str, IPAddress]

    def of(self, router: str, routers: Iterable[str]) -> frozenset[IPAddress]:
        """Addresses that BGPPeers have for one of several routers: under its name, also with a suffix (`-ipv6`)."""
        return frozenset(
            address
            for peer, address in self.named.items()
            if max((name for name in routers if peer == name or peer.startswith(f"{name}-")), key=len, default="")
            == router
        )


def name_interfaces(config: frr.Config, own: Set[IPAddress], nodes: NodeSide, asn: int | None) -> None:
    """Addresses of interfaces that sessions come from, where another file has them: those that the neighbours dial.

    Where they dial several, those count that are known to be this router's own.
    """
    dialled: dict[str, set[IPAddress]] = defaultdict(set)
    for end in nodes.ends:
        if end.peer_asn == asn:
            dialled[str(end.address)].add(end.peer)
    for neighbour in config.neighbours.values():
        group = config.neighbours.get(neighbour.group)
        source = neighbour.update_source or (group.update_source if group else "")
        if source and not _usable([config.interfaces.get(source, source)]):
            found = dialled[neighbour.name] & own or dialled[neighbour.name]
            if len(found) == 1:
                neighbour.update_source = str(*found)


def further(config: frr.Config, address: IPAddress) -> tuple[IPAddress, ...]:
    """Other source addresses of its sessions."""
    return tuple(dict.fromkeys(found for found in _sources(config) if found != address))


def _sources(config: frr.Config) -> list[IPAddress]:
    """The source addresses that the configuration names, IPv4 first and then by value."""
    named = [neighbour.update_source for neighbour in config.neighbours.values()]
    return sorted(_usable([config.interfaces.get(source, source) for source in named]), key=address_key)


def address_of(
    config: frr.Config, name: str, nodes: NodeSide, callers: Mapping[IPAddress, list[End]], asn: int | None
) -> IPAddress | None:
    """The router's address towards the nodes: what it says itself, else what the nodes dial, else nothing.

    A router ID and the addresses of interfaces are only a hint: they count where a node dials them, where they lie
    beside a neighbour, or where nobody dials anything.
    """
    dialled = {**dict.fromkeys(nodes.named.values()), **dict.fromkeys(callers)}
    own = _sources(config)
    if own:
        return own[0]
    hints = _usable([*config.addresses, config.router_id])
    met = [hint for hint in hints if hint in dialled]
    by_name = [nodes.named[name]] if name in nodes.named else []
    by_number = [address for address in dialled if any(end.peer_asn == asn for end in callers.get(address, ()))]
    here = [hint for hint in hints if any(_beside(hint, neighbour) for neighbour in config.neighbours)]
    for found in (
        met,
        by_name,
        here,
        by_number if len(by_number) == 1 else [],
        list(dialled) if len(dialled) == 1 else [],
    ):
        if found:
            return found[0]
    return hints[0] if hints and not dialled else None


def _beside(address: IPAddress, neighbour: str) -> bool:
    """Whether a neighbour is so near that both are likely on one link."""
    bits = 8 if address.version == 4 else 64
    return any(
        int(one) >> bits == int(address) >> bits for one in _usable([neighbour]) if one.version == address.version
    )


def _usable(values: Sequence[str]) -> list[IPAddress]:
    found: list[IPAddress] = []
    for value in values:
        try:
            found.append(ip_address(value))
        except ValueError:
            continue
    return found
