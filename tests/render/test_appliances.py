"""Every router but FRR on Linux: its statements are documented, its file is guarded and safe, and shown in the docs."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from examples import Answers, answers, example, many_workers
from routers_page import INTERFACES, name_of, page, rendered
from statements import FORMS, script, undocumented
from test_routers import ibgp, kept_routes, need, pods_announced

from anycastle.network.bgp import Software
from anycastle.network.platforms import PLATFORMS
from anycastle.render import routers
from anycastle.render.routers.appliances import FILES, RUNS_FRR
from anycastle.site.load import parse

DOCS = Path(__file__).resolve().parents[2] / "docs" / "routers.md"
Change = Callable[[Answers], object]
ON_ITS_OWN = sorted(FILES)


def slow(given: Answers) -> None:
    given["bgp"]["timers"] = {"hold": 90, "keepalive": 30}


VARIANTS: dict[str, tuple[str, Change | None]] = {
    "seed": ("seed", None),
    "aggregates": ("lab-ja", None),
    "dual stack": ("dual-stack", None),
    "IPv6 only": ("ipv6-only", None),
    "one AS": ("one-as", None),
    "two routers": ("two-routers-two-as", None),
    "racks": ("rack-control-planes", None),
    "an AS for each": ("three-data-centres", None),
    "iBGP": ("seed", ibgp),
    "graceful restart": ("seed", kept_routes),
    "pods": ("seed", pods_announced),
    "slow": ("seed", slow),
    "40 workers": ("seed", many_workers(40)),
}
every_variant = pytest.mark.parametrize("variant", list(VARIANTS))
every_platform = pytest.mark.parametrize("software", ON_ITS_OWN)


def files(software: str, variant: str) -> dict[str, str]:
    """The files of all routers of a site that run this software."""
    case, change = VARIANTS[variant]

    def on(given: Answers) -> None:
        if change is not None:
            change(given)
        for router in given["routers"]:
            router |= {"software": software, "interface": INTERFACES.get(software, "eth1")}

    return {path: data.decode() for path, data in routers.files(*example(case, on))}


def configs(software: str, variant: str) -> dict[str, str]:
    found = {path: text for path, text in files(software, variant).items() if path.endswith(name_of(software))}
    assert found
    return found


def test_the_page_shows_what_is_generated(update_golden: bool) -> None:
    if update_golden:
        DOCS.write_text(page())
    assert DOCS.read_text() == page(), "run this test with --update-golden and read the diff"


def test_every_software_of_the_site_file_has_a_platform_and_a_file() -> None:
    from anycastle.site.model import RouterSoftware

    named = set(RouterSoftware.__args__)  # type: ignore[attr-defined]
    assert named == {str(software) for software in PLATFORMS}
    assert named == {str(software) for software in FILES} | {"frr"}


@every_platform
def test_a_router_gets_its_file_and_its_instructions(software: str) -> None:
    beside = {"nftables.conf", "sysctl.conf"} if software == "bird" else set()
    names = {path.rpartition("/")[2] for path in files(software, "seed")}
    assert names == {FILES[Software(software)], "README.md", *beside}


@every_variant
@pytest.mark.parametrize("software", sorted(FORMS.keys() - {"routeros"}))
def test_every_statement_is_a_documented_one(software: str, variant: str) -> None:
    for path, text in configs(software, variant).items():
        assert list(undocumented(software, text)) == [], path


@every_variant
def test_every_parameter_of_routeros_is_a_documented_one(variant: str) -> None:
    known = {" ".join(form.split()[:2]): set(form.split()[2:]) for form, _source in FORMS["routeros"]}
    for text in configs("routeros", variant).values():
        commands = list(script(text))
        assert commands
        for command in commands:
            menu, verb, *parameters = command.split()
            assert set(parameters) <= known[f"{menu} {verb}"], command


def test_an_undocumented_statement_is_seen() -> None:
    (text,) = configs("eos", "seed").values()
    wrong = text.replace("peer group\n", "peer-groups\n", 1)
    assert list(undocumented("eos", wrong)) == ["neighbor K8S-CALICO peer-groups"]


@every_variant
def test_what_routeros_adds_it_adds_once(variant: str) -> None:
    """Loading the file again must not add anything: each `add` stands behind a look for its own comment or name."""
    for text in configs("routeros", variant).values():
        added = [line for line in text.splitlines() if re.search(r"/[a-z/]+ add ", line)]
        assert added
        for line in added:
            wanted, made = re.findall(r'(?:comment|name)="([^"]+)"', line)[:2]
            assert line.startswith(":if ([:len [")
            assert wanted == made
            menus = set(re.findall(r"/[a-z][a-z/]+(?= (?:find|add))", line))
            assert len(menus) == 1


@every_platform
@every_variant
def test_every_session_stands_in_the_file(software: str, variant: str) -> None:
    case, change = VARIANTS[variant]
    _site, network = example(case, change)
    for path, text in configs(software, variant).items():
        mine = {str(end.peer) for end in network.ends if end.host == path.split("/")[1]}
        found = {peer for peer in mine if re.search(rf"(?<![\d.:a-f]){re.escape(peer)}(?![\d.:/a-f])", text)}
        assert found == mine


@every_platform
def test_a_node_more_changes_only_what_belongs_to_it(software: str) -> None:
    def change(given: Answers) -> None:
        given["routers"][0] |= {"software": software, "interface": INTERFACES.get(software, "eth1")}
        given["nodes"].append({"name": "k8s-node-6", "role": "worker", "address": "192.168.10.25"})

    before = rendered(software)[name_of(software)].splitlines()
    after = dict(routers.files(*example("seed", change)))[f"routers/router/{name_of(software)}"].decode().splitlines()
    gone = [line for line in before if line not in after]
    new = [line for line in after if line not in before]
    lists = [line for line in gone if "find where comment" in line]  # RouterOS: what to keep
    assert gone == lists
    assert new
    assert all("192.168.10.25" in line or "k8s-node-6" in line for line in new)


@every_platform
def test_the_instructions_speak_of_this_router(software: str) -> None:
    text = rendered(software)["README.md"]
    assert FILES[Software(software)] in text
    assert "8 sessions" in text
    assert "Check" in text
    assert "<" not in text.replace("<<", "").replace("<SECRET/KEY>", "")


@pytest.mark.daemons
@every_variant
def test_bird_reads_it(variant: str, tmp_path: Path) -> None:
    bird = need("bird")
    for text in configs("bird", variant).values():
        file = tmp_path / "bird.conf"
        file.write_text(text)
        done = subprocess.run([bird, "-p", "-c", str(file)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        file.write_text(text.replace("hold time", "holding time"))
        assert subprocess.run([bird, "-p", "-c", str(file)], capture_output=True, check=False).returncode != 0


@pytest.mark.daemons
@pytest.mark.parametrize("software", sorted(RUNS_FRR))
def test_frr_reads_what_appliances_hand_it(software: str, tmp_path: Path) -> None:
    vtysh = need("vtysh")
    (text,) = configs(software, "seed").values()
    file = tmp_path / "frr.conf"
    file.write_text(text)
    done = subprocess.run([vtysh, "-C", "-f", str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr.strip()) == (0, "", "")


# --- nothing but what was meant gets into a file

INJECTIONS: dict[str, tuple[str, Any]] = {
    "a blank in a router's name": ("routers.0.name", "router; reload"),
    "a line end in a router's name": ("routers.0.name", "router\nexit"),
    "a quote in a node's name": ("nodes.0.name", 'node"'),
    "a semicolon in a node's name": ("nodes.0.name", "node;"),
    "a bracket in a node's name": ("nodes.0.name", "node[x]"),
    "a blank in an interface": ("routers.0.interface", "Vlan10 description x"),
    "a line end in an interface": ("routers.0.interface", "Vlan10\nshutdown"),
    "a quote in an interface": ("routers.0.interface", "Vlan10'"),
    "a semicolon in an interface": ("routers.0.interface", "bridge;/system/reboot"),
    "a dollar in an interface": ("routers.0.interface", "$(reboot)"),
    "a blank in a password's name": ("routers.0.password", "bgp/router x"),
    "a quote in a password's name": ("routers.0.password", 'bgp/router"'),
    "a blank in a software": ("routers.0.software", "eos ../x"),
}


@pytest.mark.parametrize("what", list(INJECTIONS))
def test_what_could_end_a_statement_is_refused(what: str) -> None:
    path, value = INJECTIONS[what]
    given = answers("seed")
    *keys, last = path.split(".")
    place: Any = given
    for key in keys:
        place = place[int(key) if key.isdigit() else key]
    place[last] = value
    parsed = parse(given)
    assert parsed.site is None
    assert {finding.code for finding in parsed.findings} == {"SITE003"}


@pytest.mark.parametrize(
    ("software", "interface"),
    [
        ("frr", "GigabitEthernet0/0/1"),
        ("vyos", "Ethernet1/1"),
        ("opnsense", "LAN"),
        ("routeros", "a/b"),
        ("ios-xe", "eth1"),
        ("eos", "eth1"),
        ("nx-os", "eth"),
        ("junos", "eth1"),
        ("junos", "ge-0/0/1"),
    ],
)
def test_an_interface_that_the_system_cannot_have_is_refused(software: str, interface: str) -> None:
    given = answers("seed")
    given["routers"][0] |= {"software": software, "interface": interface}
    (finding,) = parse(given).findings
    assert (finding.code, str(finding.where)) == ("SITE012", "routers[0].interface")
    assert interface in finding.message


@pytest.mark.parametrize(
    ("software", "interface"),
    [
        *((software, INTERFACES.get(software, "eth1")) for software in map(str, PLATFORMS)),
        ("ios-xe", "GigabitEthernet0/0/1.20"),
        ("ios-xe", "Port-channel10"),
        ("nx-os", "port-channel10"),
        ("nx-os", "Ethernet1/1"),
        ("eos", "Ethernet1/1.10"),
        ("junos", "xe-0/0/1:0.100"),
        ("junos", "ae0.0"),
        ("vyos", "bond0.20"),
        ("routeros", "ether2"),
    ],
)
def test_an_interface_of_the_system_is_taken(software: str, interface: str) -> None:
    given = answers("seed")
    given["routers"][0] |= {"software": software, "interface": interface}
    assert parse(given).findings == ()


def test_passwords_stay_out_and_their_place_is_named() -> None:
    from dataclasses import replace

    for software in ON_ITS_OWN:
        if Software(software) in RUNS_FRR:
            continue

        def on(given: Answers, software: str = software) -> None:
            given["routers"][0] |= {"software": software, "interface": INTERFACES.get(software, "eth1")}

        site, network = example("seed", on)
        ends = tuple(replace(end, password="bgp/router") if end.host == "router" else end for end in network.ends)
        found = dict(routers.files(site, replace(network, ends=ends)))
        text = found[f"routers/router/{name_of(software)}"].decode()
        assert text.count("<bgp/router>") in (2, 8), software
        assert "in the place of `<SECRET/KEY>`" in found["routers/router/README.md"].decode()
