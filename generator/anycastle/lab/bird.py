"""What calico-node tells its BIRD, in the words of BIRD 2.

Calico's templates (confd/etc/calico/confd/templates) are for a fork of BIRD 1.6. Here channels stand around the same
statements, `graceful restart` and the kernel metric are switched on in BIRD 2's way. The rest has Calico's order:
BGPFilters first, then pools without export, the node's own blocks, addresses of Services, pools, and nothing more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import IPv4Address

from anycastle.lab.placement import Placement, announced
from anycastle.network.addresses import IPAddress, IPNetwork, Pool, PoolUse
from anycastle.network.bgp import End, FilterRule, Software
from anycastle.network.model import Network
from anycastle.records import dataclass

HOLD = 240
"""Seconds that BIRD proposes; Calico has no setting for it."""

_OPERATORS = {"In": "net ~ {}", "NotIn": "! (net ~ {})", "Equal": "net = {}", "NotEqual": "net != {}"}

_FIXED = """\
function reject_tunnel_routes() {
  if (defined(ifname)) then { if ((ifname ~ "*.cali") || (ifname ~ "*.calico")) then reject; }
}
function reject_local_routes() {
  if (defined(ifname)) then { if (ifname ~ "bpf*.cali") then reject; }
}
"""

_BELOW = """\
protocol device { scan time 2; }
template bgp bgp_template {
  connect delay time 2; connect retry time 5; error wait time 5, 30;
}
"""

_OF_A_FAMILY = """\
protocol kernel kernel%(v)d {
  ipv%(v)d { import all; export filter calico_kernel_programming; };
  learn; persist; scan time 2; graceful restart on; merge paths on; metric 0;
}
protocol direct direct%(v)d { ipv%(v)d; interface -"cali*", -"kube-ipvs*", "*"; }
"""

_IMPORT = "if (defined(bgp_local_pref) && (bgp_local_pref > 2147482623)) then preference = 200;"
_EXPORT = """\
      if (source = RTS_BGP && defined(bgp_local_pref)) then krt_metric = 2147483647 - bgp_local_pref;
      else { if (!defined(krt_metric)) then krt_metric = 1024; bgp_local_pref = 2147483647 - krt_metric; }"""
_METRIC = """\
  if (source = RTS_BGP && !defined(krt_metric)) then {
    krt_metric = 1024;
    if (defined(bgp_local_pref)) then krt_metric = 2147483647 - bgp_local_pref;
    if (krt_metric < 1024) then preference = 200;
  }"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What a scenario makes a node do against its plan: prefixes let out unasked, an AS number of its own."""

    leaked: tuple[IPNetwork, ...] = ()
    asn: int = 0


def configuration(
    network: Network, placement: Placement, node: str, passwords: Mapping[str, str], fault: Fault | None = None
) -> str:
    """The bird.conf of one node; `passwords` by peer address."""
    fault = fault or Fault()
    ends = tuple(end for end in network.ends if end.host == node and end.software is Software.CALICO)
    services = announced(network, placement, node)
    statics = (*placement.blocks.get(node, ()), *services, *aggregates(network, node), *fault.leaked)
    inner = tuple(end for end in network.inside if end.host == node)
    families = sorted(
        {end.address.version for end in (*ends, *inner)} | {a.version for a in mesh_addresses(network, node)}
    )
    return "\n".join(
        [
            f"router id {router_id(network, node)};",
            _FIXED + _aggregation(placement.blocks.get(node, ())),
            _to_peers(network, (*services, *aggregates(network, node))),
            _kernel(network, fault),
            *(_statics(statics, version) for version in families),
            _BELOW + "".join(_OF_A_FAMILY % {"v": version} for version in families),
            *(_peer(network, end, passwords.get(str(end.peer), ""), fault) for end in ends),
            *_inner(network, node, inner),
            *_mesh(network, node),
        ]
    )


def _statics(prefixes: Iterable[IPNetwork], version: int) -> str:
    own = dict.fromkeys(prefix for prefix in prefixes if prefix.version == version)
    lines = [f"  route {prefix} blackhole;" for prefix in own]
    return "\n".join([f"protocol static static{version} {{\n  ipv{version};", *lines, "}"])


def lone_speaker(end: End, asn: int) -> str:
    """A speaker that has no place: it dials from `end`'s address with another AS number and announces nothing."""
    return "\n".join(
        [
            f"router id {hashed(end.host) if end.address.version == 6 else end.address};",
            "protocol device { scan time 2; }",
            "protocol bgp second {",
            f"  local as {asn}; neighbor {end.peer} as {end.peer_asn}; source address {end.address}; multihop;",
            "  connect delay time 2; connect retry time 5; error wait time 5, 30;",
            f"  ipv{end.address.version} {{ import none; export none; }};",
            "}",
        ]
    )


def router_id(network: Network, node: str) -> IPv4Address:
    """The node's IPv4 address, as calico-node takes it; without one a hash of its name, as CALICO_ROUTER_ID=hash."""
    found = next(one for one in network.nodes if one.name == node)
    return next((address for address in found.addresses if isinstance(address, IPv4Address)), hashed(node))


def hashed(node: str) -> IPv4Address:
    """Four octets that follow from a name; the first one is such that a router takes them for an address of a host."""
    digest = hashlib.sha256(node.encode()).digest()
    return IPv4Address(bytes((1 + digest[0] % 223, *digest[1:4])))


def aggregates(network: Network, node: str) -> tuple[IPNetwork, ...]:
    """With aggregation, the CIDRs themselves from every node that is not kept out; never single addresses."""
    calico = network.calico
    here = next((one for one in network.nodes if one.name == node), None)
    if not calico or not calico.aggregate or not here or here.excluded:
        return ()
    return tuple(cidr for cidr in calico.advertised if cidr.num_addresses > 1)


def _aggregation(blocks: Iterable[IPNetwork]) -> str:
    lines = [
        f"  if (net = {block}) then accept;\n"
        f"  if (net ~ {block} && krt_metric < 1024) then accept;\n"
        f"  if (net ~ {block}) then reject;\n"
        for block in blocks
    ]
    return "function calico_aggr() {\n" + "".join(lines) + "}"


def _to_peers(network: Network, services: Iterable[IPNetwork]) -> str:
    closed = [pool.cidr for pool in network.pools if not pool.bgp_export]
    opened = [pool.cidr for pool in network.pools if pool.bgp_export]
    return "\n".join(
        [
            "function calico_export_to_bgp_peers(bool internal_peer) {",
            *(f"  if (net ~ {cidr}) then reject;" for cidr in closed),
            "  if (internal_peer) then reject_tunnel_routes();",
            "  reject_local_routes();",
            "  calico_aggr();",
            *(f"  if (net ~ {prefix}) then accept;" for prefix in services),
            *(f"  if (net ~ {cidr}) then accept;" for cidr in opened),
            "}",
        ]
    )


def _kernel(network: Network, fault: Fault) -> str:
    """What BIRD may put into the node's kernel: aggregated CIDRs and pools that Felix routes by VXLAN stay out.

    So does what a scenario leaks: the node itself is to go on as before.
    """
    calico = network.calico
    kept_out = [*(calico.advertised if calico and calico.aggregate else ()), *map(_cidr, filter(_vxlan, network.pools))]
    rejects = [f"  if (net ~ {cidr}) then reject;" for cidr in kept_out]
    rejects += [f"  if (net = {prefix} && source = RTS_STATIC) then reject;" for prefix in fault.leaked]
    return "\n".join(["filter calico_kernel_programming {", _METRIC, *rejects, "  accept;", "}"])


def _vxlan(pool: Pool) -> bool:
    return pool.use is PoolUse.PODS and pool.encapsulation.startswith("VXLAN")


def _cidr(pool: Pool) -> IPNetwork:
    return pool.cidr


def _peer(network: Network, end: End, password: str, fault: Fault) -> str:
    rules = [rule for name in end.filters for one in network.filters if one.name == name for rule in one.rules]
    statements = [
        f"  local as {fault.asn or end.asn};",
        f"  neighbor {end.peer} as {end.peer_asn};",
        *([] if end.any_source else [f"  source address {end.address};"]),
        "  ttl security off; multihop;",
        f"  graceful restart on; graceful restart time {end.restart};",
        *([f"  keepalive time {end.keepalive};"] if end.keepalive else []),
        *([f'  password "{password}";'] if password else []),
    ]
    leaks = [f"      if (net = {prefix}) then accept;" for prefix in fault.leaked]
    name = f"Node_{_word(end.peer)}"
    kept = ["    next hop keep;"] if end.keeps_next_hop else []
    channel = _channel(rules, leaks, internal=end.asn == end.peer_asn, version=end.address.version, more=kept)
    return "\n".join([f"protocol bgp {name} from bgp_template {{", *statements, channel, "}"])


def _channel(
    rules: Iterable[FilterRule], leaks: Iterable[str], *, internal: bool, version: int, more: Iterable[str] = ()
) -> str:
    listed = tuple(rule for rule in rules if rule.family == version)
    return "\n".join(
        [
            f"  ipv{version} {{",
            "    add paths on; gateway recursive;",
            *more,
            "    import filter {",
            *_filter(rule for rule in listed if not rule.export),
            f"      {_IMPORT}",
            "      accept;",
            "    };",
            "    export filter {",
            _EXPORT,
            *leaks,
            *_filter(rule for rule in listed if rule.export),
            f"      calico_export_to_bgp_peers({str(internal).lower()});",
            "      reject;",
            "    };",
            "  };",
        ]
    )


def _filter(rules: Iterable[FilterRule]) -> Iterator[str]:
    """Rules of a BGPFilter; an export `Accept` goes past everything that Calico itself would hold back."""
    for rule in rules:
        conditions = [_OPERATORS[rule.operator].format(rule.cidr)] if rule.cidr and rule.operator in _OPERATORS else []
        conditions += ["source = RTS_BGP"] if rule.source == "RemotePeers" else []
        tested = f"if ({' && '.join(conditions)}) then " if conditions else ""
        yield f"      {tested}{'accept' if rule.action == 'Accept' else 'reject'};"


def mesh_addresses(network: Network, node: str) -> tuple[IPAddress, ...]:
    """The addresses from which a node holds sessions with all others: one of each family, where the mesh is on."""
    found = next((one for one in network.nodes if one.name == node), None)
    if network.calico is None or not network.calico.mesh or found is None or found.cluster_id is not None:
        return ()  # a route reflector leaves the mesh
    first = {address.version: address for address in reversed(found.addresses)}
    return tuple(first[version] for version in sorted(first))


def inner_name(end: End) -> str:
    """The name of the protocol that holds a session with another node."""
    return f"Node_{_word(end.peer)}"


def _inner(network: Network, node: str, ends: Iterable[End]) -> Iterator[str]:
    """Sessions with other nodes by peerSelector; a node with a cluster ID reflects to those that have another one."""
    clusters = {one.name: one.cluster_id for one in network.nodes}
    owner = {address: one.name for one in network.nodes for address in one.addresses}
    own = clusters.get(node)
    for end in ends:
        rules = [rule for name in end.filters for one in network.filters if one.name == name for rule in one.rules]
        client = own is not None and end.asn == end.peer_asn and clusters.get(owner.get(end.peer, "")) != own
        yield "\n".join(
            [
                f"protocol bgp {inner_name(end)} from bgp_template {{",
                f"  local as {end.asn}; neighbor {end.peer} as {end.peer_asn}; source address {end.address};",
                f"  ttl security off; multihop; graceful restart on; graceful restart time {end.restart};",
                *([f"  rr client; rr cluster id {own};"] if client else []),
                _channel(rules, (), internal=end.asn == end.peer_asn, version=end.address.version),
                "}",
            ]
        )


def _mesh(network: Network, node: str) -> Iterator[str]:
    """Sessions with every other node, where the mesh is on; of two nodes the one with the lower address dials."""
    calico = network.calico
    if calico is None or not calico.mesh:
        return
    for own in mesh_addresses(network, node):
        for other in network.nodes:
            address = next((a for a in mesh_addresses(network, other.name) if a.version == own.version), own)
            if address == own or other.cluster_id is not None:
                continue
            statements = [
                f"protocol bgp Mesh_{_word(address)} from bgp_template {{",
                f"  local as {calico.asn}; neighbor {address} as {calico.asn}; source address {own};",
                "  ttl security off; multihop; graceful restart on;",
                *(["  passive on;"] if int(address) > int(own) else []),
                _channel((), (), internal=True, version=own.version),
                "}",
            ]
            yield "\n".join(statements)


def _word(address: IPAddress) -> str:
    return str(address).replace(".", "_").replace(":", "_")
