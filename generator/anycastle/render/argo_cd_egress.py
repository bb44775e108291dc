"""What the values of Argo CD say of the way out: only its repo-server fetches, charts and Git."""

from __future__ import annotations

import hashlib

from anycastle.network.model import Network
from anycastle.render.egress import of_engine, split, variables
from anycastle.site.model import Site
from anycastle.yamlio import Comments

_NAME = "site-certificates"
_MERGED = "certificates"
_SYSTEM = "/etc/ssl/certs/ca-certificates.crt"
_IMAGE = (
    "{{ default .Values.global.image.repository .Values.repoServer.image.repository }}:"
    '{{ default (include "argo-cd.defaultTag" .) .Values.repoServer.image.tag }}'
)
"""As the chart names the image of the repo-server; it fills values of this kind in (`tpl`)."""


def values(site: Site, network: Network) -> dict[str, object]:
    """Values that are joined with the others; empty where the way out needs nothing."""
    result: dict[str, object] = {}
    server: dict[str, object] = {}
    proxy = of_engine(network)
    if proxy is not None:
        server["env"] = [{"name": name, "value": value} for name, value in variables(proxy)]
    if site.egress.ca_certificates:
        name = f"{_NAME}-{hashlib.sha256(site.egress.ca_certificates.encode()).hexdigest()[:8]}"
        server |= _trusting(name)
        result["extraObjects"] = [_certificates(name, site.egress.ca_certificates)]
    return {"repoServer": server, **result} if server else {}


def _certificates(name: str, bundle: str) -> dict[str, object]:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": "argocd"},
        "data": {f"ca-{number}.crt": text for number, text in enumerate(split(bundle), start=1)},
    }


def _trusting(name: str) -> dict[str, object]:
    """The image's own bundle with ours behind it: git reads a single file, and must still trust the public ones."""
    return {
        "volumes": [{"name": _NAME, "configMap": {"name": name}}, {"name": _MERGED, "emptyDir": {}}],
        "volumeMounts": [{"name": _MERGED, "mountPath": _SYSTEM, "subPath": "ca-certificates.crt"}],
        "initContainers": [
            {
                "name": _MERGED,
                "image": _IMAGE,
                "command": ["sh", "-c", f"cat {_SYSTEM} /site/*.crt >/merged/ca-certificates.crt"],
                "securityContext": {
                    "allowPrivilegeEscalation": False,
                    "capabilities": {"drop": ["ALL"]},
                    "readOnlyRootFilesystem": True,
                    "runAsNonRoot": True,
                    "seccompProfile": {"type": "RuntimeDefault"},
                },
                "volumeMounts": [
                    {"name": _NAME, "mountPath": "/site", "readOnly": True},
                    {"name": _MERGED, "mountPath": "/merged"},
                ],
            }
        ],
    }


def comments(site: Site) -> Comments:
    """What the values mean; others may have volumes in the same place."""
    result: Comments = {
        (
            "repoServer",
            "env",
        ): "The way out, for charts and for Git by HTTPS. What is inside of the site is asked directly.",
    }
    if not site.egress.ca_certificates:
        return result
    return {
        **result,
        (
            "repoServer",
            "volumes",
        ): "Certificates of site.yaml; the name changes with them, so that the pod starts anew.",
        ("repoServer", "initContainers"): "Puts them behind those of the image, in the one file that git reads.",
    }
