"""Sites to change: cases, generated; and the judgement of a tree, with what does not change remembered."""

import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from anycastle import helm, yamlio
from anycastle.compose import Report, site_findings, validate_tree
from anycastle.finding import Finding, Severity
from anycastle.render import render
from patches import CASES, read

SITES = (
    *("seed", "lab-ja", "single-pool", "many-nodes", "pools-exported", "other-names"),
    *("flux", "dual-stack", "two-routers-two-as"),
)
"""Cases of different shapes; all of them would take an hour."""
GRAVE = (Severity.ERROR, Severity.WARNING)


def files(name: str) -> dict[str, bytes]:
    """The repository of a case."""
    judged = site_findings(read(CASES / name / "site.yaml"))
    assert judged.site is not None, judged.findings
    assert judged.network is not None
    return dict(sorted(render(judged.site, judged.network).items()))


def write(name: str, root: Path) -> dict[str, bytes]:
    """The repository of a case in a folder."""
    made = files(name)
    for path, data in made.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return made


def grave(report: Report) -> frozenset[tuple[str, str]]:
    """What makes `anycastle validate` fail: codes with their messages."""
    return frozenset((finding.code, finding.message) for finding in report.findings if finding.severity in GRAVE)


def judge(root: Path) -> frozenset[tuple[str, str]]:
    """Everything grave about a tree."""
    return grave(validate_tree(root))


def remember() -> None:
    """Render a chart once for each set of values, read a file once for each content: charts stay as they are."""
    helm.render = _by_values(helm.render)  # type: ignore[assignment]
    helm.judged = _by_values(helm.judged)  # type: ignore[assignment]
    yamlio.load = lru_cache(maxsize=2048)(yamlio.load)  # type: ignore[assignment]


def _by_values(function: Callable[..., Any]) -> Callable[..., Any]:
    known: dict[str, Any] = {}

    def remembered(chart: Path, values: object, *rest: object, **options: object) -> object:
        key = json.dumps([chart.name, values, [str(item) for item in rest], options], sort_keys=True, default=str)
        if key not in known:
            known[key] = function(chart, values, *rest, **options)
        return known[key]

    return remembered


__all__ = ["SITES", "Finding", "files", "grave", "judge", "remember", "write"]
