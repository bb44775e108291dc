"""How the engine reaches the Git repository, in the site file: folder, host keys, certificates."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import NOWHERE, Place
from anycastle.reader.agreement.difference import Difference, Keys, Site, texts
from anycastle.reader.agreement.references import place, values
from anycastle.reader.notes import Notes
from anycastle.reader.value_files import spelled
from anycastle.schemas.shape import text

KNOWN_HOSTS, CERTIFICATES = "git/known_hosts", "git/ca.crt"


def differences(site: Site) -> Iterator[Difference]:
    """All of them."""
    yield from _folder(site)
    hosts = site.value("gitops", "known_hosts")
    known = {" ".join(line.split()[:3]) for line in texts(hosts)}
    trusted = _lines(site.value("gitops", "ca_certificates"))
    yield from _file(site, KNOWN_HOSTS, ("gitops", "known_hosts"), known)
    yield from _file(site, CERTIFICATES, ("gitops", "ca_certificates"), trusted)
    server = spelled(str(site.value("gitops", "repository"))).partition("/")[0]
    for source, given in values(site.subject, "argo-cd"):
        for keys, says, at in (
            (("gitops", "known_hosts"), known, ("configs", "ssh", "extraHosts")),
            (("gitops", "ca_certificates"), trusted, ("configs", "tls", "certificates", server)),
        ):
            where = place(source, given, *at)
            if not where.path.endswith("overrides.yaml"):  # what a person adds counts
                yield from _same(keys, says, _lines(text(given.values, *at)), where)


def _folder(site: Site) -> Iterator[Difference]:
    """Where it lies in the Git repository, as far as the disk tells: the engine looks there."""
    says, root = site.value("gitops", "path"), site.subject.tree.root
    if not isinstance(says, str) or not says:
        return
    outer = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
    if outer is not None and root != outer / says:
        found = str(root.relative_to(outer))
        yield Difference(("gitops", "path"), says, "the root" if found == "." else found, NOWHERE)


def _lines(value: object) -> set[str]:
    return {line.strip() for line in str(value or "").splitlines() if line.strip()}


def _file(site: Site, path: str, keys: Keys, says: set[str]) -> Iterator[Difference]:
    tree = site.subject.tree
    if tree.has_file(path):
        yield from _same(keys, says, _lines(tree.text(path, Notes())), Place(path, 1))


def _same(keys: Keys, says: set[str], found: set[str], at: Place) -> Iterator[Difference]:
    """The texts are long, and no eye compares them."""
    if says != found:
        yield Difference(keys, "another text" if says else None, "this one" if found else "nothing", at)
