"""What goes into the Helm engine, and what comes out of it."""

from __future__ import annotations

from collections.abc import Sequence

from anycastle.finding import Finding, Place, Severity
from anycastle.records import dataclass


@dataclass(frozen=True, slots=True)
class Rendered:
    """Text of every template by its path inside the chart (`templates/x.yaml`), and what went wrong."""

    texts: tuple[tuple[str, str], ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Release:
    """What Helm needs to know besides chart and values. Versions as `v1.36.4`."""

    name: str
    namespace: str
    kube_version: str
    api_versions: Sequence[str] = ()


def stopped(label: str, what: str, fix: str) -> Finding:
    """A chart that was not rendered, to protect who renders it; `what` goes on after `The chart`."""
    return Finding(
        "HELM003",
        Severity.ERROR,
        Place(label),
        f"The chart {what}, so nothing in it was checked; the GitOps engine renders with the same library and gets "
        "nothing of it into the cluster.",
        fix,
    )
