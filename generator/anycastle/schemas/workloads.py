"""Workloads: what ties a template of pods to the controller that runs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from anycastle.schemas import names
from anycastle.schemas.fault import Fault, Path, Subject
from anycastle.schemas.pods import TEMPLATES
from anycastle.schemas.shape import mapping, mappings, sequence, text

_PERCENT = re.compile(r"\d{1,3}%")
_RUNNING = frozenset(("DaemonSet", "Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"))
_ENDING = frozenset(("CronJob", "Job"))


def selector(subject: Subject) -> Iterator[Fault]:
    """OBJ110: the selector of a workload matches the labels of its template."""
    found = mapping(subject.spec, "selector")
    yield from names.labels(mapping(found, "matchLabels"), ("spec", "selector", "matchLabels"))
    carried = mapping(subject.spec, "template", "metadata", "labels")
    if "selector" in subject.spec and not (found.get("matchLabels") or found.get("matchExpressions")):
        yield Fault(
            "OBJ110",
            ("spec", "selector"),
            "the selector is empty, so the workload is refused",
            "Select the labels of the template.",
        )
    for key, value in mapping(found, "matchLabels").items():
        if carried.get(key) != value and isinstance(carried.get(key, ""), str):
            yield Fault(
                "OBJ110",
                ("spec", "selector", "matchLabels", key),
                f"the selector asks for {key}={value}, the template has "
                f"{f'{key}={carried[key]}' if key in carried else 'no such label'}: the workload is refused",
                "Write the same label in spec.template.metadata.labels.",
            )
    for at, expression in mappings(found, "matchExpressions", ("spec", "selector")):
        if not _holds(expression, carried):
            yield Fault("OBJ110", at, "the template's labels do not satisfy this expression", "Make both agree.")


def _holds(expression: dict[str, Any], carried: dict[str, Any]) -> bool:
    value, values = carried.get(text(expression, "key")), sequence(expression, "values")
    outcomes = {
        "In": value in values,
        "NotIn": value not in values,
        "Exists": value is not None,
        "DoesNotExist": value is None,
    }
    return outcomes.get(text(expression, "operator"), True)


def restart_policy(subject: Subject) -> Iterator[Fault]:
    """OBJ121: pods that must run, and pods that must end."""
    at = (*TEMPLATES[subject.group, subject.kind], "spec")
    spec = mapping(subject.value, *at)
    policy = text(spec, "restartPolicy") or "Always"
    allowed = {"Always"} if subject.kind in _RUNNING else {"OnFailure", "Never"}
    if not spec or policy in allowed or policy not in ("Always", "OnFailure", "Never"):
        return
    written = policy if "restartPolicy" in spec else f"{policy} (the default)"
    yield Fault(
        "OBJ121",
        (*at, "restartPolicy"),
        f"restartPolicy {written} does not fit a {subject.kind}, which is refused",
        f"Write {' or '.join(sorted(allowed))}.",
    )


def rolling_update(subject: Subject) -> Iterator[Fault]:
    """OBJ126: a rolling update can move."""
    part = "strategy" if subject.kind == "Deployment" else "updateStrategy"
    at: Path = ("spec", part, "rollingUpdate")
    update = mapping(subject.spec, part, "rollingUpdate")
    for key in ("maxSurge", "maxUnavailable"):
        if key in update and not is_share(update[key]):
            yield Fault("OBJ126", (*at, key), f"{update[key]} is neither a number nor a percentage", "Write 1 or 25%.")
    both = [update.get(key) for key in ("maxSurge", "maxUnavailable")]
    if subject.kind != "StatefulSet" and all(value in (0, "0%") for value in both):
        yield Fault(
            "OBJ126",
            (*at, "maxUnavailable"),
            "maxSurge and maxUnavailable are both zero: no pod could ever be replaced, and the workload is refused",
            "Set one of them to at least 1.",
        )


def is_share(value: Any) -> bool:
    """A count or a percentage up to 100; values of other types are the schema's business."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value >= 0
    if isinstance(value, str):
        return _PERCENT.fullmatch(value) is not None and int(value[:-1]) <= 100
    return True
