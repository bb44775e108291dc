"""Values of the app namespaces: every namespace has one owner, and it is this one."""

from __future__ import annotations

from collections.abc import Mapping

from anycastle.network.model import Network
from anycastle.render.release import releases
from anycastle.render.values import Values
from anycastle.site.model import Site

ENFORCE = "pod-security.kubernetes.io/enforce"

PRIORITY_CLASS = "platform"
"""Class of the pods by which everything else is reached or deployed."""

_PRIVILEGED = frozenset(("calico-system", "tigera-operator"))
_THERE_ALREADY = frozenset(("default", "kube-node-lease", "kube-public", "kube-system"))

_Comments = dict[tuple[str | int, ...], str]


def values(site: Site, network: Network) -> Values:
    """A namespace for every release, with the pod-security level that its pods need."""
    wanted = _wanted(site, network)
    return Values(
        answers=("ingress[].name",) if network.services else (),
        value={
            "namespaces": {
                name: {"labels": {ENFORCE: "privileged" if name in _PRIVILEGED else "restricted"}} for name in wanted
            },
            "priorityClasses": {
                PRIORITY_CLASS: {
                    "value": 100_000_000,
                    "description": "What everything else is reached and deployed by.",
                }
            },
        },
        comments=_COMMENTS,
    )


def names(site: Site, network: Network) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Names of the objects that the app brings, by group and kind."""
    return {("", "Namespace"): _wanted(site, network), ("scheduling.k8s.io", "PriorityClass"): (PRIORITY_CLASS,)}


def _wanted(site: Site, network: Network) -> tuple[str, ...]:
    names = {release.namespace for release in releases(site, network).values()}
    names |= {service.namespace for service in network.services}
    return tuple(sorted(names - _THERE_ALREADY))


_COMMENTS: _Comments = {
    ("namespaces",): "restricted keeps out pods that run as root, reach into the node or gain privileges.",
    ("namespaces", "calico-system"): "calico-node works on the host's network and file system.",
    ("namespaces", "tigera-operator"): "The operator runs in the host's network.",
    ("priorityClasses", PRIORITY_CLASS): "Such a pod may push others off a full node.",
}
