"""What address ranges mean elsewhere: special ones, other people's, and those that Kubernetes takes."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_network

from anycastle.finding import Place, Severity
from anycastle.network.addresses import Owner, OwnerKind
from anycastle.network.model import Network
from anycastle.network.questions import range_owners
from anycastle.rules.owners import (
    natural,
    range_conflicts,
    settled_vips,
    vip_owner,
)
from anycastle.rules.ranges import Ranges, named, overlapping, within
from anycastle.rules.registry import Fault, rule

_UNUSABLE = {
    ip_network(text): name
    for text, name in (
        ("0.0.0.0/8", "this network (RFC 791)"),
        ("127.0.0.0/8", "loopback (RFC 1122)"),
        ("169.254.0.0/16", "link-local (RFC 3927)"),
        ("224.0.0.0/4", "multicast (RFC 5771)"),
        ("240.0.0.0/4", "reserved (RFC 1112)"),
        ("::/96", "unspecified, loopback and IPv4-compatible addresses (RFC 4291)"),
        ("::ffff:0:0/96", "IPv4-mapped addresses (RFC 4291)"),
        ("fe80::/10", "link-local (RFC 4291)"),
        ("ff00::/8", "multicast (RFC 4291)"),
    )
}
_FEWEST_SERVICE_BITS = 4
_DOCUMENTATION = tuple(
    ip_network(text)
    for text in (
        "192.0.2.0/24",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "2001:db8::/32",
        "3fff::/20",
    )  # RFC 5737, 3849, 9637
)
_PRIVATE = tuple(
    ip_network(text)
    for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "198.18.0.0/15", "fc00::/7")
)


def _ours(network: Network) -> Iterator[Owner]:
    """Ranges of the cluster, and API addresses that lie in none of them."""
    ranges = [owner for owner in range_owners(network) if owner.kind is not OwnerKind.RESERVED]
    yield from ranges
    index = Ranges(ranges)
    for vip in settled_vips(network):
        owner = vip_owner(network, vip)
        if next(index.holding(owner.prefix), None) is None:
            yield owner


@rule("ADDR010", "No range is one that networks treat in their own way")
def no_traps(network: Network) -> Iterator[Fault]:
    """Loopback, link-local and multicast addresses are never forwarded, whoever announces them.

    The kernel drops them as martians, and Calico refuses pools in the link-local ranges.

    Source: RFC 6890; libcalico-go validator/v3.
    """
    for owner in _ours(network):
        for trap, name in _UNUSABLE.items():
            if overlapping(owner.prefix, trap):
                yield Fault(
                    owner.where,
                    f"{named(owner)} touches {trap}, {name}: routers and kernels do not forward such addresses.",
                    "Take a private range (RFC 1918, or fc00::/7).",
                )
                break


@rule("ADDR011", "Documentation ranges are for documentation", Severity.INFO)
def no_examples(network: Network) -> Iterator[Fault]:
    """Addresses from a guide work inside and are filtered as soon as a second network is involved.

    They are on every list of bogons, so a firewall or a provider that filters those drops the traffic.

    Source: RFC 5737, RFC 3849, RFC 9637.
    """
    for owner in _ours(network):
        if within(owner.prefix, _DOCUMENTATION):
            yield Fault(
                owner.where,
                f"{named(owner)} is a documentation range, which firewalls and providers filter as bogus.",
                "Take a private range, such as one of 10.0.0.0/8 or fc00::/7.",
            )


@rule("ADDR012", "Public ranges are declared as owned", Severity.WARNING)
def public_is_owned(network: Network) -> Iterator[Fault]:
    """A public range that belongs to somebody else cuts the cluster off from its owner.

    Pods and nodes send packets for that part of the internet to each other. If the announcement leaves the
    site, it is a hijack.

    Source: RFC 1918 section 3; RFC 7454 section 6.
    """
    for owner in _ours(network):
        prefix = owner.prefix
        known = within(prefix, (*_PRIVATE, *_DOCUMENTATION, *network.declared.prefixes))
        if not known and not any(overlapping(prefix, trap) for trap in _UNUSABLE):
            yield Fault(
                owner.where,
                f"{named(owner)} is public address space that is not declared as owned: its real owner becomes "
                "unreachable from the cluster.",
                "Take a private range, or list it under networks.owned.prefixes if it is yours.",
            )


_HOMES = tuple(ip_network(text) for text in ("192.168.0.0/24", "192.168.1.0/24", "192.168.178.0/24", "10.0.0.0/24"))
"""LANs that consumer routers come with."""


@rule("ADDR015", "Pods are not where other people's LANs are", Severity.WARNING)
def homes(network: Network) -> Iterator[Fault]:
    """What pods have, they cannot reach elsewhere: an address of the pool never leaves the cluster.

    Whoever comes by VPN from a LAN inside the pool gets no answer, and neither does a second site. Calico's own
    default, 192.168.0.0/16, holds the LAN of most homes.

    Source: tigera/operator, default pool; practice.
    """
    known = {subnet.cidr for subnet in network.subnets}
    moving = {overlap.blamed.name for overlap in range_conflicts(network)}
    for owner in range_owners(network):
        if owner.name in moving:
            continue  # ADDR001
        inside = [lan for lan in _HOMES if lan not in known and within(lan, (owner.prefix,))]
        if owner.kind is OwnerKind.PODS and len(inside) > 1:
            yield Fault(
                owner.where,
                f"{named(owner)} covers {inside[0]} and {inside[1]}, the LANs that consumer routers come with: pods "
                "answer nobody who comes from such a network.",
                "Take a range such as 10.244.0.0/16.",
            )


@rule("ADDR013", "Service ranges are what Kubernetes takes")
def service_ranges(network: Network) -> Iterator[Fault]:
    """A cluster does not start with a service range that is too wide or too narrow, nor with two of one family.

    The API server keeps a bitmap of the whole range, so it takes at most 20 host bits. kubeadm gives the tenth
    address to the cluster's DNS and refuses a range with fewer than eleven. Two ranges mean dual stack, so each
    family once.

    Source: kubeadm validation (serviceSubnet) and app/constants (GetDNSIP, MinimumAddressesInServiceSubnet);
    kube-apiserver --service-cluster-ip-range.
    """
    seen: dict[int, Place] = {}
    for item in sorted(network.service_ranges, key=lambda services: natural(services.where)):
        bits = item.cidr.max_prefixlen - item.cidr.prefixlen
        if bits > 20:
            yield Fault(
                item.where,
                f"The service range {item.cidr} has {bits} host bits; the API server does not start with more than 20.",
                f"Write {ip_network((item.cidr.network_address, item.cidr.max_prefixlen - 20))}.",
            )
        elif bits < _FEWEST_SERVICE_BITS:
            yield Fault(
                item.where,
                f"The service range {item.cidr} has {item.cidr.num_addresses} address"
                f"{'es' if bits else ''}; kubeadm gives the tenth to the cluster's DNS and refuses it.",
                "Write a range such as 10.96.0.0/12; a /28 is the narrowest that works."
                if item.cidr.version == 4
                else "Write a /108, the widest that works; a /124 is the narrowest.",
            )
        elif item.cidr.version in seen:
            yield Fault(
                item.where,
                f"The service range {item.cidr} is a second one of IPv{item.cidr.version} (the first: "
                f"{seen[item.cidr.version] or 'above'}); two ranges mean dual stack, one of each family.",
                "Leave it out, or write a range of the other family.",
            )
        seen.setdefault(item.cidr.version, item.where)
