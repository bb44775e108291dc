"""Values of Traefik's chart that must agree with one another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anycastle.network.cluster import Node
from anycastle.reader.agreement.references import place, values
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.argocd import Source
from anycastle.reader.charts import Answered
from anycastle.reader.notes import Notes
from anycastle.schemas.shape import mapping, mappings, number, sequence, text

_SECONDS = re.compile(r"(?:(\d+)m)?(?:(\d+)s)?")
_ENTRY_POINTS = frozenset(("web", "websecure", "traefik", "metrics"))
_NODE = "kubernetes.io/hostname"
_QUANTITY = re.compile(r"\d+(?:\.\d+)?(?:m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?")


def check(subject: Subject, notes: Notes) -> None:
    """Every Traefik."""
    for source, given in values(subject, "traefik"):
        _shutdown(source, given, notes)
        _spread(source, given, subject.network.nodes, notes)
        _quantities(source, given, notes)
        _redirection(source, given, notes)
        _update(source, given, notes)
        _pace(source, given, notes)


def _seconds(value: object) -> int:
    match = _SECONDS.fullmatch(value) if isinstance(value, str) else None
    return int(match[1] or 0) * 60 + int(match[2] or 0) if match else value if isinstance(value, int) else 0


def _shutdown(source: Source, given: Answered, notes: Notes) -> None:
    grace = number(given.values, "deployment", "terminationGracePeriodSeconds")
    stop = number(given.values, "deployment", "lifecycle", "preStop", "sleep", "seconds") or 0
    ports = mapping(given.values, "ports")
    for name in sorted(ports):
        times = mapping(ports[name], "transport", "lifeCycle")
        accept, finish = _seconds(times.get("requestAcceptGraceTimeout")), _seconds(times.get("graceTimeOut"))
        if grace is not None and stop + accept + finish >= grace:
            notes.add(
                "TRF002",
                place(source, given, "deployment", "terminationGracePeriodSeconds"),
                f"Traefik needs {stop} + {accept} + {finish} seconds on {name} to end, and is killed after {grace}.",
                f"Write more than {stop + accept + finish}.",
            )
    waits = {name: _seconds(mapping(ports[name], "transport", "lifeCycle").get("requestAcceptGraceTimeout"))
             for name in sorted(ports)}  # fmt: skip
    told = {name: wait for name, wait in waits.items() if wait}
    if stop and told and set(told.values()) != {stop} and len(set(told.values())) > 1:
        usual = max(sorted(told.values()), key=list(told.values()).count)
        for name, wait in told.items():
            if wait != usual:
                notes.add(
                    "TRF002",
                    place(source, given, "ports", name, "transport", "lifeCycle", "requestAcceptGraceTimeout"),
                    f"The entry point {name} takes new requests for {wait} s, the others for {usual} s: the probe and "
                    "the traffic do not end together.",
                    f"Write {usual}s.",
                )


def _own_labels(values: Mapping[str, Any]) -> Iterator[str]:
    yield from mapping(values, "commonLabels")
    yield from mapping(values, "deployment", "podLabels")


def _spread(source: Source, given: Answered, nodes: Sequence[Node], notes: Notes) -> None:
    pods = {
        "app.kubernetes.io/name": text(given.values, "nameOverride") or "traefik",
        "app.kubernetes.io/instance": text(given.values, "instanceLabelOverride")
        or f"{source.release}-{text(given.values, 'namespaceOverride') or source.namespace}",
    }
    for _keys, entry in mappings(given.values, "topologySpreadConstraints"):
        wrong = [
            f"{key}: {value}"
            for key, value in mapping(entry, "labelSelector", "matchLabels").items()
            if key.startswith("app.kubernetes.io/") and pods.get(key) != value
        ]
        if wrong:
            _spreads_nothing(source, given, f"no pod of the release has {', '.join(wrong)}", notes)
        if text(entry, "whenUnsatisfiable") == "DoNotSchedule" and text(entry, "nodeTaintsPolicy") == "Ignore":
            _spreads_nothing(source, given, "nodes that take no pods count as empty, so replicas stay pending", notes)
        topology, labels = text(entry, "topologyKey"), {key for node in nodes for key, _value in node.labels}
        if topology and nodes and topology not in labels | {_NODE} and not topology.startswith("topology."):
            _spreads_nothing(source, given, f"no node has the label {topology}", notes)
        if number(entry, "maxSkew") == 0:
            _spreads_nothing(source, given, "maxSkew must be greater than 0, and the API server refuses it", notes)
        for key in sequence(entry, "matchLabelKeys"):
            if key not in (*pods, "pod-template-hash", "controller-revision-hash", *_own_labels(given.values)):
                _spreads_nothing(source, given, f"no pod has the label {key}", notes)


def _spreads_nothing(source: Source, given: Answered, why: str, notes: Notes) -> None:
    notes.add(
        "TRF003",
        place(source, given, "topologySpreadConstraints"),
        f"The constraint does not spread the replicas: {why}.",
        "Write the labels of the chart, and topologyKey: kubernetes.io/hostname.",
    )


def _entry_points(values: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, port in mapping(values, "ports").items():
        if isinstance(port, dict):
            yield name, port


def _redirection(source: Source, given: Answered, notes: Notes) -> None:
    known = _ENTRY_POINTS | {name for name, _port in _entry_points(given.values)}
    for name, port in _entry_points(given.values):
        target = mapping(port, "http", "redirections", "entryPoint")
        to, scheme = text(target, "to"), text(target, "scheme")
        keys = ("ports", name, "http", "redirections", "entryPoint")
        if to and not to.startswith(":") and (to not in known or to == name):
            notes.add(
                "TRF003",
                place(source, given, *keys, "to"),
                f"{name} is redirected to {to}, which is {'itself' if to == name else 'no entry point'}.",
                "Write websecure.",
            )
        if to == "websecure" and scheme and scheme != "https":
            notes.add(
                "TRF003",
                place(source, given, *keys, "scheme"),
                f"{name} is redirected to the port of https with the scheme {scheme}.",
                "Write https.",
            )


def _quantities(source: Source, given: Answered, notes: Notes) -> None:
    """Amounts of a chart that is not rendered here: the API server refuses what is none."""
    for kind in ("requests", "limits"):
        for name, amount in mapping(given.values, "resources", kind).items():
            if not _QUANTITY.fullmatch(str(amount)):
                notes.add(
                    "TRF003",
                    place(source, given, "resources", kind, name),
                    f"{amount} is no amount, and the API server refuses the pod.",
                    "Write 128Mi or 100m.",
                )


def _update(source: Source, given: Answered, notes: Notes) -> None:
    kind = text(given.values, "updateStrategy", "type")
    missing = mapping(given.values, "updateStrategy", "rollingUpdate").get("maxUnavailable")
    if kind and kind != "RollingUpdate" and text(given.values, "deployment", "kind") != "DaemonSet":
        notes.add(
            "TRF004",
            place(source, given, "updateStrategy", "type"),
            f"{kind} ends all replicas before the new ones start: the address is announced by nobody meanwhile.",
            "Write RollingUpdate.",
        )
    surge = mapping(given.values, "updateStrategy", "rollingUpdate").get("maxSurge")
    if missing == 0 and surge == 0:
        notes.add(
            "TRF004",
            place(source, given, "updateStrategy", "rollingUpdate", "maxSurge"),
            "With maxSurge and maxUnavailable 0 an update can never begin, and the API server refuses it.",
            "Write maxSurge: 1.",
        )
    replicas = number(given.values, "deployment", "replicas") or 1
    if isinstance(missing, int) and missing > 0 and mapping(given.values, "podDisruptionBudget").get("enabled"):
        notes.add(
            "TRF004",
            place(source, given, "updateStrategy", "rollingUpdate", "maxUnavailable"),
            f"An update takes away {missing} of {replicas} next hops before a new one is ready.",
            "Write maxUnavailable: 0 and maxSurge: 1.",
        )
    _budget(source, given, replicas, notes)


def _pace(source: Source, given: Answered, notes: Notes) -> None:
    """How soon after a new replica the next old one goes."""
    local = text(given.values, "service", "spec", "externalTrafficPolicy") == "Local"
    several = (number(given.values, "deployment", "replicas") or 1) > 1
    if local and several and not number(given.values, "deployment", "minReadySeconds"):
        notes.add(
            "TRF005",
            place(source, given, "deployment"),
            "An update takes the next replica away as soon as a new one is ready, and that one is announced before the "
            "packets find it: for a moment both are missing.",
            "Write deployment.minReadySeconds: 10.",
        )


def _budget(source: Source, given: Answered, replicas: int, notes: Notes) -> None:
    """How many replicas a drain may take."""
    budget = mapping(given.values, "podDisruptionBudget")
    many = budget.get("maxUnavailable")
    key, what = "maxUnavailable", ""
    if budget.get("enabled") is False and replicas > 1:
        key, what = "enabled", "A drain of several nodes may take all replicas at once."
    elif many == 0:
        what = "No node with a replica can ever be drained."
    elif isinstance(many, int) and 1 < replicas <= many:
        what = "A drain may take all replicas at once."
    if what:
        where = place(source, given, "podDisruptionBudget", key)
        notes.add("TRF004", where, what, "Write enabled: true and maxUnavailable: 1.")
