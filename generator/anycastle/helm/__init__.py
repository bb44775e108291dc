"""The only door to Helm: our own unchanged charts in this process, every other chart in a process that may die.

Everything is imported on use: a run that finds every chart in the cache needs none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anycastle.finding import Finding
from anycastle.helm.installed import identity
from anycastle.helm.model import Release, Rendered, stopped

__all__ = ["Release", "Rendered", "identity", "judged", "lint", "render"]


def judged(chart: Path, values: Mapping[str, Any], release: Release, label: str, *, linted: bool = True) -> Rendered:
    """`render`, with what `lint` says of a foreign chart where nothing else is wrong, unless that is not wanted.

    Our own charts are linted by the project's tests. What lint says of values (names, selectors, YAML of the result)
    whoever reads the result says as well, and better placed; asking would take four times as long as rendering.
    """
    from anycastle.helm import engine, own

    if own.is_own(chart):
        return engine.render(chart, values, release, label)
    rendered = render(chart, values, release, label)
    if rendered.findings or not linted:
        return rendered
    return Rendered(rendered.texts, lint(chart, values, release.kube_version, label))


def render(chart: Path, values: Mapping[str, Any], release: Release, label: str) -> Rendered:
    """Render a chart as `helm template` does: values schema, guards and the kubeVersion constraint hold.

    `label` is the chart's path in reports. A chart that cannot be rendered within the limits gives HELM003.
    """
    from anycastle.helm import apart, engine, own

    if own.is_own(chart):
        return engine.render(chart, values, release, label)
    if fault := _fault(chart, label):
        return Rendered(findings=(fault,))
    return apart.render(chart, values, release, label)


def lint(chart: Path, values: Mapping[str, Any], kube_version: str, label: str) -> tuple[Finding, ...]:
    """What `helm lint --strict` says. Guards (`fail`, `required`) pass lint: render as well."""
    from anycastle.helm import apart, engine, own

    if own.is_own(chart):
        return engine.lint(chart, values, kube_version, label)
    if fault := _fault(chart, label):
        return (fault,)
    return apart.lint(chart, values, kube_version, label)


def _fault(chart: Path, label: str) -> Finding | None:
    from anycastle.helm import irregular

    found = irregular.fault_of(chart)
    if found is None:
        return None
    path, what = found
    return stopped(f"{label}/{path}", what, f"Remove {path} from the chart's folder.")
