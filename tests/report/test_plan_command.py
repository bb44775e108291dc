"""`anycastle plan`: the same from a site file and from the repository made of it, in every form."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest

from anycastle import yamlio
from anycastle.cli import run
from anycastle.network.bgp import Acceptance, Dial, End, Router, Software
from anycastle.network.cluster import App
from anycastle.network.model import Network
from anycastle.overview import overview
from anycastle.overview.words import most
from anycastle.plan import plan
from anycastle.report.plan_json import plan_json
from anycastle.report.plan_markdown import plan_markdown
from anycastle.report.plan_sections import sections
from anycastle.report.plan_terminal import aligned
from anycastle.report.plan_text import plan_text
from anycastle.site.load import parse

ROOT = Path(__file__).resolve().parents[2]
SEED = ROOT / "tests/cases/seed/site.yaml"
EXAMPLE = ROOT / "output-example"
PAGE = (ROOT / "docs/plan.md").read_text(encoding="utf-8")


def planned(case: str) -> Network:
    site = parse(yamlio.load((ROOT / "tests/cases" / case / "site.yaml").read_bytes()).documents[0].value).site
    assert site is not None
    return plan(site)


def shown(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert run(["plan", *arguments]) == status
    return capsys.readouterr().out


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_a_site_file_and_its_repository_have_one_plan(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    from_site = shown(capsys, "--format", form, str(SEED))
    assert shown(capsys, "--format", form, str(EXAMPLE)) == from_site
    assert "192.168.20.64/26" in from_site


def test_the_folder_here_is_the_default(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLE)
    assert shown(capsys) == shown(capsys, str(EXAMPLE))


def test_a_session_as_json_has_both_ends_and_what_goes_over_it(capsys: pytest.CaptureFixture[str]) -> None:
    (cluster,) = json.loads(shown(capsys, "--format", "json", str(SEED)))["clusters"]
    assert len(cluster["sessions"]) == 8
    first = next(session for session in cluster["sessions"] if session["node"]["host"] == "k8s-node-1")
    assert (first["kind"], first["multihop"], first["hold"], first["keepalive"]) == ("eBGP", False, 9, 3)
    assert (first["node"]["asn"], first["node"]["hops"], first["node"]["filters"]) == (65030, 255, ["services-only"])
    assert (first["router"]["asn"], first["router"]["hops"], first["router"]["silent"]) == (65010, 1, True)
    pool = {"prefix": "192.168.20.64/26", "shortest": 32, "longest": 32}
    assert first["announced"] == first["accepted"] == [pool]
    assert [(item["most"], item["peers"][0]) for item in cluster["acceptances"]] == [
        (1, "192.168.10.17"),
        (64, "192.168.10.20"),
    ]
    assert cluster["mesh_asn"] is None


def keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from keys(item)


def broken() -> Network:
    """One of everything that the JSON can hold."""
    seed = planned("seed")
    lonely = replace(seed.ends[0], peer=ip_address("192.168.10.99"))
    dial = Dial(software=Software.CALICO, asn=65030, peer=ip_address("192.168.10.1"), peer_asn=65010)
    return replace(seed, ends=(*seed.ends, lonely), dials=(dial,), unknown=("nodes",))


def test_the_page_names_every_key_of_the_json_and_no_other() -> None:
    value = json.loads(plan_json([("", overview(broken()))]))
    found = set(keys(value))
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")]
    named = {
        name.rpartition(".")[2].removesuffix("[]") for row in rows for name in re.findall(r"`([a-z_.\[\]]+)`", row)
    }
    words = {"node", "router", "gateway", "always", "endpoint", "untold"}
    assert found - named == set()
    assert named - found - words == set()


def test_the_json_has_the_same_keys_for_an_empty_network() -> None:
    empty, full = (json.loads(plan_json([("", overview(network))]))["clusters"][0] for network in (Network(), broken()))
    assert empty.keys() == full.keys()


def test_what_is_one_sided_dialled_or_unread_is_shown() -> None:
    text = " ".join(plan_text(broken(), 200).split())
    assert "Ends that nobody answers k8s-master-1 kube-vip AS 65020 192.168.10.17 192.168.10.99 AS 65010" in text
    assert "Peers of nodes that no file names Calico AS 65030 192.168.10.1 65010" in text
    assert "Not read nodes" in text


def test_equal_numbers_make_ibgp_and_two_hops_make_multihop() -> None:
    ends = [
        End(host="n", software=Software.CALICO, address=ip_address("10.0.0.2"), asn=65000, peer=ip_address("10.9.0.1"),
            peer_asn=65000, hops=255),
        End(host="r", software=Software.BIRD, address=ip_address("10.9.0.1"), asn=65000, peer=ip_address("10.0.0.2"),
            peer_asn=65000, hops=3, hold=90, keepalive=30),
    ]  # fmt: skip
    router = Router(name="r", software=Software.BIRD, address=ip_address("10.9.0.1"), asn=65000)
    network = Network(ends=tuple(ends), routers=(router,), apps=(App(wave=1, name="a|b"),))
    text = plan_text(network)
    assert (
        "  r BIRD 10.9.0.1 AS 65000 <-> Calico AS 65000\n    iBGP, multihop, TTL 3, hold / keepalive 90 s / 30 s\n"
        in text
    )
    assert "let in by r: nothing; sent back: whatever it knows" in text
    assert "no prefix list is known" in text
    assert "| 1 | a\\|b |" in plan_markdown(sections(overview(network)))


@pytest.mark.parametrize(
    ("prefix", "shortest", "longest", "number"),
    [
        ("10.0.0.0/26", 32, 32, 64),
        ("10.0.0.1/32", 32, 32, 1),
        ("10.0.0.0/24", 24, 26, 7),
        ("fd00::/64", 128, 128, 2**64),
    ],
)
def test_how_many_prefixes_a_list_lets_through(prefix: str, shortest: int, longest: int, number: int) -> None:
    item = Acceptance(router="r", prefix=ip_network(prefix), shortest=shortest, longest=longest, peers=())
    assert most(item) == number


@pytest.mark.parametrize("width", [60, 80, 120, 300])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    for case in ("seed", "lab-ja", "pools-exported"):
        assert [line for line in plan_text(planned(case), width).splitlines() if len(line) > width] == []


def test_a_terminal_that_is_too_narrow_loses_no_word() -> None:
    narrow, wide = (sorted(plan_text(planned("seed"), width).split()) for width in (40, 500))
    assert narrow == wide


def test_columns_are_wrapped_and_nothing_is_lost() -> None:
    rows = [("a", "one two three four five six", "x"), ("bb", "seven", "y z")]
    lines = list(aligned(rows, 24))
    assert max(map(len, lines)) <= 24
    assert sorted(" ".join(lines).split()) == sorted(
        ["a", "one", "two", "three", "four", "five", "six", "x", "bb", "seven", "y", "z"]
    )


def test_the_difference_of_two_plans(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "site.yaml"
    other.write_text(SEED.read_text().replace("192.168.10.24}", "192.168.10.25}").replace("65030", "65031"))
    assert shown(capsys, "--diff", str(SEED), str(SEED)) == ""
    out = shown(capsys, str(other), "--diff", str(SEED), status=1)
    assert out.startswith(f"--- {SEED} (before)\n+++ {other} (now)\n")
    assert "-  192.168.10.24   node k8s-node-5\n" in out
    assert "+  192.168.10.25   node k8s-node-5\n" in out
    assert "   192.168.10.23   node k8s-node-4\n" in out  # what stands around a change says where it is


def test_what_a_site_file_adds_to_its_repository_is_a_plus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = tmp_path / "site.yaml"
    node = "  - {name: k8s-node-5, role: worker, address: 192.168.10.24}\n"
    assert node in SEED.read_text()
    site.write_text(SEED.read_text().replace(node, node + node.replace("node-5", "node-6").replace(".24", ".25")))
    added = shown(capsys, "--diff", str(EXAMPLE), str(site), status=1).splitlines()
    assert added[:2] == [f"--- {EXAMPLE} (before)", f"+++ {site} (now)"]
    assert "+  192.168.10.25   node k8s-node-6" in added
    removed = shown(capsys, "--diff", str(site), str(EXAMPLE), status=1).splitlines()
    assert "-  192.168.10.25   node k8s-node-6" in removed


@pytest.mark.parametrize("swapped", [False, True])
def test_where_a_difference_cannot_be_told_the_status_is_2(
    swapped: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "site.yaml"
    broken.write_text("schema: 1\nnmae: x\n")
    before, after = (broken, SEED) if swapped else (SEED, broken)
    assert run(["plan", "--diff", str(before), str(after)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{broken}:2: error SITE001" in err


def test_two_equal_plans_of_which_parts_are_unread_are_not_called_equal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = Path(shutil.copytree(EXAMPLE, tmp_path / "copy"))
    (copy / "apps/whoami/overrides.yaml").write_text("a: [\n")
    assert run(["plan", "--diff", str(copy), str(copy)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "error YAML001" in err


def test_several_clusters_each_under_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("east", "west"):
        assert run(["new", "--no-input", f"site_name={name}", "-o", str(tmp_path)]) == 0
    capsys.readouterr()
    text = shown(capsys, str(tmp_path))
    assert "east\n====\n" in text
    assert "west\n====\n" in text
    found = json.loads(shown(capsys, "--format", "json", str(tmp_path)))
    assert [cluster["folder"] for cluster in found["clusters"]] == ["east", "west"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("schema: 1\nnmae: x\n", "SITE001"),
        ("a: [", "YAML001"),
        ("a: 1\n---\nb: 2\n", "2 YAML documents"),
        ("", "0 YAML"),
    ],
)
def test_a_site_file_that_cannot_be_used(
    content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "site.yaml"
    path.write_text(content)
    assert run(["plan", str(path)]) == 1
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""


def test_a_folder_with_nothing_in_it_and_one_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plan", str(tmp_path)]) == 1
    assert "READ012" in capsys.readouterr().err
    assert run(["plan", str(tmp_path / "none")]) == 2


def test_what_could_not_be_read_is_said_and_the_rest_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    router = tmp_path / "routers/r"
    router.mkdir(parents=True)
    (router / "frr.conf").write_bytes((EXAMPLE / "routers/router/frr.conf").read_bytes())
    (tmp_path / "broken.yaml").write_text("kind: [\n")
    assert run(["plan", str(tmp_path)]) == 1
    captured = capsys.readouterr()
    assert "YAML001" in captured.err
    assert "r FRR 192.168.10.1 AS 65010" in captured.out
