"""Charts are rendered with the embedded engine, and what comes out is read as Go reads YAML."""

import copy
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from anycastle import helm, yamlio

CHARTS = Path(__file__).resolve().parents[2] / "charts"
NAMES = ("calico-bgp", "calico-installation", "calico-loadbalancer", "edge", "namespaces", "whoami")
KUBE_VERSION = "v1.36.4"
_CHAIN = re.compile(r"execution error at \([^)]*\): ")

Values = Mapping[str, Any]


def _read(path: Path) -> Any:
    loaded = yamlio.load(path.read_bytes(), path.name)
    assert not loaded.findings
    (document,) = loaded.documents
    return document.value


def _merged(base: Values, override: Values) -> dict[str, Any]:
    """As Helm merges value files: maps by key, everything else is replaced; `...` takes a key away."""
    result = dict(base)
    for key, value in override.items():
        if value is ...:
            result.pop(key, None)
        elif isinstance(value, Mapping) and isinstance(result.get(key), Mapping):
            result[key] = _merged(result[key], value)
        else:
            result[key] = copy.deepcopy(value)
    return result


def _rendered(chart: str, values: Values) -> helm.Rendered:
    release = helm.Release(chart, "anywhere", KUBE_VERSION)
    return helm.render(CHARTS / chart, values, release, f"charts/{chart}")


@pytest.fixture(params=NAMES)
def chart(request: pytest.FixtureRequest) -> Path:
    """Each chart in turn."""
    return CHARTS / str(request.param)


@pytest.fixture
def example() -> Callable[..., dict[str, Any]]:
    """`example(chart, override)`: the chart's own example values, changed."""
    return lambda chart, override={}: _merged(_read(CHARTS / chart / "ci/example-values.yaml"), override)


@pytest.fixture
def texts() -> Callable[[str, Values], dict[str, str]]:
    """`texts(chart, values)`: rendered text by template name."""

    def render(chart: str, values: Values) -> dict[str, str]:
        rendered = _rendered(chart, values)
        assert rendered.findings == ()
        return {name.removeprefix("templates/"): text for name, text in rendered.texts}

    return render


@pytest.fixture
def objects(texts: Callable[[str, Values], dict[str, str]]) -> Callable[[str, Values], dict[str, Any]]:
    """`objects(chart, values)`: objects by `Kind/name`, with the namespace before the name where there is one."""

    def render(chart: str, values: Values) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, text in texts(chart, values).items():
            loaded = yamlio.load(text, name)
            assert not loaded.findings
            for document in loaded.documents:
                meta = document.value["metadata"]
                identity = [document.value["kind"], meta.get("namespace"), meta["name"]]
                key = "/".join(part for part in identity if part)
                assert key not in found, f"{key} is rendered twice"
                found[key] = document.value
        return found

    return render


@pytest.fixture
def refusal() -> Callable[[str, Values], str]:
    """`refusal(chart, values)`: what the chart says when it refuses, without the engine's chain of names."""

    def render(chart: str, values: Values) -> str:
        rendered = _rendered(chart, values)
        (finding,) = rendered.findings
        assert rendered.texts == ()
        assert finding.code == "HELM001"
        assert finding.where.path.startswith(f"charts/{chart}")
        text = finding.message.split("nothing of it reaches the cluster: ", 1)[1]
        return _CHAIN.sub("", text)

    return render
