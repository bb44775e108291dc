"""The router's firewall, asked with the packets of this network, and its words against those of the network.

Packets that turn around in the node subnet are the business of a rule: what they need is part of the network.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_network
from typing import NamedTuple

from anycastle.finding import Place
from anycastle.network.addresses import IPAddress, IPNetwork, PoolUse
from anycastle.network.bgp import Router, Software
from anycastle.network.model import Network
from anycastle.network.prefixes import merged
from anycastle.network.questions import host
from anycastle.reader.agreement import forwarding
from anycastle.reader.agreement.packets import TOO_BIG, Chain, Packet, Rules, parse, verdict
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.notes import Notes

OURS = "anycastle"
"""A table of this name speaks of this network alone, so every word in it can be held against the network."""
_BGP = 179
_OTHER_PORT = 10250
_WORLD = "wan"
_HOOKS = frozenset(("prerouting", "input", "forward", "output", "postrouting", "ingress", "egress"))
_RANGE = re.compile(r"\bip6? [sd]addr (?:\{ ([^}]*)\}|(\d\S*))")
_INTERFACE = re.compile(r'\b[io]ifname (?:\{ ([^}]*)\}|"?([\w.-]+)"?)')
_OF_SYSCTL = re.compile(r"^\s*net\.ipv[46]\.conf\.([\w/-]+)\.\w+\s*=", re.MULTILINE)


class Question(NamedTuple):
    """A packet, what should become of it, and what it means when it does not."""

    hook: str
    packet: Packet
    wanted: str
    what: str
    ours: bool = False


def check(subject: Subject, notes: Notes) -> None:
    """The firewall and the kernel of every router."""
    shared = forwarding.sharing(subject.network)
    for router in subject.network.routers:
        folder = router.where.path.rpartition("/")[0]
        kernel = _text(subject, f"{folder}/sysctl.conf", notes)
        path = f"{folder}/nftables.conf"
        rules = parse(_text(subject, path, notes))
        side = _interface(rules)
        forwarding.forwards(kernel, f"{folder}/sysctl.conf", notes)
        if router.name in shared:
            forwarding.reverse_path(kernel, f"{folder}/sysctl.conf", side, notes)
        if not rules.chains:
            continue
        for question in _questions(router, side, subject.network):
            _ask(question, rules, path, notes)
        _words(rules, path, subject.network, notes)
        _interfaces(rules, path, kernel, f"{folder}/sysctl.conf", notes)


def _text(subject: Subject, path: str, notes: Notes) -> str:
    return (subject.tree.text(path, notes) or "") if subject.tree.has_file(path) else ""


def _interface(rules: Rules) -> str:
    """The interface towards the nodes: the one that most rules name, or one of those that they name together."""
    named = _named(" ".join(" ".join(rule.words) for chain in rules.chains for rule in chain.rules))
    return max(sorted(named), key=named.count)[0] if named else "lan"


def _named(text: str) -> list[tuple[str, ...]]:
    """The interfaces of each match; a set of them is one."""
    return [tuple(sorted(re.findall(r"[\w.-]+", several or one))) for several, one in _INTERFACE.findall(text)]


def _questions(router: Router, side: str, network: Network) -> Iterator[Question]:
    for family in sorted({address.version for address in router.addresses}):
        node = next((address for one in network.nodes for address in one.addresses if address.version == family), None)
        if node is not None:
            yield from _of_family(router, side, network, node)


def _of_family(router: Router, side: str, network: Network, node: IPAddress) -> Iterator[Question]:
    stranger = _outside(network, node.version)
    closed = not router.one_way  # else it may see the second half of a connection first
    yield from (one for one in _of_vips(network, node, stranger, side) if closed or one.packet.state != "invalid")
    for vip in network.api.vips if network.api and not closed else ():
        if vip.version == node.version:
            what = f"what tells {vip} that a packet was too big, of connections that another router has seen begin"
            yield Question("forward", Packet(stranger, vip, TOO_BIG, "invalid", _WORLD, side), "accept", what, True)
    for pool in network.pools:
        if pool.use is PoolUse.LOAD_BALANCER and pool.cidr.version == node.version:
            for address in dict.fromkeys((pool.cidr[0], pool.cidr[-1])):
                what = f"connections to {address} of the pool {pool.name}"
                yield Question("forward", Packet(stranger, address, 443, "new", _WORLD, side), "accept", what)
                broken = Packet(stranger, address, 443, "invalid", _WORLD, side)
                if closed:
                    what = f"packets to {address} that belong to no connection"
                    yield Question("forward", broken, "drop", what, True)
    answer = Packet(stranger, node, 5000, "established", _WORLD, side)
    yield Question("forward", answer, "accept", "answers of connections that stand")
    other = Packet(node, stranger, 443, "new", side, _WORLD)
    yield Question("forward", other, "accept", "traffic that has nothing to do with the announced addresses", True)
    yield from _of_bgp(router, network, stranger, side)


def _of_vips(network: Network, node: IPAddress, stranger: IPAddress, side: str) -> Iterator[Question]:
    api = network.api
    for vip in api.vips if api else ():
        if api is None or vip.version != node.version:
            continue
        for source, came in ((stranger, _WORLD), (node, "other")):
            packet = Packet(source, vip, api.port, "new", came, side)
            yield Question("forward", packet, "accept", f"connections to the API address {vip}:{api.port}")
        broken = Packet(stranger, vip, api.port, "invalid", _WORLD, side)
        yield Question("forward", broken, "drop", f"packets to {vip} that belong to no connection", True)
        closed = Packet(stranger, vip, _OTHER_PORT, "new", _WORLD, side)
        yield Question("forward", closed, "drop", f"connections to port {_OTHER_PORT} of the API address {vip}", True)
        echo = Packet(stranger, vip, 0, "new", _WORLD, side)
        yield Question("forward", echo, "accept", f"echo requests to the API address {vip}", True)


def _of_bgp(router: Router, network: Network, stranger: IPAddress, side: str) -> Iterator[Question]:
    for end in network.ends:
        ours = (end.host, end.software) == (router.name, router.software)
        if ours and end.peer.version == stranger.version:
            packet = Packet(end.peer, end.address, _BGP, "new", side)
            yield Question("input", packet, "accept", f"BGP from the neighbour {end.peer}")
            packet = Packet(end.address, end.peer, _BGP, "new", "", side)
            yield Question("output", packet, "accept", f"BGP to the neighbour {end.peer}")
    own = next(address for address in router.addresses if address.version == stranger.version)
    packet = Packet(stranger, own, _BGP, "new", side)
    yield Question("input", packet, "drop", "BGP from whoever is no neighbour", True)
    packet = Packet(stranger, own, 22, "new", side)
    yield Question("input", packet, "accept", "traffic to the router that is no BGP", True)
    packet = Packet(stranger, own, _BGP, "new", _WORLD)
    yield Question("input", packet, "accept", "BGP of other sides of the router", True)


_STRANGERS = {
    4: ("203.0.113.77", "198.51.100.77", "192.0.2.77"),
    6: ("2001:db8:77::77", "3fff:77::77", "2001:db8:78::78"),
}
"""Addresses of documentation ranges (RFC 5737, RFC 3849, RFC 9637)."""


def _outside(network: Network, family: int) -> IPAddress:
    """An address that belongs to nothing here."""
    taken: list[IPNetwork] = [pool.cidr for pool in network.pools] + [subnet.cidr for subnet in network.subnets]
    for text in _STRANGERS[family]:
        address = ip_network(text)[0]
        if not any(address in cidr for cidr in taken):
            break
    return address


def _ask(question: Question, rules: Rules, path: str, notes: Notes) -> None:
    chains = [chain for chain in rules.chains if chain.hook == question.hook]
    chains = [chain for chain in chains if chain.table == OURS] if question.ours else chains
    answers = [(chain, *verdict(chain, question.packet, rules.sets)) for chain in chains]
    dropped = [(chain, line) for chain, said, line in answers if said == "drop"]
    if question.wanted == "accept" and dropped:
        notes.add(
            "FW001",
            Place(path, dropped[0][1]),
            f"The firewall drops {question.what}.",
            "Accept them above this line.",
        )
    elif question.wanted == "drop" and answers and not dropped and all(said == "accept" for _c, said, _l in answers):
        notes.add(
            "FW002",
            Place(path, answers[0][2]),
            f"The firewall lets in {question.what}.",
            "Drop them above this line.",
        )


def _words(rules: Rules, path: str, network: Network, notes: Notes) -> None:
    known = set(_ranges(network))
    for chain in rules.chains:
        if chain.table != OURS:
            continue
        if chain.hook and chain.hook not in _HOOKS:
            notes.add("FW003", Place(path, chain.line), f"There is no hook {chain.hook}.", "Write forward or input.")
        for word, line in _written(chain):
            if word.startswith("@"):
                if word[1:] not in rules.sets:
                    notes.add("FW003", Place(path, line), f"There is no set {word[1:]}.", "Correct its name.")
            elif _network(word) not in known:
                notes.add(
                    "FW003",
                    Place(path, line),
                    f"{word} is no node subnet, pool or API address.",
                    "Write one of them, or take the rule out.",
                )
    _members(rules, path, network, notes)


def _members(rules: Rules, path: str, network: Network, notes: Notes) -> None:
    """A set of which most members are neighbours, or that is called so, holds no stranger."""
    neighbours = {str(end.peer) for end in network.ends}
    for name, members in rules.sets.items():
        strangers = [word for word in members if word not in neighbours]
        if len(strangers) * 2 < len(members) or (strangers and len(members) <= 2 and name == "neighbours"):
            for word in strangers:
                notes.add(
                    "FW003",
                    Place(path, rules.chains[0].line),
                    f"{word} in the set {name} is no BGP neighbour of this router.",
                    "Write the address of a node.",
                )


def _written(chain: Chain) -> Iterator[tuple[str, int]]:
    for rule in chain.rules:
        text = " ".join(rule.words)
        for match in _RANGE.finditer(text):
            yield from ((word, rule.line) for word in (match[1] or match[2]).replace(",", " ").split())
        yield from ((word, rule.line) for word in rule.words if word.startswith("@"))


def _network(word: str) -> IPNetwork | None:
    try:
        return ip_network(word)
    except ValueError:
        return None


def _ranges(network: Network) -> Iterator[IPNetwork]:
    yield from (subnet.cidr for subnet in network.subnets)
    yield from (pool.cidr for pool in network.pools)
    yield from (host(vip) for vip in (network.api.vips if network.api else ()))
    yield from (host(end.peer) for end in network.ends)
    yield from merged(item.prefix for item in network.announcements if item.software is Software.OTHER)


def _interfaces(rules: Rules, path: str, kernel: str, kernel_path: str, notes: Notes) -> None:
    """One interface leads to the nodes, in the firewall and in the kernel's settings; or the same set of them."""
    found = [
        (name, Place(path, rule.line))
        for chain in rules.chains
        if chain.table == OURS
        for rule in chain.rules
        for name in _named(" ".join(rule.words))
    ]
    if not found:
        return
    found += [
        ((match[1].replace("/", "."),), Place(kernel_path, kernel.count("\n", 0, match.start(1)) + 1))
        for match in _OF_SYSCTL.finditer(kernel)
        if match[1] not in ("all", "default")
    ]
    names = [name for name, _place in found]
    usual = max(sorted(names), key=lambda name: (names.count(name), len(name)))
    spoken = ", ".join(usual)
    for name, place in found:
        kernels = place.path == kernel_path and len(name) == 1 and name[0] in usual
        if name != usual and not kernels:
            notes.add(
                "FW003",
                place,
                f"{', '.join(name)} is named here, {spoken} everywhere else on this router.",
                f"Write {spoken}.",
            )
