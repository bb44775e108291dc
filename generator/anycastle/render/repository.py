"""Files that make the tree a repository: Makefile, CI, updates, what git leaves out, and the manifest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping

from anycastle.network.model import Network
from anycastle.render import argo_cd_sops, bootstrap, ci, git_access, inside, secrets
from anycastle.render.release import ARGO_CHARTS, EXTERNAL_SECRETS_CHARTS, SEALED_SECRETS_CHARTS, TRAEFIK_CHARTS
from anycastle.render.text import template
from anycastle.site.model import Site

MANIFEST = ".anycastle/manifest.json"
MANIFEST_SCHEMA = 1


def files(site: Site, network: Network, *, written: bool = False) -> dict[str, bytes]:
    """Everything of the kind but the manifest. `written`: the site file has only the versions that it was read with."""
    found = site.versions.model_fields_set if written else type(site.versions).model_fields.keys()
    steps = bootstrap.steps(site, network)
    return {
        **ci.files(site),
        **git_access.files(site),
        **secrets.files(site, "".join(step.target for step in steps if step.name == "secrets")),
        ".gitignore": template("templates/gitignore.j2").render().encode(),
        "Makefile": template("templates/Makefile.j2").render(name=site.name, steps=steps).encode(),
        PRESET if site.gitops.path else "renovate.json": _renovate(site, network, found).encode(),
    }


def manifest(files: Mapping[str, bytes]) -> bytes:
    """What was generated: the SHA-256 of every file, so that a later run can tell an edited file from its own."""
    hashes = {path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items())}
    return _json({"schema": MANIFEST_SCHEMA, "generator": "anycastle", "files": hashes}).encode()


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


PRESET = "renovate-preset.json"
"""Renovate reads one file at the root of the Git repository, and presets by name, which is never renovate.json."""

_OF_FORGE = {"github": ["github-actions"], "gitea": ["github-actions"], "gitlab": ["gitlabci"]}
"""Renovate's manager of a forge's own files; that of GitHub reads .gitea/workflows as well."""


def _renovate(site: Site, network: Network, versions: Collection[str]) -> str:
    """Renovate proposes releases in site.yaml and in the CI file only; what is generated follows from there.

    As a folder of a larger repository it is a preset, which the file at the root extends; which managers run there is
    that file's to say.
    """
    pinned = {version.component for version in network.versions} | {site.gitops.engine}
    pinned |= {argo_cd_sops.NAME} if argo_cd_sops.needed(site) else set()
    managers: dict[str, object] = {"enabledManagers": ["custom.regex", *_OF_FORGE.get(ci.forge(site), [])]}
    file = inside.from_root(site, "site.yaml")
    return _json(
        {
            "$schema": "https://docs.renovatebot.com/renovate-schema.json",
            "description": "site.yaml pins the releases. On the proposed branch run "
            f"`anycastle update {site.gitops.path or '.'}` and commit.",
            **(_only_pins(file) if site.gitops.path else managers),
            "customManagers": [
                _manager(f"/^{_escaped(file)}$/", *row) for row in _pins(site, versions) if row[0] in pinned
            ],
        }
    )


def _escaped(path: str) -> str:
    """A path as an expression, in which only a dot means something."""
    return path.replace(".", "\\.")


def _only_pins(file: str) -> dict[str, object]:
    """In the folder the other managers leave alone what is generated. The last rule that fits counts."""
    folder = file.rpartition("/")[0]
    return {
        "packageRules": [
            {"matchFileNames": [f"{folder}/**"], "enabled": False},
            {"matchFileNames": [file], "enabled": True},
        ]
    }


_PINS = (
    ("kubernetes", "version", "kubernetes/kubernetes", ""),
    ("kube-vip", "kube_vip", "kube-vip/kube-vip", ""),
    ("calico", "calico", "projectcalico/calico", ""),
    ("traefik-chart", "traefik_chart", "traefik", TRAEFIK_CHARTS),
    ("argo-cd-chart", "argocd_chart", "argo-cd", ARGO_CHARTS),
    ("flux", "flux", "fluxcd/flux2", ""),
    ("sops", "sops", "getsops/sops", ""),
    ("sealed-secrets-chart", "sealed_secrets_chart", "sealed-secrets", SEALED_SECRETS_CHARTS),
    ("external-secrets-chart", "external_secrets_chart", "external-secrets", EXTERNAL_SECRETS_CHARTS),
)
"""Component, key in site.yaml, package, chart repository (empty: releases on GitHub, with a leading `v`)."""


def _pins(site: Site, versions: Collection[str]) -> Iterator[tuple[str, str, str, str]]:
    """The same with the repository that the charts of this site come from, for what stands in its file."""
    for component, key, package, repository in _PINS:
        if component == "kubernetes" or key in versions:
            yield component, key, package, repository and (site.egress.charts or repository)


def _manager(pattern: str, _component: str, key: str, package: str, repository: str) -> dict[str, object]:
    source: dict[str, object] = (
        {"datasourceTemplate": "helm", "registryUrlTemplate": repository}
        if repository
        else {"datasourceTemplate": "github-releases", "extractVersionTemplate": "^v(?<version>.+)$"}
    )
    return {
        "customType": "regex",
        "managerFilePatterns": [pattern],
        "matchStrings": [f'\\n +{key}: "?(?<currentValue>[0-9][^"\\s]*)"?'],
        "depNameTemplate": package,
        **source,
    }
