"""Sites that people have: what is generated for their routing, and exactly what is said of it.

`tests/cases/<name>/routing/` holds the half of the output that a topology decides, and `findings.txt` every finding of
the whole repository. `pytest --update-golden` writes them anew.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from anycastle import yamlio
from anycastle.cli import run
from anycastle.finding import Severity
from anycastle.network.model import Network
from anycastle.network.questions import counterparts, on_router
from anycastle.plan import plan
from anycastle.reader import read
from anycastle.render import render
from anycastle.rules import judge
from anycastle.site.load import parse
from tree import difference, tree_of

CASES = Path(__file__).parent / "cases"
NAMES = sorted(path.parent.name for path in CASES.glob("*/routing"))
FINDINGS = "findings.txt"
ROUTING = re.compile(
    r"routers/.*(?<!/daemons)(?<!/vtysh\.conf)|nodes/[^/]+/(?:kube-vip|kubeadm)\.yaml|apps/calico-bgp/values\.yaml"
    r"|docs/addresses\.md"
)
every_case = pytest.mark.parametrize("name", NAMES)


def generated(name: str) -> dict[str, bytes]:
    parsed = parse(yamlio.load((CASES / name / "site.yaml").read_bytes()).documents[0].value)
    assert parsed.site is not None, parsed.findings
    return render(parsed.site, plan(parsed.site))


def read_back(name: str, root: Path) -> tuple[Network, list[str]]:
    """The network of the written repository, and everything that is said of it but what nobody could judge."""
    for path, data in generated(name).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    repository = read(root)
    said = (*repository.findings, *judge(repository.network))
    lines = [f"{f.severity} {f.code} {f.where.path}:{f.where.line}" for f in said if f.severity != Severity.UNCHECKED]
    return repository.network, sorted(lines)


def test_there_are_sites_of_every_kind() -> None:
    assert set(NAMES) >= {
        "one-as",
        "passwords",
        "peering-subset",
        "rack-control-planes",
        "three-data-centres",
        "two-routers-one-as",
        "two-routers-two-as",
    }


@every_case
def test_a_site_is_generated_and_judged_as_expected(name: str, tmp_path: Path, update_golden: bool) -> None:
    _network, said = read_back(name, tmp_path)
    actual = {path: data for path, data in tree_of(tmp_path).items() if ROUTING.fullmatch(path)}
    actual[FINDINGS] = "".join(f"{line}\n" for line in said).encode()
    folder = CASES / name / "routing"
    if update_golden and tree_of(folder) != actual:
        shutil.rmtree(folder)
        for path, data in actual.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
    expected = tree_of(folder)
    assert actual == expected, difference(expected, actual)


@every_case
def test_the_laws_of_a_network_hold_on_the_files(name: str, tmp_path: Path) -> None:
    """One speaker for each source and peer; both ends of every session exist; accepted is what is announced."""
    network, _said = read_back(name, tmp_path)
    nodes = [end for end in network.ends if not on_router(end)]
    assert nodes
    assert len({(end.address, end.peer) for end in nodes}) == len(nodes)
    for end, others in counterparts(network).items():
        [other] = others
        assert (other.asn, other.peer_asn) == (end.peer_asn, end.asn)
        assert on_router(other) is not on_router(end)
    for router in network.routers:
        heard = {end.peer for end in network.ends if end.host == router.name}
        speaking = {(end.host, end.software) for end in nodes if end.address in heard and end.peer in router.addresses}
        announced = {
            (a.prefix, a.shortest, a.longest)
            for a in network.announcements
            if any((host, a.software) in speaking for host in a.hosts)
        }
        mine = [a for a in network.acceptances if a.router == router.name]
        assert {(a.prefix, a.shortest, a.longest) for a in mine} == announced
        assert {peer for a in mine for peer in a.peers} <= heard


def test_a_site_file_with_racks_becomes_a_repository_that_is_valid(tmp_path: Path) -> None:
    site = CASES / "rack-control-planes" / "site.yaml"
    assert run(["new", "--no-input", "--answers", str(site), "-o", str(tmp_path)]) == 0
    assert (tmp_path / "racks" / "routers" / "tor-3b" / "frr.conf").is_file()
    assert run(["validate", str(tmp_path / "racks")]) == 0
