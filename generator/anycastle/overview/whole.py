"""Everything that a plan shows, of one network."""

from __future__ import annotations

from anycastle.network.addresses import Owner
from anycastle.network.bgp import Acceptance, Announcement, Dial, End, Router
from anycastle.network.canonical import network_key
from anycastle.network.cluster import App, Node
from anycastle.network.model import Network
from anycastle.network.questions import address_owners, range_owners
from anycastle.overview.peerings import Peering, one_sided, peerings
from anycastle.records import dataclass


@dataclass(frozen=True, slots=True)
class Overview:
    """Each tuple in one order. `addresses` holds single addresses, those of the nodes as well.

    `one_sided` are ends that nobody answers, `dials` peers of which nobody says which nodes have them. `mesh` is the
    AS number with which every node also peers with every other, 0 where the mesh is off. `unread` names, in the words
    of `network.model.Unread`, what exists and could not be read.
    """

    ranges: tuple[Owner, ...]
    addresses: tuple[Owner, ...]
    nodes: tuple[Node, ...]
    routers: tuple[Router, ...]
    peerings: tuple[Peering, ...]
    one_sided: tuple[End, ...]
    dials: tuple[Dial, ...]
    announcements: tuple[Announcement, ...]
    acceptances: tuple[Acceptance, ...]
    apps: tuple[App, ...]
    mesh: int
    unread: tuple[str, ...]

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show."""
        return not any((self.ranges, self.addresses, self.peerings, self.one_sided, self.dials, self.apps))


def overview(network: Network) -> Overview:
    """Everything that can be shown of a network."""
    return Overview(
        ranges=tuple(sorted(range_owners(network), key=_by_prefix)),
        addresses=tuple(sorted(address_owners(network), key=_by_prefix)),
        nodes=network.nodes,
        routers=network.routers,
        peerings=peerings(network),
        one_sided=one_sided(network),
        dials=network.dials,
        announcements=tuple(item for item in network.announcements if item.hosts),
        acceptances=network.acceptances,
        apps=network.apps,
        mesh=network.calico.asn if network.calico is not None and network.calico.mesh else 0,
        unread=tuple(sorted(network.unknown)),
    )


def _by_prefix(owner: Owner) -> tuple[tuple[int, int, int], str, str]:
    return network_key(owner.prefix), owner.kind, owner.name
