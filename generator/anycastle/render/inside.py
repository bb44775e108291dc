"""Paths that others resolve from the root of the Git repository, where this one is a folder of a larger one.

Everything else (charts, value files, `helm template`, kustomizations) is resolved from this folder, and is the same
wherever it lies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anycastle.site.model import Site

_VALUES = "$values/"


def from_root(site: Site, path: str) -> str:
    """A path of this repository as the Git repository has it."""
    return "/".join(part for part in (site.gitops.path, path) if part)


def placed(site: Site, value: Mapping[str, Any]) -> Mapping[str, Any]:
    """An object of Argo CD or Flux with its paths from the root of the Git repository.

    Argo CD: `path` and `$values/` of an Application (operator-manual/application.yaml). Flux: `path` of a
    Kustomization, and `chart` of a HelmRelease whose source is a GitRepository (HelmChart, spec.chart).
    """
    form = _FORMS.get(str(value.get("kind"))) if site.gitops.path else None
    return value if form is None else {**value, "spec": form(site, value["spec"])}


def _application(site: Site, spec: Mapping[str, Any]) -> Mapping[str, Any]:
    if "source" in spec:
        return {**spec, "source": _source(site, spec["source"])}
    return {**spec, "sources": [_source(site, source) for source in spec["sources"]]}


def _source(site: Site, source: Mapping[str, Any]) -> Mapping[str, Any]:
    changed = dict(source)
    if "path" in source:
        changed["path"] = from_root(site, source["path"])
    files = source.get("helm", {}).get("valueFiles")
    if files:
        changed["helm"] = {**source["helm"], "valueFiles": [_value_file(site, name) for name in files]}
    return changed


def _value_file(site: Site, name: str) -> str:
    return _VALUES + from_root(site, name.removeprefix(_VALUES)) if name.startswith(_VALUES) else name


def _kustomization(site: Site, spec: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**spec, "path": _dotted(site, spec["path"])}


def _release(site: Site, spec: Mapping[str, Any]) -> Mapping[str, Any]:
    chart = spec["chart"]["spec"]
    if chart["sourceRef"]["kind"] != "GitRepository":
        return spec
    return {**spec, "chart": {**spec["chart"], "spec": {**chart, "chart": _dotted(site, chart["chart"])}}}


def _dotted(site: Site, path: str) -> str:
    return f"./{from_root(site, path.removeprefix('./'))}"


_FORMS = {"Application": _application, "HelmRelease": _release, "Kustomization": _kustomization}
