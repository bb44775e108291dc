"""The way out in the site file: mirrors, proxies and certificates, on every machine and in the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anycastle.finding import NOWHERE
from anycastle.network.certificates import fingerprints
from anycastle.reader.agreement.difference import Difference, Site, texts

_YOURS = "overrides.yaml"
_PROXY = ("egress", "proxy")


def differences(site: Site) -> Iterator[Difference]:
    """All of them, where the site file speaks of it: files of one's own beside a generated repository are no slip.

    What a person's own values say counts, and is no difference.
    """
    if not isinstance(site.value("egress"), dict):
        return
    yield from _mirrors(site)
    yield from _proxies(site)
    yield from _certificates(site)


def _mirrors(site: Site) -> Iterator[Difference]:
    says: Mapping[object, object] = {
        entry.get("registry"): entry.get("mirror") for _keys, entry in site.entries("egress", "mirrors")
    }
    found = site.subject.network.mirrors
    for mirror in found:
        written = str(says.get(mirror.registry, "")).rstrip("/")
        if written != mirror.url:
            yield Difference(("egress", "mirrors"), f"{mirror.registry} {written}", mirror.url, mirror.where)
    nodes = {node.name for node in site.subject.network.nodes}
    for keys, entry in site.entries("egress", "mirrors"):
        having = {mirror.node for mirror in found if mirror.registry == entry.get("registry")}
        if nodes and "" not in having and nodes - having:
            yield Difference((*keys, "registry"), entry.get("registry"), f"nothing on {min(nodes - having)}", NOWHERE)


def _proxies(site: Site) -> Iterator[Difference]:
    found = [one for one in site.subject.network.proxies if one.program != "kubelet"]
    if site.value(*_PROXY, "https") and not found:
        yield Difference((*_PROXY, "https"), site.value(*_PROXY, "https"), "", NOWHERE)
    for proxy in found:
        if proxy.where.path.endswith(_YOURS):
            continue
        for key, value in (("http", proxy.http), ("https", proxy.https)):
            says = str(site.value(*_PROXY, key) or "").rstrip("/")
            if says != value:
                yield Difference((*_PROXY, key), says, value, proxy.where)
        for entry in texts(site.value(*_PROXY, "no_proxy")):
            if entry not in proxy.exempt:
                yield Difference((*_PROXY, "no_proxy"), entry, "", proxy.where)


def _certificates(site: Site) -> Iterator[Difference]:
    text = site.value("egress", "ca_certificates")
    says = fingerprints(text) if isinstance(text, str) else ()
    found = site.subject.network.trusts
    if says and not found:
        yield Difference(("egress", "ca_certificates"), _count(says), "", NOWHERE)
    for trust in found:
        if trust.fingerprints != says and not trust.where.path.endswith(_YOURS):
            what = _count(trust.fingerprints) if len(trust.fingerprints) != len(says) else "another one"
            yield Difference(("egress", "ca_certificates"), _count(says), what, trust.where)


def _count(found: tuple[str, ...]) -> str:
    return f"{len(found)} certificate{'' if len(found) == 1 else 's'}"
