"""Fixtures for every test."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

# The same examples on every machine and in every run, and no verdict by the clock.
settings.register_profile(
    "anycastle", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("anycastle")
# Hypothesis mixes in constants of whatever modules are loaded: which other tests ran would decide what one tries.
providers._get_local_constants = Constants


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The directory with upstream schemas, which is no part of the project; without it the test is skipped."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    found = Path(os.environ.get("ANYCASTLE_SHARED") or beside)
    if not found.is_dir():
        pytest.skip(f"no upstream schemas: {found} is no directory (ANYCASTLE_SHARED names another)")
    return found


@pytest.fixture(scope="session")
def charts_dir() -> Path:
    """A directory with upstream's charts, each in a folder of its name, which is no part of the project."""
    found = os.environ.get("ANYCASTLE_CHARTS", "")
    if not Path(found).is_dir() or not found:
        pytest.skip("no upstream charts: ANYCASTLE_CHARTS names a directory with argo-cd/, traefik/ and so on")
    return Path(found)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test reads or fills the cache of the person who runs them; processes that they start neither."""
    os.environ["ANYCASTLE_CACHE"] = str(tmp_path_factory.mktemp("cache"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write expected outputs anew instead of failing")


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether expected outputs are to be written anew."""
    return bool(request.config.getoption("--update-golden"))
