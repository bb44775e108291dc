"""Overlays, and routes where there is none."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Severity
from anycastle.network.addresses import Pool, PoolUse
from anycastle.network.model import Network
from anycastle.network.questions import on_router
from anycastle.rules.pairs import several
from anycastle.rules.pools import of_use
from anycastle.rules.registry import Fault, rule


@rule("POOL007", "The encapsulation works with the family and with BGP")
def encapsulation(network: Network) -> Iterator[Fault]:
    """Not every overlay exists in every family.

    IPIP has no IPv6, and with BGP switched off the operator refuses what has no VXLAN.

    Source: tigera/operator installation/validation.go.
    """
    calico = network.calico
    for pool in of_use(network, PoolUse.PODS):
        ipip = pool.encapsulation.startswith("IPIP")
        reasons = [
            text
            for wrong, text in (
                (ipip and pool.cidr.version == 6, "IPIP carries no IPv6"),
                (calico is not None and not calico.bgp and not pool.encapsulation.startswith("VXLAN"), "BGP is off"),
            )
            if wrong
        ]
        if reasons:
            yield Fault(
                pool.where,
                f"Pod pool {pool.name} has the encapsulation {pool.encapsulation}, but {reasons[0]}: Calico does not "
                "come up.",
                "Write VXLANCrossSubnet.",
            )


@rule("POOL008", "Unencapsulated pods have routes")
def unencapsulated(network: Network) -> Iterator[Fault]:
    """Without VXLAN, BGP is all that tells a node where another node's pods are; IPIP does not know it by itself.

    With the mesh off and routers that send nothing back, pods reach only pods of their own node. Route reflectors tell
    the nodes that hold a session with them, and no others.

    Source: projectcalico/calico#1939; Calico documentation, networking options.
    """
    calico = network.calico
    routers_send = any(on_router(end) and not end.silent for end in network.ends)
    if calico is None or calico.mesh or not calico.bgp or len(network.nodes) < 2:
        return
    for pool in of_use(network, PoolUse.PODS):
        refused = pool.encapsulation.startswith("IPIP") and pool.cidr.version == 6  # POOL007
        told = pool.encapsulation.startswith("VXLAN") or (pool.bgp_export and routers_send)
        what = "no encapsulation" if pool.encapsulation == "None" else f"the encapsulation {pool.encapsulation}"
        if not told and not refused and pool.bgp_export and network.inside:
            yield from _deaf(network, pool, what)
        elif not told and not refused:
            yield Fault(
                pool.where,
                f"Pod pool {pool.name} has {what}, the node-to-node mesh is off, and no router tells the nodes of each "
                "other's blocks: pods on different nodes don't reach each other.",
                "Write the encapsulation VXLANCrossSubnet, or switch the mesh on.",
            )


def _deaf(network: Network, pool: Pool, what: str) -> Iterator[Fault]:
    """Nodes that no other node tells anything, where some do hold sessions with each other."""
    hearing = {end.host for end in network.inside if end.peer.version == pool.cidr.version}
    deaf = [node.name for node in network.nodes if node.name not in hearing]
    if deaf:
        yield Fault(
            pool.where,
            f"Pod pool {pool.name} has {what}, and {several(deaf)} "
            f"{'holds' if len(deaf) == 1 else 'hold'} no session with another node: from there no pod elsewhere is "
            "reached.",
            "Let the BGPPeer with the peerSelector select every node (in a site file: bgp.peering: all), or write the "
            "encapsulation VXLANCrossSubnet.",
        )


@rule("POOL013", "With eBPF, the overlay is VXLAN", Severity.INFO)
def slow_overlay(network: Network) -> Iterator[Fault]:
    """IPIP works with eBPF, and slowly: the kernel lets eBPF redirect between devices of one layer only.

    A packet out of a tunnel of IPIP has no Ethernet header, so each one goes the long way through the kernel. Kernels
    changed what such a device looks like, and Calico before 3.23 lost the packets of new ones.

    Source: Calico documentation, "Enable the eBPF dataplane"; projectcalico/calico#5449, projectcalico/calico#5846.
    """
    calico = network.calico
    if calico is None or calico.dataplane != "BPF":
        return
    for pool in of_use(network, PoolUse.PODS):
        if pool.encapsulation.startswith("IPIP") and pool.cidr.version == 4:
            yield Fault(
                pool.where,
                f"Pod pool {pool.name} has the encapsulation {pool.encapsulation} with the eBPF dataplane: it works, "
                "but packets between nodes take the kernel's long way.",
                f"Write {pool.encapsulation.replace('IPIP', 'VXLAN')}; a pool in use is changed by migration.",
            )
