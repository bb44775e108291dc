"""The command as a person runs it, and what it said."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "output-example"
ORDINARY = 65534
"""The user and the group that are nobody."""
GENERATOR = Path(__file__).resolve().parents[2] / "generator"


@dataclass(frozen=True)
class Ended:
    """A command that has ended; `report` is empty where it printed no JSON."""

    status: int
    report: Mapping[str, Any]
    said: str

    def verdicts(self) -> dict[str, str]:
        """Check or scenario -> how it ended."""
        return {one["name"]: one["verdict"] for one in (*self.report["checks"], *self.report["scenarios"])}

    def text(self, name: str) -> str:
        """What the report says of a check or a scenario."""
        return next(one["text"] for one in (*self.report["checks"], *self.report["scenarios"]) if one["name"] == name)


Command = Callable[..., Ended]


def an_ordinary_user() -> tuple[str, ...]:
    """A command line that runs Python as somebody who is not root; skips where there is no way."""
    if os.geteuid() != 0:
        return (sys.executable,)
    drop = ("setpriv", f"--reuid={ORDINARY}", f"--regid={ORDINARY}", "--clear-groups")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (sys.executable, f"/usr/bin/{version}", f"/usr/local/bin/{version}"):
        paths = os.pathsep.join([str(GENERATOR), *(path for path in sys.path if "site-packages" in path)])
        argv = (*drop, "env", f"PYTHONPATH={paths}", "HOME=/nonexistent", "XDG_RUNTIME_DIR=", candidate)
        trial = [*argv, "-P", "-c", "import anycastle.cli, helm_python"]
        if subprocess.run(trial, capture_output=True, check=False).returncode == 0:
            return argv
    pytest.skip(f"no {version} that an ordinary user may run finds anycastle")


def environment(runtime: Path) -> dict[str, str]:
    """Variables of a command whose notes about running labs lie in a folder of the test's own."""
    return {**os.environ, "PYTHONPATH": str(GENERATOR), "XDG_RUNTIME_DIR": str(runtime)}


@contextlib.contextmanager
def started(
    name: str, variables: Mapping[str, str], prefix: tuple[str, ...] = (sys.executable,)
) -> Iterator["subprocess.Popen[str]"]:
    """`anycastle lab up` of the example; where the test fails it is killed, or it would be waited for."""
    argv = [*prefix, "-P", "-m", "anycastle.cli", "lab", "up", str(EXAMPLE), "--name", name]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=variables) as process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


def until(text: str, process: "subprocess.Popen[str]") -> str:
    """What a command says up to a line with `text`."""
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if text in line:
            return said
    raise AssertionError(said)
