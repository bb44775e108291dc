"""Somebody announces each address, and nothing else goes out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from ipaddress import ip_network

from anycastle.finding import Severity
from anycastle.network.addresses import IPNetwork, Pool, PoolUse, TrafficPolicy
from anycastle.network.bgp import Software
from anycastle.network.model import Network
from anycastle.network.prefixes import Prefixes, indexed
from anycastle.network.questions import host
from anycastle.rules.exports import Verdicts, export_rules, rejections
from anycastle.rules.owners import settled_vips, vip_owner
from anycastle.rules.pairs import alike, pair, several
from anycastle.rules.pools import of_use
from anycastle.rules.registry import Fault, rule


@rule("ANN001", "Each API address is announced by a control plane")
def vip_announced(network: Network) -> Iterator[Fault]:
    """The name of the API server leads to an address that no route leads to.

    kubeadm waits four minutes for it and gives up; later, nobody reaches the API server any more.

    Source: kube-vip documentation, static pods with BGP.
    """
    announced = {a.prefix for a in network.announcements if a.software is Software.KUBE_VIP and a.hosts}
    carried = {end.peer.version for end in network.ends if end.software is Software.KUBE_VIP}
    mute = bool(network.kube_vips) and not carried
    for vip in settled_vips(network):
        other_family = bool(carried) and vip.version not in carried  # KV008
        if host(vip) not in announced and not mute and not other_family:
            owner = vip_owner(network, vip)
            yield Fault(
                owner.where,
                f"Nobody announces the API address {vip} of {owner.name}: no kube-vip with a BGP peer has it.",
                "Put kube-vip with this address and the router as peer on every control plane.",
            )


@rule("ANN002", "Each load-balancer pool is announced by a node")
def pools_announced(network: Network) -> Iterator[Fault]:
    """Services get addresses, and no router hears of them.

    It happens where no BGPPeer selects a node, where only control planes exist and workers are asked for, or
    where every node carries the exclude label. kubeadm sets that label on control planes with an empty value,
    which Kubernetes obeys and Calico does not; Calico wants `true`.

    Source: confd pkg/backends/calico/client.go; projectcalico/calico#11128.
    """
    speakers = [end for end in network.ends if end.software is Software.CALICO]
    bgp_off = network.calico is not None and not network.calico.bgp
    if bgp_off or (not speakers and pair(network).waiting):
        return
    advertised = indexed(network.calico.advertised if network.calico else ())
    announced = Prefixes((a.prefix, a) for a in network.announcements if a.software is Software.CALICO)
    families = {end.peer.version for end in speakers}
    for pool in of_use(network, PoolUse.LOAD_BALANCER):
        if not advertised.hold(pool.cidr) or (families and pool.cidr.version not in families):
            continue  # POOL003, POOL010
        related = announced.around(pool.cidr)
        if any(a.hosts for a in related):
            continue
        reason = "every node that peers is excluded" if speakers else "no node's Calico has a peer"
        yield Fault(
            related[0].where if related else pool.where,
            f"No node announces the load-balancer pool {pool.name} ({pool.cidr}): {reason}.",
            "Take the exclude label off a node that runs the ingress."
            if speakers
            else "Let a BGPPeer select the nodes that run the ingress (in a site file: bgp.peering: all).",
        )


@rule("ANN003", "BGP is on where it is relied on")
def bgp_on(network: Network) -> Iterator[Fault]:
    """With `bgp: Disabled` in the Installation no BIRD runs, whatever the BGPPeers say.

    It is right for the first minutes of a cluster, before the configuration of BGP exists; left that way no
    Service is reachable from outside.

    Source: tigera/operator pkg/render/node.go (CALICO_NETWORKING_BACKEND).
    """
    pools = of_use(network, PoolUse.LOAD_BALANCER)
    if network.calico is not None and not network.calico.bgp and (pools or network.calico.advertised):
        shown = f"load-balancer pool {pools[0].name}" if pools else f"advertised range {network.calico.advertised[0]}"
        yield Fault(
            network.calico.where,
            f"The Installation has bgp: Disabled, and the {shown} needs it: nothing is announced.",
            "Write spec.calicoNetwork.bgp: Enabled once the BGPConfiguration and the BGPPeers exist.",
        )


@rule("ANN004", "With the mesh, routes of other nodes stay inside", Severity.WARNING)
def mesh_stays_inside(network: Network) -> Iterator[Fault]:
    """A node passes what it learnt in the mesh on to an eBGP router, with itself as next hop.

    Each /32 then arrives from nodes without a pod, and from nodes that are excluded from announcing. For a
    Local Service those packets are dropped, which makes it an error. With `nextHopMode: Keep` the router hears the
    right next hop.

    Source: projectcalico/calico#3810, projectcalico/calico#5235.
    """
    if network.calico is None or not network.calico.mesh:
        return
    known = {item.name: item for item in network.filters}
    learnt = [host(cidr.network_address) for cidr in network.calico.advertised]
    local = any(service.policy is TrafficPolicy.LOCAL for service in network.services)

    @cache
    def passes_on(filters: tuple[str, ...], family: int) -> bool:
        verdicts = Verdicts(export_rules(filters, known))
        return any(verdicts.of(cidr, learnt=True) != "Reject" for cidr in learnt if cidr.version == family)

    open_ends = [
        end
        for end in network.ends
        if end.software is Software.CALICO
        and end.peer_asn != end.asn
        and not end.keeps_next_hop
        and all(name in known for name in end.filters)
        and passes_on(end.filters, end.peer.version)
    ]
    for ends in alike(open_ends, lambda end: (end.peer, end.filters)):
        yield Fault(
            ends[0].where,
            f"The node-to-node mesh is on, and nothing keeps {several(end.host for end in ends)} from passing routes "
            f"of other nodes on to {ends[0].peer} (AS {ends[0].peer_asn}): its packets go to nodes without a pod"
            + (", which drop them for a Local Service." if local else "."),
            "Begin the export filter with {action: Reject, source: RemotePeers}, or switch the mesh off.",
            Severity.ERROR if local else None,
        )


@rule("ANN008", "Addresses inside the cluster are announced where pods see who asks", Severity.WARNING)
def cluster_ips(network: Network) -> Iterator[Fault]:
    """kube-proxy masquerades whatever comes to a cluster address from outside of the pods.

    `externalTrafficPolicy: Local` does not cover such an address, so logs and allow lists see a node in place of each
    client. Load-balancer addresses keep the client's, and so does Calico's eBPF dataplane.

    Source: projectcalico/calico#8812; kube-proxy, clusterCIDR.
    """
    calico = network.calico
    if calico is not None and calico.cluster_ips and calico.dataplane not in ("", "BPF"):
        yield Fault(
            calico.cluster_ips_where,
            f"Cluster addresses ({several(map(str, calico.cluster_ips))}) are announced, and kube-proxy serves them: "
            "pods see a node's address in place of the client's.",
            "Give Services that clients outside use an address of a load-balancer pool (serviceLoadBalancerIPs).",
        )


@rule("ANN005", "Export filters let the announced prefixes out")
def filters_let_out(network: Network) -> Iterator[Fault]:
    """A BGPFilter is asked before Calico's own rules, and its Reject is final.

    The session is up, the address is assigned, and the prefix never leaves the node.

    Source: confd pkg/backends/calico/bgp_processor.go; Calico documentation, BGPFilter.
    """
    pools = indexed(pool.cidr for pool in network.pools)
    for item in rejections(network):
        lost = [a for a in item.announcements if pools.touch(a.prefix)]  # else POOL003
        if lost:
            yield Fault(
                item.filter.where,
                f"The filter {several(item.end.filters)} rejects {several(str(a.prefix) for a in lost)}, which "
                f"{several(lost[0].hosts)} should announce to {item.end.peer}: it never leaves the nodes.",
                f"Put {{action: Accept, matchOperator: In, cidr: {lost[0].prefix}}} before the Reject.",
            )


@rule("ANN006", "Filters that peers name exist")
def filters_exist(network: Network) -> Iterator[Fault]:
    """Calico's API server refuses a BGPPeer with an unknown filter.

    With native v3 definitions nobody refuses it, and the filter is left out in silence: everything goes out.

    Source: libcalico-go clientv3/bgppeer.go ("BGPFilter(s) not found").
    """
    known = {item.name for item in network.filters}
    for ends in alike((end for end in network.ends if set(end.filters) - known), lambda end: (end.peer, end.filters)):
        missing = sorted({name for end in ends for name in end.filters} - known)
        yield Fault(
            ends[0].where,
            f"The peer {ends[0].peer} of {several(end.host for end in ends)} names the filter {several(missing)}, "
            "which does not exist: the BGPPeer is refused, or goes unfiltered.",
            f"Add the BGPFilter {missing[0]}" + (f", or name one of: {', '.join(sorted(known))}." if known else "."),
        )


@rule("ANN007", "Filters accept no pods that are not exported", Severity.WARNING)
def filters_keep_pods(network: Network) -> Iterator[Fault]:
    """An Accept in a BGPFilter comes before the check for `disableBGPExport`.

    So a rule that accepts everything sends the pod blocks to the router, which sends traffic for pods around
    the overlay, or into its default route when it filters them.

    Source: confd tests compiled_templates/bgpfilter (an Accept returns at once).
    """
    inside = [pool for pool in of_use(network, PoolUse.PODS) if not pool.bgp_export]
    for item in network.filters:
        rules = tuple(rule for rule in item.rules if rule.export)
        leaked = [pool.name for pool in inside if Verdicts(rules).of(_first_block(pool)) == "Accept"]
        if leaked and any(item.name in end.filters for end in network.ends):
            yield Fault(
                item.where,
                f"The filter {item.name} accepts blocks of pod pool {several(leaked)}, which should not be exported.",
                "Accept the load-balancer ranges only, and reject the rest.",
            )


def _first_block(pool: Pool) -> IPNetwork:
    length = min(max(pool.block_size, pool.cidr.prefixlen), pool.cidr.max_prefixlen)
    return ip_network((pool.cidr.network_address, length))
