"""The way out: mirrors and proxies of every machine and of the engine, and what goes around a proxy."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.fields import parse_range
from anycastle.network.certificates import fingerprints
from anycastle.network.cluster import Mirror, Proxy, Trust
from anycastle.plan.who import at
from anycastle.site.model import Site
from anycastle.urls import hostname

ENGINES = {"argocd": "argo-cd", "flux": "flux"}
_LOCAL = ("localhost", "127.0.0.1", "::1")


def mirrors(site: Site) -> Iterator[Mirror]:
    """Every mirror, on every node."""
    for node in site.nodes:
        for index, one in enumerate(site.egress.mirrors):
            yield Mirror(
                node=node.name, registry=one.registry, url=one.mirror, where=at(f"egress.mirrors[{index}].mirror")
            )


def proxies(site: Site) -> Iterator[Proxy]:
    """Who asks a proxy: containerd for images, the engine for charts and by HTTPS for Git. Nobody else fetches."""
    proxy = site.egress.proxy
    if proxy.https is None:
        return
    around, where = exempt(site), at("egress.proxy.https")
    for node in site.nodes:
        yield Proxy(
            program="containerd", node=node.name, http=proxy.http or "", https=proxy.https, exempt=around, where=where
        )
    engine = ENGINES[site.gitops.engine]
    yield Proxy(program=engine, http=proxy.http or "", https=proxy.https, exempt=around, where=where)


def trusts(site: Site) -> Iterator[Trust]:
    """Who trusts the certificates of the site: every machine, and the engine."""
    found = fingerprints(site.egress.ca_certificates)
    if found:
        where = at("egress.ca_certificates")
        for node in site.nodes:
            yield Trust(node=node.name, fingerprints=found, where=where)
        yield Trust(program=ENGINES[site.gitops.engine], fingerprints=found, where=where)


def exempt(site: Site) -> tuple[str, ...]:
    """NO_PROXY: what is inside of the site, and what the answers add.

    `.cluster.local.` with its last dot is how the parts of Flux call one another (Flux, proxy settings).
    """
    kubernetes, domain = site.kubernetes, site.kubernetes.dns_domain
    networks = [
        *(subnet.cidr for subnet in site.networks.nodes),
        *(pool.cidr for pool in site.networks.pods),
        *kubernetes.service_cidrs,
        *(cidr for pool in site.load_balancer.pools for text in pool.ranges for cidr in parse_range(text)),
    ]
    names = [*_LOCAL, ".svc", f".{domain}", f".{domain}.", kubernetes.api.name, *map(str, kubernetes.api.vips)]
    urls = [*(one.mirror for one in site.egress.mirrors), *filter(None, [site.egress.charts])]
    ours = {*map(hostname, urls), *_git(site), *site.egress.proxy.no_proxy}
    return tuple(sorted({*names, *map(str, networks), *ours}))


def _git(site: Site) -> Iterator[str]:
    """The Git server, where its name is one below the site's own domain."""
    url = site.gitops.repository
    host = hostname(url) if "://" in url else ""
    if host.endswith(f".{site.domain}"):
        yield host
