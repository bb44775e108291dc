"""Sites that are right give repositories of which nothing is said but what the site itself asks for.

Asked for is a warning or hint that stands against the site file itself and names the key that asks for it, such as a
hold time of minutes or two control planes.

What is read of each is what was planned, and the laws of a network hold on it (`laws.py`). Custom resources of every
tenth site are held against upstream's definitions where these are at hand.

An ordinary run takes a sample; with ANYCASTLE_LONG=1 it is 500 sites.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings

import anycastle.reader
import laws
import secret_files
import sound
import strategies
from anycastle.compose import site_findings, validate_tree
from anycastle.finding import Severity
from anycastle.reader import Part, parts
from anycastle.render import render
from test_round_trip import assert_conforming, custom, differences

SITES = 500 if os.environ.get("ANYCASTLE_LONG") == "1" else 25
NEEDED = ("with API addresses", "without", "with an ingress", "no ingress", "aggregate", "host routes")
RARER = (
    "racks",
    "several routers",
    "another speaker",
    "two speakers on a node",
    "IPIP",
    "password",
    "iBGP",
    "multihop",
)
"""In a sample of 25 one of these may be missing; of all together most are there."""

NOT_HERE = {
    "OBJ011": "the definitions of SealedSecret and ExternalSecret stand in their charts",
    "ARGO006": "the charts of Calico, Traefik and Argo CD stand in their own repositories",
    "READ006": "a site without an ingress uses fewer of the charts that are copied",
}
"""What is said of no site in particular."""


def shapes(data: strategies.Data) -> list[str]:
    return [
        "with API addresses" if data["kubernetes"]["api"]["vips"] else "without",
        "with an ingress" if data["ingress"] else "no ingress",
        "aggregate" if data["bgp"]["advertise"] == "aggregate" else "host routes",
        *rarer(data),
    ]


def rarer(data: strategies.Data) -> Iterable[str]:
    routers = data["routers"]
    speakers = [speaker["name"] for node in data["nodes"] for speaker in node.get("speakers", [])]
    numbers = {data["bgp"]["worker_asn"], data["bgp"].get("control_plane_asn")}
    yield from ["racks"] if data.get("racks") else []
    yield from ["several routers"] if len(routers) > 1 else []
    yield from ["another speaker"] if set(speakers) - {"kube-vip"} else []
    yield from ["two speakers on a node"] if "kube-vip" in speakers and data["bgp"]["peering"] == "all" else []
    yield from ["IPIP"] if any(pool["encapsulation"].startswith("IPIP") for pool in data["networks"]["pods"]) else []
    yield from ["password"] if any(router.get("password") for router in routers) else []
    yield from ["iBGP"] if any(router["asn"] in numbers for router in routers) else []
    yield from ["multihop"] if any(router.get("multihop") for router in routers) else []


@pytest.fixture(scope="module")
def custom_resources() -> dict[str, None]:
    """Those of a tenth of the sites, as JSON, each once."""
    return {}


@pytest.mark.slow
def test_nothing_is_said_of_a_site_that_is_right(
    custom_resources: dict[str, None], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: Counter[str] = Counter()
    read: list[Part] = []

    def recorded(*arguments: Any) -> tuple[Part, ...]:
        """What `validate` reads; reading it twice would double the time."""
        read[:] = parts(*arguments)
        return tuple(read)

    monkeypatch.setattr(anycastle.reader, "parts", recorded)

    @settings(
        max_examples=SITES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(sound.sites())
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
            secret_files.fill_in(Path(folder))
            found = validate_tree(Path(folder)).findings
        asked = {finding.code: finding.where.key for finding in judged.findings}
        assert all(asked.values()), f"a warning names no key of the site file: {asked}"
        said = [str(one) for one in found if one.severity is not Severity.UNCHECKED and one.code not in asked]
        assert said == [], data
        assert {one.code for one in found if one.severity is Severity.UNCHECKED} <= NOT_HERE.keys()
        [part] = read
        network = part.repository.network
        assert network == judged.network, "\n" + "\n".join(differences(judged.network, network))
        assert list(laws.broken(network)) == [], data
        if seen["sites"] % 10 == 0:
            custom_resources.update(dict.fromkeys(custom(part.repository)))
        seen.update(["sites", *shapes(data)])

    validated()
    assert seen["sites"] >= SITES
    assert all(seen[shape] for shape in NEEDED), seen
    found = sum(bool(seen[shape]) for shape in RARER)
    assert found >= (len(RARER) if SITES >= 500 else len(RARER) - 3), seen


@pytest.mark.shared
@pytest.mark.slow
def test_upstream_takes_the_objects_of_every_tenth_site(custom_resources: dict[str, None], shared_dir: Path) -> None:
    if not custom_resources:
        pytest.skip("the sites were not generated in this run")
    assert_conforming(custom_resources, shared_dir)
