"""Both ends of every session: they exist, they agree, and they reach each other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from anycastle.finding import Place, Severity
from anycastle.network.addresses import IPAddress, OwnerKind
from anycastle.network.bgp import End, Session, Software
from anycastle.network.cluster import Role
from anycastle.network.model import Network, Unread
from anycastle.network.questions import host, on_router, range_owners
from anycastle.rules.owners import lost_nodes, shared_addresses, squatters
from anycastle.rules.pairs import Pairs, alike, pair, several
from anycastle.rules.ranges import Ranges
from anycastle.rules.registry import Fault, rule


def _hosts(ends: Iterable[End]) -> str:
    return several(end.host for end in ends)


def _dial(ends: Iterable[End]) -> str:
    """Who dials, with its verb."""
    listed = list(ends)
    return f"{_hosts(listed)} {'dials' if len({end.host for end in listed}) == 1 else 'dial'}"


def _routers(network: Network) -> dict[IPAddress, str]:
    """Addresses of routers, the ones that only their sessions have included, with what a message says of them."""
    names = {router.name: f"router {router.name} ({router.where})" for router in network.routers}
    known = {end.address: names.get(end.host, f"router {end.host}") for end in network.ends if on_router(end)}
    return known | {router.address: names[router.name] for router in network.routers}


@rule("SESS001", "Every end has its counterpart")
def both_ends(network: Network) -> Iterator[Fault]:
    """BGP needs a neighbour statement on both sides.

    A router drops the connection of an unknown neighbour, and a neighbour that nobody dials stays idle for
    ever: that node's addresses are missing, or the alarm about it is ignored by the time it matters.

    Source: RFC 4271 section 8; field case of a router that knew three of eight nodes.
    """
    pairs = pair(network)
    routers = _routers(network)
    lost = {owner.prefix.network_address for owner in lost_nodes(network)}
    yield from _crossed(session for session in pairs.crossed if session.node.address not in lost)
    for ends in alike(pairs.unheard, lambda end: (end.peer, end.software)):
        yield Fault(
            ends[0].where,
            f"{_dial(ends)} {routers[ends[0].peer]}, which has no neighbour statement for "
            f"{several(str(end.address) for end in ends)}: the sessions are refused.",
            f"Add a neighbour with remote AS {ends[0].asn} for each, or don't let those nodes peer.",
        )
    if network.knows(Unread.NODES, Unread.KUBE_VIP, Unread.PEERS):
        yield from _waiting(network, pairs)


def _crossed(crossed: Iterable[Session]) -> Iterator[Fault]:
    for sessions in alike(crossed, lambda session: (session.node.peer, session.router.address)):
        node, router = sessions[0].node, sessions[0].router
        yield Fault(
            node.where,
            f"{_dial(session.node for session in sessions)} {node.peer} from {node.address}, but {router.host} "
            f"({router.where}) has the address {router.address} and expects {router.peer}: no session comes up.",
            "Write the same two addresses on both sides.",
        )


def _waiting(network: Network, pairs: Pairs) -> Iterator[Fault]:
    owner = {address: node for node in network.nodes for address in node.addresses}
    mute = {node.name for node in network.nodes if node.role is Role.CONTROL_PLANE} & _without_vip(network)
    misplaced = bool(lost_nodes(network)) or any(o[-1].kind is OwnerKind.NODE for o in shared_addresses(network))
    for ends in alike(pairs.waiting, lambda end: (end.host, end.peer in owner)):
        known = [end for end in ends if end.peer in owner and owner[end.peer].name not in mute]
        if known:
            yield Fault(
                known[0].where,
                f"Router {known[0].host} expects {several(str(end.peer) for end in known)}, but no speaker on "
                f"{several(owner[end.peer].name for end in known)} dials it: nothing is announced from there.",
                "Let a BGPPeer (or kube-vip's peers) select these nodes, or take the neighbours out.",
            )
        elif ends[0].peer not in owner and not misplaced:
            yield Fault(
                ends[0].where,
                f"Router {ends[0].host} expects {several(str(end.peer) for end in ends)}, which is no node of this "
                "cluster: the session stays idle.",
                "Take the neighbour out.",
                Severity.WARNING,
            )


def _without_vip(network: Network) -> set[str]:
    """Nodes of which KV007 or SESS007 says that their kube-vip is missing or mute."""
    if not network.kube_vips:
        return set()
    speaking = {end.host for end in network.ends if end.software is Software.KUBE_VIP}
    return {node.name for node in network.nodes} - speaking


@rule("SESS002", "Both ends name each other's AS number")
def numbers_agree(network: Network) -> Iterator[Fault]:
    """A peer with another AS number than expected is refused in its first message.

    The session ends with "Bad Peer AS" and is tried again for ever; nothing that the node announces arrives.

    Source: RFC 4271 section 6.2.
    """
    sessions = pair(network).sessions
    yield from _wrong_router(network, sessions)
    usual = Counter((s.node.software, s.node.asn) for s in sessions)
    wrong = [s for s in sessions if s.router.peer_asn != s.node.asn]
    for group in alike(wrong, lambda s: (s.router.host, s.router.peer_asn, s.node.software, s.node.asn)):
        node, router = group[0].node, group[0].router
        odd = usual[node.software, router.peer_asn] > 0  # its fellows have what the router expects
        odd = odd or _right_elsewhere(group, sessions)
        yield Fault(
            _own_number(node) if odd else _number(router),
            f"Router {router.host} ({router.where}) expects AS {router.peer_asn} from "
            f"{several(str(s.node.address) for s in group)}, where {node.software} has AS {node.asn} ({node.where}): "
            "the session is refused.",
            f"Write {router.peer_asn if odd else node.asn}.",
        )


def _right_elsewhere(group: tuple[Session, ...], sessions: tuple[Session, ...]) -> bool:
    """Whether other routers take this number from other nodes, and these nodes have no session that is right.

    Then the number is that of another rack, and the peer towards this router lacks one of its own.
    """
    node = group[0].node
    hosts = {session.node.host for session in group}
    right = {
        session.node.host
        for session in sessions
        if session.router.host != group[0].router.host
        and session.node.asn == session.router.peer_asn == node.asn
        and session.node.software is node.software
    }
    return bool(right) and not right & hosts


def _own_number(end: End) -> Place:
    """Where an end has its own AS number."""
    return end.own_number_where if end.own_number_where.path or end.own_number_where.key else end.where


def _number(end: End) -> Place:
    """Where an end names the AS number of its peer."""
    return end.number_where if end.number_where.path or end.number_where.key else end.where


def _wrong_router(network: Network, sessions: tuple[Session, ...]) -> Iterator[Fault]:
    """Nodes that expect another AS from their router; if all of them do, the router is the odd one."""
    places = {router.name: router.where for router in network.routers}
    held = Counter(session.router.host for session in sessions)
    wrong = [s for s in sessions if s.node.peer_asn != s.router.asn]
    for group in alike(wrong, lambda s: (s.router.host, s.node.peer_asn, s.router.asn)):
        node, router = group[0].node, group[0].router
        odd = held[router.host] == len(group) and len({s.node.software for s in group}) > 1
        yield Fault(
            places.get(router.host, router.where) if odd else _number(node),
            f"{_hosts(s.node for s in group)} ({_number(node)}) {'expects' if len(group) == 1 else 'expect'} AS "
            f"{node.peer_asn} from router {router.host}, "
            f"which has AS {router.asn} ({router.where}): the session is refused.",
            f"Write {node.peer_asn if odd else router.asn}.",
        )


@rule("SESS003", "A node has one speaker for each router and source address")
def one_speaker(network: Network) -> Iterator[Fault]:
    """A router tells its neighbours apart by their source address alone.

    With kube-vip and Calico on one node towards one router, the second session is refused (Bad Peer AS, or
    Connection Collision), first come, first served. After a reboot Calico is faster, and the API address is
    lost on that control plane.

    Source: kube-vip/kube-vip#398, metallb/metallb#114; measured with FRR, BIRD and GoBGP.
    """
    wrong: list[tuple[End, End]] = []
    for ends in pair(network).crowded:
        for index, end in enumerate(sorted(ends, key=lambda end: end.software, reverse=True)):
            others = [other for other in ends if other is not end and _collide(end, other)]
            if index and others:
                wrong.append((end, others[0]))
    other = {id(end): first for end, first in wrong}
    for ends in alike((end for end, _first in wrong), lambda end: (end.software, end.peer)):
        first = other[id(ends[0])]
        place = f" ({first.where})" if str(first.where) else ""
        yield Fault(
            ends[0].where,
            f"{ends[0].software} on {_hosts(ends)} dials {ends[0].peer} from the same address as "
            f"{first.software}{place}: the router takes one of the two sessions and refuses the other.",
            "Keep Calico off these nodes (nodeSelector: '!has(node-role.kubernetes.io/control-plane)'), or give one "
            "speaker a source address of its own.",
        )


def _one_of_each(network: Network) -> Iterable[End]:
    """One end for each address of a router."""
    return {end.address: end for end in network.ends if on_router(end)}.values()


def _collide(end: End, other: End) -> bool:
    """Calico renders a peer once, however often it is written; kube-vip ends when it is written twice."""
    both_calico = end.software is Software.CALICO and other.software is Software.CALICO
    return end.host == other.host and not both_calico


@rule("SESS004", "A router off the link is dialled over several hops, on both ends")
def reachable(network: Network) -> Iterator[Fault]:
    """Packets of eBGP have a TTL of 1, so they die at the first router in between.

    Where router and node share no subnet, both ends need multihop; one is not enough, since the answers of the
    other end die as well. iBGP has no such limit.

    Source: RFC 4271 section 5.1.3; FRR documentation, ebgp-multihop; kube-vip `bgp_peers`.
    """
    subnets = Ranges(owner for owner in range_owners(network) if owner.kind is OwnerKind.SUBNET)
    links = {end.address: [s.cidr for s in network.subnets if end.address in s.cidr] for end in _one_of_each(network)}
    groups: dict[str, list[Session]] = defaultdict(list)
    for session in pair(network).sessions:
        node, router = session.node, session.router
        near = any(node.address in cidr for cidr in links[router.address])
        if near or node.asn == node.peer_asn or min(node.hops, router.hops) > 1:
            continue
        if next(subnets.holding(host(node.address)), None) is not None:  # else ADDR008
            groups[router.host].append(session)
    places = {router.name: router.where for router in network.routers}
    foreign = {found.owner.name for found in squatters(network)} if groups else set()
    for name, sessions in sorted(groups.items()):
        if name in foreign:
            continue  # ADDR005 has it
        short = [end for session in sessions for end in (session.router, session.node) if end.hops == 1]
        router_too = any(on_router(end) for end in short)
        yield Fault(
            places.get(name, short[0].where) if router_too else short[0].where,
            f"Router {name} ({sessions[0].router.address}) shares no subnet with {_hosts(s.node for s in sessions)}, "
            f"and {several(str(end.software) for end in short)} sends with a TTL of 1: the packets don't arrive.",
            "Give the router an address on the node subnet, or set multihop on both ends.",
        )


@rule("SESS005", "Both ends have the same password, or none has one")
def passwords(network: Network) -> Iterator[Fault]:
    """With a TCP MD5 signature on one side only, or with two different ones, the kernel drops the segments.

    Neither side logs more than a timeout. Passwords are compared by the names of their secrets; one that stands in a
    file in clear text is not looked at, and has a finding of its own.

    Source: RFC 2385; projectcalico/calico#6893.
    """
    yield from _other_password(network)
    wrong = [s for s in pair(network).sessions if bool(s.node.password) != bool(s.router.password)]
    for group in alike(wrong, lambda s: (s.router.host, s.node.software, bool(s.node.password))):
        node, router = group[0].node, group[0].router
        having, lacking = (node, router) if node.password else (router, node)
        yield Fault(
            lacking.where,
            f"The session of router {router.host} with {_hosts(s.node for s in group)} has a password on one end "
            f"({having.where}) and none on the other ({lacking.where}): every packet is dropped.",
            "Write the password on both ends, or on none.",
        )


def _other_password(network: Network) -> Iterator[Fault]:
    """Ends that name two secrets; a reference has a slash, and nothing else does."""
    both = [s for s in pair(network).sessions if "/" in s.node.password and "/" in s.router.password]
    wrong = [s for s in both if s.node.password != s.router.password]
    for group in alike(wrong, lambda s: (s.router.host, s.node.software, s.node.password, s.router.password)):
        node, router = group[0].node, group[0].router
        yield Fault(
            router.where,
            f"Router {router.host} has the password {router.password} for {_hosts(s.node for s in group)}, which has "
            f"{node.password} ({node.where}): with two passwords every packet is dropped.",
            "Name one SECRET/KEY on both ends.",
        )


@rule("SESS006", "Every worker that may announce holds a session", Severity.WARNING)
def workers_reached(network: Network) -> Iterator[Fault]:
    """A worker without a session announces nothing, so a Local Service whose pods run there is unreachable.

    New nodes fall out of a selector on labels without anybody noticing: the other workers still announce.

    Source: projectcalico/calico#1939, field case of a selector that missed nodes.
    """
    speaking = {end.host for end in (*network.ends, *network.inside) if not on_router(end)}
    expected = {end.peer for end in pair(network).waiting}
    workers = [node for node in network.nodes if node.role is Role.WORKER]
    if not any(node.name in speaking for node in workers):
        return
    for node in workers:
        if node.name not in speaking and not node.excluded and not expected & set(node.addresses):
            yield Fault(
                node.where,
                f"Worker {node.name} holds no BGP session while others do: a Local Service with its pods there is "
                "unreachable.",
                "Select the node in a BGPPeer and list it on the router, or label it "
                "node.kubernetes.io/exclude-from-external-load-balancers=true.",
            )


@rule("SESS007", "Every kube-vip has a peer")
def vip_has_peer(network: Network) -> Iterator[Fault]:
    """kube-vip without a peer announces nothing.

    The address stands on the loopback of that control plane, so everything looks right from there.

    Source: kube-vip pkg/bgp ("you need to provide at least one peer"); field case of a misspelt variable.
    """
    speaking = {end.host for end in network.ends if end.software is Software.KUBE_VIP}
    for kube_vip in network.kube_vips:
        if kube_vip.node not in speaking:
            yield Fault(
                kube_vip.where,
                f"kube-vip on {kube_vip.node} has no BGP peer: this control plane never announces the API address.",
                "Write bgp_peers with the router's address and AS number, such as 192.168.10.1:65010::false.",
            )


@rule("SESS008", "The routers' side can be judged", Severity.UNCHECKED)
def routers_known(network: Network) -> Iterator[Fault]:
    """Half of every session stands in the router's configuration.

    Where that is not in the repository, nobody can say whether the router expects these nodes, lets their
    prefixes in and spreads over them.

    Source: practice.
    """
    routers = {router.address for router in network.routers}
    for dials in alike((d for d in network.dials if d.peer not in routers), lambda dial: dial.peer):
        yield Fault(
            dials[0].where,
            f"The configuration of router {dials[0].peer} is not here, so its half of the sessions could not be "
            "checked.",
            "Put it under routers/<name>/ to have it checked.",
        )
    for ends in alike(pair(network).strangers, lambda end: end.peer):
        yield Fault(
            ends[0].where,
            f"The configuration of router {ends[0].peer} is not here, so its half of the sessions with {_hosts(ends)} "
            "could not be checked.",
            "Put it under routers/<name>/ to have it checked.",
        )


@rule("SESS012", "A peer's AS numbers are its router's, whoever dials")
def dialled_numbers(network: Network) -> Iterator[Fault]:
    """Where no file says which nodes there are, the numbers of a peer can be compared all the same.

    A router refuses a neighbour whose AS number is not the expected one, and a node a router with another number than
    its peer says: "Bad Peer AS", for ever.

    Source: RFC 4271 section 6.2.
    """
    routers = {router.address: router for router in network.routers}
    for dial in network.dials:
        router = routers.get(dial.peer)
        if router is None:
            continue
        if router.asn != dial.peer_asn:
            yield Fault(
                dial.where,
                f"{dial.software} expects AS {dial.peer_asn} from router {router.name}, which has AS {router.asn} "
                f"({router.where}): the session is refused.",
                f"Write {router.asn}.",
            )
        elif router.expects and dial.asn not in router.expects:
            yield Fault(
                router.where,
                f"Router {router.name} expects AS {several(map(str, router.expects))} from its neighbours, and "
                f"{dial.software} has AS {dial.asn} ({dial.where}): the session is refused.",
                f"Write remote-as {dial.asn} for the nodes.",
            )
