"""Services, the API endpoint, Calico's settings, versions and waves."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.network.addresses import IPAddress, Service, TrafficPolicy
from anycastle.network.cluster import Api, App, Calico, KubeProxy, KubeVip, Version
from anycastle.network.order import KEPT, Part
from anycastle.plan.links import own_source
from anycastle.plan.ranges import advertised, pool_ranges
from anycastle.plan.who import at, control_planes, families_of, indexes, vip_speakers
from anycastle.site import model as site_model
from anycastle.site.ingresses import ingress_app
from anycastle.site.model import Site
from anycastle.site.topology import topology

HEALTH = {"period": 5, "timeout": 3, "threshold": 3}  # seconds, seconds, failures
CA_PATH = "/etc/kubernetes/pki/ca.crt"

HEALTH_CHECKS = ("argoproj.io_Application", "operator.tigera.io_APIServer", "operator.tigera.io_Installation")
"""Kinds of the gated waves for which Argo CD has no health check of its own (resource_customizations)."""

ARGOCD = "argocd"

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


SECRETS: tuple[Part, ...] = (Part.SEALED_SECRETS, Part.EXTERNAL_SECRETS, Part.SECRETS)
BEFORE_CALICO = (-48, -48, -45)
BEFORE_INGRESS = (2, 2, 5)
"""Waves of the parts above: before what reads the first of their Secrets, and no earlier than that."""


def services(site: Site) -> Iterator[Service]:
    """What asks for a load-balancer address."""
    for index, ingress in enumerate(site.ingress):
        yield Service(
            namespace=ingress.name,
            name=ingress.name,
            policy=TrafficPolicy(ingress.traffic_policy),
            requested=requested_addresses(ingress.addresses),
            addresses=ingress.addresses,
            pools=_wished_pools(site, ingress),
            families=_families(site, ingress),
            where=at(f"ingress[{index}].addresses"),
        )


def _wished_pools(site: Site, ingress: site_model.Ingress) -> tuple[str, ...]:
    """Every IPPool of the pool that an ingress names, IPv4 first."""
    parts = [part for pool in site.load_balancer.pools if pool.name == ingress.pool for part in pool_ranges(pool)]
    return tuple(name for name, cidr in sorted(parts, key=lambda part: part[1].version))


def _families(site: Site, ingress: site_model.Ingress) -> tuple[int, ...]:
    """Families of a Service, where the cluster has two: of its addresses, of its pool, of all pools."""
    offered = families_of(cidr.network_address for cidr in site.kubernetes.service_cidrs)
    if len(offered) < 2:
        return ()
    pools = [pool for pool in site.load_balancer.pools if ingress.pool in (None, pool.name)]
    wanted = families_of(ingress.addresses) or {cidr.version for pool in pools for _name, cidr in pool_ranges(pool)}
    return tuple(sorted(offered & wanted))


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
            source=own_source(node),
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
        dataplane=DATAPLANES[site.kubernetes.dataplane or default_dataplane(site)],
        manages_proxy=site.kubernetes.kube_proxy == "operator",
        assign="AllServices" if site.load_balancer.assign == "all" else "RequestedServicesOnly",
        where=at("bgp.worker_asn"),
    )


DATAPLANES = {"ebpf": "BPF", "iptables": "Iptables", "nftables": "Nftables"}


def default_dataplane(site: Site) -> str:
    """Where kube-proxy stays, Calico need not serve Services."""
    return "iptables" if site.kubernetes.kube_proxy == "kept" else "ebpf"


def kube_proxy(site: Site) -> KubeProxy | None:
    """kube-proxy, where kubeadm installs it. Calico's nftables dataplane wants it to use nftables, too."""
    if site.kubernetes.kube_proxy == "disabled":
        return None
    mode = "nftables" if site.kubernetes.dataplane == "nftables" else ""
    return KubeProxy(mode=mode, where=at("kubernetes.kube_proxy"))


def app_names(site: Site, part: Part) -> tuple[str, ...]:
    """The apps that bring a part: one, unless there are several ingresses."""
    if part is not Part.INGRESS:
        return (part.value,)
    return tuple(ingress_app(index, ingress) for index, ingress in enumerate(site.ingress))


def waves(site: Site) -> tuple[tuple[Part, int], ...]:
    """Every part of this site with its wave in Argo CD, in order.

    Calico opens a session without its password while the Secret is not there, so the Secrets come before its peers.
    Their controller runs in the pod network, which the bootstrap has brought up before there is an engine.
    """
    left_out = set() if site.ingress else {Part.INGRESS, Part.EDGE, Part.SMOKE_TEST}
    left_out |= set() if site.gitops.engine == ARGOCD else {Part.ENGINE}  # Flux's own files come from `flux bootstrap`
    passwords = topology(site).calico_passwords()
    certificates = any(ingress.certificate for ingress in site.ingress)
    tool = site.gitops.secrets
    brought = {tool, Part.SECRETS} if tool != "none" and (passwords or certificates) else {tool}
    when = BEFORE_CALICO if passwords else BEFORE_INGRESS
    secrets = [(part, wave) for part, wave in zip(SECRETS, when, strict=True) if part in brought]
    return tuple(sorted([*(one for one in WAVES if one[0] not in left_out), *secrets], key=lambda one: one[1]))


def apps(site: Site) -> Iterator[App]:
    """The apps in their waves. Flux has none: there a wave is how many apps must be ready before, one after another."""
    argocd = site.gitops.engine == ARGOCD
    brought = [(name, part, wave) for part, wave in waves(site) for name in app_names(site, part)]
    for level, (name, part, wave) in enumerate(brought):
        yield App(
            wave=wave if argocd else level,
            name=name,
            provides=(part,),
            protected=part in KEPT,
            where=at("gitops.engine"),
        )


def health_checks(site: Site) -> tuple[str, ...]:
    """Kinds that Argo CD is taught to judge; Flux is told by each of its own objects."""
    return HEALTH_CHECKS if site.gitops.engine == ARGOCD else ()


def versions(site: Site) -> Iterator[Version]:
    """Pinned releases, with the answer each comes from."""
    versions = site.versions
    pinned = {
        "kubernetes": site.kubernetes.version,
        "calico": versions.calico,
        "calico-crds": versions.calico,
    }
    if site.gitops.engine == ARGOCD:
        pinned["argo-cd-chart"] = versions.argocd_chart
    if site.kubernetes.api.vips:
        pinned["kube-vip"] = versions.kube_vip
    if site.ingress:
        pinned["traefik-chart"] = versions.traefik_chart
    if site.gitops.secrets == "sealed-secrets":
        pinned["sealed-secrets-chart"] = versions.sealed_secrets_chart
    if site.gitops.secrets == "external-secrets":
        pinned["external-secrets-chart"] = versions.external_secrets_chart
    for component, version in pinned.items():
        key = "kubernetes.version" if component == "kubernetes" else f"versions.{_KEYS[component]}"
        yield Version(component=component, version=version, where=at(key))


_KEYS = {
    "calico": "calico",
    "calico-crds": "calico",
    "argo-cd-chart": "argocd_chart",
    "kube-vip": "kube_vip",
    "traefik-chart": "traefik_chart",
    "sealed-secrets-chart": "sealed_secrets_chart",
    "external-secrets-chart": "external_secrets_chart",
}
