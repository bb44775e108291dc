"""The law of the project: what the files say is what was meant, for the examples and for sites nobody thought of."""

import dataclasses
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml
from hypothesis import HealthCheck, Phase, given, settings

import strategies
from anycastle.finding import Severity
from anycastle.network.model import Network
from anycastle.plan import plan
from anycastle.reader import Repository, read
from anycastle.render import render
from anycastle.site.load import parse
from anycastle.site.model import Site

PLACEHOLDER = "SEC006"
"""A Secret that somebody still has to fill in, as it is generated."""
CASES = sorted((Path(__file__).parent / "cases").glob("*/site.yaml"))


def differences(meant: object, said: object, at: str = "network") -> Iterator[str]:
    """Field by field, so that a failure can be read."""
    if isinstance(meant, tuple) and isinstance(said, tuple):
        yield from (f"{at}: only meant: {item}" for item in meant if item not in said)
        yield from (f"{at}: only said: {item}" for item in said if item not in meant)
        if len(meant) == len(said) and meant != said:
            for index, (one, other) in enumerate(zip(meant, said, strict=True)):
                yield from differences(one, other, f"{at}[{index}]")
    elif dataclasses.is_dataclass(meant) and type(meant) is type(said):
        for field in dataclasses.fields(meant):
            if field.compare:
                yield from differences(getattr(meant, field.name), getattr(said, field.name), f"{at}.{field.name}")
    elif meant != said:
        yield f"{at}: meant {meant!r}, said {said!r}"


def written(site: Site, meant: Network, root: Path) -> None:
    for path, data in render(site, meant).items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def assert_round_trip(data: object, root: Path) -> Repository:
    parsed = parse(data)
    assert parsed.site is not None, parsed.findings
    meant = plan(parsed.site)
    written(parsed.site, meant, root)
    repository = read(root)
    said = repository.network
    assert said == meant, "\n" + "\n".join(differences(meant, said))
    unexpected = [
        finding
        for finding in repository.findings
        if finding.severity is not Severity.UNCHECKED and finding.code != PLACEHOLDER
    ]
    assert not unexpected, "\n" + "\n".join(map(str, unexpected))
    assert repository.kube_version == f"v{parsed.site.kubernetes.version}"
    return repository


CUSTOM = ("projectcalico.org", "tigera.io", "traefik.io", "argoproj.io", "toolkit.fluxcd.io")


def custom(repository: Repository) -> Iterator[str]:
    """Its custom resources as JSON."""
    for item in repository.objects:
        if item.group.endswith(CUSTOM):
            yield json.dumps(item.value, default=str, sort_keys=True)


def assert_conforming(objects: Iterable[str], shared_dir: Path) -> None:
    """Upstream's definitions, with their rules in CEL, take every one of them."""
    tool = shared_dir / "tools" / "conform"
    stream = "\n---\n".join(objects)
    said = subprocess.run([sys.executable, str(tool)], input=stream, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout[-4000:] + said.stderr
    assert ", 0 problems" in said.stdout


@pytest.fixture(scope="module")
def custom_resources() -> dict[str, None]:
    """Those of the repositories that this module has read, each once."""
    return {}


def test_there_are_cases() -> None:
    assert len(CASES) >= 2


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.parent.name)
def test_a_case_is_read_back(case: Path, tmp_path: Path, custom_resources: dict[str, None]) -> None:
    custom_resources |= dict.fromkeys(custom(assert_round_trip(yaml.safe_load(case.read_text()), tmp_path)))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.parent.name)
def test_a_case_is_read_back_from_flux(case: Path, tmp_path: Path, custom_resources: dict[str, None]) -> None:
    data = yaml.safe_load(case.read_text())
    data["gitops"]["engine"] = "flux"
    custom_resources |= dict.fromkeys(custom(assert_round_trip(data, tmp_path)))


@pytest.mark.shared
def test_upstream_takes_the_objects_of_every_case(custom_resources: dict[str, None], shared_dir: Path) -> None:
    if not custom_resources:
        pytest.skip("no case was read in this run")
    assert_conforming(custom_resources, shared_dir)


@pytest.mark.slow
@settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),  # to shrink a whole site takes longer than to read the difference
    suppress_health_check=list(HealthCheck),
)
@given(strategies.sites())
def test_any_site_is_read_back(data: strategies.Data) -> None:
    with TemporaryDirectory() as folder:
        assert_round_trip(data, Path(folder))


def test_a_difference_is_named() -> None:
    site = parse(yaml.safe_load(CASES[0].read_text())).site
    assert site is not None
    meant = plan(site)
    said = dataclasses.replace(meant, calico=dataclasses.replace(meant.calico, asn=1) if meant.calico else None)
    assert list(differences(meant, said)) == [f"network.calico.asn: meant {site.bgp.worker_asn}, said 1"]
