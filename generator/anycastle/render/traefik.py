"""Values of the app traefik, at the paths that chart 41 reads.

The chart's schema lets misplaced keys through (`service.externalTrafficPolicy` is accepted and does nothing), so
the tests hold the rendered Service and Deployment against the site.
"""

from __future__ import annotations

import json

from anycastle.network.addresses import PoolUse, Service
from anycastle.network.model import Network
from anycastle.render.namespaces import PRIORITY_CLASS
from anycastle.render.values import Values
from anycastle.site.model import Ingress

DRAIN = 15
"""Seconds in which the address is still announced, or still in somebody's next-hop group: Traefik goes on serving."""

LINGER = 60
"""Seconds for requests that are already running."""

STOP = 100
"""Seconds until kubelet kills: more than twice `DRAIN` and once `LINGER`."""

IPV4_POOLS = "projectcalico.org/ipv4pools"
IPV6_POOLS = "projectcalico.org/ipv6pools"
ADDRESSES = "projectcalico.org/loadBalancerIPs"

_Comments = dict[tuple[str | int, ...], str]


def values(network: Network, ingress: Ingress) -> Values:
    """Values of an ingress."""
    service = next(item for item in network.services if item.name == ingress.name)
    return Values(
        answers=("ingress",),
        value={
            "fullnameOverride": ingress.name,
            "deployment": _deployment(ingress),
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}},
            **_disruption(ingress),
            "topologySpreadConstraints": [_spread(ingress)],
            "priorityClassName": PRIORITY_CLASS,
            "readinessProbe": {"periodSeconds": 2, "failureThreshold": 2},
            "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "512Mi"}},
            "ingressClass": {"enabled": True, "isDefaultClass": ingress.default, "name": ingress.class_name},
            "providers": {
                "kubernetesCRD": {"ingressClass": ingress.class_name},
                "kubernetesIngress": {"ingressClass": ingress.class_name},
            },
            "service": _service(network, service),
            "ports": _ports(),
            "api": {"dashboard": False},
            "global": {"checkNewVersion": False, "sendAnonymousUsage": False},
        },
        comments=_comments(service),
    )


def _deployment(ingress: Ingress) -> dict[str, object]:
    return {
        "replicas": ingress.replicas,
        "minReadySeconds": 10,
        "terminationGracePeriodSeconds": STOP,
        "lifecycle": {"preStop": {"sleep": {"seconds": DRAIN}}},
    }


def _disruption(ingress: Ingress) -> dict[str, object]:
    """A budget of one replica would either allow nothing or mean nothing."""
    if ingress.replicas == 1:
        return {}
    return {"podDisruptionBudget": {"enabled": True, "maxUnavailable": 1}}


def _spread(ingress: Ingress) -> dict[str, object]:
    return {
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "DoNotSchedule",
        "nodeTaintsPolicy": "Honor",
        "matchLabelKeys": ["pod-template-hash"],
        "labelSelector": {
            "matchLabels": {
                "app.kubernetes.io/name": "traefik",
                "app.kubernetes.io/instance": f"{ingress.name}-{ingress.name}",
            }
        },
    }


def _service(network: Network, service: Service) -> dict[str, object]:
    spec: dict[str, object] = {"externalTrafficPolicy": str(service.policy), **_families(network, service)}
    result: dict[str, object] = {"spec": spec}
    annotations = _annotations(network, service)
    if annotations:
        result["annotations"] = annotations
    return result


def _families(network: Network, service: Service) -> dict[str, object]:
    """Written where the cluster has two families: the API server would take the primary one alone."""
    if not service.families:
        return {}
    primary = {services.cidr.version for services in network.service_ranges if services.primary}
    names = [f"IPv{family}" for family in sorted(service.families, key=lambda family: (family not in primary, family))]
    return {"ipFamilyPolicy": "RequireDualStack" if len(names) > 1 else "SingleStack", "ipFamilies": names}


def _annotations(network: Network, service: Service) -> dict[str, str]:
    """What Calico's address management reads: JSON lists inside strings."""
    annotations = {ADDRESSES: service.requested} if service.requested else {}
    family = {pool.name: pool.cidr.version for pool in network.pools if pool.use is PoolUse.LOAD_BALANCER}
    for key, version in ((IPV4_POOLS, 4), (IPV6_POOLS, 6)):
        pools = [name for name in service.pools if family.get(name, 4) == version]
        if pools:
            annotations[key] = json.dumps(pools)
    return annotations


def _ports() -> dict[str, object]:
    stop = {"lifeCycle": {"requestAcceptGraceTimeout": f"{DRAIN}s", "graceTimeOut": f"{LINGER}s"}}
    redirect = {"entryPoint": {"to": "websecure", "scheme": "https", "permanent": True}}
    return {
        "traefik": {"transport": {"lifeCycle": {"requestAcceptGraceTimeout": f"{DRAIN}s"}}},
        "web": {"http": {"redirections": redirect}, "transport": stop},
        "websecure": {"transport": stop},
    }


def _comments(service: Service) -> _Comments:
    local = service.policy == "Local"
    comments: _Comments = {
        ("fullnameOverride",): "Name of the Service and the Deployment, whatever the release is called.",
        ("deployment", "terminationGracePeriodSeconds"): "How a replica goes: preStop while the route is "
        "withdrawn, then new requests for\nrequestAcceptGraceTimeout, then running ones for graceTimeOut. "
        "The sum is less than this.",
        ("updateStrategy",): "The new replica is ready before an old one goes.",
        ("podDisruptionBudget",): "A drain takes one replica at a time.",
        (
            "topologySpreadConstraints",
        ): "One replica per node as far as nodes go: two on one node would be one next hop "
        "for the router.\nHonor leaves nodes out that take no pods, such as drained ones and control planes.",
        ("priorityClassName",): "From the app namespaces.",
        ("readinessProbe",): "A replica that fails is out within five seconds.",
        ("ingressClass", "isDefaultClass"): "Whether this Traefik serves an Ingress that names no class.",
        ("service", "spec", "externalTrafficPolicy"): "Local keeps the client's address, and only nodes with a replica "
        "announce the address."
        if local
        else "Cluster: every node announces the address and passes connections on, from an address of its own.",
        ("service", "spec", "ipFamilies"): "Calico gives one address for each family. The first one can never change.",
        ("service", "annotations"): "JSON lists inside strings: anything else leaves the Service without an address, "
        "and only the log of\ncalico-kube-controllers says why. loadBalancerClass stays unset; the annotation is the "
        "request.",
        ("ports", "traefik"): "The port of the probes. Without this it closes on SIGTERM, and kubelet calls a replica "
        "unready that still serves.",
        ("ports", "web", "http"): "Everything on port 80 is sent to https.",
        ("api", "dashboard"): "Shows every route; nobody needs it to run.",
        ("global",): "Nothing is reported to anybody.",
    }
    return comments
