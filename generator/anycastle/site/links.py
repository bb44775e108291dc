"""Links of two addresses in the site file: what they must say, and what would not work beside them."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Finding, Place, Severity
from anycastle.site.model import Link, Node, Site
from anycastle.site.topology import Topology, topology
from anycastle.site.types import Address


def links(site: Site) -> Iterator[Finding]:
    """Everything that is wrong with them."""
    if not any(node.links for node in site.nodes):
        return
    known = topology(site)
    taken: set[Address] = set()
    for index, node in enumerate(site.nodes):
        for number, link in enumerate(node.links):
            at = f"nodes[{index}].links[{number}]"
            yield from _ends(link, at, taken)
            yield from _router(known, node, link, at)
        if node.links:
            yield from _complete(known, node, f"nodes[{index}]")
    yield from _both(known)
    yield from _inside(site)
    yield from _interfaces(site)
    yield from _far(site)


def is_pair(link: Link) -> bool:
    """Whether the two are the addresses of one /31 or /127: only the last bit differs."""
    return link.address.version == link.peer.version and int(link.address) ^ int(link.peer) == 1


def _ends(link: Link, at: str, taken: set[Address]) -> Iterator[Finding]:
    length = 31 if link.address.version == 4 else 127
    if not is_pair(link):
        yield _finding(
            "SITE011",
            f"{at}.peer",
            f"{link.address} and {link.peer} are not the two addresses of one /{length}: neither end would find the "
            "other on the link.",
            f"Write two addresses that differ in the last bit only, such as those of 10.0.0.0/{length}."
            if length == 31
            else "Write two addresses that differ in the last bit only.",
        )
        return
    if not taken.isdisjoint((link.address, link.peer)):
        yield _finding(
            "SITE011",
            f"{at}.address",
            f"{link.address} and {link.peer} are those of another link as well: what is for one of the two machines "
            "arrives at the other one.",
            "Give every link two addresses of its own.",
        )
        return
    taken.update((link.address, link.peer))


def _router(known: Topology, node: Node, link: Link, at: str) -> Iterator[Finding]:
    names = sorted(router.name for router in known.site.routers)
    if link.router not in names:
        yield _finding(
            "SITE006",
            f"{at}.router",
            f"There is no router {link.router}, so {node.name} would dial nobody over this link.",
            f"Name one of: {', '.join(names)}.",
        )
    elif link.router not in {router.name for router in known.routers(node)}:
        yield _finding(
            "SITE007",
            f"{at}.router",
            f"{node.name} holds no session with {link.router}, so nothing would follow from this link.",
            "Name a router that the node speaks with, or take the link out.",
        )


def _complete(known: Topology, node: Node, at: str) -> Iterator[Finding]:
    linked = {(link.router, link.address.version) for link in node.links}
    routers = known.routers(node)
    for address in (node.address, *node.addresses):
        lacking = [router.name for router in routers if (router.name, address.version) not in linked]
        if lacking:
            yield _finding(
                "SITE007",
                f"{at}.links",
                f"{node.name} speaks with {' and '.join(lacking)}, and has no link of IPv{address.version} there: "
                f"nothing says from which address, and no way would lead to {address}.",
                f"Add a link of IPv{address.version} to {' and to '.join(lacking)}.",
            )
    if node.speakers:
        yield _finding(
            "SITE011",
            f"{at}.speakers[0]",
            f"{node.name} has links of two addresses, and its own end of each is taken by its first speaker: there is "
            f"no other address from which {node.speakers[0].name} could dial.",
            "Take the speaker out, or connect the node by a subnet.",
        )


def _both(known: Topology) -> Iterator[Finding]:
    """Calico and kube-vip on one node: both would dial from the one address that it has on a link."""
    names = [node.name for node in known.vip_speakers() if node.links and known.calico_speaks(node)]
    if names:
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        yield _finding(
            "SITE011",
            "bgp.peering",
            f"On {names[0]}{more} Calico and kube-vip would both dial from the one address that a node has on a link: "
            "the router takes one of the two sessions and refuses the other.",
            "Let workers alone peer, or connect these control planes by a subnet.",
        )


def _inside(site: Site) -> Iterator[Finding]:
    """Links in the range of nodes; where there are several, the range is too wide."""
    for number, subnet in enumerate(site.networks.nodes):
        found = [
            (f"nodes[{index}].links[{position}].address", link)
            for index, node in enumerate(site.nodes)
            for position, link in enumerate(node.links)
            if link.address in subnet.cidr
        ]
        if found:
            yield _finding(
                "SITE011",
                found[0][0] if len(found) == 1 else f"networks.nodes[{number}].cidr",
                f"{found[0][1].address} lies in {subnet.name} ({subnet.cidr}), where Calico looks for the address of a "
                "node: it would take the link for the node, and lose the node with the link.",
                "Take links and the addresses of nodes from ranges that do not overlap.",
            )


def _interfaces(site: Site) -> Iterator[Finding]:
    """An interface of a router has one machine at its other end."""
    owner: dict[tuple[str, str], str] = {}
    for index, node in enumerate(site.nodes):
        for number, link in enumerate(node.links):
            other = owner.setdefault((link.router, link.interface), node.name)
            if other != node.name:
                yield _finding(
                    "SITE011",
                    f"nodes[{index}].links[{number}].interface",
                    f"{link.interface} of {link.router} leads to {other} already: a link has two ends and no third.",
                    f"Write the interface that {node.name} is connected to.",
                )


def _far(site: Site) -> Iterator[Finding]:
    linked = {link.router for node in site.nodes for link in node.links}
    for index, router in enumerate(site.routers):
        for key in ("multihop", "reachable_by"):
            if router.name in linked and getattr(router, key) is not None:
                yield _finding(
                    "SITE011",
                    f"routers[{index}].{key}",
                    f"{router.name} is at the other end of links, and so on no node's far side.",
                    "Take the key out.",
                )


def _finding(code: str, key: str, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(key=key), message, fix)
