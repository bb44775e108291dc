"""Every address has one owner, and no range is in another one's way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from anycastle.finding import Place, Severity
from anycastle.network.addresses import IPAddress, IPNetwork, Owner, OwnerKind, Subnet
from anycastle.network.model import Network
from anycastle.network.questions import range_owners
from anycastle.rules.owners import (
    address_owners,
    empty_subnets,
    lost_nodes,
    natural,
    pools_on_link,
    range_conflicts,
    shared_addresses,
    squatters,
    vip_owner,
)
from anycastle.rules.pairs import several
from anycastle.rules.ranges import Ranges, free_addresses, free_network, named, within
from anycastle.rules.registry import Fault, rule


@rule("ADDR001", "Ranges do not overlap")
def disjoint(network: Network) -> Iterator[Fault]:
    """An address inside two ranges is routed or translated as either of them.

    A pod pool over the service range sends answers past the translation, a pod pool over a LAN makes that LAN
    unreachable from every pod, two overlapping Calico pools are refused. It works for some destinations, which
    makes it hard to find. A DHCP scope inside a node subnet is no overlap; nodes inside that scope are ADDR005.

    Source: projectcalico/calico#2507, kubernetes/kubernetes#71249; libcalico-go clientv3/ippool.go.
    """
    for overlap in range_conflicts(network):
        blamed = overlap.blamed
        yield Fault(
            blamed.where,
            f"{named(blamed)} overlaps {several(map(named, overlap.others))}: an address inside both is routed as one "
            "or the other, so some destinations vanish.",
            _instead(network, blamed, "Move one of them"),
        )


@rule("ADDR002", "Load-balancer pools lie on no connected subnet")
def pool_off_link(network: Network) -> Iterator[Fault]:
    """What is on the link is asked for by ARP, and nobody answers for an address that only BGP announces.

    Hosts of the same subnet never send the packet to the router, so they get no answer, while clients from
    elsewhere reach the service: the router's host route wins there. When BGP is down the router asks by ARP
    itself, so that failures look like timeouts instead of "unreachable". Sooner or later DHCP gives the
    address away. Declared with `allow_on_link` it is a warning: the other hosts of that subnet do without.

    Source: projectcalico/calico#11391, kube-vip/kube-vip#151; measured with FRR and BIRD.
    """
    seen: set[str] = set()
    for pool, subnet in pools_on_link(network):
        accepted = _pool_of(pool.name, network.declared.pools_on_link)
        if (accepted or pool.name) not in seen:
            seen.add(accepted or pool.name)
            yield Fault(
                pool.where,
                f"{named(pool)} overlaps {named(subnet)}: hosts there ask for its addresses by ARP, and no node "
                "answers, since they are announced by BGP alone.",
                _instead(network, pool, "Take a range that is routed only"),
                Severity.WARNING if accepted else None,
            )


def _pool_of(name: str, pools: tuple[str, ...]) -> str:
    """Which of these pools an IPPool is, or is a further part of (`pool-2`); empty where none."""
    whole, _, number = name.rpartition("-")
    return name if name in pools else whole if number.isdigit() and whole in pools else ""


@rule("ADDR003", "The API address lies on no connected subnet")
def vip_off_link(network: Network) -> Iterator[Fault]:
    """On the link an API address is found by ARP and not by BGP.

    With `arp_ignore=1` (strict ARP) neighbours get no answer at all. With the default each control plane
    answers, a neighbour keeps whichever came first, and when that machine dies its requests fail until the
    entry ages out: 968 of 1201 requests in a measured run, although the router had moved on. Declared with
    `allow_on_link` it is a warning: then every client on that subnet depends on ARP.

    Source: kube-vip/kube-vip#1114, kube-vip/kube-vip#151; measured with FRR and three GoBGP speakers.
    """
    severity = Severity.WARNING if network.declared.vip_on_link else Severity.ERROR
    for found in squatters(network):
        if found.owner.kind is OwnerKind.VIP and found.range.kind is OwnerKind.SUBNET:
            yield Fault(
                found.owner.where,
                f"{named(found.owner)} lies inside {named(found.range)}: neighbours look for it by ARP, so they get "
                "no answer, or the answers of all control planes, and never use what BGP knows.",
                _vip_instead(network, found.range.prefix),
                severity,
            )


@rule("ADDR004", "No load-balancer pool contains the API address")
def pool_without_vip(network: Network) -> Iterator[Fault]:
    """Calico gives any free address of a pool to the next Service, the API server's, too.

    It does not know of kube-vip. From that moment workers announce the address as well, and the router shares
    the API server's clients between control planes and an ingress.

    Source: libcalico-go/lib/ipam (an address is free unless Calico gave it away itself).
    """
    for found in squatters(network):
        if found.owner.kind is OwnerKind.VIP and found.range.kind is OwnerKind.LOAD_BALANCER:
            yield Fault(
                found.range.where,
                f"{named(found.range)} contains {named(found.owner)}: Calico may give the API server's address to a "
                "Service, and workers would announce it, too.",
                "Begin the pool behind the API address, or take another API address.",
            )


@rule("ADDR005", "Addresses lie in no range of something else")
def no_squatters(network: Network) -> Iterator[Fault]:
    """Whoever owns the range gives the address away, or routes it elsewhere.

    A node inside a DHCP scope works until another machine gets its lease. An API address inside the service
    range is translated by every node before it reaches the network; inside the pod range it is sent into the
    overlay.

    Source: practice; field case of a pool that ran into the DHCP scope, projectcalico/calico#9631.
    """
    groups: dict[tuple[OwnerKind, str], list[tuple[Owner, Owner]]] = defaultdict(list)
    for found in squatters(network):
        is_vip = found.owner.kind is OwnerKind.VIP
        if not (is_vip and found.range.kind in (OwnerKind.SUBNET, OwnerKind.LOAD_BALANCER)):
            groups[found.range.kind, found.range.name].append((found.owner, found.range))
    for members in groups.values():
        owners = [owner for owner, _range in members]
        foreign = members[0][1]
        yield Fault(
            owners[0].where if len(owners) == 1 else foreign.where,
            f"{several(map(named, owners))} inside {named(foreign)}: that range may give the address to another "
            "machine or route it elsewhere.",
            "Move the address out of the range, or end the range before it.",
        )


@rule("ADDR006", "Each address has one owner")
def one_owner(network: Network) -> Iterator[Fault]:
    """Two owners of one address make ARP or the router pick either of them.

    Half of the packets go astray, and which half changes with every ARP entry. For two Services Calico refuses
    the second one in its log only; there is no way to share an address.

    Source: RFC 5227 section 1.1; libcalico-go/lib/ipam ("Address already assigned in block").
    """
    free = {subnet.cidr: free_addresses(network, subnet.cidr) for subnet in network.subnets}
    free |= {pool.cidr: free_addresses(network, pool.cidr) for pool in network.pools}
    for first, *others in shared_addresses(network):
        for other in others:
            where = (
                vip_owner(network, other.prefix.network_address).where if other.kind is OwnerKind.VIP else other.where
            )
            again = "is written twice" if _same(first, other) else f"is also that of {named(first)}"
            yield Fault(
                where,
                f"The address {other.prefix.network_address} of {other} {again}: packets reach one or the other.",
                _next_free(network, other, free),
            )


def _same(one: Owner, other: Owner) -> bool:
    return one.kind is other.kind and one.name == other.name


def _next_free(network: Network, owner: Owner, free: dict[IPNetwork, Iterator[IPAddress]]) -> str:
    if owner.kind is OwnerKind.VIP and network.subnets:
        return _vip_instead(network, network.subnets[0].cidr)
    holders = [cidr for cidr in free if within(owner.prefix, (cidr,))]
    if owner.kind is OwnerKind.SERVICE:
        holders = [pool.prefix for pool in range_owners(network) if pool.kind is OwnerKind.LOAD_BALANCER] or holders
    address = next(free[holders[0]], None) if holders and holders[0] in free else None
    return f"Write a free address, such as {address}." if address else "Write an address that nobody has."


def _vip_instead(network: Network, subnet: IPNetwork) -> str:
    block = free_network(network, subnet, subnet.max_prefixlen)
    example = f", such as {block.network_address + 1}" if block else ""
    return f"Take an address of a range that is on no link{example}."


def _instead(network: Network, owner: Owner, otherwise: str) -> str:
    block = free_network(network, owner.prefix, owner.prefix.prefixlen)
    return f"{otherwise}; {block} touches nothing known here." if block else f"{otherwise}."


@rule("ADDR007", "No address is the first or last of its subnet")
def not_the_edge(network: Network) -> Iterator[Fault]:
    """The first address of an IPv4 subnet is the network itself, the last one means everybody on it.

    The kernel refuses to use them as a source, and neighbours answer to the broadcast address together. In IPv6
    the first address belongs to every router of the subnet. Networks of two addresses have no such edges. A
    Service on an address that ends in .0 or .255 works on the router and is refused by some old clients and
    firewalls: a warning.

    Source: RFC 919, RFC 3021 (/31), RFC 4291 section 2.6.1, RFC 6164 (/127).
    """
    subnets = Ranges(owner for owner in range_owners(network) if owner.kind is OwnerKind.SUBNET)
    for owner in address_owners(network):
        if owner.kind is OwnerKind.SERVICE:
            yield from _edge_of_class_c(owner)
            continue
        subnet = next(subnets.holding(owner.prefix), None)
        if subnet is None or owner.kind is OwnerKind.VIP or not _edge(owner.prefix, subnet.prefix):
            continue
        example = next(free_addresses(network, subnet.prefix), None)
        yield Fault(
            owner.where,
            f"{named(owner)} is the first or last address of {named(subnet)}, which belongs to no single machine.",
            f"Write an address between them, such as {example}." if example else "Write an address between them.",
        )


def _edge(address: IPNetwork, subnet: IPNetwork) -> bool:
    if subnet.prefixlen >= subnet.max_prefixlen - 1:
        return False
    last = subnet.version == 4 and address.network_address == subnet.broadcast_address
    return last or address.network_address == subnet.network_address


def _edge_of_class_c(owner: Owner) -> Iterator[Fault]:
    if owner.prefix.version == 4 and int(owner.prefix.network_address) & 0xFF in (0, 0xFF):
        yield Fault(
            owner.where,
            f"{named(owner)} ends in .0 or .255, which some clients and firewalls take for a network or a broadcast.",
            "Write an address that ends in 1 to 254.",
            Severity.WARNING,
        )


def _subnet(subnet: Subnet) -> str:
    return " ".join(part for part in ("node subnet", subnet.name, str(subnet.cidr)) if part)


@rule("ADDR008", "Nodes lie inside a node subnet")
def nodes_on_subnets(network: Network) -> Iterator[Fault]:
    """Calico finds a node's BGP address by the node subnets; outside of them it finds none.

    calico-node does not start there, and the router has no connected route to the next hop of the node's
    announcements, so it installs none of them.

    Source: tigera/operator, nodeAddressAutodetectionV4.cidrs; projectcalico/calico#4870.
    """
    families = {subnet.cidr.version: subnet for subnet in network.subnets}
    free = {version: free_addresses(network, subnet.cidr) for version, subnet in families.items()}
    wrong = {subnet.cidr.version: subnet for subnet in reversed(empty_subnets(network))}
    for version, subnet in wrong.items():
        lost = [owner for owner in lost_nodes(network) if owner.prefix.version == version]
        yield Fault(
            subnet.where,
            f"No node lies inside {_subnet(subnet)}, and {several(map(named, lost))} are in "
            "none: Calico finds no address for BGP on them.",
            "Write the subnet that the nodes are in.",
        )
    for owner in lost_nodes(network):
        if owner.prefix.version in wrong:
            continue
        known = families[owner.prefix.version]
        example = next(free[owner.prefix.version], None)
        yield Fault(
            owner.where,
            f"{named(owner)} is in no node subnet ({known.name or 'the only one'} is {known.cidr}): Calico finds no "
            "address for BGP on it, and the router no way to it.",
            f"Write an address of {known.cidr}, such as {example}." if example else f"Widen {known.cidr}.",
        )


@rule("ADDR009", "A gateway lies inside its subnet")
def gateway_inside(network: Network) -> Iterator[Fault]:
    """A host can only send to a gateway that it reaches without one.

    The kernel refuses the default route ("Nexthop has invalid gateway"), so the node has no way out: no image,
    no package, and no way to the API address.

    Source: Linux fib_check_nh.
    """
    for subnet in network.subnets:
        gateway = subnet.gateway
        if gateway is not None and gateway not in subnet.cidr and subnet not in empty_subnets(network):
            example = next(free_addresses(network, subnet.cidr), None)
            yield Fault(
                subnet.where,
                f"The gateway {gateway} of {_subnet(subnet)} is outside {subnet.cidr}: no node could use it.",
                f"Write the router's address inside {subnet.cidr}" + (f", such as {example}." if example else "."),
            )


@rule("ADDR014", "Machines have names of their own")
def unique_names(network: Network) -> Iterator[Fault]:
    """The second machine that registers under a name takes the first one's Node object over.

    Its pods, its pod block and its labels change owner each time one of the kubelets reports.

    Source: kubernetes.io, concepts/architecture/nodes ("Node name uniqueness").
    """
    seen: dict[str, Place] = {}
    for node in sorted(network.nodes, key=lambda node: natural(node.where)):
        if node.name in seen:
            yield Fault(
                node.where,
                f"The name {node.name} is already that of another machine ({seen[node.name]}); both would write one "
                "Node.",
                "Set nodeRegistration.name to the name of this machine.",
            )
        seen.setdefault(node.name, node.where)
