"""Files that make the tree a repository: Makefile, CI, updates, what git leaves out, and the manifest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from anycastle import yamlio
from anycastle.network.model import Network
from anycastle.render.release import ARGO_CHARTS, TRAEFIK_CHARTS
from anycastle.render.text import template
from anycastle.site.model import Site

MANIFEST = ".anycastle/manifest.json"
MANIFEST_SCHEMA = 1

_WORKFLOW = "actions/checkout@v5", "actions/setup-python@v6"


def files(site: Site, network: Network) -> dict[str, bytes]:
    """Everything of the kind but the manifest."""
    return {
        ".github/workflows/validate.yaml": _workflow().encode(),
        ".gitignore": template("templates/gitignore.j2").render().encode(),
        "Makefile": template("templates/Makefile.j2").render(name=site.name).encode(),
        "renovate.json": _renovate(network).encode(),
    }


def manifest(files: Mapping[str, bytes]) -> bytes:
    """What was generated: the SHA-256 of every file, so that a later run can tell an edited file from its own."""
    hashes = {path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items())}
    return _json({"schema": MANIFEST_SCHEMA, "generator": "anycastle", "files": hashes}).encode()


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _workflow() -> str:
    checkout, python = _WORKFLOW
    steps: list[dict[str, object]] = [
        {"uses": checkout},
        {"uses": python, "with": {"python-version": "3.13"}},
        {"run": "pip install anycastle"},
        {"run": "anycastle validate ."},
    ]
    value = {
        "name": "validate",
        "on": {"push": {"branches": ["**"]}, "pull_request": {}},
        "permissions": {"contents": "read"},
        "jobs": {"validate": {"runs-on": "ubuntu-latest", "timeout-minutes": 10, "steps": steps}},
    }
    head = "Holds every commit against the rules, as `make validate` does."
    return yamlio.header(head) + yamlio.dump(value)


def _renovate(network: Network) -> str:
    """Renovate proposes releases in site.yaml only; what is generated follows from there."""
    return _json(
        {
            "$schema": "https://docs.renovatebot.com/renovate-schema.json",
            "description": "Releases are pinned in site.yaml. Generate the repository again on the proposed branch.",
            "enabledManagers": ["custom.regex", "github-actions"],
            "customManagers": [_manager(*row) for row in _PINS if row[0] in {v.component for v in network.versions}],
        }
    )


_PINS = (
    ("kubernetes", "version", "kubernetes/kubernetes", ""),
    ("kube-vip", "kube_vip", "kube-vip/kube-vip", ""),
    ("calico", "calico", "projectcalico/calico", ""),
    ("traefik-chart", "traefik_chart", "traefik", TRAEFIK_CHARTS),
    ("argo-cd-chart", "argocd_chart", "argo-cd", ARGO_CHARTS),
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
