"""Services of type LoadBalancer: they get the address that they want, and it works for their policy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from ipaddress import ip_address

from anycastle.network.addresses import IPAddress, OwnerKind, PoolUse, Service, TrafficPolicy
from anycastle.network.model import Network, Unread
from anycastle.network.prefixes import indexed
from anycastle.network.questions import host, range_owners
from anycastle.rules.owners import shared_addresses
from anycastle.rules.pairs import pair
from anycastle.rules.pools import of_use
from anycastle.rules.ranges import Ranges, free_addresses, named
from anycastle.rules.registry import Fault, rule
from anycastle.rules.routers import accepted

OURS = ("", "calico")
"""Load-balancer classes that Calico serves."""

_POOL_KINDS = (OwnerKind.LOAD_BALANCER, OwnerKind.PODS)


def _name(service: Service) -> str:
    return f"Service {service.namespace}/{service.name}"


def _wish(service: Service) -> tuple[IPAddress, ...] | None:
    """The addresses of the annotation; None where Calico cannot read it."""
    if not service.requested.strip():
        return ()
    try:
        items = json.loads(service.requested)
        if not (isinstance(items, list) and all(isinstance(item, str) for item in items)):
            return None
        addresses = tuple(ip_address(item) for item in items)
    except (ValueError, RecursionError):
        return None
    return addresses if len({address.version for address in addresses}) == len(addresses) else None


@rule("SVC001", "A wish for an address is a JSON list in a string")
def readable_wish(network: Network) -> Iterator[Fault]:
    """Calico reads the annotation as JSON and leaves the Service alone when it can't.

    The Service stays pending: no event, no status, one line in the log of kube-controllers. At most one address
    of each family can be asked for.

    Source: kube-controllers pkg/controllers/loadbalancer; projectcalico/calico#7921.
    """
    for service in network.services:
        if _wish(service) is None:
            yield Fault(
                service.where,
                f"{_name(service)} asks for {service.requested!r}, which is no JSON list with at most one address of "
                "each family: it stays without an address.",
                "Write projectcalico.org/loadBalancerIPs: '[\"192.168.20.100\"]', with the quotes.",
            )


@rule("SVC002", "A wished address lies in a load-balancer pool")
def wish_in_pool(network: Network) -> Iterator[Fault]:
    """Calico takes an address from any enabled pool that contains it, and from no other.

    Outside of all pools the Service stays pending. Inside a pod pool it gets the address, which then belongs to
    a pod as well one day, and is announced by nobody.

    Source: libcalico-go/lib/ipam ("The provided IP address is not in a configured pool").
    """
    pools = Ranges(owner for owner in range_owners(network) if owner.kind in _POOL_KINDS)
    twice = {owners[0].prefix for owners in shared_addresses(network)}
    advertised = network.calico.advertised if network.calico else ()
    listed = indexed(advertised)
    strayed = not all(listed.hold(pool.cidr) for pool in of_use(network, PoolUse.LOAD_BALANCER))
    for service in network.services:
        for address in service.addresses:
            holder = next(pools.holding(host(address)), None)
            if host(address) in twice or (holder is not None and holder.kind is _POOL_KINDS[0]):
                continue
            if strayed and holder is None and listed.hold(host(address)):
                continue  # POOL003: the pool is not where it is advertised
            inside = f"lies in {named(holder)}" if holder else "is in no pool"
            yield Fault(
                service.where,
                f"{_name(service)} asks for {address}, which {inside}: "
                + ("it gets an address that belongs to pods." if holder else "it stays without an address."),
                _example(network, address),
            )


def _example(network: Network, address: IPAddress) -> str:
    for pool in of_use(network, PoolUse.LOAD_BALANCER):
        if pool.cidr.version == address.version:
            free = next(free_addresses(network, pool.cidr), None)
            return f"Write an address of {pool.cidr}" + (f", such as {free}." if free else ".")
    return "Add a load-balancer pool of this family."


@rule("SVC003", "A Service asks where only those who ask are served")
def asks(network: Network) -> Iterator[Fault]:
    """With RequestedServicesOnly Calico ignores a Service that names neither address nor pool nor class.

    It stays pending, and so does an app that waits for its address.

    Source: kube-controllers pkg/controllers/loadbalancer/loadbalancer_controller.go.
    """
    if network.calico is None or network.calico.assign != "RequestedServicesOnly":
        return
    for service in network.services:
        asking = service.requested.strip() not in ("", "[]") or service.pools or service.load_balancer_class == "calico"
        if service.load_balancer_class in OURS and not asking:
            yield Fault(
                service.where,
                f"{_name(service)} names neither an address nor a pool, and assignIPs is RequestedServicesOnly: it "
                "stays without an address.",
                "Write projectcalico.org/loadBalancerIPs or loadBalancerClass: calico, or set assignIPs: AllServices.",
            )


@rule("SVC004", "A wished pool exists and serves Services")
def wished_pool(network: Network) -> Iterator[Fault]:
    """An unknown pool name is an error in the log and a pending Service.

    A pod pool by that name would give out a pod's address.

    Source: kube-controllers pkg/controllers/loadbalancer ("error parsing pool").
    """
    known = of_use(network, PoolUse.LOAD_BALANCER)
    if not network.pools and network.calico is None:
        return  # nothing of Calico stands here, so its pools stand elsewhere
    names = {pool.name for pool in known} | {str(pool.cidr) for pool in known}
    for service in network.services:
        for wish in service.pools:
            if wish not in names:
                yield Fault(
                    service.pools_where if service.pools_where.path else service.where,
                    f"{_name(service)} asks for the pool {wish}, and there is no such load-balancer pool: it stays "
                    "without an address.",
                    f"Name one of: {', '.join(sorted(pool.name for pool in known))}." if known else "Add the pool.",
                )


@rule("SVC005", "Somebody serves a Service that asks Calico")
def served(network: Network) -> Iterator[Fault]:
    """A foreign load-balancer class makes Calico look away, whatever the annotations say.

    And where all pools are for explicit wishes only, a Service without one gets nothing.

    Source: kube-controllers pkg/controllers/loadbalancer ("annotation set with spec.LoadBalancerClass != calico").
    """
    pools = of_use(network, PoolUse.LOAD_BALANCER)
    everybody = network.calico is not None and network.calico.assign == "AllServices"
    for service in network.services:
        wish = service.requested.strip() not in ("", "[]") or bool(service.pools)
        if wish and service.load_balancer_class not in OURS:
            yield Fault(
                service.where,
                f"{_name(service)} asks Calico for an address and has the class {service.load_balancer_class}, which "
                "makes Calico ignore it.",
                "Take loadBalancerClass out, or write calico.",
            )
        elif everybody and not wish and service.load_balancer_class in OURS and not any(p.automatic for p in pools):
            reason = (
                "every load-balancer pool has the assignment mode Manual" if pools else "there is no load-balancer pool"
            )
            yield Fault(
                service.where,
                f"{_name(service)} names no address, and {reason}: it stays without one.",
                "Name an address, or add a pool with automatic assignment.",
            )


@rule("SVC006", "A Local Service is reached by its own host route")
def local_has_host_route(network: Network) -> Iterator[Fault]:
    """An aggregate sends packets for a Local Service to nodes that have none of its pods, which drop them.

    With aggregation every node announces the range. Calico announces the /32 from the nodes with a pod in
    addition, and the longest prefix wins, so aggregation and Local work together as long as the router lets
    the host routes in. A filter that takes only the aggregate makes a black hole on most nodes.

    Source: confd pkg/backends/calico/routes.go; MetalLB and Calico reports of Local behind an aggregate.
    """
    local = [service for service in network.services if service.policy is TrafficPolicy.LOCAL]
    if network.calico is None or not network.calico.aggregate or not local:
        return
    peered = {session.router.host for session in pair(network).sessions}
    advertised = indexed(network.calico.advertised)
    for acceptance in network.acceptances:
        if not network.knows(Unread.ROUTER_FILTERS, of=acceptance.router):
            continue
        if acceptance.router not in peered or acceptance.longest == acceptance.prefix.max_prefixlen:
            continue
        if not advertised.touch(acceptance.prefix):
            continue
        around = accepted(network)[acceptance.router].around(acceptance.prefix)
        if not any(a.longest == a.prefix.max_prefixlen for a in around):
            yield Fault(
                acceptance.where,
                f"Router {acceptance.router} takes {acceptance.prefix} up to /{acceptance.longest} and no host "
                f"routes, and {_name(local[0])} is Local: most nodes get its packets without having a pod of it, and "
                "drop them.",
                f"Let in {acceptance.prefix} le {acceptance.prefix.max_prefixlen}.",
            )
