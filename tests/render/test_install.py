"""`install.sh` as it is: run by a real shell in a directory that stands for a machine, with recording programs."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from examples import Answers, example

from anycastle.network.cluster import Api
from anycastle.render import nodes
from anycastle.render.install import Cluster, script

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="nodes run Linux")

SECRETS = {
    "KUBEADM_TOKEN": "abcdef.0123456789abcdef",
    "KUBEADM_CA_CERT_HASH": "sha256:" + "0a" * 32,
    "KUBEADM_CERTIFICATE_KEY": "1b" * 32,
}
MANIFEST = "etc/kubernetes/manifests/kube-vip.yaml"

# Each program writes its call into $STATE/calls. kubeadm leaves the traces of the real one, and keeps what it saw.
PROGRAMS = {
    "kubeadm": r"""
        manifest=$ANYCASTLE_ROOT/etc/kubernetes/manifests/kube-vip.yaml
        if [ -e "$manifest" ]; then cp "$manifest" "$STATE/manifest-during-$1"; fi
        if [ -e "$STATE/lo" ]; then cp "$STATE/lo" "$STATE/lo-during-$1"; fi
        cp "$3" "$STATE/config" && stat -c %a "$3" >"$STATE/config-mode" && dirname "$3" >"$STATE/config-dir"
        mkdir -p "$ANYCASTLE_ROOT/etc/kubernetes/pki"
        if [ -e "$STATE/kubeadm-hangs" ]; then : >"$STATE/kubeadm-runs"; sleep 60; fi
        if [ -e "$STATE/kubeadm-preflight-fails" ]; then exit 1; fi
        : >"$ANYCASTLE_ROOT/etc/kubernetes/kubelet.conf"
        if [ -e "$STATE/kubeadm-fails" ]; then exit 1; fi
        : >"$ANYCASTLE_ROOT/etc/kubernetes/admin.conf"
    """,
    "ip": r"""
        case "$*" in
        "-o address show to "*) grep -Fx -- "$5" "$STATE/addresses" || : ;;
        "-o address show dev lo to "*) grep -Fx -- "$7" "$STATE/lo" 2>/dev/null || : ;;
        "address del "*" dev lo") rm "$STATE/lo" ;;
        *) exit 1 ;;
        esac
    """,
    "curl": r"""
        if [ -e "$ANYCASTLE_ROOT/etc/kubernetes/manifests/kube-vip.yaml" ]; then : >"$STATE/manifest-before-ready"; fi
        left=$(cat "$STATE/refusals" 2>/dev/null || echo 0)
        echo $((left - 1)) >"$STATE/refusals"
        [ "$left" -le 0 ]
    """,
    "kubectl": "",
    "sysctl": "",
    "sleep": "",
}

# What every Linux has. The real kubeadm, or ip, of the machine that runs the tests must not be found.
TOOLS = (
    "awk",
    "cat",
    "chmod",
    "cp",
    "dirname",
    "grep",
    "id",
    "ls",
    "mkdir",
    "mktemp",
    "mv",
    "printenv",
    "rm",
    "sh",
    "stat",
    "wc",
)


@dataclass
class Machine:
    """A directory that stands for a machine, and the folder of its node beside it."""

    root: Path
    state: Path
    programs: Path
    script: Path

    def run(self, *arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["/bin/sh", str(self.script), *arguments],
            env=self.environment(env or {}),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def environment(self, more: dict[str, str]) -> dict[str, str]:
        return {"PATH": str(self.programs), "ANYCASTLE_ROOT": str(self.root), "STATE": str(self.state), **more}

    def calls(self, *names: str) -> list[str]:
        log = self.state / "calls"
        lines = log.read_text().splitlines() if log.exists() else []
        return [line for line in lines if not names or line.split()[0] in names]

    def changes(self) -> list[str]:
        """Calls that change something: everything but questions."""
        return [call for call in self.calls() if not call.startswith(("ip -o", "curl", "sleep"))]

    def text(self, path: str) -> str:
        return (self.root / path).read_text()

    def source(self, name: str) -> str:
        return (self.script.parent / name).read_text()

    def tree(self) -> dict[str, tuple[int, int, bytes]]:
        """Every file with its mode, time of change and content."""
        return {
            str(path.relative_to(self.root)): (path.stat().st_mode, path.stat().st_mtime_ns, path.read_bytes())
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }


Maker = Callable[..., Machine]


@pytest.fixture
def machine(tmp_path: Path) -> Maker:
    def make(node: str, case: str = "seed", change: Callable[[Answers], object] | None = None) -> Machine:
        site, network = example(case, change)
        for path, data in nodes.files(site, network):
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        programs, state, root = tmp_path / "programs", tmp_path / "state", tmp_path / "root"
        for directory in (programs, state, root / "etc"):
            directory.mkdir(parents=True)
        for name in TOOLS:
            (programs / name).symlink_to(shutil.which(name) or name)
        for name, body in PROGRAMS.items():
            program = programs / name
            program.write_text(f'#!/bin/sh\necho "{name} $*" >>"$STATE/calls"\n{body}')
            program.chmod(0o755)
        (root / "etc/hosts").write_text("127.0.0.1 localhost\n# mine\n10.9.9.9 printer\n")
        address = next(str(n.address) for n in site.nodes if n.name == node)
        (state / "addresses").write_text(address + "\n")
        return Machine(root, state, programs, tmp_path / "nodes" / node / "install.sh")

    return make


def test_scripts_pass_shellcheck(machine: Maker, tmp_path: Path) -> None:
    machine("k8s-master-1")
    (tmp_path / "programs").rename(tmp_path / "programs-1")
    (tmp_path / "state").rename(tmp_path / "state-1")
    (tmp_path / "root").rename(tmp_path / "root-1")
    machine("k8s-cp-01", "lab-ja")
    scripts = [str(path) for path in tmp_path.glob("nodes/*/install.sh")]
    assert len(scripts) == 10
    done = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_first_control_plane(machine: Maker) -> None:
    master = machine("k8s-master-1")
    done = master.run()
    assert done.returncode == 0, done.stderr
    config = master.script.parent / "kubeadm.yaml"
    assert master.changes() == ["sysctl --quiet --system", f"kubeadm init --config {config} --upload-certs"]
    assert (master.state / "manifest-during-init").read_text() == master.source("kube-vip.init.yaml")
    assert master.text(MANIFEST) == master.source("kube-vip.yaml")
    assert stat.S_IMODE((master.root / MANIFEST).stat().st_mode) == 0o600
    assert master.text("etc/hosts") == (
        "127.0.0.1 localhost\n# mine\n10.9.9.9 printer\n"
        "# BEGIN anycastle\n"
        "192.168.10.17 k8s-master-1.example.com k8s-master-1\n192.168.20.1 control.k8s.example.com\n"
        "# END anycastle\n"
    )
    assert stat.S_IMODE((master.root / "etc/hosts").stat().st_mode) == 0o644


def test_kernel_settings(machine: Maker) -> None:
    def settings(text: str) -> dict[str, str]:
        pairs = (line.split(" = ") for line in text.splitlines() if not line.startswith("#"))
        return dict(pairs)

    master = machine("k8s-master-1")
    master.run()
    common = {
        "net.ipv4.ip_forward": "1",
        "net.ipv4.conf.all.accept_redirects": "0",
        "net.ipv4.conf.default.accept_redirects": "0",
    }
    assert settings(master.text("etc/sysctl.d/90-anycastle.conf")) == common | {
        "net.ipv4.conf.all.arp_ignore": "1",
        "net.ipv4.conf.all.arp_announce": "2",
    }
    (master.root / "etc/kubernetes").rename(master.root / "etc/kubernetes-1")
    worker = Machine(master.root, master.state, master.programs, master.script.parents[1] / "k8s-node-1/install.sh")
    (master.state / "addresses").write_text("192.168.10.20\n")
    assert worker.run(env=SECRETS).returncode == 0
    assert settings(worker.text("etc/sysctl.d/90-anycastle.conf")) == common


@pytest.mark.parametrize("node", ["k8s-master-1", "k8s-master-2", "k8s-node-1"])
def test_a_second_run_changes_nothing(machine: Maker, node: str) -> None:
    one = machine(node)
    assert one.run(env=SECRETS).returncode == 0
    before = one.tree()
    assert len(before) >= 4
    (one.state / "calls").unlink()
    again = one.run()  # without the environment: there is nothing left to join
    assert again.returncode == 0, again.stderr
    assert one.tree() == before
    assert one.changes() == ["sysctl --quiet --system"]


def test_joining_control_plane_announces_last(machine: Maker) -> None:
    master = machine("k8s-master-2")
    (master.state / "lo").write_text("192.168.20.1/32\n")
    stale = master.root / MANIFEST
    stale.parent.mkdir(parents=True)
    stale.write_text("from an earlier life\n")
    (master.state / "refusals").write_text("3\n")
    done = master.run(env=SECRETS)
    assert done.returncode == 0, done.stderr
    assert not (master.state / "manifest-during-join").exists()
    assert not (master.state / "lo-during-join").exists()
    assert not (master.state / "manifest-before-ready").exists()
    assert len(master.calls("curl")) == 4
    assert all(call.endswith("https://192.168.10.18:6443/readyz") for call in master.calls("curl"))
    assert [call.split()[:2] for call in master.changes()] == [
        ["sysctl", "--quiet"],
        ["ip", "address"],
        ["kubeadm", "join"],
    ]
    assert "ip address del 192.168.20.1/32 dev lo" in master.calls("ip")
    assert master.text(MANIFEST) == master.source("kube-vip.yaml")


def test_secrets_stay_in_memory_and_go(machine: Maker) -> None:
    master = machine("k8s-master-2")
    done = master.run(env=SECRETS)
    expected = master.source("kubeadm.yaml")
    for name, value in SECRETS.items():
        expected = expected.replace(f"@{name}@", value)
    assert (master.state / "config").read_text() == expected
    assert (master.state / "config-mode").read_text() == "600\n"
    assert (master.state / "config-dir").read_text() == f"{master.root}/run\n"
    assert list((master.root / "run").iterdir()) == []
    for value in SECRETS.values():
        assert value not in done.stdout + done.stderr
        assert not any(value.encode() in data for _mode, _time, data in master.tree().values())


def test_worker_joins_without_a_certificate_key(machine: Maker) -> None:
    worker = machine("k8s-node-1")
    env = {name: SECRETS[name] for name in ("KUBEADM_TOKEN", "KUBEADM_CA_CERT_HASH")}
    assert worker.run(env=env).returncode == 0
    assert [call.split()[1] for call in worker.calls("kubeadm")] == ["join"]
    assert worker.calls("curl", "kubectl") == []
    assert not (worker.root / MANIFEST).exists()


def test_missing_environment_is_named_at_once(machine: Maker) -> None:
    master = machine("k8s-master-2")
    before = master.tree()
    done = master.run()
    assert done.returncode == 2
    assert [name for name in SECRETS if f"{name} is not set" in done.stderr] == list(SECRETS)
    assert master.tree() == before
    assert master.changes() == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KUBEADM_TOKEN", "abcdef.0123456789abcde"),
        ("KUBEADM_TOKEN", SECRETS["KUBEADM_TOKEN"] + "\nkind: Evil"),
        ("KUBEADM_CA_CERT_HASH", "0a" * 32),
        ("KUBEADM_CERTIFICATE_KEY", "1b" * 31),
    ],
)
def test_a_malformed_value_is_refused(machine: Maker, name: str, value: str) -> None:
    master = machine("k8s-master-2")
    before = master.tree()
    done = master.run(env=SECRETS | {name: value})
    assert done.returncode == 2
    assert f"{name} does not look like one" in done.stderr
    assert value not in done.stderr
    assert master.tree() == before


def test_a_failed_join_may_be_repeated(machine: Maker) -> None:
    master = machine("k8s-master-2")
    (master.state / "kubeadm-preflight-fails").touch()
    done = master.run(env=SECRETS)
    assert done.returncode == 1
    assert "kubeadm join failed" in done.stderr
    assert list((master.root / "run").iterdir()) == []
    assert not (master.root / MANIFEST).exists()
    (master.state / "kubeadm-preflight-fails").unlink()
    assert master.run(env=SECRETS).returncode == 0
    assert master.text(MANIFEST) == master.source("kube-vip.yaml")


@pytest.mark.parametrize("node", ["k8s-master-1", "k8s-master-2"])
def test_half_a_cluster_is_not_taken_for_a_whole_one(machine: Maker, node: str) -> None:
    master = machine(node)
    (master.state / "kubeadm-fails").touch()
    assert master.run(env=SECRETS).returncode == 1
    (master.state / "kubeadm-fails").unlink()
    (master.root / "etc/kubernetes/admin.conf").touch()  # as kubeadm init leaves it, minutes before it is done
    before = master.tree()
    done = master.run(env=SECRETS)
    assert done.returncode == 1
    assert "kubeadm reset" in done.stderr
    assert master.tree() == before
    assert len(master.calls("kubeadm")) == 1
    shutil.rmtree(master.root / "etc/kubernetes")  # kubeadm reset
    done = master.run(env=SECRETS)
    assert done.returncode == 0, done.stderr
    assert len(master.calls("kubeadm")) == 2
    assert master.text(MANIFEST) == master.source("kube-vip.yaml")


def test_interrupted_while_kubeadm_runs(machine: Maker) -> None:
    master = machine("k8s-master-2")
    (master.programs / "sleep").unlink()
    (master.programs / "sleep").symlink_to(shutil.which("sleep") or "sleep")
    (master.state / "kubeadm-hangs").touch()
    process = subprocess.Popen(
        ["/bin/sh", str(master.script)],
        env=master.environment(SECRETS),
        start_new_session=True,
        stdout=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 20
    while not (master.state / "kubeadm-runs").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(list((master.root / "run").iterdir())) == 1
    os.killpg(process.pid, signal.SIGTERM)
    assert process.wait(timeout=20) in (1, 143)
    assert list((master.root / "run").iterdir()) == []
    assert not (master.root / MANIFEST).exists()
    (master.state / "kubeadm-hangs").unlink()
    assert master.run(env=SECRETS).returncode == 0


def test_an_api_server_that_is_never_ready_is_not_announced(machine: Maker) -> None:
    master = machine("k8s-master-2")
    (master.state / "refusals").write_text("1000\n")
    done = master.run(env=SECRETS)
    assert done.returncode == 1
    assert "does not get ready" in done.stderr
    assert not (master.root / MANIFEST).exists()
    (master.state / "refusals").unlink()
    assert master.run().returncode == 0  # joined already: no environment needed
    assert len(master.calls("kubeadm")) == 1
    assert master.text(MANIFEST) == master.source("kube-vip.yaml")


@pytest.mark.parametrize("node", ["k8s-master-1", "k8s-master-2", "k8s-node-1"])
def test_dry_run_does_nothing(machine: Maker, node: str) -> None:
    one = machine(node)
    (one.state / "addresses").write_text("")  # on the desk of whoever wants to know
    before = one.tree()
    done = one.run("--dry-run")
    assert done.returncode == 0, done.stderr
    assert one.tree() == before
    assert one.changes() == []
    assert "would write: /etc/hosts" in done.stdout
    assert "would run: kubeadm" in done.stdout
    assert done.stdout.splitlines()[-1] == f"{node}: nothing was done"
    notes = [line for line in done.stdout.splitlines() if "is not set" in line]
    assert len(notes) == {"k8s-master-1": 0, "k8s-master-2": 3, "k8s-node-1": 2}[node]
    assert all(note.startswith("note: to join, KUBEADM_") for note in notes)
    assert (f"would write: /{MANIFEST}" in done.stdout) == (node != "k8s-node-1")


def test_the_wrong_machine_is_left_alone(machine: Maker) -> None:
    master = machine("k8s-master-2")
    (master.state / "addresses").write_text("192.168.10.19\n")
    before = master.tree()
    done = master.run(env=SECRETS)
    assert done.returncode == 1
    assert "does not hold 192.168.10.18" in done.stderr
    assert master.tree() == before


def test_missing_programs_are_named_at_once(machine: Maker) -> None:
    control = machine("k8s-cp-01", "lab-ja")
    (control.programs / "kubeadm").unlink()
    (control.programs / "kubectl").unlink()
    before = control.tree()
    done = control.run()
    assert done.returncode == 1
    assert "not installed: kubeadm kubectl" in done.stderr
    assert control.tree() == before


def test_needs_root(machine: Maker) -> None:
    master = machine("k8s-master-1")
    for name in set(TOOLS) - {"dirname", "rm", "sh"}:  # nothing that could write, should the check be missing
        (master.programs / name).unlink()
    (master.programs / "id").write_text("#!/bin/sh\necho 1000\n")
    (master.programs / "id").chmod(0o755)
    environment = {"PATH": str(master.programs), "STATE": str(master.state)}
    done = subprocess.run(
        ["/bin/sh", str(master.script)], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "needs root" in done.stderr


def test_unknown_arguments_are_refused(machine: Maker) -> None:
    master = machine("k8s-master-1")
    done = master.run("--dryrun")
    assert done.returncode == 2
    assert "Usage" in done.stderr
    assert master.calls() == []


def test_hosts_lines_are_replaced_and_the_others_kept(machine: Maker) -> None:
    worker = machine("k8s-node-1")
    (worker.root / "etc/hosts").write_text(
        "127.0.0.1 localhost\n# BEGIN anycastle\n10.0.0.1 old\n# END anycastle\n\n# last line without an end"
    )
    assert worker.run(env=SECRETS).returncode == 0
    assert worker.text("etc/hosts") == (
        "127.0.0.1 localhost\n\n# last line without an end\n# BEGIN anycastle\n"
        + worker.source("hosts")
        + "# END anycastle\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "# BEGIN anycastle\n10.0.0.1 mine\n",
        "10.0.0.1 mine\n# END anycastle\n",
        "# BEGIN anycastle\n10.0.0.1 mine\n# BEGIN anycastle\n# END anycastle\n",
    ],
)
def test_hosts_with_unpaired_markers_are_left_alone(machine: Maker, text: str) -> None:
    worker = machine("k8s-node-1")
    (worker.root / "etc/hosts").write_text(text)
    before = worker.tree()
    done = worker.run(env=SECRETS)
    assert done.returncode == 1
    assert "do not pair" in done.stderr
    assert worker.tree() == before
    assert worker.changes() == []


def test_the_exclude_label_is_set_again_after_kubeadm(machine: Maker) -> None:
    control = machine("k8s-cp-01", "lab-ja")
    assert control.run().returncode == 0
    label = (
        f"kubectl --kubeconfig {control.root}/etc/kubernetes/admin.conf --server https://172.24.34.11:6443 label node "
        "k8s-cp-01 node.kubernetes.io/exclude-from-external-load-balancers=true --overwrite"
    )
    assert [call.split()[0] for call in control.changes()] == ["sysctl", "kubeadm", "kubectl"]
    assert control.calls("kubectl") == [label]
    assert not (control.root / MANIFEST).exists()


@pytest.mark.parametrize("name", ["a'; touch /tmp/x; '", "$(reboot)", "a\nreboot", '"`reboot`"'])
def test_names_never_become_commands(name: str) -> None:
    node = example("seed")[0].nodes[0].model_copy(update={"name": name})
    api = Api(name=name, port=6443)
    text = script(Cluster(name, api, name), node, announces=False, mark_excluded=True)
    words = shlex.split(text[text.index("\nnode=") : text.index("\naddress=")])
    assert words == [f"node={name}"]
    head = text[: text.index("set -eu")]
    assert all(line.startswith("#") for line in head.splitlines())
    checked = subprocess.run(["sh", "-n"], input=text, text=True, capture_output=True, check=False)
    assert checked.returncode == 0, checked.stderr
