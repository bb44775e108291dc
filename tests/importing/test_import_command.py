"""`anycastle import`: what it writes, marks, refuses and never carries."""

import itertools
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anycastle import import_cli, yamlio
from anycastle.cli import run
from anycastle.imported import NOT_STATED
from anycastle.importing.detect import KINDS, detected, read
from anycastle.importing.draft import draft
from anycastle.importing.facts import Source
from anycastle.site.load import parse

INVENTORY = """\
[kube_control_plane]
cp1 ip=10.20.0.11 ansible_password=hunter2
[kube_node]
w1 ip=10.20.0.21
w2 ip=10.20.0.22
"""
TABLE = "name,ip,role\ncp1,10.20.0.11/24,master\nw1,10.20.0.21/24,worker\nw2,10.20.0.22/24,worker\n"
CLUSTER = {
    "apiVersion": "v1",
    "kind": "List",
    "items": [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": "cp1", "labels": {"node-role.kubernetes.io/control-plane": ""}},
            "status": {
                "addresses": [{"type": "InternalIP", "address": "10.20.0.11"}],
                "nodeInfo": {"kubeletVersion": "v1.36.2"},
            },
        },
        {
            "apiVersion": "projectcalico.org/v3",
            "kind": "BGPPeer",
            "metadata": {"name": "tor"},
            "spec": {"peerIP": "10.20.0.254", "asNumber": 65101},
        },
    ],
}


@pytest.fixture
def inventory(tmp_path: Path) -> Path:
    path = tmp_path / "hosts.ini"
    path.write_text(INVENTORY)
    return path


def test_the_file_loads_and_marks_exactly_what_nobody_stated(
    inventory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "site.yaml"
    assert run(["import", str(inventory), "-o", str(target)]) == 0
    text = target.read_text()
    document = yamlio.load(text).documents[0]
    assert parse(document.value).site is not None
    lines = text.splitlines()
    above = {
        lines[i + 1].strip().partition(":")[0]: line.strip() for i, line in enumerate(lines[:-1]) if NOT_STATED in line
    }
    assert above["name"] == f"# {NOT_STATED}"
    assert above["routers"] == f"# {NOT_STATED} address, asn, software, interface"
    assert above["hold"] == f"# {NOT_STATED}"
    assert "nodes" not in {key for key in above if lines[lines.index("nodes:") - 1].endswith("check")}
    assert "hunter2" not in text
    out = capsys.readouterr().out
    assert re.search(rf"^Read: {inventory} \(ansible\), \d+ values$", out, re.MULTILINE)
    listed = re.findall(r"^  (\S+)$", out, re.MULTILINE)
    assert "routers[0].asn" in listed
    assert "networks.nodes[0].gateway" in listed
    assert not [key for key in listed if key.startswith("nodes[")]
    assert out.splitlines()[-1] == f"Next: check what is marked in it, then anycastle new --answers {target}"


def test_the_written_file_makes_a_repository(inventory: Path, tmp_path: Path) -> None:
    target = tmp_path / "site.yaml"
    assert run(["import", str(inventory), "-o", str(target)]) == 0
    assert run(["new", "--no-input", "--answers", str(target), "-o", str(tmp_path)]) == 0
    assert (tmp_path / "home/nodes/w2/kubeadm.yaml").is_file()


def test_several_sources_are_one_site(inventory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cluster = tmp_path / "cluster.json"
    cluster.write_text(json.dumps(CLUSTER))
    assert run(["import", str(inventory), str(cluster), "-o", "-"]) == 0
    out = capsys.readouterr()
    site = yamlio.load(out.out).documents[0].value
    assert site["routers"][0] | {"interface": ""} == {
        "name": "tor",
        "address": "10.20.0.254",
        "asn": 65101,
        "software": "frr",
        "interface": "",
    }
    assert site["kubernetes"]["version"] == "1.36.2"
    assert [node["name"] for node in site["nodes"]] == ["cp1", "w1", "w2"]
    assert f"Read: {cluster} (kubectl)" in out.err


def test_sources_that_disagree_are_refused_with_both_places(
    inventory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "nodes.csv"
    table.write_text(TABLE.replace("10.20.0.21", "10.20.0.23"))
    target = tmp_path / "site.yaml"
    assert run(["import", str(inventory), str(table), "-o", str(target)]) == 1
    err = capsys.readouterr().err
    assert f"{table}:3" in err
    assert f"nodes.w1.address is 10.20.0.23 here and 10.20.0.21 in {inventory}:4" in " ".join(err.split())
    assert "IMPORT003" in err
    assert not target.exists()


def test_nothing_is_overwritten(inventory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "site.yaml"
    target.write_text("mine\n")
    assert run(["import", str(inventory), "-o", str(target)]) == 1
    assert "IMPORT007" in capsys.readouterr().err
    assert target.read_text() == "mine\n"


def test_a_fault_of_the_site_is_said_where_its_value_comes_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "nodes.csv"
    table.write_text(TABLE.replace("master", "worker"))
    target = tmp_path / "site.yaml"
    assert run(["import", str(table), "-o", str(target)]) == 1
    assert "SITE007" in capsys.readouterr().err
    assert not target.exists(), "what does not load is not written"
    table.write_text(TABLE.replace("w2,10.20.0.22", "w2,10.20.0.21"))
    assert run(["import", str(table), "-o", str(target)]) == 1
    out = capsys.readouterr().out
    assert re.search(rf"{target}:\d+ nodes\[2\].address|{target}:\d+: error", out)
    assert re.search(rf"^Written: {target}; \d errors? above against it$", out, re.MULTILINE)
    assert parse(yamlio.load(target.read_text()).documents[0].value).site is not None, "what loads is written"


@pytest.mark.parametrize("arguments", [[], ["missing.ini"], ["--from", "excel", "hosts.ini"], ["--nonsense"]])
def test_misuse_is_status_2(arguments: list[str], inventory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(inventory.parent)
    assert run(["import", *arguments]) == 2
    assert not Path("site.yaml").exists()


BOMB = b"a0: &a0 [x, x, x, x, x, x, x, x]\n" + b"".join(
    b"a%d: &a%d [%s]\n" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 8)) for n in range(1, 9)
)
"""134 million values in nine lines."""


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "IMPORT002"),
        (b"\xff\xfe\x00", "IMPORT002"),
        (b"dear all, the new nodes arrive on Monday\n", "IMPORT001"),
        (b"a: {b: [c", "IMPORT001"),
        (BOMB, "IMPORT001"),
        (b"[" * 5000, "IMPORT001"),
        (b"[masters]\n" + b"m[1:9999999][1:9999999] ip=10.0.0.1\n", "IMPORT004"),
        (b"name,ip,asn\nn1,10.0.0.1," + b"9" * 5000 + b"\n", "IMPORT002"),
        (b'{"apiVersion": "v1", "kind": "List", "items": [{"kind": "Node", "metadata": "a"}]}', "IMPORT005"),
        (b'{"kind": "List", "apiVersion": "v1", "items": "none"}', "IMPORT005"),
    ],
)  # fmt: skip
def test_hostile_and_broken_files_give_findings(
    content: bytes, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "source"
    path.write_bytes(content)
    status = run(["import", str(path), "-o", str(tmp_path / "site.yaml")])
    err = capsys.readouterr()
    assert status == 1
    assert code in err.err
    assert "fault of the program" not in err.err
    assert not (tmp_path / "site.yaml").exists()


def test_a_folder_stands_for_its_inventory_with_its_variables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "inventory"
    (folder / "group_vars/kube_node").mkdir(parents=True)
    (folder / "host_vars").mkdir()
    (folder / "inventory.ini").write_text(INVENTORY)
    (folder / "group_vars/all.yml").write_text("kube_pods_subnet: 10.233.64.0/18\nkube_token: hunter2\n")
    (folder / "group_vars/vault.yml").write_text("$ANSIBLE_VAULT;1.1;AES256\n6162\n")
    (folder / "host_vars/w2.yml").write_text("ip: 10.20.0.99\n")
    assert run(["import", str(folder), "-o", "-"]) == 0
    site = yamlio.load(capsys.readouterr().out).documents[0].value
    assert site["networks"]["pods"][0]["cidr"] == "10.233.64.0/18"
    assert site["nodes"][2]["address"] == "10.20.0.99"
    assert "hunter2" not in str(site)
    assert run(["import", str(tmp_path), "-o", "-"]) == 1
    assert "holds no inventory" in capsys.readouterr().err


def test_every_kind_can_be_forced() -> None:
    assert import_cli.KINDS == KINDS


def test_the_kind_can_be_forced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "list.txt"
    path.write_text("cp1 ip=10.1.1.1\n")
    assert run(["import", str(path), "-o", "-"]) == 1
    assert "--from: ansible, csv, netbox, kubectl" in capsys.readouterr().err
    assert run(["import", "--from", "ansible", str(path), "-o", "-"]) == 0
    assert yamlio.load(capsys.readouterr().out).documents[0].value["nodes"][0]["name"] == "cp1"


def test_the_same_sources_give_the_same_bytes(inventory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for _run in range(2):
        assert run(["import", str(inventory), "-o", "-"]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]


PIECES = st.sampled_from(
    [
        *(
            "[masters]\n",
            "[workers]\n",
            "[x:vars]\n",
            "[x:children]\n",
            "m1 ip=10.0.0.1",
            "\n",
            ",",
            ":",
            "{",
            "}",
            "- ",
        ),
        *("name,ip,role\n", "kind: List\napiVersion: v1\nitems:\n", "hosts:\n", "all:\n", "  ", "'", '"', "[1:3]", "é"),
        *("{{ x }}", "!vault |\n", "results: []\n", "\x00", "9" * 50, "prefix: 10.0.0.0/8\n", "kube_version: [1]\n"),
        *("peers: [{router_id: 1}]\n", "kind: Node\n", "metadata: {name: n}\n", "spec: []\n", "status: 5\n"),
    ]
)


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=14).map("".join), st.sampled_from(["", *KINDS]))
def test_no_text_makes_an_importer_fail(text: str, kind: str) -> None:
    drawn = draft([read(Source("x", text), kind)])
    assert drawn.data is not None or drawn.findings
    if drawn.data is not None:
        parse(drawn.data)


def test_every_order_of_sources_gives_the_same_machines() -> None:
    texts = [INVENTORY, TABLE, json.dumps(CLUSTER)]
    assert [detected(text) for text in texts] == ["ansible", "csv", "kubectl"]
    found = set()
    for order in itertools.permutations(texts):
        drawn = draft([read(Source(str(number), text)) for number, text in enumerate(order)])
        assert drawn.data is not None
        assert not drawn.findings
        found.add(json.dumps(sorted(map(str, drawn.data["nodes"]))) + str(drawn.data["networks"]["nodes"]))
    assert len(found) == 1, "the prefix length of the table counts, wherever it stands"
