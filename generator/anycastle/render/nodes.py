"""`nodes/<node>/`: what each machine needs before there is a cluster. Linear in the number of nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from anycastle.network.addresses import IPAddress
from anycastle.network.bgp import End, Software, Speaker
from anycastle.network.cluster import EXCLUDE_LABEL, Api, KubeVip
from anycastle.network.model import Network
from anycastle.records import dataclass
from anycastle.render import egress, install, kubeadm, kubevip, passwords
from anycastle.site.model import Node, Site
from anycastle.site.topology import Topology, topology


def files(site: Site, network: Network) -> Iterator[tuple[str, bytes]]:
    """Path and content of every file of every node, in the order of the site file."""
    if network.api is None:
        msg = "a network without an API endpoint has no nodes to prepare"
        raise ValueError(msg)
    first = next(node for node in site.nodes if node.role == "control-plane")
    ipv6 = any(address.version == 6 for node in network.nodes for address in node.addresses)
    way_out, shared = egress.of(site, network)
    cluster = install.Cluster(site.name, network.api, first.name, ipv6, way_out)
    pods = _vip_pods(network)
    known = topology(site)
    secret = passwords.of_vip(network)
    for node in site.nodes:
        vip = pods.get(node.name)
        own = tuple(secret[reference] for reference in passwords.of(vip.ends if vip else ()))
        texts = {
            **_node_texts(known, cluster, node, own, announces=vip is not None),
            "hosts": hosts(node, site.domain, network.api, first.address),
            **_vip_texts(network.api, vip, is_first=node is first),
            **shared,
        }
        for name, text in texts.items():
            yield f"nodes/{node.name}/{name}", text.encode()


def _node_texts(
    known: Topology, cluster: install.Cluster, node: Node, secret: Sequence[passwords.Password], *, announces: bool
) -> Mapping[str, str]:
    labels = own_labels(known, node)
    excluded = labels.get(EXCLUDE_LABEL) == "true" and node.role == "control-plane"
    if node.name == cluster.first:
        config = kubeadm.init(known.site, cluster.api, node, labels)
    else:
        config = kubeadm.join(cluster.api, node, labels)
    script = install.script(
        cluster,
        node,
        announces=announces,
        mark_excluded=excluded,
        annotations=install.Annotations(known.annotated_asn(node), known.cluster_id(node)),
        secret=secret,
    )
    return {"kubeadm.yaml": config, "install.sh": script}


def own_labels(known: Topology, node: Node) -> Mapping[str, str]:
    """The labels that kubelet is told to set, beside those that it sets by itself."""
    labels = dict(known.labels(node))
    if not known.announces(node):
        labels[EXCLUDE_LABEL] = "true"  # an empty value would exclude it for Kubernetes, but not for Calico
    return labels


def hosts(node: Node, domain: str, api: Api, first: IPAddress) -> str:
    """A fragment of /etc/hosts: the node and the API name, and nothing of other nodes.

    Without a VIP the API name points at the first control plane.
    """
    names: dict[IPAddress, dict[str, None]] = defaultdict(dict)
    for address in (node.address, *node.addresses):
        names[address] |= dict.fromkeys(host_names(node.name, domain))
    for address in api.vips or (first,):
        names[address][api.name] = None
    return "".join(f"{address} {' '.join(own)}\n" for address, own in names.items())


def host_names(name: str, domain: str) -> tuple[str, str]:
    """Full and short name; a name with a dot is a full name already."""
    return (name, name.split(".", 1)[0]) if "." in name else (f"{name}.{domain}", name)


@dataclass(frozen=True, slots=True)
class _VipPod:
    pod: KubeVip
    speaker: Speaker
    ends: tuple[End, ...]


def _vip_pods(network: Network) -> Mapping[str, _VipPod]:
    """kube-vip by node name, where it has a session."""
    speakers = {s.host: s for s in network.speakers if s.software is Software.KUBE_VIP}
    ends: dict[str, list[End]] = defaultdict(list)
    for end in network.ends:
        if end.software is Software.KUBE_VIP:
            ends[end.host].append(end)
    return {pod.node: _VipPod(pod, speakers[pod.node], tuple(ends[pod.node])) for pod in network.kube_vips}


def _vip_texts(api: Api, vip: _VipPod | None, *, is_first: bool) -> Mapping[str, str]:
    if vip is None:
        return {}
    texts = {"kube-vip.yaml": kubevip.manifest(api, vip.pod, vip.speaker, vip.ends)}
    if is_first:
        texts["kube-vip.init.yaml"] = kubevip.init_manifest(api, vip.pod, vip.speaker, vip.ends)
    return texts
