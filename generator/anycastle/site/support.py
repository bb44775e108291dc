"""What the site file can already say and the generator cannot yet carry out.

Such a field is refused with a finding, never ignored: an accepted answer that changes nothing is a trap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anycastle.finding import Finding, Place, Severity
from anycastle.site.model import Site
from anycastle.site.together import KUBE_VIP


def unsupported(site: Site) -> Iterator[Finding]:
    """One finding for every answer that nothing is rendered for yet."""
    for key, what in (
        *_cluster(site),
        *_routing(site),
        *_nodes(site),
        *_gitops(site),
    ):
        yield Finding(
            "SITE010",
            Severity.ERROR,
            Place(key=key),
            f"{what} is described by the site file but not supported yet; nothing would be generated for it.",
            "Take the key out, or leave it at its default.",
        )


Gap = tuple[str, str]


def _cluster(site: Site) -> Iterator[Gap]:
    for index, pool in enumerate(site.networks.pods):
        if pool.encapsulation in ("IPIP", "IPIPCrossSubnet") and site.kubernetes.kube_proxy != "kept":
            yield f"networks.pods[{index}].encapsulation", "IPIP with the eBPF dataplane"


def _routing(site: Site) -> Iterator[Gap]:
    if site.bgp.route_reflectors is not None:
        yield "bgp.route_reflectors", "Route reflection inside the cluster"


NODE_KEYS: Mapping[str, str] = {
    "links": "A point-to-point link of a node",
}
"""Keys of a node that nothing is rendered for yet; the wizard offers what needs one as soon as it is gone from here."""


def _nodes(site: Site) -> Iterator[Gap]:
    for index, node in enumerate(site.nodes):
        at = f"nodes[{index}]"
        for key, what in NODE_KEYS.items():
            if getattr(node, key):
                yield f"{at}.{key}", what
        for number, speaker in enumerate(node.speakers):
            if speaker.name != KUBE_VIP:
                yield f"{at}.speakers[{number}].name", f"A BGP speaker beside Calico and kube-vip ({speaker.name})"
            elif speaker.asn is not None:
                yield f"{at}.speakers[{number}].asn", "An AS number of a speaker on one node"


def _gitops(site: Site) -> Iterator[Gap]:
    if site.gitops.secrets != "none":
        yield "gitops.secrets", "Secret management"
    if site.gitops.path:
        yield "gitops.path", "A repository inside a larger one"
