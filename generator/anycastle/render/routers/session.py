"""A router's side of its sessions, sorted into groups of neighbours that are treated alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from anycastle.network.bgp import Acceptance, End, Router, Software
from anycastle.network.model import Network
from anycastle.network.questions import wired
from anycastle.records import dataclass


@dataclass(frozen=True, slots=True)
class Side:
    """What a router needs to know: its ends, what it accepts, and who stands at the other end.

    `off_link`: route reflectors tell it next hops that are on none of its links.
    """

    router: Router
    ends: tuple[End, ...]
    acceptances: tuple[Acceptance, ...]
    software_at: Mapping[object, Software]
    node_at: Mapping[object, str]
    called_at: Mapping[object, str]
    off_link: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbours with one policy: the same software, AS number, timers and accepted prefixes.

    `called` names the speakers where they are neither kube-vip nor Calico. `one_source`: the router speaks with all of
    them from one address, which links of two addresses do not have.
    """

    name: str
    software: Software
    ends: tuple[End, ...]
    acceptances: tuple[Acceptance, ...]
    called: str = ""
    one_source: bool = True

    @property
    def whose(self) -> str:
        """For a comment: who stands at the other end."""
        return f"Not of this repository: {self.called}." if self.called else "Calico, for the addresses of Services."

    @property
    def family(self) -> int:
        """4 or 6: a group has one, since each session carries its own."""
        return self.pattern.peer.version

    @property
    def pattern(self) -> End:
        """Any of the ends; everything that makes the group is equal in all of them."""
        return self.ends[0]

    @property
    def maximum(self) -> int:
        """A generous limit of accepted prefixes: twice the addresses that the prefix list admits, 100 to 100,000."""
        addresses = sum(1 << (a.longest - a.prefix.prefixlen) for a in self.acceptances)
        return min(100_000, max(100, 2 * addresses))


def names_of_nodes(network: Network) -> Mapping[object, str]:
    """The node that holds an address, or the speaker on it that is configured elsewhere."""
    linked = {end.address: end.host for end in wired(network)}
    others = {end.address: f"{end.host}-{end.called}" for end in network.ends if end.called}
    nodes = {address: node.name for node in network.nodes for address in node.addresses}
    return {address: name for known in (nodes, linked, others) for address, name in known.items()}


def groups(side: Side) -> Iterator[Group]:
    """The groups of a router, named after the software at the other end: `K8S-KUBE-VIP`, `K8S-CALICO`, `K8S-OTHER`.

    Those of IPv6 end in `-IPV6`. A second group of one name is told apart by a number.
    """
    alike: dict[tuple[object, ...], list[End]] = defaultdict(list)
    listed: dict[object, list[int]] = defaultdict(list)
    for number, acceptance in enumerate(side.acceptances):
        for peer in acceptance.peers:
            listed[peer].append(number)
    for end in side.ends:
        software = side.software_at[end.peer]
        same = (end.peer_asn, end.hops, end.hold, end.keepalive, end.silent, end.password)
        alike[software, end.peer.version, *same, tuple(listed[end.peer])].append(end)
    numbers: dict[str, int] = defaultdict(int)
    for ends in sorted(alike.values(), key=lambda ends: (*_kind(side, ends[0]), ends[0].peer_asn)):
        software, version = _kind(side, ends[0])
        name = f"K8S-{software.name.replace('_', '-')}" + ("-IPV6" if version == 6 else "")
        numbers[name] += 1
        suffix = f"-{numbers[name]}" if numbers[name] > 1 else ""
        called = ", ".join(sorted({side.called_at[end.peer] for end in ends if end.peer in side.called_at}))
        one_source = len({end.address for end in ends}) == 1
        yield Group(name + suffix, software, tuple(ends), _accepted(side, ends), called, one_source)


def _kind(side: Side, end: End) -> tuple[Software, int]:
    return side.software_at[end.peer], end.peer.version


def _accepted(side: Side, ends: list[End]) -> tuple[Acceptance, ...]:
    own = {end.peer for end in ends}
    return tuple(acceptance for acceptance in side.acceptances if own <= set(acceptance.peers))
