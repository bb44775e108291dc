"""Services, the API endpoint, Calico's settings, versions and waves."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.network.model import (
    Api,
    App,
    Calico,
    IPAddress,
    KubeVip,
    Service,
    TrafficPolicy,
    Version,
)
from anycastle.network.order import FOUNDATION, Part
from anycastle.plan.ranges import advertised
from anycastle.plan.who import at, control_planes, indexes, vip_speakers
from anycastle.site import model as site_model
from anycastle.site.model import Site

HEALTH = {"period": 5, "timeout": 3, "threshold": 3}  # seconds, seconds, failures
CA_PATH = "/etc/kubernetes/pki/ca.crt"

HEALTH_CHECKS = ("argoproj.io_Application", "operator.tigera.io_APIServer", "operator.tigera.io_Installation")
"""Kinds of the gated waves for which Argo CD has no health check of its own (resource_customizations)."""

WAVES: tuple[tuple[Part, int], ...] = (
    (Part.NAMESPACES, -50),
    (Part.CALICO_CRDS, -40),
    (Part.OPERATOR, -35),
    (Part.BGP, -30),
    (Part.INSTALLATION, -25),
    (Part.POOLS, -20),
    (Part.ENGINE, 0),
    (Part.INGRESS, 10),
    (Part.EDGE, 20),
    (Part.SMOKE_TEST, 30),
)


def services(site: Site) -> Iterator[Service]:
    """What asks for a load-balancer address."""
    for index, ingress in enumerate(site.ingress):
        yield Service(
            namespace=ingress.name,
            name=ingress.name,
            policy=TrafficPolicy(ingress.traffic_policy),
            requested=requested_addresses(ingress.addresses),
            addresses=ingress.addresses,
            pools=(ingress.pool,) if ingress.pool else (),
            where=at(f"ingress[{index}].addresses"),
        )


def requested_addresses(addresses: tuple[IPAddress, ...]) -> str:
    """The annotation `projectcalico.org/loadBalancerIPs`: a JSON list inside a string, or nothing."""
    return "[" + ", ".join(f'"{address}"' for address in addresses) + "]" if addresses else ""


def kube_vips(site: Site) -> Iterator[KubeVip]:
    """kube-vip on each control plane."""
    position = indexes(site)
    for node in vip_speakers(site):
        yield KubeVip(
            node=node.name,
            version=site.versions.kube_vip,
            vips=site.kubernetes.api.vips,
            health_url=health_url(site, node),
            health_ca=CA_PATH,
            period=HEALTH["period"],
            timeout=HEALTH["timeout"],
            threshold=HEALTH["threshold"],
            where=at(f"nodes[{position[node.name]}].address"),
        )


def health_url(site: Site, node: site_model.Node) -> str:
    """kube-vip's probe: the advertise address, which kubeadm always puts into the certificate."""
    literal = f"[{node.address}]" if node.address.version == 6 else str(node.address)
    return f"https://{literal}:{site.kubernetes.api.port}/livez"


def agent_host(site: Site) -> IPAddress:
    """What Calico's operator dials while there is no service network and no cluster DNS."""
    vips = site.kubernetes.api.vips
    masters = control_planes(site)
    return vips[0] if vips else (masters or site.nodes)[0].address


def certificate_names(site: Site) -> tuple[str, ...]:
    """Extra names of the API certificate: the addresses, so that a client without DNS can verify it."""
    return (*(str(vip) for vip in site.kubernetes.api.vips), *site.kubernetes.api.certificate_names)


def api(site: Site) -> Api:
    """The API endpoint."""
    api = site.kubernetes.api
    return Api(
        name=api.name,
        port=api.port,
        vips=api.vips,
        certificate_names=certificate_names(site),
        agent_host=str(agent_host(site)),
        where=at("kubernetes.api.vips[0]" if api.vips else "kubernetes.api.name"),
    )


def calico(site: Site) -> Calico:
    """Calico's cluster-wide settings."""
    return Calico(
        asn=site.bgp.worker_asn,
        mesh=site.bgp.node_to_node_mesh,
        aggregate=site.bgp.advertise == "aggregate",
        advertised=advertised(site),
        assign="AllServices" if site.load_balancer.assign == "all" else "RequestedServicesOnly",
        where=at("bgp.worker_asn"),
    )


def apps(site: Site) -> Iterator[App]:
    """The apps in their waves."""
    ingress = {Part.INGRESS, Part.EDGE, Part.SMOKE_TEST}
    for part, wave in WAVES:
        if part in ingress and not site.ingress:
            continue
        yield App(wave=wave, name=part, provides=(part,), protected=part in FOUNDATION, where=at("gitops.engine"))


def versions(site: Site) -> Iterator[Version]:
    """Pinned releases, with the answer each comes from."""
    versions = site.versions
    pinned = {
        "kubernetes": site.kubernetes.version,
        "calico": versions.calico,
        "calico-crds": versions.calico,
        "argo-cd-chart": versions.argocd_chart,
    }
    if site.kubernetes.api.vips:
        pinned["kube-vip"] = versions.kube_vip
    if site.ingress:
        pinned["traefik-chart"] = versions.traefik_chart
    for component, version in pinned.items():
        key = "kubernetes.version" if component == "kubernetes" else f"versions.{_KEYS[component]}"
        yield Version(component=component, version=version, where=at(key))


_KEYS = {
    "calico": "calico",
    "calico-crds": "calico",
    "argo-cd-chart": "argocd_chart",
    "kube-vip": "kube_vip",
    "traefik-chart": "traefik_chart",
}
