"""What kube-vip tells its built-in GoBGP, as the configuration of a GoBGP of its own.

From kube-vip's pkg/bgp: it never listens (port -1), dials again after 10 s and more, asks for no graceful restart, and
announces with itself as the next hop. Without `bgp_sourceip` the kernel chooses where it dials from. TTL 1, or 50 with
`bgp_multihop`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from ipaddress import IPv4Address

from anycastle.network.bgp import End

HOLD, KEEPALIVE = 30, 10
"""Seconds, where the pod's environment says nothing."""
CONNECT_RETRY = 10
MULTIHOP_TTL = 50


def configuration(ends: Iterable[End], router_id: IPv4Address, passwords: Mapping[str, str]) -> str:
    """The TOML file of one node; `passwords` by peer address. All ends have one AS, that of the pod."""
    listed = tuple(ends)
    head = f'[global.config]\n  as = {listed[0].asn}\n  router-id = "{router_id}"\n  port = -1\n'
    return head + "".join(_neighbour(end, passwords.get(str(end.peer), "")) for end in listed)


def _neighbour(end: End, password: str) -> str:
    lines = [
        "[[neighbors]]",
        "  [neighbors.config]",
        f'    neighbor-address = "{end.peer}"',
        f"    peer-as = {end.peer_asn}",
        *([f'    auth-password = "{password}"'] if password else []),
        "  [neighbors.timers.config]",
        f"    connect-retry = {CONNECT_RETRY}",
        f"    hold-time = {end.hold or HOLD}",
        f"    keepalive-interval = {end.keepalive or KEEPALIVE}",
        "  [neighbors.transport.config]",
        *([] if end.any_source else [f'    local-address = "{end.address}"']),
        "    remote-port = 179",
        *(_multihop() if end.hops > 1 else []),
        "  [[neighbors.afi-safis]]",
        "    [neighbors.afi-safis.config]",
        f'      afi-safi-name = "ipv{end.peer.version}-unicast"',
    ]
    return "\n".join(lines) + "\n"


def _multihop() -> list[str]:
    return ["  [neighbors.ebgp-multihop.config]", "    enabled = true", f"    multihop-ttl = {MULTIHOP_TTL}"]
