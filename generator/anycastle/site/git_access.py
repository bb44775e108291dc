"""How the engine reaches the Git repository: what belongs to SSH, what to HTTPS, and what must be there for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anycastle.finding import Finding, Place, Severity
from anycastle.site.git_fields import names
from anycastle.site.model import Site

_SSH = re.compile(r"(?:ssh://)?(?:[^@/]+@)?([^:/]+)(?::([0-9]+)(?=/))?")
_HTTPS = re.compile(r"https://([^:/]+)")
SSH_PORT = "22"

KNOWN_TO_ARGO_CD = frozenset(
    (
        "[ssh.github.com]:443",
        "bitbucket.org",
        "github.com",
        "gitlab.com",
        "ssh.dev.azure.com",
        "vs-ssh.visualstudio.com",
    )
)
"""Hosts whose keys Argo CD brings (argo-cd chart, values.yaml, configs.ssh.knownHosts)."""


def by_ssh(site: Site) -> bool:
    """Whether the repository is read by SSH; else by HTTPS."""
    return _is_ssh(site.gitops.repository)


def _is_ssh(repository: str) -> bool:
    return not repository.startswith("https://")


def needs_credentials(site: Site) -> bool:
    """Whether nobody may read the repository without a key or a token. SSH lets in nobody without a key."""
    return site.gitops.private or by_ssh(site)


def host(site: Site) -> str:
    """The server of the repository, without its port."""
    found = (_SSH if by_ssh(site) else _HTTPS).match(site.gitops.repository)
    return found[1].lower() if found else ""


def slug(site: Site) -> str:
    """Owner and name of the repository on its server, `platform/home`."""
    rest = site.gitops.repository.partition("://")[2] or site.gitops.repository.replace(":", "/", 1)
    return rest.partition("/")[2].strip("/").removesuffix(".git")


def known_as(site: Site) -> str:
    """The server as known_hosts files spell it: with its port in brackets where that is not 22 (sshd(8))."""
    return _known_as(site.gitops.repository) if by_ssh(site) else host(site)


def _known_as(repository: str) -> str:
    found = _SSH.match(repository)
    name, port = (found[1].lower(), found[2] or SSH_PORT) if found else ("", SSH_PORT)
    return name if port == SSH_PORT else f"[{name}]:{port}"


def unknown_server(engine: str, repository: str) -> str:
    """The server, as known_hosts files spell it, whose host key the engine has to be told; empty where it has not."""
    name = _known_as(repository)
    return name if engine == "argocd" and _is_ssh(repository) and name not in KNOWN_TO_ARGO_CD else ""


def reaching(site: Site) -> Iterator[Finding]:
    """Every answer that does not go with the address of the repository."""
    if by_ssh(site):
        yield from _ssh(site)
    else:
        yield from _https(site)


def _https(site: Site) -> Iterator[Finding]:
    if site.gitops.known_hosts:
        yield _finding(
            "SITE011",
            "gitops.known_hosts",
            "Host keys belong to SSH, and the repository is read by HTTPS: nobody would ask for them.",
            "Take the key out, or write the SSH address of the repository.",
        )


def _ssh(site: Site) -> Iterator[Finding]:
    wanted = known_as(site)
    if site.gitops.ca_certificates:
        yield _finding(
            "SITE011",
            "gitops.ca_certificates",
            "Certificates belong to HTTPS, and the repository is read by SSH: nobody would ask for them.",
            "Take the key out, and write the host keys of the server under gitops.known_hosts.",
        )
    if site.gitops.private is False and "private" in site.gitops.model_fields_set:
        yield _finding(
            "SITE011",
            "gitops.private",
            "The repository is read by SSH, which lets in nobody without a key.",
            "Take the key out, or write the HTTPS address of the repository.",
        )
    for index, line in enumerate(site.gitops.known_hosts):
        key = f"gitops.known_hosts[{index}]"
        if wanted not in (name.lower() for name in names(line)):
            yield _finding(
                "SITE006",
                key,
                f"This is the key of {names(line)[0]}; the repository is on {wanted}, and the engine would refuse it.",
                f"Write the line of {scan(wanted)}.",
            )
        elif line in site.gitops.known_hosts[:index]:
            yield _finding("SITE005", key, "The same line stands here twice.", "Take one of them out.")
    if not site.gitops.known_hosts and unknown_server(site.gitops.engine, site.gitops.repository):
        yield _finding(
            "SITE007",
            "gitops.known_hosts",
            f"Argo CD does not know {wanted}, and fetches from no server whose host key it does not know.",
            f"Add gitops.known_hosts to a site file: the lines of {scan(wanted)}, once you have compared them with "
            "the server's own. Or write the HTTPS address.",
        )


def scan(known: str) -> str:
    """The command that prints the host keys of a server."""
    name, _, port = known.partition("]:")
    return f"`ssh-keyscan -p {port} {name.lstrip('[')}`" if port else f"`ssh-keyscan {name}`"


def _finding(code: str, key: str, message: str, fix: str) -> Finding:
    return Finding(code, Severity.ERROR, Place(key=key), message, fix)
