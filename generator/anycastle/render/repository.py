"""Files that make the tree a repository: Makefile, CI, updates, what git leaves out, and the manifest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from anycastle.network.model import Network
from anycastle.render import ci
from anycastle.render.release import ARGO_CHARTS, TRAEFIK_CHARTS
from anycastle.render.text import template
from anycastle.site.model import Site

MANIFEST = ".anycastle/manifest.json"
MANIFEST_SCHEMA = 1


def files(site: Site, network: Network) -> dict[str, bytes]:
    """Everything of the kind but the manifest."""
    return {
        **ci.files(site),
        ".gitignore": template("templates/gitignore.j2").render().encode(),
        "Makefile": template("templates/Makefile.j2").render(name=site.name).encode(),
        "renovate.json": _renovate(site, network, "gitlabci" if ci.on_gitlab(site) else "github-actions").encode(),
    }


def manifest(files: Mapping[str, bytes]) -> bytes:
    """What was generated: the SHA-256 of every file, so that a later run can tell an edited file from its own."""
    hashes = {path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items())}
    return _json({"schema": MANIFEST_SCHEMA, "generator": "anycastle", "files": hashes}).encode()


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _renovate(site: Site, network: Network, forge: str) -> str:
    """Renovate proposes releases in site.yaml and in the CI file only; what is generated follows from there."""
    pinned = {version.component for version in network.versions} | {site.gitops.engine}
    return _json(
        {
            "$schema": "https://docs.renovatebot.com/renovate-schema.json",
            "description": "site.yaml pins the releases. On the proposed branch run `anycastle update .` and commit.",
            "enabledManagers": ["custom.regex", forge],
            "customManagers": [_manager(*row) for row in _PINS if row[0] in pinned],
        }
    )


_PINS = (
    ("kubernetes", "version", "kubernetes/kubernetes", ""),
    ("kube-vip", "kube_vip", "kube-vip/kube-vip", ""),
    ("calico", "calico", "projectcalico/calico", ""),
    ("traefik-chart", "traefik_chart", "traefik", TRAEFIK_CHARTS),
    ("argo-cd-chart", "argocd_chart", "argo-cd", ARGO_CHARTS),
    ("flux", "flux", "fluxcd/flux2", ""),
)
"""Component, key in site.yaml, package, chart repository (empty: releases on GitHub, with a leading `v`)."""


def _manager(_component: str, key: str, package: str, repository: str) -> dict[str, object]:
    source: dict[str, object] = (
        {"datasourceTemplate": "helm", "registryUrlTemplate": repository}
        if repository
        else {"datasourceTemplate": "github-releases", "extractVersionTemplate": "^v(?<version>.+)$"}
    )
    return {
        "customType": "regex",
        "managerFilePatterns": ["/^site\\.yaml$/"],
        "matchStrings": [f'\\n +{key}: "?(?<currentValue>[0-9][^"\\s]*)"?'],
        "depNameTemplate": package,
        **source,
    }
