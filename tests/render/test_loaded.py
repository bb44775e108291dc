"""FRR loads what was generated; what it then says of itself is read as the same sessions and rendered the same."""

from dataclasses import replace
from pathlib import Path

import pytest
from test_routers import bgpd

from anycastle.network.bgp import Software
from anycastle.network.model import Network
from anycastle.plan import plan
from anycastle.reader import read
from anycastle.render import render
from anycastle.render.routers import files
from anycastle.site.load import parse
from anycastle.site.model import Site
from patches import CASES
from patches import read as data_of

HERE = {
    "seed": "one router",
    "lab-ja": "one AS for all nodes, aggregates",
    "one-as": "the AS of the router",
    "two-routers-two-as": "two routers",
    "dual-stack": "both families",
    "ipv6-only": "IPv6 alone",
    "three-data-centres": "racks with numbers of their own",
    "rack-control-planes": "racks, one of them several hops away",
    "passwords": "passwords",
    "pools-exported": "blocks of pods",
    "further-speakers": "speakers of somebody else",
}

pytestmark = [pytest.mark.daemons, pytest.mark.slow]


def site_of(name: str) -> Site:
    data = data_of(CASES / name / "site.yaml")
    for router in data["routers"]:
        router.pop("software", None)
    site = parse(data).site
    assert site is not None
    return site


def written(site: Site, root: Path) -> Network:
    meant = plan(site)
    for path, content in render(site, meant).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    return meant


def with_statics(running: str, original: str) -> str:
    """What bgpd says, and what the other daemons of FRR would add to it."""
    start = running.index("frr version")
    statics = [line for line in original.splitlines() if " route " in line and line.startswith(("ip ", "ipv6 "))]
    return "\n".join([running[start:], *statics, ""])


@pytest.mark.parametrize("name", HERE)
def test_a_loaded_frr_has_the_sessions_that_were_meant(name: str, tmp_path: Path) -> None:
    site = site_of(name)
    meant = written(site, tmp_path)
    routers = [router for router in meant.routers if router.software is Software.FRR]
    assert routers
    for router in routers:
        file = tmp_path / "routers" / router.name / "frr.conf"
        original = file.read_text()
        with bgpd(file) as ask:
            running = ask("show running-config")
        told = with_statics(running, original)
        assert told != original
        file.write_text(told)
    said = read(tmp_path)
    assert not [one for one in said.findings if one.where.path.startswith("routers/") and one.code.startswith("FRR")]
    network = said.network
    assert network.ends == meant.ends
    assert network.acceptances == meant.acceptances
    assert network == meant
    again = dict(files(site, network))
    for router in routers:
        path = f"routers/{router.name}/frr.conf"
        assert again[path] == render(site, meant)[path]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("neighbor K8S-CALICO remote-as 65030", "neighbor K8S-CALICO remote-as 65031"),
        (
            " neighbor 192.168.10.24 peer-group K8S-CALICO\n neighbor 192.168.10.24 description k8s-node-5\n",
            "",
        ),
        ("192.168.20.64/26 ge 32 le 32", "192.168.20.64/26 le 31"),
    ],
)
def test_a_loaded_frr_that_was_told_something_else_says_so(old: str, new: str, tmp_path: Path) -> None:
    meant = written(site_of("seed"), tmp_path)
    file = tmp_path / "routers/router/frr.conf"
    changed = file.read_text().replace(old, new)
    assert old not in changed
    file.write_text(changed)
    with bgpd(file) as ask:
        running = ask("show running-config")
    file.write_text(with_statics(running, changed))
    said = read(tmp_path).network
    assert said != meant
    assert replace(said, ends=meant.ends, acceptances=meant.acceptances) == meant
