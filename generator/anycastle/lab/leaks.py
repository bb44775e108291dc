"""Announcements that no plan holds, sent on purpose: a router must keep every one of them out."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

from anycastle.lab.bird import Fault
from anycastle.lab.expected import tables
from anycastle.lab.namespace import inside
from anycastle.lab.reading import Readers
from anycastle.lab.running import Lab
from anycastle.lab.settling import route_faults
from anycastle.lab.wiring import EVERYTHING
from anycastle.network.addresses import IPAddress, IPNetwork, PoolUse
from anycastle.network.bgp import Software
from anycastle.network.questions import host

_WATCHED = 1.0
"""Seconds; an announcement is in a router's kernel after less than 0.1."""


def leaked(lab: Lab, node: str) -> tuple[IPNetwork, ...]:
    """What one wrong setting may let out: blocks of pods, whole pools, the API's address, the subnet, the world."""
    network = lab.network
    planned = {prefix for table in tables(network, lab.plan.placement).values() for prefix in table}
    aggregated = set(network.calico.advertised) if network.calico and network.calico.aggregate else set()
    families = {end.address.version for end in network.ends if end.host == node and end.software is Software.CALICO}
    candidates: list[IPNetwork] = [
        *lab.plan.placement.blocks.get(node, ()),
        *(pool.cidr for pool in network.pools if pool.use is PoolUse.LOAD_BALANCER and pool.cidr.num_addresses > 1),
        *(host(vip) for pod in network.kube_vips for vip in pod.vips),
        *(subnet.cidr for subnet in network.subnets),
        *(EVERYTHING[version] for version in families),
    ]
    own_vip = any(a.software is Software.KUBE_VIP and node in a.hosts for a in network.announcements)
    return tuple(
        dict.fromkeys(
            prefix
            for prefix in candidates
            if prefix.version in families
            and prefix not in aggregated
            and (prefix not in planned or (prefix.prefixlen == prefix.max_prefixlen and not own_vip))
        )
    )


def leaking(lab: Lab) -> str:
    """The first node whose Calico has a router; empty where there is none."""
    speaking = {end.host for end in lab.network.ends if end.software is Software.CALICO}
    return next((name for name in lab.birds if name in speaking), "")


def faults(lab: Lab) -> Iterator[str]:
    """Let the first node whose Calico has a router leak all of it for a moment; what a router takes in is a fault."""
    node = leaking(lab)
    if not node:
        return
    wanted = tables(lab.network, lab.plan.placement)
    readers = Readers(lab)
    lab.birds[node].configure(lab.bird_configuration(node, fault=Fault(leaked=leaked(lab, node))))
    time.sleep(_WATCHED)
    seen = readers.tables()
    lab.birds[node].configure(lab.bird_configuration(node))
    yield from (f"{node} leaks, and {fault}" for fault in route_faults(wanted, seen))
    end = time.monotonic() + 3
    while time.monotonic() < end and any(route_faults(wanted, readers.tables())):
        time.sleep(0.05)
    readers.close()


def one_packet(machine: str, address: IPAddress) -> None:
    """A single datagram to the discard port."""
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    with inside(machine), socket.socket(family, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"lab", (str(address), 9))
