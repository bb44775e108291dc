"""What a Service asks for in fields of its own: an address, and families."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Severity
from anycastle.network.addresses import PoolUse
from anycastle.network.model import Network
from anycastle.rules.pools import of_use
from anycastle.rules.registry import Fault, rule
from anycastle.rules.releases import older, release_of
from anycastle.rules.services import OURS


@rule("SVC008", "A wish for an address stands where Calico reads it")
def wish_is_read(network: Network) -> Iterator[Fault]:
    """`spec.loadBalancerIP` is what other implementations read; Kubernetes has deprecated it since 1.24.

    Calico up to 3.32.2 passes over it: the Service gets any free address, or none where only those are served that ask.
    That it was once the wished one is luck, and ends with the next Service.

    Source: projectcalico/calico#14001; Kubernetes API, ServiceSpec.
    """
    calico = release_of(network, "calico")
    if not of_use(network, PoolUse.LOAD_BALANCER) or (calico and not older(calico, (3, 32, 3))):
        return
    for service in network.services:
        said = {str(address) for address in service.addresses}
        if service.field_address and service.field_address not in said and service.load_balancer_class in OURS:
            yield Fault(
                service.field_where,
                f"Service {service.namespace}/{service.name} asks for {service.field_address} in spec.loadBalancerIP, "
                "which Calico does not read: it "
                "gets another address, or none.",
                f"Write the annotation projectcalico.org/loadBalancerIPs: '[\"{service.field_address}\"]'.",
            )


@rule("SVC009", "In a cluster of two families a Service says which ones it has", Severity.WARNING)
def says_families(network: Network) -> Iterator[Fault]:
    """A Service that says nothing has the first service range's family alone.

    Clients of the other family get no answer, although pools and sessions of both are there.

    Source: Kubernetes documentation, IPv4/IPv6 dual-stack (ipFamilyPolicy); projectcalico/calico#10412.
    """
    offered = {item.cidr.version for item in network.service_ranges}
    pooled = {pool.cidr.version for pool in of_use(network, PoolUse.LOAD_BALANCER)}
    if len(offered & pooled) < 2:
        return
    for service in network.services:
        silent = not (service.families or service.family_policy or service.requested or service.pools)
        if silent and service.load_balancer_class in OURS:
            yield Fault(
                service.where,
                f"Service {service.namespace}/{service.name} names no family, and there are pools of both: it gets an "
                "address of one of them.",
                "Write ipFamilyPolicy: RequireDualStack, or SingleStack where one family is meant.",
            )
