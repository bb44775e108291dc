"""Names that one file makes and another uses: priority classes, ingress classes, hosts, addresses, pod security."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from anycastle.finding import Place
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.argocd import Source
from anycastle.reader.charts import Answered
from anycastle.reader.documents import Object
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, mappings, sequence, text

CLASS = "kubernetes.io/ingress.class"
_NEAR = 0.85
_HOST = re.compile(r"Host\(`([^`]+)`\)")
_RESOLVE = re.compile(r"([^:]+):(\d+):\[?([0-9a-fA-F.:]+?)\]?")


def check(subject: Subject, notes: Notes) -> None:
    """All references."""
    _priorities(subject, notes)
    _classes(subject, notes)
    _argocd_host(subject, notes)
    _probes(subject, notes)


def values(subject: Subject, chart: str) -> Iterator[tuple[Source, Answered]]:
    """Sources of an upstream chart with their values."""
    return ((source, given) for source, given in subject.brought if source.path == chart)


def place(source: Source, given: Answered, *keys: str) -> Place:
    """Where a value stands, else its Application."""
    return given.answers.at(keys) or source.where


def _priorities(subject: Subject, notes: Notes) -> None:
    made = {item.name for item in subject.objects if item.kind == "PriorityClass"}
    for name, where in _used_priorities(subject):
        foreign = not subject.one_hand and not difflib.get_close_matches(name, sorted(made), 1, _NEAR)
        if made and name and name not in made and not name.startswith("system-") and not foreign:
            notes.add(
                "REF001",
                where,
                f"There is no priority class {name}; the API server refuses every pod that names it.",
                f"Write one of {', '.join(sorted(made))}, or add the class.",
            )


def _used_priorities(subject: Subject) -> Iterator[tuple[str, Place]]:
    for chart, keys in (("traefik", ("priorityClassName",)), ("argo-cd", ("global", "priorityClassName"))):
        for source, given in values(subject, chart):
            yield text(given.values, *keys), place(source, given, *keys)
    at = ("spec", "template", "spec", "priorityClassName")
    for item in subject.objects:
        if name := text(item.value, *at):  # the place of what is not there may mean to parse a file once more
            yield name, item.place(at)


def _classes(subject: Subject, notes: Notes) -> None:
    served: dict[str, Place] = {}
    for source, given in values(subject, "traefik"):
        keys = ("providers", "kubernetesCRD", "ingressClass")
        name = text(given.values, *keys)
        if not name:
            return  # serves every class
        served[name] = place(source, given, *keys)
        for other in (("providers", "kubernetesIngress", "ingressClass"), ("ingressClass", "name")):
            value = text(given.values, *other)
            if value and value != name:
                notes.add(
                    "REF002",
                    place(source, given, *other),
                    f"{'.'.join(other)} is {value} and {'.'.join(keys)} is {name}: one Traefik serves two classes, "
                    "each of them by half.",
                    f"Write {name}.",
                )
        if mapping(given.values, "ingressClass").get("enabled") is False and text(
            given.values, "providers", "kubernetesIngress", "ingressClass"
        ):
            notes.add(
                "REF002",
                place(source, given, "ingressClass", "enabled"),
                f"Traefik serves the class {name}, and nothing makes an IngressClass of that name: the API server "
                "refuses every Ingress of it.",
                "Write ingressClass.enabled: true.",
            )
    for item in subject.objects:
        wanted = item.annotations.get(CLASS) if item.group == "traefik.io" else None
        if served and isinstance(wanted, str) and wanted not in served:
            notes.add(
                "REF002",
                item.place(("metadata", "annotations", CLASS)),
                f"{item.kind} {item.name} is of the class {wanted}, which no Traefik here serves.",
                f"Write {', '.join(sorted(served))}.",
            )


def hosts_of(item: Object) -> Iterator[str]:
    """Hosts that an IngressRoute serves."""
    for _keys, route in mappings(item.spec, "routes"):
        yield from _HOST.findall(text(route, "match"))


def _argocd_host(subject: Subject, notes: Notes) -> None:
    for source, given in values(subject, "argo-cd"):
        domain = text(given.values, "global", "domain")
        if subject.one_hand:
            _unserved(domain, source, given, subject, notes)
        for item in subject.objects:
            leads = any(
                text(service, "name").endswith("argocd-server")
                for _keys, route in mappings(item.spec, "routes")
                for _at, service in mappings(route, "services")
            )
            if item.kind != "IngressRoute" or not leads or not domain:
                continue
            hosts = set(hosts_of(item))
            if hosts and domain not in hosts:
                notes.add(
                    "REF003",
                    place(source, given, "global", "domain"),
                    f"Argo CD calls itself {domain}; the route to it serves {', '.join(sorted(hosts))}.",
                    f"Write {min(hosts)} in both.",
                )
            server = f"{_fullname(source, given)}-server"
            for _keys, route in mappings(item.spec, "routes"):
                for _at, service in mappings(route, "services"):
                    if text(service, "name") != server:
                        notes.add(
                            "REF003",
                            source.where,
                            f"The release {source.release} makes the Service {server}; the route leads to "
                            f"{text(service, 'name')}.",
                            "Name the release argocd, or correct the route.",
                        )


def _fullname(source: Source, given: Answered) -> str:
    """The first part of the names that the chart argo-cd gives."""
    chart = text(given.values, "nameOverride") or "argocd"
    release = source.release
    return text(given.values, "fullnameOverride") or (release if chart in release else f"{release}-{chart}")


def _unserved(domain: str, source: Source, given: Answered, subject: Subject, notes: Notes) -> None:
    """Where Traefik serves routes of this repository and the chart makes none itself, one has to lead to Argo CD."""
    routes = [item for item in subject.objects if item.kind in ("IngressRoute", "Ingress", "HTTPRoute")]
    server = mapping(given.values, "server")
    own = any(mapping(server, key).get("enabled") is True for key in ("ingress", "ingressGrpc", "httproute"))
    if domain and routes and not own and not any(domain in str(item.value) for item in routes):
        notes.add(
            "REF003",
            place(source, given, "global", "domain"),
            f"Argo CD calls itself {domain}, and no route of this repository leads there.",
            "Add the route, or take the name out.",
        )


def _probes(subject: Subject, notes: Notes) -> None:
    services = {str(address) for service in subject.network.services for address in service.addresses}
    routes = {host for item in subject.objects if item.kind == "IngressRoute" for host in hosts_of(item)}
    for item in subject.objects:
        if item.kind != "Job" or "argocd.argoproj.io/hook" not in item.annotations:
            continue
        for keys, container in mappings(mapping(item.spec, "template", "spec"), "containers"):
            for argument in (*sequence(container, "args"), *sequence(container, "command")):
                match = _RESOLVE.fullmatch(str(argument))
                if match and services and match[3] not in services:
                    at = ("spec", "template", "spec", *keys, "args")
                    notes.add(
                        "REF004",
                        _answer(subject, match[3]) or item.place(at),
                        f"{item.name} asks {match[3]}, which no Service has: {', '.join(sorted(services))}.",
                        f"Write {min(services)}.",
                    )
                if match and routes and match[1] not in routes:
                    notes.add("REF004", item.place(), f"No route serves {match[1]}.", f"Write {min(routes)}.")


def _answer(subject: Subject, value: str) -> Place | None:
    """The line of a values file that holds a text."""
    for path in subject.tree.paths:
        if path.startswith("apps/") and path.endswith(".yaml"):
            content = subject.tree.text(path, Notes()) or ""
            for number, line in enumerate(content.splitlines(), start=1):
                if value in line.split():
                    return Place(path, number)
    return None
