"""A site and its network as the files of a repository. Pure: no clock, no environment, no network."""

from __future__ import annotations

from collections.abc import Callable
from operator import methodcaller

from anycastle.network.model import Network
from anycastle.site.model import Site

EXECUTABLE: Callable[[str], bool] = methodcaller("endswith", ".sh")
"""Whether the file at a path is a program."""


def yours(path: str) -> bool:
    """Whether the file at a path belongs to the person: it is created once and never touched again."""
    own = path.startswith("apps/") and path.endswith("/overrides.yaml")
    return own or path == "site.yaml" or (path.startswith("secrets/") and path.endswith(".yaml"))


def render(site: Site, network: Network, *, written: bool = False) -> dict[str, bytes]:
    """Every file of the repository by its path, in the order of paths.

    `network` is what follows from `site` (`plan(site)`). The site must have passed `site.load.parse`. `written` says
    that its file is there and stays as it is; else the file is rendered here, with every version in it.
    """
    from anycastle.render import apps, argocd, bootstrap, charts, docs, flux, nodes, repository, routers, site_file

    files: dict[str, bytes] = {"site.yaml": site_file.site_yaml(site).encode(), **charts.files()}
    files.update(nodes.files(site, network))
    files.update(routers.files(site, network))
    for part in (apps, argocd if apps.on_argocd(site) else flux, bootstrap, docs):
        files |= part.files(site, network)
    files |= repository.files(site, network, written=written)
    files[repository.MANIFEST] = repository.manifest(files)
    return dict(sorted(files.items()))
