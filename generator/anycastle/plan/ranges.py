"""Nodes and ranges of a site."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle import fields
from anycastle.network.addresses import (
    IPNetwork,
    Pool,
    PoolUse,
    Reservation,
    Reserved,
    ServiceRange,
    Subnet,
    WrittenRange,
)
from anycastle.network.cluster import EXCLUDE_LABEL, Node, Role, node_labels
from anycastle.plan.who import at
from anycastle.site import model as site_model
from anycastle.site.model import Site
from anycastle.site.parts import parts_of
from anycastle.site.topology import topology

DEFAULT_BLOCK = {4: 26, 6: 122}  # libcalico-go clientv3/ippool.go
LONGEST_IPV4 = 32


def nodes(site: Site) -> Iterator[Node]:
    """Nodes of the site."""
    known = topology(site)
    for index, node in enumerate(site.nodes):
        role = Role(node.role)
        workloads = node.workloads and role is Role.CONTROL_PLANE
        own = dict(known.labels(node))
        if not known.announces(node):
            own[EXCLUDE_LABEL] = "true"
        yield Node(
            name=node.name,
            role=role,
            addresses=(node.address, *node.addresses),
            labels=node_labels(node.name, role, own, workloads=workloads),
            workloads=workloads,
            asn=known.annotated_asn(node),
            cluster_id=known.cluster_id(node),
            where=at(f"nodes[{index}].address"),
        )


def subnets(site: Site) -> Iterator[Subnet]:
    """Subnets of the site."""
    for index, subnet in enumerate(site.networks.nodes):
        yield Subnet(
            name=subnet.name,
            cidr=subnet.cidr,
            gateway=subnet.gateway,
            where=at(f"networks.nodes[{index}].cidr"),
        )


def reserved(site: Site) -> Iterator[Reserved]:
    """Reserved of the site."""
    for index, reserved in enumerate(site.networks.reserved):
        for cidr in fields.parse_range(reserved.range):
            yield Reserved(name=reserved.name, cidr=cidr, where=at(f"networks.reserved[{index}].range"))


def pools(site: Site) -> Iterator[Pool]:
    """Pools of the site."""
    for index, pods in enumerate(site.networks.pods):
        yield Pool(
            name=pods.name,
            use=PoolUse.PODS,
            cidr=pods.cidr,
            block_size=pods.block_size,
            encapsulation=pods.encapsulation,
            nat_outgoing=pods.nat_outgoing,
            bgp_export=pods.export,
            managed=True,
            where=at(f"networks.pods[{index}].cidr"),
        )
    for index, pool in enumerate(site.load_balancer.pools):
        for name, cidr in pool_ranges(pool):
            yield Pool(
                name=name,
                use=PoolUse.LOAD_BALANCER,
                cidr=cidr,
                block_size=block_size(pool, cidr),
                automatic=pool.assignment == "automatic",
                where=at(f"load_balancer.pools[{index}].ranges"),
            )


def pool_ranges(pool: site_model.LoadBalancerPool) -> Iterator[tuple[str, IPNetwork]]:
    """An IPPool name and prefix for each network of the pool's ranges: `name`, `name-2`, `name-3`."""
    yield from ((part.name, part.cidr) for part in parts_of(pool))


def written(site: Site) -> Iterator[WrittenRange]:
    """The ranges of pools that have several, as they were written."""
    for index, pool in enumerate(site.load_balancer.pools):
        for number, text in enumerate(pool.ranges if len(pool.ranges) > 1 else ()):
            networks = fields.parse_range(text)
            yield WrittenRange(
                pool=pool.name,
                first=networks[0][0],
                last=networks[-1][-1],
                where=at(f"load_balancer.pools[{index}].ranges[{number}]"),
            )


def block_size(pool: site_model.LoadBalancerPool, cidr: IPNetwork) -> int:
    """The block size that is written: the one asked for, else Calico's default, else the pool's own length."""
    asked = pool.block_size
    if asked is not None and len({part.version for part in fields.parse_range(list(pool.ranges))}) > 1:
        asked = asked if (asked > LONGEST_IPV4) == (cidr.version == 6) else None  # it can only mean one of the families
    return asked or max(DEFAULT_BLOCK[cidr.version], cidr.prefixlen)


def service_ranges(site: Site) -> Iterator[ServiceRange]:
    """Service ranges of the site."""
    for index, cidr in enumerate(site.kubernetes.service_cidrs):
        yield ServiceRange(cidr=cidr, primary=index == 0, where=at(f"kubernetes.service_cidrs[{index}]"))


def reservations(site: Site) -> Iterator[Reservation]:
    """Addresses inside the load-balancer pools that no Service is given."""
    for index, reserved in enumerate(site.load_balancer.reserved):
        yield Reservation(
            name=reserved.name,
            cidrs=fields.parse_range(reserved.range),
            where=at(f"load_balancer.reserved[{index}].range"),
        )


def advertised(site: Site) -> tuple[IPNetwork, ...]:
    """The ranges that Calico may announce: exactly the load-balancer pools."""
    return tuple(cidr for pool in site.load_balancer.pools for _name, cidr in pool_ranges(pool))
