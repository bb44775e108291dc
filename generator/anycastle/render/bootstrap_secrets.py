"""The step of the bootstrap by which the cluster can open the Secrets of the repository."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.render import argo_cd_sops, passwords, secrets
from anycastle.render.bootstrap_step import Step
from anycastle.site.model import Site

AGE_KEY = f'"$passwords/{argo_cd_sops.KEY}"'
SEALING_KEY = '"$passwords/sealing.key"'
MANAGED = "sealedsecrets.bitnami.com/managed=true"
"""Lets the controller take a Secret over that somebody else has made (sealed-secrets, managing existing secrets)."""

_APPLY = "kubectl apply --server-side --force-conflicts --field-manager=anycastle -f -"
_PLACEHOLDERS = (
    """! grep -lE '<[^<>]*/[^<>]*>|provider: [{][}]' secrets/*.yaml || """
    """die 3 "secrets/ still has placeholders, which are named above: README.md says how they are filled in." """
).strip()
_STOPS = (
    (
        "secrets/ still has placeholders",
        "step 1 of README.md fills them in; `make validate` must find nothing before the push",
    ),
)


def rows(site: Site) -> Iterator[Step]:
    """Nothing where Secrets are made by hand, or where there are none."""
    if site.gitops.secrets == "none" or not secrets.wanted(site):
        return
    if site.gitops.secrets == "sops":
        yield _sops("argocd" if argo_cd_sops.needed(site) else "flux-system")
    elif site.gitops.secrets == "sealed-secrets":
        yield _sealed(site)
    else:
        yield _external()


def _sops(space: str) -> Step:
    own = space == "flux-system"  # flux bootstrap makes it, and that is too late
    made = (f"kubectl create namespace {space} --dry-run=client -o yaml | {_APPLY}",) if own else ()
    name, key = argo_cd_sops.SECRET, argo_cd_sops.KEY
    return Step(
        name="secrets",
        does="the key that opens the Secrets of this repository",
        needs=(
            *(() if own else (f"there namespace/{space} namespaces",)),
            _PLACEHOLDERS,
            f'[ -s {AGE_KEY} ] || die 3 "$passwords/{key} is missing: the secret half of the cluster\'s age key."',
        ),
        action=(
            *made,
            f"kubectl -n {space} create secret generic {name} --dry-run=client -o yaml --from-file={key}={AGE_KEY} |",
            f"    {_APPLY}",
        ),
        proves=(f"kubectl -n {space} get secret/{name} -o name",),
        stops=_STOPS,
    )


def _sealed(site: Site) -> Step:
    known = " ".join(name for name, _keys in passwords.secrets(site))
    taken = (f"kubectl -n calico-system annotate --overwrite secret {known} {MANAGED}",) if known else ()
    return Step(
        name="secrets",
        does="the key that unseals the Secrets of this repository",
        needs=(
            "there namespace/sealed-secrets namespaces",
            _PLACEHOLDERS,
            f'[ -s {SEALING_KEY} ] || die 3 "$passwords/sealing.key is missing: step 1 of README.md makes it."',
        ),
        action=(
            "kubectl -n sealed-secrets create secret tls sealing-key --dry-run=client -o yaml \\",
            f"    --cert={secrets.CERTIFICATE} --key={SEALING_KEY} |",
            "    kubectl label --local -f - sealedsecrets.bitnami.com/sealed-secrets-key=active -o yaml |",
            f"    {_APPLY}",
            *taken,
        ),
        proves=("kubectl -n sealed-secrets get secret/sealing-key -o name",),
        stops=_STOPS,
    )


def _external() -> Step:
    return Step(
        name="secrets",
        does="whether the files of External Secrets are filled in",
        needs=("there namespace/external-secrets namespaces", _PLACEHOLDERS),
        proves=("kubectl get namespace/external-secrets -o name",),
        stops=_STOPS,
    )
