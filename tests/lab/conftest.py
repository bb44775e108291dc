"""What tests with real daemons need."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from lab_command import GENERATOR, Command, Ended


@pytest.fixture(scope="session")
def daemons() -> None:
    """FRR, BIRD, GoBGP and namespaces; skipped without, unless ANYCASTLE_REQUIRE_DAEMONS is 1."""
    from anycastle.lab.preflight import lacks

    if missing := lacks():
        said = "the lab is not possible here: " + " ".join(missing)
        if os.environ.get("ANYCASTLE_REQUIRE_DAEMONS") == "1":
            pytest.fail(said)
        pytest.skip(said)


@pytest.fixture(scope="session")
def anycastle() -> Command:
    """Run the command with arguments; `prefix` before it, such as one that drops root."""

    def run(*arguments: str | Path, prefix: tuple[str, ...] = ()) -> Ended:
        argv = [*(prefix or (sys.executable,)), "-P", "-m", "anycastle.cli", *map(str, arguments)]
        paths = os.pathsep.join([str(GENERATOR), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONPATH": paths}
        done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False, env=environment)
        try:
            report = json.loads(done.stdout)
        except ValueError:
            report = {}
        return Ended(done.returncode, report, done.stdout + done.stderr)

    return run
