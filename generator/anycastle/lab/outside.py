"""The network behind the routers, where the client is: ranges that nothing of the site overlaps, and who has what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network

from anycastle.lab.commands import LabError
from anycastle.lab.links import Interface, on_link
from anycastle.network.addresses import IPAddress, IPNetwork
from anycastle.network.model import Network
from anycastle.network.questions import host, range_owners
from anycastle.records import dataclass

_RANGES: Mapping[int, Sequence[IPNetwork]] = {
    4: [IPv4Network(text) for text in ("198.18.0.0/24", "198.19.255.0/24", "203.0.113.0/24", "100.127.255.0/24")],
    6: [IPv6Network(text) for text in ("2001:db8:ffff::/64", "2001:2:0:ffff::/64", "fdff:ffff:ffff::/64")],
}
"""Candidates: for documentation and for benchmarks (RFC 2544, 5180, 5737, 3849), or private."""
_MOST = 100
_CLIENT, _BY_ONE = 101, 102


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """Addresses behind the routers, by family. `leading` are the machines that lead to nodes: routers, gateways."""

    ranges: tuple[IPNetwork, ...]
    leading: tuple[str, ...]

    def of(self, name: str) -> tuple[Interface, ...]:
        """What a router has there."""
        return self._numbered(1 + self.leading.index(name))

    def hop(self, name: str, version: int) -> IPAddress:
        """A router as a next hop."""
        return next(one.ip for one in self.of(name) if one.version == version)

    @property
    def client(self) -> tuple[Interface, ...]:
        """The client, wherever its packets go."""
        return self._numbered(_CLIENT)

    def client_by(self, name: str) -> tuple[Interface, ...]:
        """The client when its packets are to go by one router only."""
        return self._numbered(_BY_ONE + self.leading.index(name))

    def _numbered(self, number: int) -> tuple[Interface, ...]:
        return tuple(on_link(one[number], one) for one in self.ranges)


def outside(network: Network, leading: Sequence[str]) -> Outside:
    """Raises `LabError` where no range is left or there are too many routers."""
    if len(leading) > _MOST:
        raise LabError(f"There are {len(leading)} routers; a lab can build {_MOST}.")
    versions = sorted({subnet.cidr.version for subnet in network.subnets})
    return Outside(ranges=tuple(_free(network, version) for version in versions), leading=tuple(leading))


def _free(network: Network, version: int) -> IPNetwork:
    taken = [owner.prefix for owner in range_owners(network) if owner.prefix.version == version]
    taken += [host(end.address) for end in network.ends if end.address.version == version]
    for candidate in _RANGES[version]:
        if not any(prefix.overlaps(candidate) for prefix in taken):
            return candidate
    raise LabError("No range is left for the network of the lab's client.")
