"""Every speaker on its own: its router ID, and what it may pass on."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Place, Severity
from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import Software
from anycastle.network.model import Network
from anycastle.network.questions import ROUTER_SOFTWARE
from anycastle.rules.pairs import alike, pair, several
from anycastle.rules.registry import Fault, rule


@rule("SESS009", "Router IDs are unique", Severity.WARNING)
def unique_router_ids(network: Network) -> Iterator[Fault]:
    """The router ID tells speakers apart where all else is equal.

    Between two ends of one AS equal IDs refuse the session. Elsewhere they break ties: a router may keep the
    paths of one of the twins only, and reflected routes are dropped as loops.

    Source: RFC 6286, RFC 4271 section 9.1.2.2; kube-vip/kube-vip#331.
    """
    seen: dict[IPAddress, tuple[str, IPAddress, Place]] = {}
    for speaker in network.speakers:
        if speaker.router_id is None:
            continue
        name, address, place = seen.setdefault(speaker.router_id, (speaker.host, speaker.address, speaker.where))
        if name != speaker.host and address != speaker.address:
            yield Fault(
                speaker.where,
                f"Router ID {speaker.router_id} of {speaker.host} is also that of {name} ({place}): routers may take "
                "the two for one.",
                f"Use the address of each host, here {speaker.address}."
                if speaker.address.version == 4
                else "Write a router ID of its own for each host.",
            )


@rule("SESS010", "Every speaker has a router ID")
def router_ids(network: Network) -> Iterator[Fault]:
    """A router ID has the form of an IPv4 address, so on an IPv6-only host none can be derived.

    kube-vip ends ("invalid router-id format"), and FRR sends no OPEN. Calico's operator lets its own BIRD take a
    hash of the node's name there.

    Source: RFC 6286; kube-vip/kube-vip#163; confd bgp_processor.go (CALICO_ROUTER_ID=hash).
    """
    for speaker in network.speakers:
        derived = speaker.software in (Software.CALICO, Software.OTHER) or (
            speaker.software in ROUTER_SOFTWARE and speaker.address.version == 4
        )
        if speaker.router_id is None and not derived:
            yield Fault(
                speaker.where,
                f"{speaker.software} on {speaker.host} has no router ID and no IPv4 address to take one from: its "
                "sessions do not start.",
                "Write a router ID in the form of an IPv4 address, another one on each host.",
            )


@rule("SESS011", "Routers send nothing to control planes", Severity.WARNING)
def silent_to_vips(network: Network) -> Iterator[Fault]:
    """kube-vip needs no route, and passes on what it gets.

    Its embedded GoBGP has no policy: what one router sends, it announces to the next one with itself as next
    hop, so a control plane becomes a transit router. Full tables end up in its memory.

    Source: kube-vip pkg/bgp (no policy); measured with GoBGP between two routers.
    """
    sessions = [s for s in pair(network).sessions if s.node.software is Software.KUBE_VIP and not s.router.silent]
    nodes = {id(session.router): session.node for session in sessions}
    for ends in alike((session.router for session in sessions), lambda end: end.host):
        yield Fault(
            ends[0].where,
            f"{ends[0].host} may send routes to kube-vip on {several(nodes[id(end)].host for end in ends)}, which "
            "passes them on to every other router.",
            "Deny everything in the outgoing route-map of these neighbours.",
        )
