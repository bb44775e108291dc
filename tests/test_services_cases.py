"""Sites of both families and of several pools: what is generated for Services, pods and single machines.

`tests/cases/<name>/services/` holds that part of the output beside `routing/` (`test_cases`). `pytest --update-golden`
writes it anew. What is said of each site is in `routing/findings.txt`; here it is held against its description.
"""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from anycastle import yamlio
from anycastle.plan import plan
from anycastle.render import render
from anycastle.rules import judge
from anycastle.site.load import parse
from tree import difference, tree_of

CASES = Path(__file__).parent / "cases"
WARNED = {
    "bramble": ["ADDR002", "ADDR015", "AS002", "AS002", "POOL012"],  # both AS numbers are documentation's
    "home-dual-stack": ["ADDR003"],
}
"""Warnings that a site's description calls for, by its name; every other site has none."""

NAMES = (
    "bramble",
    "converged",
    "dual-stack",
    "home-dual-stack",
    "ipv6-only",
    "kube-proxy-kept",
    "one-node",
    "proxy-handed-over",
    "several-ingresses",
)
SERVICES = re.compile(
    r"apps/(?:calico-installation|calico-loadbalancer|edge|traefik.*|whoami)/values\.yaml|argocd/(?:projects/(?:traefik.*|calico-loadbalancer|namespaces)|apps/traefik.*)\.yaml"
    r"|nodes/(?:n-1|cp-1|hobby-1|server-1)/(?:install\.sh|hosts)"
)
every_case = pytest.mark.parametrize("name", NAMES)


def generated(name: str) -> tuple[dict[str, bytes], list[str]]:
    """The files of a case, and the codes of what the plan is told."""
    parsed = parse(yamlio.load((CASES / name / "site.yaml").read_bytes()).documents[0].value)
    assert parsed.site is not None, parsed.findings
    network = plan(parsed.site)
    return render(parsed.site, network), sorted(f"{f.code} {f.severity}" for f in judge(network))


@every_case
def test_services_are_generated_as_expected(name: str, update_golden: bool) -> None:
    files, _said = generated(name)
    actual = {path: data for path, data in sorted(files.items()) if SERVICES.fullmatch(path)}
    folder = CASES / name / "services"
    expected = tree_of(folder) if folder.is_dir() else {}
    if update_golden and expected != actual:
        shutil.rmtree(folder, ignore_errors=True)
        for path, data in actual.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        expected = actual
    assert actual == expected, difference(expected, actual)


@every_case
def test_a_site_is_warned_of_what_its_description_names(name: str) -> None:
    _files, said = generated(name)
    assert said == [f"{code} warning" for code in WARNED.get(name, [])]


@every_case
def test_findings_of_the_files_are_those_of_the_plan(name: str) -> None:
    lines = (CASES / name / "routing" / "findings.txt").read_text().splitlines()
    assert Counter(line.split()[1] for line in lines) == Counter(WARNED.get(name, []))
    assert {line.split()[0] for line in lines} <= {"warning"}
