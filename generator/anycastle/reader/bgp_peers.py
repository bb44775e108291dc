"""Peers of kube-vip: `bgp_peers` and the older `bgp_peeraddress`.

Grammar (kube-vip pkg/kubevip/config_bgp.go): elements are separated by commas and blanks are not trimmed; each is
`host:AS[:password[:multihop[:port[:mpbgp[:bfd]]]]]`, the host an IPv4 address or an IPv6 address in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from anycastle.network.addresses import IPAddress
from anycastle.reader.environment import FALSE, TRUE, Environment
from anycastle.reader.notes import Notes, as_number
from anycastle.records import dataclass

BUILT_IN_ASN = 65000
FEWEST_MICROSECONDS = 10_000
"""Below this a BFD interval was meant as milliseconds: gobgp takes microseconds."""

_PEER = re.compile(r"(?:\[(?P<v6>[^\]]*)\]|(?P<v4>[^:\[\]]*)):(?P<asn>[^:]*)(?P<rest>(?::.*)?)\Z")


@dataclass(frozen=True, slots=True)
class Peer:
    """A router that kube-vip dials; `variable` names where it stands."""

    address: IPAddress
    asn: int
    multihop: bool = False
    password: str = field(default="", repr=False)
    variable: str = "bgp_peers"


def peers_of(env: Environment, notes: Notes) -> Iterator[Peer]:
    """Every peer, each address once: a second one of the same address stops kube-vip."""
    seen: set[IPAddress] = set()
    found = [*_listed(env, notes), *_single(env, notes)]
    for peer in found:
        if peer.address in seen:
            _stops(env, notes, peer.variable, f"{peer.address} is a peer twice", "Name each peer once.")
            continue
        seen.add(peer.address)
        yield peer
    if not found and not env.get("bgp_peers") and not env.get("bgp_peeraddress"):
        _stops(
            env, notes, "bgp_peers", "there is no peer", "Write ROUTER:AS::false, or bgp_peeraddress and bgp_peeras."
        )


def _stops(env: Environment, notes: Notes, name: str, what: str, fix: str) -> None:
    notes.add("KVIP001", env.place(name), f"{name}: {what}, and kube-vip ends without announcing anything.", fix)


def _single(env: Environment, notes: Notes) -> Iterator[Peer]:
    value = env.get("bgp_peeraddress")
    address = notes.address(value, env.place("bgp_peeraddress"), "bgp_peeraddress") if value else None
    if address is None:
        return
    if not env.get("bgp_peeras"):
        notes.add(
            "KVIP003",
            env.place("bgp_peeraddress"),
            "bgp_peeras is missing, so kube-vip expects AS 65000 at the router and refuses any other.",
            "Add bgp_peeras with the router's AS number.",
        )
    yield Peer(
        address,
        as_number(env.get("bgp_peeras")) or BUILT_IN_ASN,
        env.true("bgp_multihop"),
        env.get("bgp_peerpass"),
        "bgp_peeraddress",
    )


def _listed(env: Environment, notes: Notes) -> Iterator[Peer]:
    for element in env.get("bgp_peers").split(","):
        if element and not element.startswith("unnumbered:"):
            peer = _peer(element, env, notes)
            if peer is not None:
                yield peer


def _peer(element: str, env: Environment, notes: Notes) -> Peer | None:
    match = _PEER.match(element)
    if match is None:
        _stops(env, notes, "bgp_peers", f"{_brief(element)} is no ADDRESS:AS", "Write ROUTER:AS::false.")
        return None
    fields = match["rest"].split(":")[1:]
    address = notes.address(match["v6"] or match["v4"], env.place("bgp_peers"), "a peer in bgp_peers")
    asn = notes.asn(match["asn"], env.place("bgp_peers"), "the AS number of a peer in bgp_peers")
    multihop = fields[1] if len(fields) > 1 else ""
    if multihop and multihop not in TRUE | FALSE:
        _stops(
            env, notes, "bgp_peers", f"multihop of {address} is {multihop!r}", "Write true or false as fourth field."
        )
        return None
    _bfd(fields[4] if len(fields) > 4 else "", env, notes)
    if address is None or asn is None:
        return None
    return Peer(address, asn, multihop in TRUE, fields[0] if fields else "")


def _bfd(value: str, env: Environment, notes: Notes) -> None:
    parts = value.split(";")
    if len(parts) < 4 or parts[0] not in TRUE:
        return
    for interval in parts[1:3]:
        if interval.isascii() and interval.isdigit() and len(interval) < 11 and int(interval) < FEWEST_MICROSECONDS:
            notes.add(
                "KVIP005",
                env.place("bgp_peers"),
                f"The BFD interval {interval} counts microseconds: more than a hundred packets in a hundredth of a "
                "second, and the session flaps.",
                f"Write {int(interval) * 1000} for {interval} ms.",
            )
            return


def _brief(element: str) -> str:
    """The element without a password that may stand in it."""
    return repr(":".join(element.split(":")[:2]))
