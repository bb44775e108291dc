"""Values that Traefik's chart takes in and never reads.

Chart 41.3.0: its schema is open in the blocks below, so a key at the wrong level passes without a word.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from anycastle.finding import Place
from anycastle.reader.merging import Values
from anycastle.reader.notes import Notes
from anycastle.reader.origins import Answers
from anycastle.schemas.shape import mapping


def _keys(names: str) -> frozenset[str]:
    return frozenset(names.split())


_SERVICE = _keys("additionalServices annotations annotationsTCP annotationsUDP enabled labels nameOverride single spec")
_LIFECYCLE = frozenset(("requestAcceptGraceTimeout", "graceTimeOut"))
_KNOWN: tuple[tuple[tuple[str, ...], frozenset[str]], ...] = (
    (("service",), _SERVICE),
    (("service", "additionalServices", "*"), _SERVICE),
    (
        ("deployment",),
        _keys(
            "additionalContainers additionalVolumes annotations dnsConfig dnsPolicy enabled goMemLimitPercentage "
            "healthchecksHost healthchecksPort healthchecksScheme hostAliases hostUsers imagePullSecrets "
            "initContainers kind labels lifecycle livenessPath minReadySeconds podAnnotations podLabels readinessPath "
            "replicas revisionHistoryLimit runtimeClassName shareProcessNamespace terminationGracePeriodSeconds "
            "tmpVolume"
        ),
    ),
    (
        ("ports", "*", "transport"),
        _keys("respondingTimeouts lifeCycle keepAliveMaxRequests keepAliveMaxTime"),
    ),
    (("ports", "*", "transport", "lifeCycle"), _LIFECYCLE),
    (("ports", "*", "transport", "respondingTimeouts"), _keys("readTimeout writeTimeout idleTimeout")),
    (("ports", "*", "http3"), frozenset(("enabled", "advertisedPort"))),
    (("log",), _keys("filePath format level noColor otlp")),
    (
        ("accessLog",),
        _keys("addInternals bufferingSize dualOutput enabled fields filters format otlp timezone"),
    ),
    (("metrics",), _keys("addInternals otlp prometheus")),
    (("ingressRoute",), _keys("dashboard healthcheck")),
)
_WORKLOADS = ("Deployment", "DaemonSet")


def ignored(values: Mapping[str, Any], answers: Answers, fallback: Place, notes: Notes) -> None:
    """Note every key that the chart takes in and never reads."""
    for pattern, known in _KNOWN:
        for at, part in _matching(values, pattern, ()):
            for key in sorted(set(part) - known):
                _note((*at, key), _right_place(at, key, known), answers, fallback, notes)
    for key in ("ports", "selector"):
        if key in mapping(values, "service", "spec"):
            _note(("service", "spec", key), "The chart writes it itself; take it out.", answers, fallback, notes)
    kind = mapping(values, "deployment").get("kind")
    if kind is not None and kind not in _WORKLOADS:
        notes.add(
            "TRF001",
            _at(("deployment", "kind"), answers, fallback),
            f"deployment.kind is {kind!r}: the chart then renders no workload at all, and no error.",
            "Write Deployment or DaemonSet.",
        )


def _matching(value: Any, pattern: tuple[str, ...], at: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Values]]:
    if not isinstance(value, dict):
        return
    if not pattern:
        yield at, value
        return
    for key in sorted(value) if pattern[0] == "*" else (pattern[0],):
        yield from _matching(value.get(key), pattern[1:], (*at, key))


def _right_place(at: tuple[str, ...], key: str, known: frozenset[str]) -> str:
    near = difflib.get_close_matches(key, sorted(known), n=1, cutoff=0.75)
    if near:
        return f"Did you mean {'.'.join((*at, near[0]))}?"
    if at == ("service",):
        return f"Fields of the Service stand one level deeper: service.spec.{key}."
    return f"Known here: {', '.join(sorted(known))}."


def _at(keys: tuple[str, ...], answers: Answers, fallback: Place) -> Place:
    return answers.at(keys) or Place(fallback.path, fallback.line, ".".join(keys))


def _note(keys: tuple[str, ...], fix: str, answers: Answers, fallback: Place, notes: Notes) -> None:
    notes.add(
        "TRF001",
        _at(keys, answers, fallback),
        f"{'.'.join(keys)} is accepted by Traefik's chart and read by nothing: it changes nothing in the cluster.",
        fix,
    )
