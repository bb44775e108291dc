"""The way out of a site: what its answers say together, and the names that its mirrors go by."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address

from anycastle.fields import IPAddress, IPNetwork, parse_range
from anycastle.finding import Finding, Place, Severity
from anycastle.site.model import Site
from anycastle.urls import hostname


def egress(site: Site) -> Iterator[Finding]:
    """Answers that need another one, contradict one another, or lead back into the cluster."""
    yield from _proxy(site)
    seen: set[str] = set()
    for index, one in enumerate(site.egress.mirrors):
        key = f"egress.mirrors[{index}]"
        if one.registry in seen:
            yield _finding(
                "SITE005",
                f"{key}.registry",
                f"{one.registry} has two mirrors; the file of the second would overwrite that of the first.",
                "Keep one.",
            )
        seen.add(one.registry)
        if prefix(one.mirror) == one.registry:
            yield _finding(
                "SITE011",
                f"{key}.mirror",
                f"The mirror of {one.registry} is {one.registry} itself: nothing would change.",
                "Write another registry, or take the entry out.",
            )
        yield from _inside(site, f"{key}.mirror", one.mirror)
    yield from _inside(site, "egress.charts", site.egress.charts)
    for name in ("http", "https"):
        yield from _inside(site, f"egress.proxy.{name}", getattr(site.egress.proxy, name) or "")


def prefix(mirror: str) -> str:
    """What the names of images in a mirror begin with."""
    return mirror.partition("://")[2]


def _proxy(site: Site) -> Iterator[Finding]:
    proxy = site.egress.proxy
    if proxy.no_proxy and not proxy.https:
        yield _finding(
            "SITE007",
            "egress.proxy.no_proxy",
            "There is no proxy for HTTPS, so there is nothing that could go around it.",
            "Write egress.proxy.https, or take the key out.",
        )
    elif proxy.http and not proxy.https:
        yield _finding(
            "SITE007",
            "egress.proxy.http",
            "Images and charts are fetched by HTTPS only, so nothing would go through a proxy for HTTP.",
            "Write egress.proxy.https as well; most proxies serve both under one URL.",
        )


def _inside(site: Site, key: str, url: str) -> Iterator[Finding]:
    """A mirror or proxy that runs in the cluster cannot serve the images that the cluster starts with."""
    name = hostname(url)
    address = _address(name)
    held = address is not None and any(address in cidr for cidr in _of_cluster(site) if cidr.version == address.version)
    if held or name.rstrip(".").endswith((f".svc.{site.kubernetes.dns_domain}", ".svc")):
        yield _finding(
            "SITE011",
            key,
            f"{name} is inside of the cluster, which cannot start before its images are there.",
            "Name one that is there without the cluster.",
        )


def _of_cluster(site: Site) -> Iterator[IPNetwork]:
    yield from site.kubernetes.service_cidrs
    yield from (pool.cidr for pool in site.networks.pods)
    for pool in site.load_balancer.pools:
        for text in pool.ranges:
            yield from parse_range(text)


def _address(text: str) -> IPAddress | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


def _finding(code: str, key: str, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(key=key), message, fix)
