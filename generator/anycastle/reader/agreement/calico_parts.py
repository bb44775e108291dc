"""Calico's way to the API, its own API server, and one owner of its definitions; Argo CD's plain port."""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.reader.agreement.references import place, values
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, mappings, text

_DEFINITIONS = frozenset(("crd.projectcalico.org.v1", "projectcalico.org.v3"))


def check(subject: Subject, notes: Notes) -> None:
    """The port of the API, the API server of Calico's own kinds, and one owner of the definitions."""
    api = subject.network.api
    for item in subject.objects:
        port = text(item.value, "data", "KUBERNETES_SERVICE_PORT")
        if item.kind == "ConfigMap" and api is not None and port and port != str(api.port):
            notes.add(
                "REF007",
                item.place(("data", "KUBERNETES_SERVICE_PORT")),
                f"Calico's operator dials port {port}, the API server listens on {api.port}: no pod gets a network.",
                f'Write "{api.port}".',
            )
    served = any(item.kind == "APIServer" and item.group == "operator.tigera.io" for item in subject.objects)
    needed = next((item for item in subject.objects if text(item.value, "apiVersion") == "projectcalico.org/v3"), None)
    for source, given in values(subject, "tigera-operator"):
        if needed is not None and not served:
            notes.add(
                "REF008",
                needed.place(("apiVersion",)),
                f"{needed.kind} {needed.name} is of projectcalico.org/v3, and nothing brings the API server for it.",
                "Enable apiServer in calico-installation.",
            )
        others = any(path in _DEFINITIONS for path in _paths(subject))
        if others and given.values.get("manageCRDs") is True:
            notes.add(
                "REF009",
                place(source, given, "manageCRDs"),
                "The operator writes its own definitions over those of the chart that brings them.",
                "Write manageCRDs: false.",
            )
    for source, given in values(subject, "argo-cd"):
        insecure = mapping(given.values, "configs", "params").get("server.insecure")
        if insecure is not None and str(insecure).lower() != "true" and _plain_route(subject):
            notes.add(
                "REF010",
                place(source, given, "configs", "params", "server.insecure"),
                "Traefik ends the TLS session and speaks plain HTTP to Argo CD, which sends it back to https for ever.",
                'Write server.insecure: "true".',
            )


def _paths(subject: Subject) -> Iterator[str]:
    return (source.path for unit in subject.units for source in unit.sources)


def _plain_route(subject: Subject) -> bool:
    return any(
        text(service, "name").endswith("argocd-server") and service.get("port") == 80
        for item in subject.objects
        if item.kind == "IngressRoute"
        for _keys, route in mappings(item.spec, "routes")
        for _at, service in mappings(route, "services")
    )
