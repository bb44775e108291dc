"""An existing cluster as `kubectl get ... -o yaml` (or `-o json`) prints it.

Taken are nodes, Calico's pools, peers and settings, and where the list holds them the ConfigMap `kubeadm-config`, the
pods of kube-vip, Services of type LoadBalancer, IngressClasses, and Calico's Installation and ClusterInformation.
Nothing of any Secret is read, whatever stands in the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from anycastle import yamlio
from anycastle.finding import Place
from anycastle.importing import codes, kubectl_bgp, kubectl_cluster, kubectl_nodes, kubectl_pools, kubectl_services
from anycastle.importing.facts import Notes, Read, Source
from anycastle.importing.objects import Object
from anycastle.records import dataclass

KIND = "kubectl"


@dataclass(frozen=True, slots=True)
class _Reader:
    """Who reads objects of a kind; all of one kind at once, since names among them may have to be told apart."""

    kinds: tuple[str, ...]
    read: Callable[[list[Object], Notes], None]


_READERS = (
    _Reader(("ConfigMap",), kubectl_cluster.config_maps),
    _Reader(("Node",), kubectl_nodes.nodes),
    _Reader(("ClusterInformation",), kubectl_cluster.information),
    _Reader(("Installation",), kubectl_pools.installations),
    _Reader(("IPPool",), kubectl_pools.pools),
    _Reader(("IPReservation",), kubectl_pools.reservations),
    _Reader(("BGPConfiguration",), kubectl_bgp.settings),
    _Reader(("BGPPeer", "Node", "BGPConfiguration"), kubectl_bgp.peers),
    _Reader(("KubeControllersConfiguration",), kubectl_pools.controllers),
    _Reader(("Pod",), kubectl_cluster.pods),
    _Reader(("Service", "IngressClass", "Deployment"), kubectl_services.ingress),
)


def looks_like(value: object) -> bool:
    """Whether a document is an object of Kubernetes, or a list of them."""
    return (
        isinstance(value, Mapping) and isinstance(value.get("kind"), str) and isinstance(value.get("apiVersion"), str)
    )


def read(source: Source) -> Read:
    """The facts of a list of objects."""
    notes = Notes()
    loaded = yamlio.load(source.text, source.label)
    notes.findings += loaded.findings
    found = [item for document in loaded.documents for item in _objects(document.value, document, ())]
    for reader in _READERS:
        if chosen := [item for item in found if item.kind in reader.kinds]:
            reader.read(chosen, notes)
    if not any(item.kind == "Node" for item in found):
        notes.findings.append(
            codes.no_machines(
                Place(source.label),
                "The output holds no Node.",
                "Export `kubectl get nodes,ippools,bgppeers,bgpconfigurations -o yaml`.",
            )
        )
    return notes.done(source.label, KIND)


def _objects(value: Any, document: yamlio.Document, at: yamlio.Path) -> Iterator[Object]:
    """The objects of a list; items of a typed list such as NodeList need not say their kind."""
    if not isinstance(value, Mapping):
        return
    kind, items = str(value.get("kind") or ""), value.get("items")
    if not isinstance(items, list):
        yield Object(kind, value, document, at)
        return
    implied = kind.removesuffix("List")
    for index, item in enumerate(items):
        if isinstance(item, Mapping):
            yield Object(str(item.get("kind") or implied), item, document, (*at, "items", index))
