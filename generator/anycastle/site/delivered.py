"""Secrets that reach the cluster by way of git: which tool, and whether there is anything for it to carry."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Finding, Place, Severity
from anycastle.site.ingresses import main_ingress
from anycastle.site.model import Site
from anycastle.site.topology import topology

OF_THE_OPERATOR = frozenset(("calico-apiserver-certs", "node-certs", "typha-certs"))
"""Secrets in calico-system that Calico's operator makes (tigera/operator, pkg/render)."""

CONTROLLERS = ("sealed-secrets", "external-secrets")
"""Tools with a controller of their own, which is also the name of its namespace."""


def delivery(site: Site) -> Iterator[Finding]:
    """Everything about `gitops.secrets`, and names of Secrets that others have."""
    yield from _recipients(site)
    yield from _needed(site)
    yield from _taken(site)
    yield from _certificates(site)


def _recipients(site: Site) -> Iterator[Finding]:
    tool, recipients = site.gitops.secrets, site.gitops.age_recipients
    if tool == "sops" and not recipients:
        yield _finding(
            "SITE007",
            "gitops.secrets",
            "SOPS has nobody to encrypt for: no file could be encrypted, and the cluster could open none.",
            "Add gitops.age_recipients: [age1...], the public half of a key that `age-keygen` makes.",
        )
    for index, one in enumerate(recipients):
        key = f"gitops.age_recipients[{index}]"
        if tool != "sops":
            yield _finding(
                "SITE007",
                key,
                f"With secrets: {tool} nothing is encrypted with age: the answer would change nothing.",
                "Write secrets: sops, or take the key out.",
            )
            return
        if one in recipients[:index]:
            yield _finding(
                "SITE007",
                key,
                "The same recipient stands here twice: the answer would change nothing.",
                "Take the second one out, or write the key that was meant.",
            )


def _needed(site: Site) -> Iterator[Finding]:
    tool = site.gitops.secrets
    used = bool(topology(site).calico_passwords()) or any(one.certificate for one in site.ingress)
    if tool != "none" and not used:
        yield _finding(
            "SITE007",
            "gitops.secrets",
            f"This site has no Secret that {tool} could bring: no router has a password, no ingress a certificate.",
            "Write secrets: none, or say routers[].password or ingress[].certificate.",
        )


def _taken(site: Site) -> Iterator[Finding]:
    for index, router in enumerate(site.routers):
        name = (router.password or "").partition("/")[0]
        if name in OF_THE_OPERATOR:
            yield _finding(
                "SITE011",
                f"routers[{index}].password",
                f"The Secret {name} in calico-system is the operator's own; with a password in its place Calico's "
                "parts do not trust one another any more.",
                "Choose another name, such as bgp-routers.",
            )
    if site.gitops.secrets not in CONTROLLERS:
        return
    for index, ingress in enumerate(site.ingress):
        if ingress.name == site.gitops.secrets:
            yield _finding(
                "SITE011",
                f"ingress[{index}].name",
                f"{ingress.name} is the release and the namespace of the controller that gitops.secrets brings.",
                "Choose another name, such as traefik.",
            )


def _certificates(site: Site) -> Iterator[Finding]:
    """One TLSStore is the default one of a cluster, and it belongs to the app edge."""
    main = main_ingress(site)
    for index, ingress in enumerate(site.ingress):
        if ingress.certificate is not None and ingress is not main:
            yield _finding(
                "SITE007",
                f"ingress[{index}].certificate",
                f"{ingress.name} is not the default ingress, whose certificate alone is set here: the answer would "
                "change nothing.",
                "Take the key out, and name a Secret in the routes of this ingress.",
            )


def _finding(code: str, key: str, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(key=key), message, fix)
