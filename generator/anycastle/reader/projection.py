"""Charts that are not in the repository: what can be told from their values, and that the rest was not checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from anycastle.finding import Place
from anycastle.reader import traefik, traefik_services
from anycastle.reader.argocd import Source
from anycastle.reader.charts import Answered
from anycastle.reader.documents import CLUSTER, Object
from anycastle.reader.merging import Values
from anycastle.reader.notes import Notes
from anycastle.reader.origins import Rendered
from anycastle.schemas.shape import mapping, text

HEALTH_KEY = "resource.customizations.health."
"""Keys of Argo CD's ConfigMap argocd-cm that teach it the health of a kind, `group_Kind`."""


def project(source: Source, given: Answered, notes: Notes) -> Iterator[Object]:
    """Objects that the chart is known to make of these values."""
    notes.add(
        "ARGO006",
        source.where,
        f"The chart {source.path} is not in the repository, so what it renders was not checked.",
        "Put a copy of the chart beside the others to have it checked.",
    )
    path = source.value_files[0] if source.value_files else source.where.path
    if source.path == traefik_services.CHART:
        traefik.ignored(given.values, given.answers, Place(path), notes)
    known = _KNOWN.get(source.path)
    for value in known(source, given.values) if known else ():
        locator = Rendered(value, given.answers, path, "")
        yield Object(value, f"{path} (projected: {source.path} {source.version})", CLUSTER, locator, source.namespace)


def _traefik(source: Source, values: Mapping[str, Any]) -> Iterator[Values]:
    yield from traefik_services.services(values, source.release, source.namespace)


def _operator(source: Source, values: Mapping[str, Any]) -> Iterator[Values]:
    """tigera-operator passes its block `installation` on as it is, unless that is switched off."""
    installation = mapping(values, "installation")
    if installation.get("enabled") is not False:
        spec = {key: value for key, value in installation.items() if key != "enabled"}
        yield _named("operator.tigera.io/v1", "Installation", "default", {"spec": spec})
    if mapping(values, "apiServer").get("enabled") is not False:
        yield _named("operator.tigera.io/v1", "APIServer", "default", {"spec": {}})
    endpoint = mapping(values, "kubernetesServiceEndpoint")
    if host := text(endpoint, "host"):
        data = {"KUBERNETES_SERVICE_HOST": host, "KUBERNETES_SERVICE_PORT": str(endpoint.get("port", "6443"))}
        value = _named("v1", "ConfigMap", "kubernetes-services-endpoint", {"data": data})
        value["metadata"]["namespace"] = source.namespace
        yield value


def _named(version: str, kind: str, name: str, body: Values) -> Values:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, **body}


_KNOWN: dict[str, Callable[[Source, Mapping[str, Any]], Iterator[Values]]] = {
    traefik_services.CHART: _traefik,
    "tigera-operator": _operator,
}


def health_keys(source: Source, values: Mapping[str, Any]) -> Iterator[str]:
    """Kinds whose health the values of the chart argo-cd explain."""
    if source.path == "argo-cd":
        yield from kinds_with_health(mapping(values, "configs", "cm"))


def kinds_with_health(settings: Mapping[str, Any]) -> Iterator[str]:
    """`group_Kind` of every health check in the data of argocd-cm."""
    for key, value in settings.items():
        if key.startswith(HEALTH_KEY) and isinstance(value, str) and value.strip():
            yield key.removeprefix(HEALTH_KEY)
