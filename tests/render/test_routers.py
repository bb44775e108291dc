"""What the router's files say, and what FRR and nftables themselves make of them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from examples import Answers, example, many_workers, second_router

from anycastle.network.bgp import Acceptance
from anycastle.render import routers
from anycastle.render.routers.frr import lengths
from anycastle.render.routers.sysctl import neighbour_entries

BGPD = "/usr/lib/frr/bgpd"
Change = Callable[[Answers], object]


def rendered(case: str, change: Change | None = None) -> dict[str, str]:
    return {path: data.decode() for path, data in routers.files(*example(case, change))}


def commands(text: str) -> list[str]:
    """The lines of frr.conf that do something, with their indentation."""
    return [line for line in text.splitlines() if line.strip() and not line.strip().startswith("!")]


def rules(text: str, chain: str) -> list[str]:
    body = text.split(f"chain {chain} {{", 1)[1].split("\n    }", 1)[0]
    return [line.strip() for line in body.splitlines() if line.strip() and not line.strip().startswith("#")]


def settings(text: str) -> dict[str, str]:
    pairs = (line.split(" = ") for line in text.splitlines() if not line.startswith("#"))
    return dict(pairs)


def ibgp(given: Answers) -> None:
    given["bgp"]["worker_asn"] = given["routers"][0]["asn"]


def own_number(given: Answers) -> None:
    given["nodes"][-1]["asn"] = 65031


def kept_routes(given: Answers) -> None:
    given["bgp"]["graceful_restart"] = True


def pods_announced(given: Answers) -> None:
    given["networks"]["pods"][0]["export"] = True


VARIANTS: dict[str, tuple[str, Change | None]] = {
    "seed": ("seed", None),
    "lab-ja": ("lab-ja", None),
    "two routers": ("seed", second_router),
    "one AS": ("seed", ibgp),
    "racks": ("rack-control-planes", None),
    "data centres": ("three-data-centres", None),
    "two routers of one AS": ("two-routers-one-as", None),
    "a worker with an AS of its own": ("seed", own_number),
    "graceful restart": ("seed", kept_routes),
    "pods": ("seed", pods_announced),
    "400 workers": ("seed", many_workers(400)),
}
every_variant = pytest.mark.parametrize("variant", list(VARIANTS))

SEED_FRR = """\
frr defaults traditional
hostname router
log syslog informational
service integrated-vtysh-config
ip route 192.168.20.1/32 blackhole 254
ip route 192.168.20.64/26 blackhole 254
ip prefix-list K8S-CALICO seq 5 permit 192.168.20.64/26 ge 32 le 32
ip prefix-list K8S-KUBE-VIP seq 5 permit 192.168.20.1/32
route-map K8S-CALICO-IN permit 10
 match ip address prefix-list K8S-CALICO
exit
route-map K8S-KUBE-VIP-IN permit 10
 match ip address prefix-list K8S-KUBE-VIP
exit
route-map K8S-OUT deny 10
exit
router bgp 65010
 bgp router-id 192.168.10.1
 bgp log-neighbor-changes
 no bgp default ipv4-unicast
 bgp graceful-restart-disable
 neighbor K8S-CALICO peer-group
 neighbor K8S-CALICO remote-as 65030
 neighbor K8S-CALICO update-source 192.168.10.1
 neighbor K8S-CALICO timers 3 9
 neighbor K8S-CALICO timers connect 5
 neighbor 192.168.10.20 peer-group K8S-CALICO
 neighbor 192.168.10.20 description k8s-node-1
 neighbor 192.168.10.21 peer-group K8S-CALICO
 neighbor 192.168.10.21 description k8s-node-2
 neighbor 192.168.10.22 peer-group K8S-CALICO
 neighbor 192.168.10.22 description k8s-node-3
 neighbor 192.168.10.23 peer-group K8S-CALICO
 neighbor 192.168.10.23 description k8s-node-4
 neighbor 192.168.10.24 peer-group K8S-CALICO
 neighbor 192.168.10.24 description k8s-node-5
 neighbor K8S-KUBE-VIP peer-group
 neighbor K8S-KUBE-VIP remote-as 65020
 neighbor K8S-KUBE-VIP update-source 192.168.10.1
 neighbor K8S-KUBE-VIP timers 3 9
 neighbor K8S-KUBE-VIP passive
 neighbor 192.168.10.17 peer-group K8S-KUBE-VIP
 neighbor 192.168.10.17 description k8s-master-1
 neighbor 192.168.10.18 peer-group K8S-KUBE-VIP
 neighbor 192.168.10.18 description k8s-master-2
 neighbor 192.168.10.19 peer-group K8S-KUBE-VIP
 neighbor 192.168.10.19 description k8s-master-3
 address-family ipv4 unicast
  neighbor K8S-CALICO activate
  neighbor K8S-CALICO soft-reconfiguration inbound
  neighbor K8S-CALICO maximum-prefix 128 restart 1
  neighbor K8S-CALICO route-map K8S-CALICO-IN in
  neighbor K8S-CALICO route-map K8S-OUT out
  neighbor K8S-KUBE-VIP activate
  neighbor K8S-KUBE-VIP soft-reconfiguration inbound
  neighbor K8S-KUBE-VIP maximum-prefix 100 restart 1
  neighbor K8S-KUBE-VIP route-map K8S-KUBE-VIP-IN in
  neighbor K8S-KUBE-VIP route-map K8S-OUT out
  maximum-paths 8
 exit-address-family
exit
"""


def test_each_router_has_its_files() -> None:
    names = ("daemons", "frr.conf", "nftables.conf", "sysctl.conf", "vtysh.conf")
    assert set(rendered("seed", second_router)) == {
        f"routers/{router}/{name}" for router in ("router", "router-b") for name in names
    }


def test_frr_of_the_default_site() -> None:
    assert commands(rendered("seed")["routers/router/frr.conf"]) == SEED_FRR.splitlines()


@every_variant
def test_a_comment_never_follows_a_command(variant: str) -> None:
    for path, text in rendered(*VARIANTS[variant]).items():
        if path.endswith(("frr.conf", "vtysh.conf")):
            assert [line for line in commands(text) if "!" in line or "#" in line] == []


def test_aggregates_are_let_in_where_they_are_announced() -> None:
    frr = commands(rendered("lab-ja")["routers/router/frr.conf"])
    assert "ip prefix-list K8S-CALICO seq 5 permit 172.24.35.0/24 le 32" in frr
    assert [line for line in frr if "KUBE-VIP" in line] == []


def test_exported_pod_blocks_are_let_in_block_by_block() -> None:
    frr = commands(rendered("seed", pods_announced)["routers/router/frr.conf"])
    assert [line for line in frr if line.startswith("ip prefix-list K8S-CALICO")] == [
        "ip prefix-list K8S-CALICO seq 5 permit 172.20.0.0/16 ge 26 le 26",
        "ip prefix-list K8S-CALICO seq 10 permit 192.168.20.64/26 ge 32 le 32",
    ]


@pytest.mark.parametrize(
    ("prefix", "shortest", "longest", "expected"),
    [
        ("192.168.20.1/32", 32, 32, ""),
        ("192.168.20.64/26", 26, 26, ""),
        ("192.168.20.64/26", 32, 32, " ge 32 le 32"),
        ("192.168.20.64/26", 26, 32, " le 32"),
        ("172.20.0.0/16", 26, 26, " ge 26 le 26"),
    ],
)
def test_lengths(prefix: str, shortest: int, longest: int, expected: str) -> None:
    acceptance = Acceptance(router="r", prefix=ip_network(prefix), shortest=shortest, longest=longest, peers=())
    assert lengths(acceptance) == expected


def test_graceful_restart_is_off_unless_asked_for() -> None:
    off, on = (rendered("seed", change)["routers/router/frr.conf"] for change in (None, kept_routes))
    assert set(commands(off)) - set(commands(on)) == {" bgp graceful-restart-disable"}


def test_one_as_needs_a_multipath_of_its_own() -> None:
    frr = commands(rendered("seed", ibgp)["routers/router/frr.conf"])
    assert "  maximum-paths ibgp 8" in frr
    assert "  maximum-paths ibgp 8" not in SEED_FRR


def test_groups_that_differ_are_kept_apart() -> None:
    site, network = example("seed")
    slow = tuple(
        replace(end, hold=90, keepalive=30) if str(end.peer) == "192.168.10.24" else end for end in network.ends
    )
    frr = commands(dict(routers.files(site, replace(network, ends=slow)))["routers/router/frr.conf"].decode())
    assert " neighbor K8S-CALICO timers 3 9" in frr
    assert " neighbor K8S-CALICO-2 timers 30 90" in frr
    assert " neighbor 192.168.10.24 peer-group K8S-CALICO-2" in frr
    assert "ip prefix-list K8S-CALICO-2 seq 5 permit 192.168.20.64/26 ge 32 le 32" in frr


def test_the_hairpin_comes_before_connection_tracking() -> None:
    assert rules(rendered("seed")["routers/router/nftables.conf"], "forward") == [
        "type filter hook forward priority filter; policy accept;",
        'iifname "eth1" oifname "eth1" ip saddr { 192.168.10.0/24 } '
        "ip daddr { 192.168.20.1/32, 192.168.20.64/26 } accept",
        "ip daddr 192.168.20.1/32 ct state invalid drop",
        "ip daddr 192.168.20.64/26 ct state invalid drop",
        "ct state established,related accept",
        "ip daddr 192.168.20.1/32 tcp dport 6443 accept",
        "ip daddr 192.168.20.1/32 icmp type echo-request accept",
        "ip daddr 192.168.20.1/32 drop",
        "ip daddr 192.168.20.64/26 accept",
    ]


def test_bgp_is_open_to_the_nodes_on_their_side_only() -> None:
    text = rendered("lab-ja")["routers/router/nftables.conf"]
    assert "elements = {\n            172.24.34.11,\n            172.24.34.21,\n        }" in text
    assert rules(text, "input") == [
        "type filter hook input priority filter; policy accept;",
        'iifname "eth1" tcp dport 179 ip saddr @neighbours accept',
        'iifname "eth1" tcp dport 179 drop',
    ]


def test_kernel_settings() -> None:
    files = rendered("seed", second_router)
    common = {
        "net.ipv4.ip_forward": "1",
        "net.ipv4.fib_multipath_hash_policy": "1",
        "net.ipv4.conf.all.send_redirects": "0",
    }
    own = {"net.ipv4.conf.eth1.send_redirects": "0", "net.ipv4.conf.eth1.rp_filter": "2"}
    assert settings(files["routers/router/sysctl.conf"]) == common | own
    # A dot in a name is a slash in a key, or sysctl looks for an interface bond0 with a setting 20.
    other = {"net.ipv4.conf.bond0/20.send_redirects": "0", "net.ipv4.conf.bond0/20.rp_filter": "2"}
    assert settings(files["routers/router-b/sysctl.conf"]) == common | other


def test_settings_follow_the_network() -> None:
    site, network = example("seed")
    plain = tuple(replace(router, hash_ports=False, redirects=True) for router in network.routers)
    files = dict(routers.files(site, replace(network, routers=plain)))
    assert settings(files["routers/router/sysctl.conf"].decode()) == {"net.ipv4.ip_forward": "1"}


@pytest.mark.parametrize(("nodes", "entries"), [(8, 0), (250, 0), (251, 1024), (257, 2048), (5000, 32768)])
def test_room_in_the_neighbour_table(nodes: int, entries: int) -> None:
    assert neighbour_entries(nodes) == entries


def test_many_neighbours_get_room() -> None:
    files = rendered("seed", many_workers(600))
    assert settings(files["routers/router/sysctl.conf"])["net.ipv4.neigh.default.gc_thresh3"] == "4096"
    assert sourced(files["routers/router/daemons"], "MAX_FDS") == "3436"


def sourced(daemons: str, variable: str) -> str:
    """A variable as FRR's init script sees it."""
    script = f'{daemons}\nprintf %s "${{{variable}:-}}"'
    return subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout


def test_daemons() -> None:
    daemons = rendered("seed")["routers/router/daemons"]
    expected = {
        "zebra": "yes",
        "bgpd": "yes",
        "staticd": "yes",
        "vtysh_enable": "yes",
        "zebra_options": "-A 127.0.0.1 -s 90000000 -K 60",
        "bgpd_options": "-A 127.0.0.1",
        "staticd_options": "-A 127.0.0.1",
        "MAX_FDS": "",
    }
    assert {name: sourced(daemons, name) for name in expected} == expected


# --- the real programs


def need(program: str) -> str:
    """The path of a program; without it the test is skipped, or fails where CI wants no skip."""
    found = shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if found is None:
        unavailable(f"{program} is not installed")
    return str(found)


def unavailable(reason: str) -> None:
    if os.environ.get("ANYCASTLE_REQUIRE_DAEMONS") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def private() -> list[str]:
    """The beginning of a command with a network namespace of its own, as any user."""
    prefix = [need("unshare"), "-rn"]
    if subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode:
        unavailable("no user namespaces here")
    return prefix


def write(directory: Path, variant: str) -> Path:
    files = rendered(*VARIANTS[variant])
    for path, text in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text)
    return directory / "routers"


@pytest.mark.daemons
@every_variant
def test_frr_reads_every_line(variant: str, tmp_path: Path) -> None:
    vtysh = need("vtysh")
    for file in write(tmp_path, variant).glob("*/frr.conf"):
        done = subprocess.run([vtysh, "-C", "-f", str(file)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.strip(), done.stderr.strip()) == (0, "", "")
        file.write_text(file.read_text() + "no such command\n")
        assert subprocess.run([vtysh, "-C", "-f", str(file)], capture_output=True, check=False).returncode != 0


@contextmanager
def bgpd(config: Path) -> Iterator[Callable[[str], str]]:
    """A bgpd without zebra, port or network; yields a function that asks it."""
    home = config.parent
    command = [*private(), need(BGPD), "-Z", "-S", "-p", "0", "-P", "0", "-f", str(config)]
    command += ["-i", str(home / "bgpd.pid"), "--vty_socket", str(home), "--log", "stdout"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 20
        while not (home / "bgpd.vty").exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)

        def ask(question: str) -> str:
            vtysh = [need("vtysh"), "--vty_socket", str(home), "-d", "bgpd", "-c", question]
            return subprocess.run(vtysh, capture_output=True, text=True, check=True).stdout

        yield ask
    finally:
        process.terminate()
        process.wait(timeout=20)


@pytest.mark.daemons
def test_bgpd_has_every_neighbour_as_it_is_written(tmp_path: Path) -> None:
    config = write(tmp_path, "seed") / "router/frr.conf"
    with bgpd(config) as ask:
        running = ask("show running-config").splitlines()
        summary: dict[str, Any] = json.loads(ask("show bgp ipv4 unicast summary json"))
    elsewhere = ("ip route", "service", "exit", " exit", "log", "hostname")  # zebra's, staticd's and vtysh's
    missing = [line for line in commands(SEED_FRR) if line not in running and not line.startswith(elsewhere)]
    assert missing == []
    peers = {address: (peer["remoteAs"], peer["desc"]) for address, peer in summary["peers"].items()}
    assert peers == {
        **{f"192.168.10.{16 + i}": (65020, f"k8s-master-{i}") for i in (1, 2, 3)},
        **{f"192.168.10.{19 + i}": (65030, f"k8s-node-{i}") for i in (1, 2, 3, 4, 5)},
    }


@pytest.mark.daemons
@every_variant
def test_nftables_loads_it_twice(variant: str, tmp_path: Path) -> None:
    nft, alone = need("nft"), private()
    for file in write(tmp_path, variant).glob("*/nftables.conf"):
        script = f'{nft} -f "$1" && {nft} list ruleset >"$2" && {nft} -f "$1" && {nft} list ruleset >"$3"'
        once, twice = tmp_path / "once", tmp_path / "twice"
        done = subprocess.run(
            [*alone, "sh", "-c", script, "sh", str(file), str(once), str(twice)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert once.read_text() == twice.read_text()
        assert once.read_text().count("table inet anycastle") == 1
