"""Several ingresses: the apps that bring them, and the one that everything else of the site goes through."""

from __future__ import annotations

from anycastle.site.model import Ingress, Site


def ingress_app(index: int, ingress: Ingress) -> str:
    """Name of the app of an ingress, by its position in the site file: `traefik`, then `traefik-NAME`."""
    return "traefik" if index == 0 else f"traefik-{ingress.name}"


def main_ingress(site: Site) -> Ingress | None:
    """The default ingress, else the first one; it serves the routes that this site brings."""
    return next((ingress for ingress in site.ingress if ingress.default), next(iter(site.ingress), None))
