"""Values of the app calico-bgp: what Calico's BIRD says to whom."""

from __future__ import annotations

from collections.abc import Iterable

from anycastle.network.addresses import PoolUse
from anycastle.network.bgp import Filter, FilterRule
from anycastle.network.cluster import Calico
from anycastle.network.model import Network
from anycastle.render import calico_peers
from anycastle.render.values import Values
from anycastle.site.model import Site
from anycastle.site.topology import has_local_asn


def values(site: Site, network: Network) -> Values:
    """Values of the app calico-bgp."""
    calico = settings(network)
    peers = tuple(calico_peers.peers(site, network))
    inner = calico_peers.inner(site, (peer.name for peer in peers))
    return Values(
        answers=(
            "bgp",
            "routers",
            *(("racks",) if site.racks else ()),
            "load_balancer.pools",
            "networks.pods[].export",
        ),
        value={
            "bgpConfiguration": _configuration(calico),
            "peers": {peer.name: _peer(site, network, peer) for peer in peers} | _inner(site, inner),
            "filters": {item.name: _filter(item) for item in network.filters},
        },
        comments=_comments(site, calico, network, peers) | _of_reflectors(peers, inner),
    )


def _configuration(calico: Calico) -> dict[str, object]:
    return {
        "asNumber": calico.asn,
        "nodeToNodeMeshEnabled": calico.mesh,
        "logSeverityScreen": "Info",
        "serviceLoadBalancerAggregation": "Enabled" if calico.aggregate else "Disabled",
        "serviceLoadBalancerIPs": [str(cidr) for cidr in calico.advertised],
    }


def _comments(
    site: Site, calico: Calico, network: Network, peers: Iterable[calico_peers.Peer]
) -> dict[tuple[str | int, ...], str]:
    aggregation = (
        "Enabled: every node announces the whole pool, besides the addresses in use."
        if calico.aggregate
        else "Disabled: each address is announced by itself, and with externalTrafficPolicy Local only from the nodes\n"
        "that run the Service. Enabled, Calico's default, would draw traffic to nodes that drop it."
    )
    comments: dict[tuple[str | int, ...], str] = {
        ("bgpConfiguration", "serviceLoadBalancerAggregation"): aggregation,
        ("bgpConfiguration", "serviceLoadBalancerIPs"): "Exactly the pools of calico-loadbalancer: outside of them "
        "nothing is announced, whatever a Service has.",
        ("filters",): "Out go load-balancer addresses"
        + (" and exported pods" if _exported(network) else "")
        + ", in comes nothing: a node keeps its own routes.",
    }
    if calico.mesh:
        comments["bgpConfiguration", "nodeToNodeMeshEnabled"] = (
            "Nodes tell each other their routes; the filter below keeps them from passing those on to the router."
        )
    for peer in peers:
        if peer.name == peer.router.name:
            comments["peers", peer.name, "maxRestartTime"] = (
                "Calico asks for 120 s by default; the router would send traffic to a dead node for as long."
            )
        if any(router.name == peer.router.name and router.password for router in site.routers):
            comments["peers", peer.name, "passwordSecret"] = (
                "In calico-system, and never in git: README.md creates it. The chart lets calico-node read it."
            )
        if peer.wired and peer is next(one for one in peers if one.wired):
            comments["peers", peer.name, "sourceAddress"] = (
                "The kernel takes the address of the link, which nothing else in Calico knows. By default sessions\n"
                "come from the node's own address, which is on lo, and no router has it as a neighbour."
            )
        if peer.asn:
            comments["peers", peer.name, "localASNumber"] = "What these nodes have in place of asNumber above."
    return comments


def _of_reflectors(
    peers: Iterable[calico_peers.Peer], inner: calico_peers.Inner | None
) -> dict[tuple[str | int, ...], str]:
    if inner is None:
        return {}
    found: dict[tuple[str | int, ...], str] = {
        ("peers", inner.name): "Every node with every route reflector; the way back Calico makes by itself. No filter: "
        "nodes tell each other\neverything, as in a mesh.",
    }
    first = next((peer for peer in peers), None)
    if first is not None:
        found["peers", first.name, "nodeSelector"] = (
            "The route reflectors alone. kubelet sets the label when a node joins, and install.sh the annotation that\n"
            "makes a node reflect."
        )
    return found


def _inner(site: Site, inner: calico_peers.Inner | None) -> dict[str, dict[str, object]]:
    if inner is None:
        return {}
    return {
        inner.name: {
            "nodeSelector": inner.selector,
            "peerSelector": inner.peers,
            "maxRestartTime": go_duration(site.bgp.restart_time),
        }
    }


def _exported(network: Network) -> bool:
    return any(pool.use is PoolUse.PODS and pool.bgp_export for pool in network.pools)


def _peer(site: Site, network: Network, peer: calico_peers.Peer) -> dict[str, object]:
    answers = next(router for router in site.routers if router.name == peer.router.name)
    result: dict[str, object] = {
        "peerIP": str(peer.address),
        "asNumber": peer.router.asn,
        "nodeSelector": peer.selector,
        "filters": [item.name for item in network.filters],
        "maxRestartTime": go_duration(site.bgp.restart_time),
    }
    if site.bgp.route_reflectors is not None:  # else the reflector would stand in the way of every packet
        result |= {"nextHopMode": "Keep"} if has_local_asn(site) else {"keepOriginalNextHop": True}
    if peer.wired:
        result["sourceAddress"] = "None"
    if peer.asn:
        result["localASNumber"] = peer.asn
    if answers.reachable_by is not None and answers.reachable_by.version == peer.address.version:
        result["reachableBy"] = str(answers.reachable_by)
    if answers.password is not None:
        name, _, key = answers.password.partition("/")
        result["passwordSecret"] = {"name": name, "key": key}
    return result


def go_duration(seconds: int) -> str:
    """Seconds as Go prints them: `15s`, `2m0s`, `1h0m0s`. Calico's API server rewrites any other form."""
    hours, rest = divmod(seconds, 3600)
    minutes, rest = divmod(rest, 60)
    if hours:
        return f"{hours}h{minutes}m{rest}s"
    return f"{minutes}m{rest}s" if minutes else f"{rest}s"


def _filter(item: Filter) -> dict[str, object]:
    keys = {(True, 4): "exportV4", (False, 4): "importV4", (True, 6): "exportV6", (False, 6): "importV6"}
    families = sorted({rule.family for rule in item.rules})
    result: dict[str, object] = {}
    for family in families:
        for export in (True, False):
            rules = [_rule(rule) for rule in _rules_of(item.rules, export, family)]
            if rules:
                result[keys[export, family]] = rules
    return result


def _rules_of(rules: Iterable[FilterRule], export: bool, family: int) -> Iterable[FilterRule]:
    return (rule for rule in rules if rule.export is export and rule.family == family)


def _rule(rule: FilterRule) -> dict[str, object]:
    result: dict[str, object] = {"action": rule.action}
    if rule.cidr is not None:
        result |= {"cidr": str(rule.cidr), "matchOperator": rule.operator}
    if rule.source:
        result["source"] = rule.source
    return result


def settings(network: Network) -> Calico:
    """Calico's settings; a network without them has no Calico app to ask for."""
    if network.calico is None:
        msg = "the network says nothing about Calico"
        raise ValueError(msg)
    return network.calico
