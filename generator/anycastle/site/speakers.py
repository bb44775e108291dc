"""Further speakers of nodes in the site file: what they must say, and what would change nothing."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Finding, Place, Severity
from anycastle.site.model import Node, SecondSpeaker, Site
from anycastle.site.topology import KUBE_VIP, Topology, topology

CALICO = "calico"


def speakers(site: Site) -> Iterator[Finding]:
    """Everything that is wrong with them."""
    known = topology(site)
    for index, node in enumerate(site.nodes):
        others = [speaker.name for speaker in node.speakers if speaker.name not in (KUBE_VIP, CALICO)]
        for number, speaker in enumerate(node.speakers):
            at = f"nodes[{index}].speakers[{number}]"
            if speaker.name == KUBE_VIP:
                yield from _of_vip(site, node, speaker, at)
            elif speaker.name == CALICO:
                yield _finding(
                    "SITE011",
                    f"{at}.name",
                    "Calico speaks from the node's own address and takes no other one, so nothing would come from "
                    f"{speaker.source}.",
                    "Give kube-vip the further address, or the other speaker another name.",
                )
            elif speaker.name != others[0]:
                yield _finding(
                    "SITE011",
                    f"{at}.name",
                    f"{node.name} has two speakers beside Calico and kube-vip, {others[0]} and {speaker.name}: nobody "
                    "would tell apart what each of them may announce.",
                    "Keep one of them on this node.",
                )
            else:
                yield from _of_another(known, node, speaker, at)


def _of_vip(site: Site, node: Node, speaker: SecondSpeaker, at: str) -> Iterator[Finding]:
    if node.role == "worker" or not site.kubernetes.api.vips:
        yield _finding(
            "SITE007",
            at,
            f"No kube-vip speaks on {node.name}, so nothing would use the address {speaker.source}.",
            "Take the speaker out.",
        )
    elif speaker.source in (node.address, *node.addresses):
        yield _finding(
            "SITE011",
            f"{at}.source",
            f"{speaker.source} is the address of {node.name} that Calico speaks from: a router takes one "
            "session of each source address.",
            "Write a further address of the machine.",
        )
    if speaker.announces:
        yield _finding(
            "SITE007",
            f"{at}.announces",
            "kube-vip announces the API address and nothing else, so this would change nothing.",
            "Take the key out.",
        )


def _of_another(known: Topology, node: Node, speaker: SecondSpeaker, at: str) -> Iterator[Finding]:
    family = speaker.source.version
    listening = [
        router
        for router in known.routers(node)
        if any(a.version == family for a in (router.address, *router.addresses))
    ]
    if not listening:
        yield _finding(
            "SITE007",
            f"{at}.source",
            f"{node.name} speaks with no router that has an IPv{family} address, so no router would hear "
            f"{speaker.name} from {speaker.source}.",
            "Take the speaker out, or let the node speak with a router of that family.",
        )
    if speaker.asn is None:
        yield _finding(
            "SITE007",
            f"{at}.asn",
            f"Nobody knows the AS number of {speaker.name}, and a router refuses a neighbour with another one than it "
            "expects.",
            f"Write the number that {speaker.name} is configured with.",
        )
    if not speaker.announces:
        yield _finding(
            "SITE007",
            f"{at}.announces",
            f"Routers would let in nothing from {speaker.name}, and its session would be up for nothing.",
            f"List the prefixes that {speaker.name} may announce.",
        )
    for position, cidr in enumerate(speaker.announces):
        if cidr.version != family:
            yield _finding(
                "SITE011",
                f"{at}.announces[{position}]",
                f"{speaker.name} speaks from {speaker.source}, and a session carries its own family only: {cidr} would "
                "never arrive.",
                f"Write a second entry {speaker.name} with a source address of IPv{cidr.version}.",
            )


def _finding(code: str, key: str, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(key=key), message, fix)
