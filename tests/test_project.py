"""The project's own files: what they promise is there, and what they say of the program is true."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from anycastle import __version__, compose
from anycastle.report.explanations import rules_page

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    path
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("charts/*/README.md"))
    if path.is_file()
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    dead = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert not dead


def test_the_readme_links_the_picture_of_the_example() -> None:
    assert "](output-example/docs/topology.svg)" in (ROOT / "README.md").read_text()


def test_every_make_target_of_the_readme_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    pages = "".join((ROOT / name).read_text() for name in ("README.md", "CONTRIBUTING.md"))
    named = set(re.findall(r"^make ([a-z]+)", pages, re.MULTILINE))
    assert {"demo", "test"} <= named <= targets


def test_every_command_of_the_readme_exists() -> None:
    from anycastle.cli import commands

    named = set(re.findall(r"anycastle ([a-z]+)", (ROOT / "README.md").read_text()))
    named -= {"holds", "validates"}
    known = set(commands.list_commands(click.Context(commands)))
    assert {"new", "validate", "build", "explain"} <= named <= known


def test_every_code_that_a_page_names_exists() -> None:
    known = {entry.code for entry in compose.explanations()}
    named = {code for page in PAGES for code in re.findall(r"\b[A-Z]{2,7}[0-9]{3}\b", page.read_text(encoding="utf-8"))}
    assert {"SITE010", "SESS001"} <= named
    assert named - known <= {"RFC4271", "RFC1997"}


def test_the_page_of_rules_is_in_step() -> None:
    page = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    assert page == rules_page(compose.explanations()), "run: anycastle rules > docs/rules.md"


def test_the_reference_of_the_site_file_is_in_step() -> None:
    page = (ROOT / "docs/site.md").read_text(encoding="utf-8")
    assert page == compose.site_schema("markdown"), "run: anycastle schema --format markdown > docs/site.md"


def test_versions_agree() -> None:
    assert PROJECT["version"] == __version__
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_every_dependency_is_pinned_once() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9.+]+", line) for line in lines)
    pinned = [_normal(line.split("==")[0]) for line in lines]
    assert len(pinned) == len(set(pinned))
    assert "anycastle" not in pinned
    wanted = [
        *PROJECT["dependencies"],
        *(need for extra in PROJECT["optional-dependencies"].values() for need in extra),
    ]
    assert {_normal(re.split(r"[<>=!~ ]", need)[0]) for need in wanted} <= set(pinned)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_licence_is_whole() -> None:
    text = (ROOT / "LICENSE").read_text()
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert PROJECT["license"] == "Apache-2.0"


def test_the_check_of_a_submission_is_a_sound_script() -> None:
    script = ROOT / ".ci/run"
    assert script.stat().st_mode & 0o100
    text = script.read_text()
    assert "set -euo pipefail" in text
    assert text.rstrip().endswith("make test"), "the test runner's closing line is the last thing said"
    linter = Path(sys.executable).parent / "shellcheck"
    done = subprocess.run([linter, script], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_no_file_names_a_machine_or_a_registry() -> None:
    command = ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(command, check=False, capture_output=True)
    if listed.returncode:
        pytest.skip("not a checkout of git")
    hosts = ("pypi." + "org", "python" + "hosted", "registry." + "npmjs", "deb." + "debian.org", "proxy." + "golang")
    for name in listed.stdout.decode().split("\0"):
        path = ROOT / name
        if not name or not path.is_file():
            continue
        text = path.read_bytes()
        assert not [host for host in hosts if host.encode() in text], name
        assert str(ROOT).encode() not in text, name


def test_make_help_names_every_documented_target() -> None:
    done = subprocess.run(["make", "-C", ROOT, "help"], capture_output=True, text=True, check=True)
    for target in ("demo", "test", "lint", "bench"):
        assert f"make {target} " in done.stdout
