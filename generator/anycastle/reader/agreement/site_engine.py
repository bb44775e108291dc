"""Ingress and GitOps engine in the site file."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import NOWHERE
from anycastle.network.addresses import Service
from anycastle.reader import documents, flux, sealing
from anycastle.reader.agreement.applications import applications
from anycastle.reader.agreement.difference import Difference, Keys, Site, address, texts
from anycastle.reader.agreement.references import hosts_of, place, values
from anycastle.reader.notes import Notes
from anycastle.reader.value_files import sources, spelled
from anycastle.schemas.shape import mapping, mappings, text

_SCHEMES = frozenset(("http", "https", "ssh", "git", "file"))
_OURS = ("charts/whoami/", "charts/edge/")


def differences(site: Site) -> Iterator[Difference]:
    """All of them."""
    yield from _ingress(site)
    yield from _names(site)
    yield from _engine(site)


def _ingress(site: Site) -> Iterator[Difference]:
    services = {service.name: service for service in site.subject.network.services}
    for keys, entry in site.entries("ingress"):
        service = services.get(str(entry.get("name")))
        if service is None and services:
            yield Difference((*keys, "name"), entry.get("name"), services.keys(), NOWHERE)
        elif service is not None:
            yield from _service(site, keys, entry, service)
    entries = list(site.entries("ingress"))
    for keys, entry in entries:
        yield from _traefik(site, keys, str(entry.get("name")) if len(entries) > 1 else "")


def _service(site: Site, keys: Keys, entry: dict[str, object], service: Service) -> Iterator[Difference]:
    says = {address(item) for item in texts(entry.get("addresses"))} - {None}
    if says != set(service.addresses):
        yield Difference((*keys, "addresses"), says, service.addresses, service.where)
    yield from site.same((*keys, "traffic_policy"), str(service.policy), service.where, "Local")
    if (service.pools and entry.get("pool") not in service.pools) or (
        entry.get("pool") and entry.get("pool") not in service.pools
    ):
        yield Difference((*keys, "pool"), entry.get("pool"), service.pools, service.where)


def _traefik(site: Site, keys: Keys, release: str) -> Iterator[Difference]:
    """What a person's own values say counts, and is no difference. With several ingresses each has its release."""
    for source, given in values(site.subject, "traefik"):
        if release not in ("", source.release):
            continue
        for key, at, default in (
            ("class", ("providers", "kubernetesCRD", "ingressClass"), None),
            ("class", ("providers", "kubernetesIngress", "ingressClass"), None),
            ("class", ("ingressClass", "name"), None),
            ("default", ("ingressClass", "isDefaultClass"), True),
            ("replicas", ("deployment", "replicas"), 2),
        ):
            where = place(source, given, *at)
            found = mapping(given.values, *at[:-1]).get(at[-1])
            if found is not None and not where.path.endswith("overrides.yaml"):
                yield from site.same((*keys, key), found, where, default)


def _names(site: Site) -> Iterator[Difference]:
    """The routes of our own charts are called as their names below the domain."""
    domain = site.value("domain")
    if not isinstance(domain, str):
        return
    for item in site.subject.objects:
        if item.kind == "IngressRoute" and item.source.startswith(_OURS):
            for host in sorted(set(hosts_of(item))):
                if host != f"{item.name}.{domain}":
                    where = item.place(("spec", "routes", 0, "match"))
                    yield Difference(("domain",), f"{item.name}.{domain}", host, where)
    for source, given in values(site.subject, "argo-cd"):
        found = text(given.values, "global", "domain")
        if found and not found.endswith(f".{domain}"):
            yield Difference(("domain",), domain, found, place(source, given, "global", "domain"))


def _engine(site: Site) -> Iterator[Difference]:
    found = applications(site.subject)
    url = site.value("gitops", "repository")
    if isinstance(url, str) and "://" in url and url.partition("://")[0] not in _SCHEMES:
        yield Difference(("gitops", "repository"), url, "an address that git does not know", NOWHERE)
    if found:
        yield from site.same(("gitops", "engine"), "argocd", NOWHERE, "argocd")
    for item in found:
        for keys, entry in sources(item):
            if not text(entry, "chart"):
                at = item.place((*keys, "targetRevision"))
                yield from site.same(("gitops", "revision"), text(entry, "targetRevision"), at)
    yield from _flux(site)
    yield from _secrets(site)


def _secrets(site: Site) -> Iterator[Difference]:
    """A tool that the site file names has its parts; one that it does not name may be somebody's own."""
    says = site.value("gitops", "secrets")
    charts = {source.path.rpartition("/")[2] for unit in site.subject.units for source in unit.sources}
    opened = {text(item.spec, "decryption", "provider") for item in site.subject.engine}
    opened |= {text(entry, "plugin", "name") for item in applications(site.subject) for _keys, entry in sources(item)}
    if says not in (None, "none", *charts, *opened):
        yield Difference(("gitops", "secrets"), says, "none", NOWHERE)
    recipients = set(texts(site.value("gitops", "age_recipients")))
    tree = site.subject.tree
    data = tree.data(sealing.RULES, Notes()) if recipients and tree.has_file(sealing.RULES) else None
    for document in documents.load(data, sealing.RULES).documents[:1] if data is not None else ():
        for keys, rule in mappings(document.value, "creation_rules"):
            found = set(sealing.listed(rule.get("age")))
            if sealing.names(rule, "secrets/any.sops.yaml") and found != recipients:
                yield Difference(("gitops", "age_recipients"), recipients, found, document.place(*keys, "age"))


def _flux(site: Site) -> Iterator[Difference]:
    """What Kustomizations are built from."""
    steps = [item for item in site.subject.engine if flux.is_kustomization(item)]
    if steps:
        yield from site.same(("gitops", "engine"), "flux", NOWHERE, "argocd")
    used = {text(item.spec, "sourceRef", "name") for item in steps}
    for item in site.subject.engine:
        if item.kind == "GitRepository" and item.group == flux.SOURCE and item.name in used:
            at = item.place(("spec", "ref", "branch"))
            yield from site.same(("gitops", "revision"), text(item.spec, "ref", "branch"), at)
            says, url = site.value("gitops", "repository"), text(item.spec, "url")
            if isinstance(says, str) and spelled(says) != spelled(url):
                yield Difference(("gitops", "repository"), says, url, item.place(("spec", "url")))
