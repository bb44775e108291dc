"""Sites that are right give repositories of which nothing is said but what the site itself asks for.

Asked for is a warning or hint that stands against the site file itself and names the key that asks for it, such as a
hold time of minutes or two control planes.

An ordinary run takes a sample; with ANYCASTLE_LONG=1 it is 500 sites.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings

import strategies
from anycastle.compose import site_findings, validate_tree
from anycastle.finding import Severity
from anycastle.render import render

SITES = 500 if os.environ.get("ANYCASTLE_LONG") == "1" else 25
NEEDED = ("with API addresses", "without", "with an ingress", "no ingress", "aggregate", "host routes")

NOT_HERE = {
    "OBJ011": "kube-proxy's own document has no schema here",
    "ARGO006": "the charts of Calico, Traefik and Argo CD stand in their own repositories",
    "READ006": "a site without an ingress uses fewer of the charts that are copied",
}
"""What is said of no site in particular."""


def shapes(data: strategies.Data) -> list[str]:
    return [
        "with API addresses" if data["kubernetes"]["api"]["vips"] else "without",
        "with an ingress" if data["ingress"] else "no ingress",
        "aggregate" if data["bgp"]["advertise"] == "aggregate" else "host routes",
    ]


@pytest.mark.slow
def test_nothing_is_said_of_a_site_that_is_right() -> None:
    seen: Counter[str] = Counter()

    @settings(
        max_examples=SITES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(strategies.sites())
    def validated(data: strategies.Data) -> None:
        judged = site_findings(data)
        assume(all(finding.severity is not Severity.ERROR for finding in judged.findings))
        assert judged.site is not None
        assert judged.network is not None
        files = render(judged.site, judged.network)
        with TemporaryDirectory() as folder:
            for path, content in files.items():
                file = Path(folder, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
            found = validate_tree(Path(folder)).findings
        asked = {finding.code: finding.where.key for finding in judged.findings}
        assert all(asked.values()), f"a warning names no key of the site file: {asked}"
        said = [str(one) for one in found if one.severity is not Severity.UNCHECKED and one.code not in asked]
        assert said == [], data
        assert {one.code for one in found if one.severity is Severity.UNCHECKED} <= NOT_HERE.keys()
        seen.update(["sites", *shapes(data)])

    validated()
    assert seen["sites"] >= SITES
    assert all(seen[shape] for shape in NEEDED), seen
