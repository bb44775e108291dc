"""Objects of Argo CD, Flux and Traefik: fields that only make sense together, or only apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from anycastle.schemas.fault import Fault, Path, Subject
from anycastle.schemas.shape import mapping, mappings, text


def application(subject: Subject) -> Iterator[Fault]:
    """GITOPS001, GITOPS002, GITOPS005 for an Application."""
    yield from _application(subject.spec, ("spec",), templated=False)


def application_set(subject: Subject) -> Iterator[Fault]:
    """The same for the template of an ApplicationSet."""
    spec = mapping(subject.spec, "template", "spec")
    yield from _application(spec, ("spec", "template", "spec"), templated=bool(subject.spec.get("templatePatch")))


def _application(spec: dict[str, Any], at: Path, *, templated: bool) -> Iterator[Fault]:
    given = [key for key in ("source", "sources", "sourceHydrator") if spec.get(key)]
    if spec and not given and not templated:
        yield Fault("GITOPS001", (*at, "source"), "the Application has no source, so nothing is applied", "Add source.")
    if {"source", "sources"} <= set(given):
        yield Fault(
            "GITOPS001",
            (*at, "source"),
            "with sources Argo CD ignores source, so what it names is never applied",
            "Keep one of the two.",
        )
    yield from _destination(mapping(spec, "destination"), (*at, "destination"), templated=templated)
    single = [((*at, "source"), mapping(spec, "source"))] if spec.get("source") else []
    for here, source in [*single, *mappings(spec, "sources", at)]:
        yield from _source(source, here)


def _destination(destination: dict[str, Any], at: Path, *, templated: bool) -> Iterator[Fault]:
    named = [key for key in ("name", "server") if text(destination, key)]
    if len(named) == 1 or (templated and not named):
        return
    what = "both a server and a name" if named else "neither a server nor a name"
    yield Fault(
        "GITOPS002",
        at,
        f"the destination has {what}, so Argo CD does not know the cluster and syncs nothing",
        "Write server: https://kubernetes.default.svc, or the name of a registered cluster.",
    )


def _source(source: dict[str, Any], at: Path) -> Iterator[Fault]:
    if text(source, "ref") and text(source, "chart"):
        yield Fault(
            "GITOPS005",
            (*at, "ref"),
            "a source with a chart cannot be referred to, so the sync fails",
            "Give ref to the Git source that holds the value files.",
        )
    if text(source, "chart") and not text(source, "targetRevision"):
        yield Fault(
            "GITOPS005",
            (*at, "targetRevision"),
            f"the chart {text(source, 'chart')} has no version, so the source is refused",
            "Pin the version of the chart.",
        )
    kinds = [key for key in ("chart", "path", "ref") if text(source, key)]
    if not kinds:
        yield Fault(
            "GITOPS005",
            (*at, "path"),
            "the source has neither path nor chart nor ref, so there is nothing to render",
            "Add the path inside the repository; `.` is its root.",
        )


def helm_release(subject: Subject) -> Iterator[Fault]:
    """GITOPS003, GITOPS004 for a HelmRelease."""
    given = [key for key in ("chart", "chartRef") if subject.spec.get(key) is not None]
    if subject.spec and len(given) != 1:
        what = "both chart and chartRef" if given else "neither chart nor chartRef"
        yield Fault(
            "GITOPS003",
            ("spec", "chartRef" if given else "chart"),
            f"the release has {what}, so it is refused",
            "Keep exactly one.",
        )
    for part, allowed in (("install", ("RetryOnFailure", "")), ("upgrade", ("RetryOnFailure",))):
        strategy = mapping(subject.spec, part, "strategy")
        if "retryInterval" in strategy and text(strategy, "name") not in allowed:
            yield Fault(
                "GITOPS004",
                ("spec", part, "strategy", "retryInterval"),
                "retryInterval belongs to the strategy RetryOnFailure, so the release is refused",
                "Remove it, or write that strategy.",
            )
    yield from remote_cluster(subject)


def remote_cluster(subject: Subject) -> Iterator[Fault]:
    """GITOPS004: the kubeconfig of another cluster comes from one place."""
    found = mapping(subject.spec, "kubeConfig")
    given = [key for key in ("configMapRef", "secretRef") if found.get(key) is not None]
    if "kubeConfig" in subject.spec and len(given) != 1:
        yield Fault(
            "GITOPS004",
            ("spec", "kubeConfig"),
            "kubeConfig needs exactly one of configMapRef and secretRef, so the object is refused",
            "Keep one, or remove kubeConfig.",
        )


def git_repository(subject: Subject) -> Iterator[Fault]:
    """GITOPS004: service accounts belong to clouds."""
    spec = subject.spec
    if "serviceAccountName" in spec and text(spec, "provider") not in ("aws", "azure"):
        yield Fault(
            "GITOPS004",
            ("spec", "serviceAccountName"),
            "serviceAccountName only works with the providers aws and azure, so the source is refused",
            "Use secretRef.",
        )


def ingress_route(subject: Subject) -> Iterator[Fault]:
    """TRAEFIK001: every route leads to a service."""
    for at, route in mappings(subject.spec, "routes", ("spec",)):
        if not route.get("services"):
            yield Fault(
                "TRAEFIK001",
                (*at, "services"),
                "the route has no services, so Traefik drops it and clients get 404",
                "Add a service.",
            )


def middleware(subject: Subject) -> Iterator[Fault]:
    """TRAEFIK002: a prefix that is put in front of a path."""
    added = mapping(subject.spec, "addPrefix")
    if "prefix" in added and not text(added, "prefix").startswith("/"):
        yield Fault(
            "TRAEFIK002",
            ("spec", "addPrefix", "prefix"),
            f"`{added['prefix']}` does not begin with /, so the middleware is refused",
            "Begin it with /.",
        )
