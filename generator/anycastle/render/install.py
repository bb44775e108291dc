"""`install.sh` of a node: from a prepared machine to a member of the cluster, in the order that works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anycastle.network.model import EXCLUDE_LABEL, Api
from anycastle.network.questions import host
from anycastle.render import passwords
from anycastle.render.text import template
from anycastle.site.model import Node


@dataclass(frozen=True, slots=True)
class Cluster:
    """What every node's script has in common."""

    site: str
    api: Api
    first: str
    ipv6: bool = False


def script(
    cluster: Cluster,
    node: Node,
    *,
    announces: bool,
    mark_excluded: bool,
    own_asn: int = 0,
    secret: Sequence[passwords.Password] = (),
) -> str:
    """The script of one node.

    `announces`: kube-vip runs here. `mark_excluded`: the exclude label must be set again, since kubeadm empties it.
    `own_asn`: the AS number of Calico here, where only an annotation can say it. `secret`: passwords that the script
    puts into kube-vip's manifest.
    """
    address = f"[{node.address}]" if node.address.version == 6 else str(node.address)
    admits = node.workloads and node.role == "control-plane" and not mark_excluded
    own = [str(speaker.source) for speaker in node.speakers]
    asks = mark_excluded or admits or bool(own_asn)
    waits = announces and node.name != cluster.first
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
        own_asn=own_asn,
        exclude_label=EXCLUDE_LABEL,
        further=[*map(str, node.addresses), *own],
        ipv6=cluster.ipv6,
        secret=secret,
        passwords=passwords,
        programs=["kubeadm", "ip", *(["curl"] if waits else []), *(["kubectl"] if asks else [])],
    )
