"""`install.sh` of a node: from a prepared machine to a member of the cluster, in the order that works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Address

from anycastle.network.cluster import EXCLUDE_LABEL, Api
from anycastle.network.questions import host
from anycastle.records import dataclass
from anycastle.render import passwords
from anycastle.render.egress import NOTHING, Egress
from anycastle.render.text import template
from anycastle.site.model import Node
from anycastle.site.topology import REFLECTOR_LABEL


@dataclass(frozen=True, slots=True)
class Cluster:
    """What every node's script has in common."""

    site: str
    api: Api
    first: str
    ipv6: bool = False
    egress: Egress = NOTHING


@dataclass(frozen=True, slots=True)
class Annotations:
    """What Calico reads of a Node alone: an AS number where nothing else can say it, a route reflector's cluster ID."""

    own_asn: int = 0
    cluster_id: IPv4Address | None = None


NONE = Annotations()


def script(
    cluster: Cluster,
    node: Node,
    *,
    announces: bool,
    mark_excluded: bool,
    annotations: Annotations = NONE,
    secret: Sequence[passwords.Password] = (),
) -> str:
    """The script of one node.

    `announces`: kube-vip runs here. `mark_excluded`: the exclude label must be set again, since kubeadm empties it.
    `secret`: passwords that the script puts into kube-vip's manifest.
    """
    address = f"[{node.address}]" if node.address.version == 6 else str(node.address)
    admits = node.workloads and node.role == "control-plane" and not mark_excluded
    asks = mark_excluded or admits or annotations != NONE
    return template("install.sh.j2").render(
        site=cluster.site,
        first=cluster.first,
        vips=[str(host(vip)) for vip in cluster.api.vips],
        node=node.name,
        address=str(node.address),
        local_api=f"https://{address}:{cluster.api.port}",
        is_first=node.name == cluster.first,
        control_plane=node.role == "control-plane",
        announces=announces,
        mark_excluded=mark_excluded,
        admits=admits,
        own_asn=annotations.own_asn,
        cluster_id=annotations.cluster_id,
        reflector_label=REFLECTOR_LABEL,
        exclude_label=EXCLUDE_LABEL,
        **_addresses(node),
        ipv6=cluster.ipv6,
        secret=secret,
        passwords=passwords,
        egress=cluster.egress,
        programs=["kubeadm", "ip", *_needed(cluster, waits=announces and node.name != cluster.first, asks=asks)],
    )


def _addresses(node: Node) -> Mapping[str, Sequence[str]]:
    """What the machine must have beside its first address, and what it has in the place of a subnet."""
    speakers = [speaker.source for speaker in node.speakers]
    return {
        "further": [str(one) for one in (*node.addresses, *speakers, *(link.address for link in node.links))],
        "on_lo": [str(host(one)) for one in (node.address, *node.addresses)] if node.links else [],
        "links": [f"{link.address}/{link.address.max_prefixlen - 1}" for link in node.links],
        "ways_out": tuple(_ways_out(node)),
    }


def _ways_out(node: Node) -> Iterator[str]:
    """For a node with links, the default route of each family: by all of them, and from the node's own address."""
    for own in (node.address, *node.addresses):
        hops = [f"nexthop via {link.peer}" for link in node.links if link.address.version == own.version]
        if hops:
            yield f"ip {'-6 ' if own.version == 6 else ''}route replace default src {own} {' '.join(hops)}"


def _needed(cluster: Cluster, *, waits: bool, asks: bool) -> list[str]:
    """Further programs that the script calls."""
    found = {"curl": waits, "kubectl": asks, "containerd": bool(cluster.egress), "systemctl": bool(cluster.egress)}
    return [name for name, needed in found.items() if needed]
