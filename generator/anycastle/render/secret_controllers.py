"""Values of the controllers that make Secrets of what git holds: Sealed Secrets, External Secrets."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.network.order import Part
from anycastle.render.namespaces import PRIORITY_CLASS
from anycastle.render.values import Values
from anycastle.site.model import Site

CONTROLLER = "sealed-secrets-controller"
"""The name by which kubeseal looks for the Sealed Secrets controller."""


def values(site: Site) -> Iterator[tuple[str, Values]]:
    """Those of the one controller that the site asks for, if any."""
    if site.gitops.secrets == "sealed-secrets":
        yield Part.SEALED_SECRETS, _sealed()
    elif site.gitops.secrets == "external-secrets":
        yield Part.EXTERNAL_SECRETS, _external()


def _sealed() -> Values:
    return Values(
        answers=("gitops.secrets",),
        value={
            "fullnameOverride": CONTROLLER,
            "priorityClassName": PRIORITY_CLASS,
            "keyrenewperiod": "0",
            "containerSecurityContext": {
                "allowPrivilegeEscalation": False,
                "seccompProfile": {"type": "RuntimeDefault"},
            },
        },
        comments={
            ("fullnameOverride",): "kubeseal looks for this name.",
            ("priorityClassName",): "From the app namespaces.",
            ("keyrenewperiod",): "The key is the one that README.md makes, whose backup you have. A new one every "
            "month would want a backup every\nmonth; docs/runbook.md says how to change it.",
            ("containerSecurityContext",): "What the level restricted of the namespace asks for beyond the chart.",
        },
    )


def _external() -> Values:
    return Values(
        answers=("gitops.secrets",),
        value={
            "installCRDs": True,
            "priorityClassName": PRIORITY_CLASS,
            "webhook": {"create": False},
            "certController": {"create": False},
        },
        comments={
            ("installCRDs",): "The definitions come and are renewed with the chart.",
            ("priorityClassName",): "From the app namespaces.",
            ("webhook",): "It would check what `anycastle validate` and the definitions check, refuse everything while "
            "it is away, and its\ncertificate would be a difference to git for ever.",
        },
    )
