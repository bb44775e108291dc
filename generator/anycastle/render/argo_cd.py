"""Values of the app argo-cd: the bootstrap and Argo CD itself read the same file."""

from __future__ import annotations

from collections.abc import Mapping

from anycastle import yamlio
from anycastle.network.model import Network
from anycastle.render import argo_cd_egress, argo_cd_sops, argocd_health, git_access
from anycastle.render.namespaces import PRIORITY_CLASS
from anycastle.render.values import Values
from anycastle.site.model import Site

SYNC_TIMEOUT = 1800
"""Seconds after which a sync that still waits is ended, so that the next commit can begin one."""

_Comments = dict[tuple[str | int, ...], str]

_EXCLUDED: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("", "discovery.k8s.io"), ("Endpoints", "EndpointSlice")),
    (("coordination.k8s.io",), ("Lease",)),
    (
        ("authentication.k8s.io", "authorization.k8s.io"),
        (
            "LocalSubjectAccessReview",
            "SelfSubjectAccessReview",
            "SelfSubjectReview",
            "SelfSubjectRulesReview",
            "SubjectAccessReview",
            "TokenReview",
        ),
    ),
    (("certificates.k8s.io",), ("CertificateSigningRequest",)),
    (("cert-manager.io",), ("CertificateRequest",)),
    (
        ("kyverno.io", "reports.kyverno.io", "wgpolicyk8s.io"),
        (
            "AdmissionReport",
            "BackgroundScanReport",
            "ClusterAdmissionReport",
            "ClusterBackgroundScanReport",
            "ClusterEphemeralReport",
            "ClusterPolicyReport",
            "EphemeralReport",
            "PolicyReport",
            "UpdateRequest",
        ),
    ),
    (
        ("crd.projectcalico.org",),
        ("BlockAffinity", "CalicoNodeStatus", "IPAMBlock", "IPAMConfig", "IPAMHandle"),
    ),
)
"""API groups and kinds that Git never holds and that change all the time."""


def values(site: Site, network: Network) -> Values:
    """Values of Argo CD."""
    return Values(
        answers=("domain", "ingress", "gitops", *(("egress",) if argo_cd_egress.values(site, network) else ())),
        value={
            "global": {"domain": f"argocd.{site.domain}", "priorityClassName": PRIORITY_CLASS},
            "crds": {"install": True, "keep": True},
            "configs": {
                "cm": _cm(network),
                "params": _params(network),
                **git_access.of_argo_cd(site),
                **argo_cd_sops.plugin(site),
            },
            "controller": {
                "env": [
                    {"name": "ARGOCD_CLUSTER_CACHE_ATTEMPT_LIMIT", "value": "5"},
                    {"name": "ARGOCD_CLUSTER_CACHE_RETRY_USE_BACKOFF", "value": "true"},
                ]
            },
            "redisSecretInit": {"enabled": False},
            "dex": {"enabled": False},
            "notifications": {"enabled": False},
            **_joined(argo_cd_sops.sidecar(site), argo_cd_egress.values(site, network)),
        },
        comments={**argo_cd_egress.comments(site), **_COMMENTS},
    )


def _joined(one: Mapping[str, object], other: Mapping[str, object]) -> dict[str, object]:
    """Both: mappings key by key, lists one behind the other."""
    result = dict(one)
    for key, value in other.items():
        before = result.get(key)
        if isinstance(before, Mapping) and isinstance(value, Mapping):
            result[key] = _joined(before, value)
        elif isinstance(before, list) and isinstance(value, list):
            result[key] = [*before, *value]
        else:
            result[key] = value
    return result


def _cm(network: Network) -> dict[str, object]:
    checks = {argocd_health.KEY + kind: argocd_health.script(kind) for kind in network.health_checks}
    return {"application.resourceTrackingMethod": "annotation", **checks, "resource.exclusions": _exclusions()}


def _exclusions() -> str:
    """Text of `resource.exclusions`, which is YAML inside a string."""
    return yamlio.dump([{"apiGroups": list(groups), "kinds": list(kinds)} for groups, kinds in _EXCLUDED])


def _params(network: Network) -> dict[str, object]:
    params: dict[str, object] = {
        "controller.diff.server.side": "true",
        "controller.sync.timeout.seconds": str(SYNC_TIMEOUT),
    }
    if network.services:
        params["server.insecure"] = "true"
    return params


_COMMENTS: _Comments = {
    **argo_cd_sops.COMMENTS,
    ("global", "domain"): "Part of links and of the login; the route to it belongs to the app edge.",
    ("global", "priorityClassName"): "From the app namespaces.",
    ("crds", "keep"): "With the definition of Application all Applications would go.",
    (
        "configs",
        "cm",
    ): "The health checks must be there before the root Application syncs for the first time: waves wait "
    "for a kind\nonly if its health is known, and Argo CD has none for these.",
    ("configs", "cm", "resource.exclusions"): "Objects that change all the time and never stand in Git. This text "
    "replaces Argo CD's own list, so it repeats\nit (without Cilium) and adds Calico's address bookkeeping.",
    ("configs", "params", "controller.diff.server.side"): "The API server says what would change, defaults included: "
    "no difference that comes back for ever.",
    ("configs", "params", "controller.sync.timeout.seconds"): "A sync that waits for something is not interrupted by a "
    "new commit; this ends it.",
    ("configs", "params", "server.insecure"): "Plain HTTP inside the cluster; Traefik ends the TLS session.",
    ("configs", "ssh"): "Behind the hosts that Argo CD knows by itself. It fetches from no other.",
    ("configs", "tls"): "Whom Argo CD trusts for this server, and nobody else for it.",
    ("controller", "env"): "When Calico's API server is away for a moment, reading the cluster is tried again instead "
    "of failing for all\nApplications at once.",
    (
        "redisSecretInit",
    ): "Its Job is a hook of every sync and the usual reason for an Argo CD that cannot update itself.\n"
    "bootstrap.sh creates the Secret argocd-redis once instead.",
    ("dex",): "For single sign-on; nothing here uses it.",
    ("notifications",): "Nobody is notified yet.",
}
