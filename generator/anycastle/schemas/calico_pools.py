"""What Calico and its operator demand of address pools beyond types and choices.

The rules are those of Calico v3.32 (libcalico-go's validator and the rules in its definitions) and of
tigera/operator 1.42. With definitions alone no server applies most of them, and a server-side dry run never
does, so they have to hold before anything is applied.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from typing import Any

from anycastle.records import dataclass
from anycastle.schemas.addresses import interface
from anycastle.schemas.fault import Fault, Path, Subject
from anycastle.schemas.shape import mapping, mappings, number, repeated, sequence, text

BLOCK_SIZES = {4: range(20, 33), 6: range(116, 129)}
DEFAULT_BLOCK = {4: 26, 6: 122}
_LINK_LOCAL = (ipaddress.ip_network("169.254.0.0/16"), ipaddress.ip_network("fe80::/10"))
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_GLOBAL = re.compile(r"global\(\s*\)")


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool as an IPPool or as an entry of an Installation states it; `at` is its path in the object."""

    stated: dict[str, Any]
    at: Path
    network: ipaddress.IPv4Network | ipaddress.IPv6Network | None
    encapsulated: bool
    kept_from_bgp: bool

    @property
    def uses(self) -> list[Any]:
        """The uses as written; empty means pods and tunnels."""
        return sequence(self.stated, "allowedUses")

    @property
    def for_services(self) -> bool:
        """Whether Services get their addresses from it."""
        return "LoadBalancer" in self.uses


def ip_pool(subject: Subject) -> Iterator[Fault]:
    """Laws of a projectcalico.org/v3 IPPool."""
    spec = subject.spec
    modes = {key: text(spec, key) or "Never" for key in ("ipipMode", "vxlanMode")}
    used = [key for key, mode in modes.items() if mode != "Never"]
    pool = Pool(spec, ("spec",), _network(spec), bool(used), spec.get("disableBGPExport") is True)
    if len(used) == 2:
        yield Fault(
            "CAL006",
            ("spec", "vxlanMode"),
            "ipipMode and vxlanMode are both on, so the pool is refused",
            "Keep one of them and set the other to Never.",
        )
    if pool.network and pool.network.version == 6 and modes["ipipMode"] != "Never":
        yield _ipip_over_v6(("spec", "ipipMode"))
    yield from _shared_laws(pool)
    yield from _namespaces(pool)
    for key in ("nodeSelector", "namespaceSelector"):
        if _GLOBAL.search(_QUOTED.sub("", text(spec, key))):
            yield Fault(
                "CAL013",
                ("spec", key),
                "global() selects nothing that a pool is for, so the pool is refused",
                "Write all().",
            )


def installation_pools(subject: Subject) -> Iterator[Fault]:
    """Laws of the pools that an Installation lists."""
    network = mapping(subject.spec, "calicoNetwork")
    listed = list(mappings(network, "ipPools", ("spec", "calicoNetwork")))
    for at, stated in listed:
        wrapping = text(stated, "encapsulation")
        pool = Pool(
            stated,
            at,
            _network(stated),
            wrapping not in ("", "None"),
            stated.get("disableBGPExport") is True,
        )
        if pool.network and pool.network.version == 6 and wrapping.startswith("IPIP"):
            yield _ipip_over_v6((*at, "encapsulation"))
        if stated.get("nodeSelector") == "":
            yield Fault(
                "CAL062",
                (*at, "nodeSelector"),
                "the operator refuses an empty nodeSelector and applies nothing",
                "Write all().",
            )
        yield from _shared_laws(pool)
        yield from _needs_bgp(pool, wrapping, network)
    for key in ("cidr", "name"):
        for at, value in repeated(((*at, key), text(stated, key)) for at, stated in listed):
            yield Fault(
                "CAL016",
                at,
                f"another pool has the {key} {value} too, so the operator stops",
                "Give each pool its own name and network.",
            )


def _network(stated: dict[str, Any]) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    found = interface(text(stated, "cidr"))
    return found.network if found else None


def _ipip_over_v6(at: Path) -> Fault:
    return Fault("CAL007", at, "IPIP carries IPv4 only, so an IPv6 pool with it is refused", "Use VXLAN or none.")


def _shared_laws(pool: Pool) -> Iterator[Fault]:
    yield from _blocks(pool)
    if pool.network and any(_overlap(pool.network, local) for local in _LINK_LOCAL):
        yield Fault(
            "CAL005",
            (*pool.at, "cidr"),
            f"{pool.network} overlaps the link-local range, which is not routed, so the pool is refused",
            "Use a private or public range.",
        )
    if pool.for_services:
        yield from _for_services(pool)


def _overlap(one: Any, other: Any) -> bool:
    return bool(one.version == other.version and one.overlaps(other))


def _blocks(pool: Pool) -> Iterator[Fault]:
    if pool.network is None:
        return
    version = pool.network.version
    stated = number(pool.stated, "blockSize")
    size = DEFAULT_BLOCK[version] if stated is None else stated
    if size not in BLOCK_SIZES[version]:
        allowed = BLOCK_SIZES[version]
        yield Fault(
            "CAL003",
            (*pool.at, "blockSize"),
            f"a block of /{size} is out of range for IPv{version}, so no address is ever assigned",
            f"Write {allowed[0]} to {allowed[-1]}.",
        )
    elif pool.network.prefixlen > size:
        default = "" if stated is not None else " (the default)"
        yield Fault(
            "CAL004",
            (*pool.at, "cidr"),
            f"{pool.network} cannot hold a block of /{size}{default}, so it never yields an address",
            f"Set blockSize to {max(pool.network.prefixlen, BLOCK_SIZES[version][0])} or more.",
        )


def _for_services(pool: Pool) -> Iterator[Fault]:
    others = [use for use in pool.uses if use != "LoadBalancer"]
    if others:
        yield Fault(
            "CAL008",
            (*pool.at, "allowedUses"),
            f"LoadBalancer stands beside {', '.join(map(str, others))}, so the pool is refused",
            "Make a pool of its own for Services.",
        )
    if pool.encapsulated:
        yield Fault(
            "CAL009",
            pool.at,
            "a load-balancer pool is encapsulated, so it is refused: its addresses are announced, not tunnelled",
            "Remove ipipMode and vxlanMode, or write encapsulation None.",
        )
    if pool.kept_from_bgp:
        yield Fault(
            "CAL010",
            (*pool.at, "disableBGPExport"),
            "a load-balancer pool has disableBGPExport true: its addresses are assigned and never announced, so "
            "every Service behind them is unreachable",
            "Remove disableBGPExport.",
        )
    selected = pool.stated.get("nodeSelector")
    if isinstance(selected, str) and selected not in ("", "all()"):
        yield Fault(
            "CAL011",
            (*pool.at, "nodeSelector"),
            f"a load-balancer pool selects nodes by `{selected}`, but addresses of Services belong to no node: the "
            "pool is refused or never used",
            "Write all(); to choose who announces, select nodes in BGPPeer.",
        )


def _namespaces(pool: Pool) -> Iterator[Fault]:
    tunnels = not pool.uses or "Tunnel" in pool.uses
    if tunnels and text(pool.stated, "namespaceSelector"):
        yield Fault(
            "CAL012",
            (*pool.at, "namespaceSelector"),
            "tunnel addresses belong to nodes, which have no namespace, so the pool is refused",
            "Set allowedUses to [Workload], or remove namespaceSelector.",
        )


def _needs_bgp(pool: Pool, wrapping: str, network: dict[str, Any]) -> Iterator[Fault]:
    routed_by_felix = text(network, "clusterRoutingMode") == "Felix"
    if text(network, "bgp") != "Disabled" or routed_by_felix or wrapping not in ("None", "IPIP", "IPIPCrossSubnet"):
        return
    extra = " A load-balancer pool belongs into an IPPool object of its own." if pool.for_services else ""
    yield Fault(
        "CAL060",
        (*pool.at, "encapsulation"),
        f"encapsulation {wrapping} needs routes by BGP, which is disabled: the operator stops and applies nothing",
        f"Use VXLAN or VXLANCrossSubnet, or enable BGP.{extra}",
    )
