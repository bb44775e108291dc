"""Overlays, and routes where there is none."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.network.model import Network, PoolUse
from anycastle.network.questions import on_router
from anycastle.rules.pools import of_use
from anycastle.rules.registry import Fault, rule


@rule("POOL007", "The encapsulation works with the dataplane")
def encapsulation(network: Network) -> Iterator[Fault]:
    """Not every overlay exists in every dataplane and family.

    eBPF has no IPIP, IPIP has no IPv6, and with BGP switched off the operator refuses what has no VXLAN.

    Source: Calico documentation, eBPF limitations; tigera/operator installation/validation.go.
    """
    calico = network.calico
    for pool in of_use(network, PoolUse.PODS):
        ipip = pool.encapsulation.startswith("IPIP")
        reasons = [
            text
            for wrong, text in (
                (ipip and calico is not None and calico.dataplane == "BPF", "the eBPF dataplane has no IPIP"),
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

    With the mesh off and routers that send nothing back, pods reach only pods of their own node.

    Source: projectcalico/calico#1939; Calico documentation, networking options.
    """
    calico = network.calico
    routers_send = any(on_router(end) and not end.silent for end in network.ends)
    if calico is None or calico.mesh or not calico.bgp or len(network.nodes) < 2:
        return
    for pool in of_use(network, PoolUse.PODS):
        refused = pool.encapsulation != "None" and (calico.dataplane == "BPF" or pool.cidr.version == 6)  # POOL007
        told = pool.encapsulation.startswith("VXLAN") or (pool.bgp_export and routers_send)
        if not told and not refused:
            what = "no encapsulation" if pool.encapsulation == "None" else f"the encapsulation {pool.encapsulation}"
            yield Fault(
                pool.where,
                f"Pod pool {pool.name} has {what}, the node-to-node mesh is off, and no router tells the nodes of each "
                "other's blocks: pods on different nodes don't reach each other.",
                "Write the encapsulation VXLANCrossSubnet, or switch the mesh on.",
            )
