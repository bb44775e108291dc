"""Steps of the bootstrap that bring the GitOps engine, and hand the cluster over to it."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.network.model import Network
from anycastle.network.order import Part
from anycastle.records import dataclass
from anycastle.render import flux, git_access
from anycastle.render.bootstrap_step import Step
from anycastle.render.flux_releases import FIELD_MANAGER
from anycastle.render.release import releases
from anycastle.site.git_access import by_ssh
from anycastle.site.model import Site


@dataclass(frozen=True, slots=True)
class Engine:
    """What the script says of the engine: its name, whose fields the objects are, and which object takes over."""

    name: str
    manager: str
    tools: tuple[str, ...]
    namespace: str
    root: str
    definition: str


ARGO_CD = Engine(
    name="Argo CD",
    manager="argocd-controller",
    tools=("kubectl", "helm", "git", "openssl"),
    namespace="argocd",
    root="application/root",
    definition="applications.argoproj.io",
)
FLUX = Engine(
    name="Flux",
    manager=FIELD_MANAGER,
    tools=("kubectl", "helm", "git", "flux"),
    namespace="flux-system",
    root="gitrepository/flux-system",
    definition="gitrepositories.source.toolkit.fluxcd.io",
)


def of(site: Site) -> Engine:
    """The engine of a site."""
    return ARGO_CD if site.gitops.engine == "argocd" else FLUX


def rows(site: Site, network: Network) -> Iterator[Step]:
    """The last steps."""
    if of(site) is ARGO_CD:
        yield _argo_cd(site, network)
        yield from git_access.steps(site)
        yield _applications()
    else:
        yield from git_access.steps(site)
        yield _flux(site)
        yield _kustomizations()


def _argo_cd(site: Site, network: Network) -> Step:
    return Step(
        name="argo-cd",
        does="Argo CD, which does nothing yet",
        needs=("available calico", "there namespace/argocd namespaces"),
        action=(
            "kubectl -n argocd get secret/argocd-redis >/dev/null 2>&1 ||",
            "    openssl rand -hex 32 | tr -d '\\n' |",
            "    kubectl -n argocd create secret generic argocd-redis --from-file=auth=/dev/stdin",
            f"apply {releases(site, network)[Part.ENGINE].template}",
        ),
        proves=(
            "kubectl -n argocd rollout status statefulset/argocd-application-controller --timeout=10m",
            "kubectl -n argocd wait --for=condition=Available --timeout=10m deployment --all",
        ),
        stops=(
            (
                "pods are Pending, or cannot pull",
                "`kubectl -n argocd get pods -o wide` and `kubectl -n argocd describe pods`",
            ),
            (
                "redis and the others refuse one another",
                "the Secret argocd-redis was made anew under running pods: `kubectl -n argocd rollout restart "
                "deployment,statefulset`",
            ),
        ),
    )


def _applications() -> Step:
    return Step(
        name="hand-over",
        does="the projects and the root Application: from here on the cluster follows the repository",
        needs=("there crd/applications.argoproj.io argo-cd", "pushed"),
        action=("kubectl apply --server-side --force-conflicts -f argocd/projects -f argocd/root.yaml",),
        proves=(
            "kubectl -n argocd wait application/root --for=jsonpath='{.status.sync.status}'=Synced --timeout=30m",
            "kubectl -n argocd wait application/root --for=jsonpath='{.status.health.status}'=Healthy --timeout=30m",
        ),
        stops=(
            (
                "the root is Unknown, with ComparisonError",
                "Argo CD does not reach the repository, or may not read it: `kubectl -n argocd get application root "
                "-o jsonpath='{.status.conditions}'`",
            ),
            ("it stays at one app", "the chapter on Argo CD, above"),
        ),
    )


def _flux(site: Site) -> Step:
    credentials, before, login = git_access.for_flux(site)
    return Step(
        name="flux",
        does="Flux, which commits its own files and begins: from here on the cluster follows the repository",
        needs=("available calico", "pushed", *credentials, "flux check --pre"),
        action=(
            *before,
            f"flux bootstrap git --version=v{site.versions.flux} --url={flux.url(site)} "
            f"--branch={site.gitops.revision} \\",
            f"    --path={flux.path(site)} {login}",
            f"git pull --rebase origin {site.gitops.revision}",
        ),
        proves=(
            "flux check",
            "kubectl -n flux-system wait gitrepository/flux-system --for=condition=Ready --timeout=5m",
        ),
        stops=(
            (
                "failed to clone, or to push",
                f"the {'key' if by_ssh(site) else 'token, or its user (`GIT_USERNAME`),'} may not; nothing has begun. "
                "Then again",
            ),
            (
                "git pull: cannot rebase",
                "Flux is there; bring your clone in order, and go on with the next step",
            ),
        ),
    )


def _kustomizations() -> Step:
    return Step(
        name="hand-over",
        does="wait until the cluster is what the repository says",
        needs=("there crd/kustomizations.kustomize.toolkit.fluxcd.io flux",),
        proves=(
            "kubectl -n flux-system wait kustomization/flux-system --for=condition=Ready --timeout=10m",
            "kubectl -n flux-system wait kustomization --all --for=condition=Ready --timeout=30m",
        ),
        stops=(("it stays at one app", "the chapter on Flux, above"),),
    )
