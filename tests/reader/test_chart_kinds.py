"""What is said of upstream's charts without having them, held against the charts where these are at hand."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from anycastle import helm, yamlio
from anycastle.reader.agreement.chart_kinds import ALWAYS, SWITCHES, Switch, of_chart
from anycastle.reader.agreement.cluster_kinds import CLUSTER_WIDE, NAMESPACED, Kind

pytestmark = pytest.mark.shared

ON = [(chart, switch) for chart, switches in SWITCHES.items() for switch in switches]
NEEDED: dict[str, dict[str, Any]] = {
    "configs": {"notifications": {"enabled": False}},
    "autoscaling": {"autoscaling": {"maxReplicas": 3}, "resources": {"requests": {"cpu": "1"}}},
    "podDisruptionBudget": {"podDisruptionBudget": {"maxUnavailable": 1}},
}
"""What a switch needs beside itself."""


def chart_of(charts: Path, name: str, to: Path) -> Path:
    """A copy without the dependencies, which are off by default."""
    if not (charts / name).is_dir():
        pytest.skip(f"no chart {name} there")
    chart = Path(shutil.copytree(charts / name, to / name))
    value = yamlio.load((chart / "Chart.yaml").read_bytes()).documents[0].value
    (chart / "Chart.yaml").write_text(yamlio.dump({key: one for key, one in value.items() if key != "dependencies"}))
    (chart / "Chart.lock").unlink(missing_ok=True)
    return chart


def made(chart: Path, values: dict[str, Any]) -> set[Kind]:
    rendered = helm.render(chart, values, helm.Release("name", "space", "v1.36.4"), chart.name)
    assert rendered.findings == ()
    found = [one.value for _path, text in rendered.texts for one in yamlio.load(text).documents if one.value]
    return {(item["apiVersion"].rpartition("/")[0], item["kind"]) for item in found}


def with_switch(switch: Switch, on: bool) -> dict[str, Any]:
    first, *rest = switch.path
    values: dict[str, Any] = {first: on}
    if rest:
        inner: Any = on
        for key in reversed(rest):
            inner = {key: inner}
        values = {first: {**NEEDED.get(first, {}).get(first, {}), **inner}}
    return {**{key: one for key, one in NEEDED.get(first, {}).items() if key != first}, **values}


@pytest.mark.parametrize("name", sorted(ALWAYS))
def test_what_a_chart_always_brings_is_there_with_its_defaults(name: str, charts_dir: Path, tmp_path: Path) -> None:
    chart = chart_of(charts_dir, name, tmp_path)
    assert set(of_chart(name, {}, definitions=False)) <= made(chart, {})


@pytest.mark.parametrize(
    ("name", "switch"), ON, ids=lambda value: ".".join(value.path) if isinstance(value, Switch) else value
)
def test_a_switch_brings_its_kinds_and_takes_them_away(
    name: str, switch: Switch, charts_dir: Path, tmp_path: Path
) -> None:
    chart = chart_of(charts_dir, name, tmp_path)
    assert set(switch.kinds) <= made(chart, with_switch(switch, True))
    off = made(chart, with_switch(switch, False))
    other = {kind for one in SWITCHES[name] if one is not switch and one.default for kind in one.kinds}
    assert not (set(switch.kinds) - other) & off
    default = made(chart, {})
    assert (set(switch.kinds) <= default) is switch.default


def test_every_kind_that_is_named_is_in_the_table_of_scopes() -> None:
    named = {kind for kinds in ALWAYS.values() for kind in kinds}
    named |= {kind for switches in SWITCHES.values() for switch in switches for kind in switch.kinds}
    assert named <= CLUSTER_WIDE | NAMESPACED
    assert not CLUSTER_WIDE & NAMESPACED
