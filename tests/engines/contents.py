"""What each app of a rendered repository brings: our charts by Helm, upstream ones by a stand-in of what matters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from simulated import VERSION, Object

from anycastle import helm, yamlio

CHARTS = Path(__file__).resolve().parents[2] / "charts"
Files = Mapping[str, bytes]


@dataclass(frozen=True)
class Contents:
    """`definitions` lie in the chart's crds/, `before_deletion` is a Helm hook."""

    objects: tuple[Object, ...] = ()
    definitions: tuple[Object, ...] = ()
    before_deletion: tuple[Object, ...] = ()


def documents(files: Files, path: str) -> list[Object]:
    """The documents of a file, which nobody changes."""
    return list(_documents(files[path]))


@cache
def _documents(data: bytes) -> tuple[Object, ...]:
    return tuple(one.value for one in yamlio.load(data).documents if isinstance(one.value, dict))


def merged(low: Mapping[str, Any], high: Mapping[str, Any]) -> dict[str, Any]:
    """Helm's merging of values."""
    result = dict(low)
    for key, value in high.items():
        both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
        result[key] = merged(result[key], value) if both else value
    return result


def values(texts: list[bytes]) -> dict[str, Any]:
    """Value files, the stronger one last."""
    result: dict[str, Any] = {}
    for text in texts:
        for one in _documents(text)[:1]:
            result = merged(result, one)
    return deepcopy(result)


def of_chart(chart: str, name: str, space: str, version: str, given: Mapping[str, Any]) -> Contents:
    """What a chart makes of values."""
    stand_in = {
        "crd.projectcalico.org.v1": _calico_definitions,
        "tigera-operator": _operator,
        "argo-cd": _argo_cd,
        "traefik": _traefik,
        "sealed-secrets": _sealed_secrets,
        "external-secrets": _external_secrets,
    }.get(chart)
    if stand_in is not None:
        return stand_in(name, space, version.removeprefix("v"), given)
    return _ours(chart, name, space, json.dumps(given, sort_keys=True))


@cache
def _ours(chart: str, name: str, space: str, given: str) -> Contents:
    release = helm.Release(name, space, "v1.36.4")
    rendered = helm.render(CHARTS / chart, json.loads(given), release, chart)
    assert not rendered.findings, rendered.findings
    found = [one.value for _path, text in rendered.texts for one in yamlio.load(text).documents]
    return Contents(tuple(item for item in found if isinstance(item, dict)))


def _definition(group: str, kind: str, version: str) -> Object:
    plural = kind.lower() + ("es" if kind.endswith("s") else "s")
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}", "labels": {VERSION: version}},
        "spec": {"group": group, "names": {"kind": kind}},
    }


def _workload(kind: str, space: str, name: str, version: str, **pod: Any) -> Object:
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": space, "labels": {VERSION: version}},
        "spec": {"template": {"metadata": {"labels": {VERSION: version}}, "spec": pod}},
    }


def _calico_definitions(_name: str, _space: str, version: str, _given: Mapping[str, Any]) -> Contents:
    group = "operator.tigera.io"
    return Contents(tuple(_definition(group, kind, version) for kind in ("APIServer", "Installation", "TigeraStatus")))


def _operator(_name: str, space: str, version: str, given: Mapping[str, Any]) -> Contents:
    assert given["installation"] == {"enabled": False}
    assert given["manageCRDs"] is False
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": "tigera-operator-uninstall",
            "namespace": space,
            "annotations": {"helm.sh/hook": "pre-delete"},
        },
    }
    return Contents((_workload("Deployment", space, "tigera-operator", version, hostNetwork=True),), (), (job,))


def _argo_cd(_name: str, space: str, version: str, given: Mapping[str, Any]) -> Contents:
    settings = {"name": "argocd-cm", "namespace": space}
    return Contents(
        (
            *(_definition("argoproj.io", kind, version) for kind in ("Application", "AppProject")),
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": settings, "data": dict(given["configs"]["cm"])},
            _workload("StatefulSet", space, "argocd-application-controller", version),
            _workload("Deployment", space, "argocd-server", version),
        )
    )


def _sealed_secrets(_name: str, space: str, version: str, given: Mapping[str, Any]) -> Contents:
    pods = _workload("Deployment", space, given["fullnameOverride"], version)
    return Contents((pods,), (_definition("bitnami.com", "SealedSecret", version),))


def _external_secrets(name: str, space: str, version: str, given: Mapping[str, Any]) -> Contents:
    assert given["installCRDs"] is True
    kinds = ("ClusterSecretStore", "ExternalSecret", "SecretStore")
    definitions = (_definition("external-secrets.io", kind, version) for kind in kinds)
    return Contents((*definitions, _workload("Deployment", space, name, version)))


def of_folder(files: Files, folder: str) -> Contents:
    """Manifests as the engine applies them, decrypted."""
    paths = [path for path in sorted(files) if path.startswith(f"{folder}/") and path.endswith(".yaml")]
    found = [one for path in paths for one in documents(files, path)]
    return Contents(tuple({key: value for key, value in one.items() if key != "sops"} for one in found))


ROUTES = ("IngressRoute", "IngressRouteUDP", "Middleware", "TLSOption", "TLSStore")
DROPS_UDP = "42."
"""A release of the chart, invented, that no longer brings one definition."""


def _traefik(name: str, space: str, version: str, given: Mapping[str, Any]) -> Contents:
    service = given.get("service", {})
    kinds = [kind for kind in ROUTES if not (version.startswith(DROPS_UDP) and kind == "IngressRouteUDP")]
    return Contents(
        (
            {"apiVersion": "networking.k8s.io/v1", "kind": "IngressClass", "metadata": {"name": name}},
            _workload("Deployment", space, name, version),
            {
                "apiVersion": "v1",
                "kind": "Service",
                "metadata": {"name": name, "namespace": space, "annotations": dict(service.get("annotations", {}))},
                "spec": {"type": "LoadBalancer", **service.get("spec", {})},
            },
        ),
        tuple(_definition("traefik.io", kind, version) for kind in kinds),
    )
