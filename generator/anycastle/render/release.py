"""Where each app comes from and where it goes: what the bootstrap commands and the GitOps engine share.

The bootstrap applies the same release names, namespaces and values as the engine does later; a difference would
make the engine create a second set of objects beside the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from anycastle.network.model import Network
from anycastle.network.order import Part
from anycastle.records import dataclass
from anycastle.site.ingresses import ingress_app, main_ingress
from anycastle.site.model import Site

CALICO_CHARTS = "https://docs.tigera.io/calico/charts"
ARGO_CHARTS = "https://argoproj.github.io/argo-helm"
TRAEFIK_CHARTS = "https://traefik.github.io/charts"
SEALED_SECRETS_CHARTS = "https://bitnami-labs.github.io/sealed-secrets"
EXTERNAL_SECRETS_CHARTS = "https://charts.external-secrets.io"


@dataclass(frozen=True, slots=True)
class Release:
    """One Helm release. `repository` is empty for a chart of this project, and so is `version`.

    Without `definitions` another release of the same chart brings those in its crds/. A `folder` is no release: its
    manifests are applied as they are, each in its own namespace.
    """

    app: str
    name: str
    namespace: str
    chart: str
    repository: str = ""
    version: str = ""
    definitions: bool = True
    vendored: bool = False
    folder: bool = False

    @property
    def local(self) -> bool:
        """Whether the chart lies in the repository."""
        return not self.repository or self.vendored

    @property
    def path(self) -> str:
        """Where a local chart lies, from the root of the repository: upstream's are apart from ours."""
        if self.folder:
            return self.chart
        return f"{'vendor' if self.vendored else 'charts'}/{self.chart}"

    @property
    def values(self) -> tuple[str, str]:
        """Value files from the root of the repository, the stronger one last."""
        return (f"apps/{self.app}/values.yaml", f"apps/{self.app}/overrides.yaml")

    @property
    def template(self) -> str:
        """`helm template` for this release, to be run in the root of the repository.

        `--no-hooks` always: a pre-delete hook is an ordinary object to kubectl, and that of tigera-operator
        removes the cluster's network.
        """
        chart = self.path if self.local else f"{self.chart} --repo {self.repository} --version {self.version}"
        files = " ".join(f"-f {path}" for path in self.values)
        return f"helm template {self.name} {chart} --namespace {self.namespace} --no-hooks {files}"


def releases(site: Site, network: Network) -> Mapping[str, Release]:
    """The release of every app of the network, by app name, in the order of waves.

    Vendored charts are upstream's, whichever repository they were fetched from.
    """
    vendored = site.gitops.source == "vendored"
    instead = "" if vendored else site.egress.charts
    known = {
        release.app: replace(
            release,
            repository=release.repository and (instead or release.repository),
            vendored=vendored and bool(release.repository),
        )
        for release in (*_calico(site), *_others(site), *_secrets(site))
    }
    return {app.name: known[app.name] for app in network.apps}


def _calico(site: Site) -> tuple[Release, ...]:
    version = f"v{site.versions.calico}"
    operator = Part.OPERATOR.value
    return (
        Release(
            Part.CALICO_CRDS.value, Part.CALICO_CRDS.value, operator, "crd.projectcalico.org.v1", CALICO_CHARTS, version
        ),
        Release(Part.OPERATOR.value, Part.OPERATOR.value, operator, operator, CALICO_CHARTS, version),
        Release(Part.INSTALLATION.value, Part.INSTALLATION.value, operator, Part.INSTALLATION.value),
        Release(Part.BGP.value, Part.BGP.value, "calico-system", Part.BGP.value),
        Release(Part.POOLS.value, Part.POOLS.value, "calico-system", Part.POOLS.value),
    )


def _others(site: Site) -> tuple[Release, ...]:
    edge = ingress_name(site)
    traefik = (
        Release(
            ingress_app(index, ingress),
            ingress.name,
            ingress.name,
            "traefik",
            TRAEFIK_CHARTS,
            site.versions.traefik_chart,
            definitions=index == 0,
        )
        for index, ingress in enumerate(site.ingress)
    )
    return (
        Release(Part.NAMESPACES.value, Part.NAMESPACES.value, "default", Part.NAMESPACES.value),
        Release(Part.ENGINE.value, "argocd", "argocd", "argo-cd", ARGO_CHARTS, site.versions.argocd_chart),
        *traefik,
        Release(Part.EDGE.value, Part.EDGE.value, edge, Part.EDGE.value),
        Release(Part.SMOKE_TEST.value, Part.SMOKE_TEST.value, Part.SMOKE_TEST.value, Part.SMOKE_TEST.value),
    )


def _secrets(site: Site) -> tuple[Release, ...]:
    """Each Secret names its namespace; that of the folder is where one without would land."""
    sealed, external, folder = (part.value for part in (Part.SEALED_SECRETS, Part.EXTERNAL_SECRETS, Part.SECRETS))
    space = "calico-system" if any(router.password for router in site.routers) else ingress_name(site)
    return (
        Release(sealed, sealed, sealed, sealed, SEALED_SECRETS_CHARTS, site.versions.sealed_secrets_chart),
        Release(external, external, external, external, EXTERNAL_SECRETS_CHARTS, site.versions.external_secrets_chart),
        Release(folder, folder, space, folder, folder=True),
    )


def ingress_name(site: Site) -> str:
    """Name of the main ingress: of its release, its Service and its namespace."""
    ingress = main_ingress(site)
    return ingress.name if ingress is not None else "traefik"
