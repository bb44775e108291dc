"""`apps/<app>/`: the values of every app, and the file beside them that belongs to the person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anycastle.network.model import Network
from anycastle.network.order import Part
from anycastle.render import argo_cd, calico, namespaces, secret_controllers, traefik
from anycastle.render.release import Release, ingress_name, releases
from anycastle.render.values import Values, overrides
from anycastle.site.ingresses import ingress_app, main_ingress
from anycastle.site.model import Site

WHOAMI = "whoami"
ARGOCD = "argocd"


def files(site: Site, network: Network) -> dict[str, bytes]:
    """Both value files of every app of the network."""
    values = _values(site, network)
    result: dict[str, bytes] = {}
    for app, release in releases(site, network).items():
        if release.folder:
            continue
        ours, theirs = release.values
        result[ours] = values[app].text().encode()
        result[theirs] = overrides(_explained(release)).encode()
    return result


def on_argocd(site: Site) -> bool:
    """Whether Argo CD keeps the cluster like the repository; else Flux does."""
    return site.gitops.engine == "argocd"


def host(site: Site, name: str) -> str:
    """A name that the ingress serves."""
    return f"{name}.{site.domain}"


def _values(site: Site, network: Network) -> Mapping[str, Values]:
    return dict(_each(site, network))


def _each(site: Site, network: Network) -> Iterator[tuple[str, Values]]:
    yield Part.NAMESPACES, namespaces.values(site, network)
    yield from calico.values(site, network).items()
    yield from secret_controllers.values(site)
    if on_argocd(site):
        yield Part.ENGINE, argo_cd.values(site, network)
    if site.ingress:
        for index, ingress in enumerate(site.ingress):
            yield ingress_app(index, ingress), traefik.values(network, ingress)
        yield Part.EDGE, _edge(site)
        yield Part.SMOKE_TEST, _whoami(site, network)


def _explained(release: Release) -> str:
    if release.local:
        return f"{release.path}/values.yaml"
    return f"helm show values {release.chart} --repo {release.repository} --version {release.version}"


def _edge(site: Site) -> Values:
    ingress = main_ingress(site)
    certificate = ingress.certificate if ingress is not None else None
    tls: dict[str, object] = {"minVersion": "VersionTLS12"}
    why = (
        "Until there is a certificate, Traefik signs one itself and browsers warn. Put yours into a TLS "
        "Secret in this\nnamespace and name it in overrides.yaml: tls.defaultCertificate.secretName."
    )
    if certificate:
        tls["defaultCertificate"] = {"secretName": certificate}
        why = "While that TLS Secret is not in this namespace, Traefik signs a certificate itself, and browsers warn."
    return Values(
        answers=("domain", "ingress"),
        value={"namespace": ingress_name(site), "tls": tls, "argocd": _route(site)},
        comments={("tls",): why},
    )


def _route(site: Site) -> dict[str, object]:
    """Flux has nothing to look at."""
    if not on_argocd(site):
        return {"enabled": False}
    return {"enabled": True, "host": host(site, ARGOCD), "ingressClass": _class(site)}


def _class(site: Site) -> str:
    """The class that serves what this site brings."""
    ingress = main_ingress(site)
    return ingress.class_name if ingress is not None else ""


def _server(network: Network) -> str:
    """Who answers Service addresses on every node."""
    return "Calico's eBPF" if network.calico is not None and network.calico.dataplane == "BPF" else "kube-proxy"


def _whoami(site: Site, network: Network) -> Values:
    served = (service for service in network.services if service.name == ingress_name(site))
    addresses = [str(address) for service in served for address in service.addresses]
    probe: dict[str, object] = {"enabled": bool(addresses)}
    if addresses:
        probe["address"] = addresses
        why = (
            "Asked after every sync: no answer, no successful sync. The probe runs inside the cluster, where "
            f"{_server(network)}\nanswers these addresses without the router: it proves Traefik and the route to the "
            "server. That the network\naround the cluster finds them is proven from outside, in the last step of "
            "README.md."
        )
    else:
        why = (
            "Off, since nobody knows the address beforehand. Once Traefik has one, write it into overrides.yaml:\n"
            "probe: {enabled: true, address: [...]}."
        )
    return Values(
        answers=("domain", "ingress"),
        value={
            "host": host(site, WHOAMI),
            "ingressClass": _class(site),
            "replicas": 2,
            "probe": probe,
        },
        comments={("probe",): why},
    )
