"""`install.sh` of a node: from a prepared machine to a member of the cluster, in the order that works."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address

from anycastle.network.model import EXCLUDE_LABEL, Api
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
        further=[str(one) for one in (*node.addresses, *(speaker.source for speaker in node.speakers))],
        ipv6=cluster.ipv6,
        secret=secret,
        passwords=passwords,
        egress=cluster.egress,
        programs=["kubeadm", "ip", *_needed(cluster, waits=announces and node.name != cluster.first, asks=asks)],
    )


def _needed(cluster: Cluster, *, waits: bool, asks: bool) -> list[str]:
    """Further programs that the script calls."""
    found = {"curl": waits, "kubectl": asks, "containerd": bool(cluster.egress), "systemctl": bool(cluster.egress)}
    return [name for name, needed in found.items() if needed]
