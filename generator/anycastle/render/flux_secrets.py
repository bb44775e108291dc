"""What Flux does with `secrets/`: it decrypts SOPS by itself, and waits for what a controller makes of the others."""

from __future__ import annotations

from collections.abc import Mapping

from anycastle.render.argo_cd_sops import SECRET

_DONE: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "sealed-secrets": (("bitnami.com/v1alpha1", "SealedSecret", "Synced"),),
    "external-secrets": (
        ("external-secrets.io/v1", "ClusterSecretStore", "Ready"),
        ("external-secrets.io/v1", "ExternalSecret", "Ready"),
    ),
}
"""Kinds of a tool, with the condition by which its controller says that it is done."""

_Object = dict[str, object]


def opened_by(tool: str) -> _Object:
    """What the Kustomization says beyond all others.

    Flux takes an object without conditions for ready, so that one which no controller has looked at yet would let the
    next step begin (kstatus); `exists`, as `filter().all()` is true of no condition at all.
    """
    if tool == "sops":
        return {"decryption": {"provider": "sops", "secretRef": {"name": SECRET}}}
    return {
        "healthCheckExprs": [
            {
                "apiVersion": version,
                "kind": kind,
                "current": f"status.conditions.exists(c, c.type == '{condition}' && c.status == 'True')",
            }
            for version, kind, condition in _DONE[tool]
        ]
    }


COMMENTS: dict[tuple[str | int, ...], str] = {
    (
        "spec",
        "decryption",
    ): "The Secret has the secret half of the cluster's age key; README.md creates it, and git never has it.",
    ("spec", "healthCheckExprs"): "Done when the controller says so, and not when it has not looked yet.",
}
"""Where the keys are there."""
