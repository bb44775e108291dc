"""IPv4 and IPv6: what one family needs of the other parts, so that it does not end half-way."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.network.addresses import IPAddress, PoolUse, Service
from anycastle.network.cluster import Node, Role
from anycastle.network.model import Network
from anycastle.rules.pairs import several
from anycastle.rules.pools import of_use
from anycastle.rules.registry import Fault, rule


def _primary(network: Network) -> int:
    """Family of the primary service range; 0 where nobody says it."""
    return next((services.cidr.version for services in network.service_ranges if services.primary), 0)


@rule("FAM001", "API servers advertise an address of the primary service family")
def advertised_family(network: Network) -> Iterator[Fault]:
    """The API server's own Service has an address of the first service range and its endpoint that of the node.

    With different families the API server does not start: "service IP family must match public address family".

    Source: kubernetes cmd/kube-apiserver/app/options/validation.go; kubeadm localAPIEndpoint.
    """
    primary = _primary(network)
    wrong = [
        node
        for node in network.nodes
        if primary and node.role is Role.CONTROL_PLANE and node.addresses and node.addresses[0].version != primary
    ]
    if wrong:
        yield Fault(
            wrong[0].where,
            f"The first address of {several(node.name for node in wrong)} is IPv{wrong[0].addresses[0].version}, and "
            f"the first service range is IPv{primary}: the API server does not start.",
            f"Write the IPv{primary} address first, or the other service range.",
        )


def _without(network: Network, family: int) -> tuple[Node, ...]:
    return tuple(node for node in network.nodes if all(address.version != family for address in node.addresses))


@rule("FAM002", "Nodes have an address of each family that pods have")
def nodes_have_family(network: Network) -> Iterator[Fault]:
    """calico-node looks for a node address of each family that has a pool, and does not become ready without one.

    Overlay and routes of that family end at the node, too.

    Source: tigera/operator, nodeAddressAutodetectionV6; Calico documentation, dual stack.
    """
    for family in sorted({pool.cidr.version for pool in of_use(network, PoolUse.PODS)}):
        lacking = _without(network, family)
        if lacking:
            pool = next(pool for pool in of_use(network, PoolUse.PODS) if pool.cidr.version == family)
            yield Fault(
                lacking[0].where if len(lacking) < len(network.nodes) else pool.where,
                f"{several(node.name for node in lacking)} has no IPv{family} address, and pods get addresses of "
                f"{pool.cidr}: calico-node does not start there.",
                f"Give every node an IPv{family} address, or take the IPv{family} pool out.",
            )


@rule("FAM003", "Service ranges have a family that pods have, too")
def services_have_pods(network: Network) -> Iterator[Fault]:
    """Nobody translates between families: a Service leads to pods of its own.

    With an IPv6 service range and IPv4 pods an IPv6 Service has no endpoint.

    Source: Kubernetes documentation, IPv4/IPv6 dual-stack (EndpointSlices have one address family).
    """
    families = {pool.cidr.version for pool in of_use(network, PoolUse.PODS)}
    for services in network.service_ranges:
        if families and services.cidr.version not in families:
            yield Fault(
                services.where,
                f"The service range {services.cidr} is IPv{services.cidr.version}, and no pod gets such an address: "
                "its Services have no endpoints.",
                f"Add an IPv{services.cidr.version} pod pool, or take the range out.",
            )


@rule("FAM004", "A Service has the families of the addresses that it asks for")
def service_families(network: Network) -> Iterator[Fault]:
    """Calico gives one address for each entry of `ipFamilies`, whatever the annotation lists.

    A Service that says nothing has the primary family alone, so its second address stays out. One that is changed
    later keeps waiting for it: where an IPv4 address is held, Calico takes the IPv6 one for assigned.

    Source: kube-controllers pkg/controllers/loadbalancer/loadbalancer_controller.go (assignIP).
    """
    for service in network.services:
        lost = [address for address in service.addresses if address.version not in _families(network, service)]
        if lost and network.service_ranges:
            yield Fault(
                service.where,
                f"Service {service.namespace}/{service.name} asks for {lost[0]} and is no Service of "
                f"IPv{lost[0].version}: it does not get the address.",
                _both(network, lost[0]),
            )


def _families(network: Network, service: Service) -> frozenset[int]:
    offered = frozenset(services.cidr.version for services in network.service_ranges)
    return offered & frozenset(service.families or (_primary(network),))


def _both(network: Network, address: IPAddress) -> str:
    if all(services.cidr.version != address.version for services in network.service_ranges):
        return f"Add an IPv{address.version} service range, or take the address out."
    return "Write ipFamilyPolicy: RequireDualStack and both ipFamilies."
