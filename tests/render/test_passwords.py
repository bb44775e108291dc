"""Passwords stand in no generated file; the machines put them in, and refuse what cannot be one."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from examples import Answers, answers, example
from test_install import MANIFEST, SECRETS, Machine, Maker, machine

from anycastle import yamlio
from anycastle.network.bgp import Software
from anycastle.reader import read
from anycastle.render import passwords, render
from anycastle.site.load import parse

__all__ = ["machine"]

WORD = "Ab1._+=-" + "z" * 8
VARIABLE = "ANYCASTLE_BGP_ROUTER_KEY"
KEPT = "etc/anycastle/passwords/bgp.router/key"
SOFTWARE = ("frr", "bird", "routeros", "vyos", "opnsense", "pfsense", "unifi", "ios-xe", "nx-os", "eos", "junos")
INTERFACES = {"ios-xe": "GigabitEthernet1", "nx-os": "Vlan10", "eos": "Vlan10", "junos": "irb.10"}


def guarded(given: Answers) -> None:
    given["routers"][0]["password"] = "bgp.router/key"


def on(software: str) -> Callable[[Answers], object]:
    def change(given: Answers) -> None:
        guarded(given)
        given["routers"][0] |= {"software": software, "interface": INTERFACES.get(software, "eth1")}

    return change


@pytest.mark.parametrize("software", SOFTWARE)
def test_every_platform_names_the_secret_and_is_read_back(software: str, tmp_path: Path) -> None:
    site, network = example("seed", on(software))
    assert {end.password for end in network.ends} == {"bgp.router/key"}
    for path, data in render(site, network).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    repository = read(tmp_path)
    assert repository.network.ends == network.ends
    assert not [found for found in repository.findings if found.code.startswith(("SEC", "REF", "KVIP"))]


def test_the_site_file_takes_it() -> None:
    given = answers("seed")
    guarded(given)
    assert parse(given).findings == ()


def test_calico_may_read_exactly_that_secret() -> None:
    values = yamlio.load(render(*example("seed", guarded))["apps/calico-bgp/values.yaml"]).documents[0].value
    assert values["peers"]["router"]["passwordSecret"] == {"name": "bgp.router", "key": "key"}


def test_variables_differ_where_references_look_alike() -> None:
    _site, network = example("seed")
    names = iter(("a-b/c", "a/b-c", "a.b/c"))
    ends = tuple(
        replace(end, password=next(names)) if end.software is Software.KUBE_VIP else end for end in network.ends
    )
    found = passwords.of_vip(replace(network, ends=ends))
    assert [(one.reference, one.variable) for one in found.values()] == [
        ("a-b/c", "ANYCASTLE_A_B_C"),
        ("a.b/c", "ANYCASTLE_A_B_C_2"),
        ("a/b-c", "ANYCASTLE_A_B_C_3"),
    ]


@pytest.mark.parametrize("node", ["k8s-master-1", "k8s-master-2"])
def test_the_manifest_is_completed_and_nothing_is_said(machine: Maker, node: str) -> None:
    one = machine(node, change=guarded)
    done = one.run(env=SECRETS | {VARIABLE: WORD})
    assert done.returncode == 0, done.stderr
    assert WORD not in done.stdout + done.stderr
    assert "<bgp.router/key>" in one.source("kube-vip.yaml")
    assert one.text(MANIFEST) == one.source("kube-vip.yaml").replace("<bgp.router/key>", WORD)
    assert one.text(KEPT) == WORD + "\n"
    assert [stat.S_IMODE((one.root / path).stat().st_mode) for path in (MANIFEST, KEPT)] == [0o600, 0o600]
    assert stat.S_IMODE((one.root / KEPT).parent.stat().st_mode) == 0o700
    env = {e["name"]: e.get("value") for e in containers(one.text(MANIFEST))[0]["env"]}
    assert env["bgp_peers"] == f"192.168.10.1:65010:{WORD}:false"
    assert "bgp_peeraddress" not in env
    before = one.tree()
    again = one.run(env=SECRETS)  # from the file that was kept
    assert again.returncode == 0, again.stderr
    assert one.tree() == before


def containers(text: str) -> list[dict[str, list[dict[str, str]]]]:
    found: list[dict[str, list[dict[str, str]]]] = yamlio.load(text).documents[0].value["spec"]["containers"]
    return found


def test_a_new_password_replaces_the_old_one(machine: Maker) -> None:
    one = machine("k8s-master-1", change=guarded)
    assert one.run(env={VARIABLE: "first"}).returncode == 0
    assert one.run(env={VARIABLE: "second"}).returncode == 0
    assert one.text(KEPT) == "second\n"
    assert "first" not in one.text(MANIFEST).replace("first control plane", "")
    assert ":second:" in one.text(MANIFEST)


@pytest.mark.parametrize(
    "wrong",
    [
        "a:b",
        "a,b",
        "a/b",
        "a b",
        "a\nb",
        "-a",
        "<bgp.router/key>",
        'a"b',
        "a'b",
        "a\\b",
        "a&b",
        "a$b",
        "a?b",
        "ä",
        "a" * 81,
    ],
)
@pytest.mark.parametrize("kept", [False, True])
def test_what_no_peer_can_carry_is_refused(machine: Maker, wrong: str, kept: bool) -> None:
    one = machine("k8s-master-1", change=guarded)
    if kept:
        keep(one, wrong, 0o600)
    before = one.tree()
    done = one.run(env={} if kept else {VARIABLE: wrong})
    assert done.returncode == 2
    assert "bgp.router/key" in done.stderr
    assert "aaa" not in done.stdout + done.stderr, "the long one is not shown"
    assert one.tree() == before
    assert one.changes() == []


def keep(one: Machine, word: str, mode: int) -> None:
    file = one.root / KEPT
    file.parent.mkdir(parents=True)
    file.write_text(word)
    file.chmod(mode)


def test_a_file_that_others_can_read_is_refused(machine: Maker) -> None:
    one = machine("k8s-master-1", change=guarded)
    keep(one, WORD, 0o640)
    done = one.run()
    assert done.returncode == 2
    assert "can be read by others" in done.stderr
    (one.root / KEPT).chmod(0o400)
    assert one.run().returncode == 0


def test_without_one_nothing_is_changed_and_a_dry_run_says_so(machine: Maker) -> None:
    one = machine("k8s-master-1", change=guarded)
    before = one.tree()
    done = one.run()
    assert done.returncode == 2
    assert f"{VARIABLE} is not set" in done.stderr
    dry = one.run("--dry-run")
    assert dry.returncode == 0, dry.stderr
    assert "note: kube-vip lacks a password" in dry.stdout
    assert one.tree() == before


def test_a_mark_that_the_script_does_not_know_is_not_installed(machine: Maker) -> None:
    one = machine("k8s-master-1", change=guarded)
    manifest = one.script.parent / "kube-vip.yaml"
    manifest.write_text(manifest.read_text().replace("<bgp.router/key>", "<bgp.router/other>"))
    done = one.run(env={VARIABLE: WORD})
    assert done.returncode == 1
    assert "from one commit" in done.stderr
    assert not (one.root / MANIFEST).exists()


def test_workers_know_no_password(machine: Maker) -> None:
    worker = machine("k8s-node-1", change=guarded)
    assert "password" not in worker.script.read_text()
    assert worker.run(env=SECRETS).returncode == 0


def test_scripts_with_passwords_pass_shellcheck(tmp_path: Path) -> None:
    files = render(*example("seed", guarded))
    scripts = [path for path in files if path.startswith("nodes/k8s-master") and path.endswith("install.sh")]
    for path in scripts:
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_bytes(files[path])
    done = subprocess.run(["shellcheck", *scripts], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def blocks(readme: str) -> list[str]:
    return re.findall(r"```sh\n(.*?)```", readme, re.DOTALL)


@pytest.mark.parametrize("word", [WORD, "", "a&b", "<x/y>"])
def test_readme_fills_a_file_of_frr_or_prints_nothing(tmp_path: Path, word: str) -> None:
    files = {path: data.decode() for path, data in render(*example("seed", guarded)).items()}
    (function,) = (block for block in blocks(files["README.md"]) if "\nfilled() {" in block)
    secret = tmp_path / "bgp.router/key"
    secret.parent.mkdir()
    secret.write_text(word)
    (tmp_path / "frr.conf").write_text(files["routers/router/frr.conf"])
    env = {"PATH": os.environ["PATH"], "ANYCASTLE_PASSWORDS": str(tmp_path)}
    done = subprocess.run(
        ["sh", "-c", function + "filled frr.conf"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    if word == WORD:
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == files["routers/router/frr.conf"].replace("<bgp.router/key>", WORD)
    else:
        assert (done.returncode, done.stdout) == (1, "")
        assert "no usable password" in done.stderr


def test_readme_and_runbook_hand_them_over() -> None:
    files = {path: data.decode() for path, data in render(*example("seed", guarded)).items()}
    readme = files["README.md"]
    assert '--from-file=key="$passwords/bgp.router/key"' in files["bootstrap.sh"]
    assert "hand_over k8s-master-1 192.168.10.17" in readme
    assert "! grep -n ' password <' frr.conf" in readme
    assert "## Change a password" in files["docs/runbook.md"]
    plain = {path: data.decode() for path, data in render(*example("seed")).items()}
    assert "hand_over" not in plain["README.md"] + plain["docs/runbook.md"]
    assert "Change a password" not in plain["docs/runbook.md"]
