"""cookiecutter as a person runs it: in a home of its own, with the composing part replaced where a test wants it."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "cookiecutter-template"

# Takes the place of `anycastle.compose`, which is tested elsewhere; also hides an installed anycastle.
FAKE = """
import os, pathlib, sys, time, types
from collections import namedtuple

if os.environ.get("WIZARD_TEST_UNINSTALLED"):
    sys.path[:] = [entry for entry in sys.path if not pathlib.Path(entry, "anycastle", "__init__.py").exists()]

def site_findings(data):
    from anycastle.finding import Finding, Place, Severity
    from anycastle.plan import plan
    from anycastle.site.load import parse
    parsed = parse(data)
    findings = parsed.findings
    if data["domain"] == "alone.example.com" or (
        data["domain"] == "judged.example.com" and data["gitops"]["revision"] == "stable"
    ):
        findings = (Finding("FAKE001", Severity.ERROR, Place(key="domain"), "This domain is bad.", "Take another."),)
    return namedtuple("Judged", "site network findings")(parsed.site, parsed.site and plan(parsed.site), findings)

def refused(findings):
    return bool(findings)

def plan_shown(judged):
    from anycastle.report.plan_text import plan_text
    return plan_text(judged.network)

def generate(answers, target, echo):
    from anycastle import yamlio
    from anycastle.repo import create
    from anycastle.wizard.answers import site_data
    data = site_data(answers)
    echo("THE PLAN\\\\n")
    if data["domain"] == "refused.example.com":
        echo("error: refused by the rules\\\\n")
        return 1
    if data["domain"] == "crash.example.com":
        raise RuntimeError("boom")
    if pause := os.environ.get("WIZARD_TEST_PAUSE"):
        pathlib.Path(pause).write_text(str(os.getpid()))
        time.sleep(60)
    create(target, {"site.yaml": yamlio.dump(data).encode()}, lambda path: False)
    echo(f"Written: {target}\\\\n")
    return 0

module = types.ModuleType("anycastle.compose")
module.generate, module.site_findings = generate, site_findings
module.refused, module.plan_shown = refused, plan_shown
sys.modules["anycastle.compose"] = module
""".replace("\\\\", "\\")


@dataclass(frozen=True)
class Cookiecutter:
    """A place to run it in: `out` is the output directory, `litter` the one for temporary files."""

    out: Path
    litter: Path
    environment: dict[str, str]
    here: Path

    def command(self, *arguments: str, template: str = str(TEMPLATE)) -> list[str]:
        return [sys.executable, "-m", "cookiecutter", template, "-o", str(self.out), *arguments]

    def run(self, *arguments: str, template: str = str(TEMPLATE), **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*arguments, template=template),
            cwd=self.here,
            env={**self.environment, **more},
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )

    def nothing_left(self) -> bool:
        return not (self.out.exists() and any(self.out.iterdir())) and not any(self.litter.iterdir())


def _make(tmp_path: Path, python_path: str) -> Cookiecutter:
    places = {name: tmp_path / name for name in ("home", "litter", "here")}
    for place in places.values():
        place.mkdir()
    environment = {key: text for key, text in os.environ.items() if not key.startswith(("GIT_", "COOKIECUTTER"))}
    environment |= {
        "HOME": str(places["home"]),
        "TMPDIR": str(places["litter"]),
        "PYTHONPATH": python_path,
        "TERM": "dumb",
        "COLUMNS": "200",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return Cookiecutter(tmp_path / "out", places["litter"], environment, places["here"])


@pytest.fixture
def cookiecutter(tmp_path: Path) -> Cookiecutter:
    """With a composing part that writes `site.yaml` alone."""
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "sitecustomize.py").write_text(FAKE)
    return _make(tmp_path, str(tmp_path / "fake"))


@pytest.fixture
def real_cookiecutter(tmp_path: Path) -> Cookiecutter:
    return _make(tmp_path, str(ROOT / "generator"))


@pytest.fixture
def script() -> Callable[..., tuple[Callable[[str, str], str], list[str]]]:
    """A person who types the given lines: an `ask` for the interview, and the list of what was asked."""

    def make(*typed: str | BaseException) -> tuple[Callable[[str, str], str], list[str]]:
        lines = iter(typed)
        asked: list[str] = []

        def ask(prompt: str, default: str) -> str:
            asked.append(prompt)
            line = next(lines, "")
            if isinstance(line, BaseException):
                raise line
            return line or default

        return ask, asked

    return make
