"""The BGP speakers, started, asked, killed and started again: FRR by Debian's own script, GoBGP, BIRD."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anycastle.lab import vty
from anycastle.lab.commands import FRR, LabError, attempt, run, spawn
from anycastle.lab.isolation import RUN
from anycastle.lab.namespace import inside
from anycastle.lab.router_files import Files
from anycastle.network.addresses import IPNetwork
from anycastle.records import dataclass

_FRR_FILES = ("frr.conf", "daemons", "vtysh.conf")
_PATIENCE = 10.0
"""Seconds that a freshly started daemon may take until it answers."""


def within(name: str) -> list[str]:
    """The beginning of a command line inside a namespace."""
    return ["nsenter", f"--net=/run/netns/{name}", "--"]


@dataclass(frozen=True, slots=True)
class Frr:
    """FRR on one router, with /etc/frr and /run/frr of its own in a mount namespace that a process holds."""

    router: str
    keeper: subprocess.Popen[bytes]

    @property
    def within(self) -> list[str]:
        """The beginning of a command line on the router."""
        return ["nsenter", "--target", str(self.keeper.pid), "--mount", "--net", "--"]

    def start(self) -> None:
        """Raises `LabError` with FRR's words where it refuses its configuration."""
        run([*self.within, "vtysh", "-C", "-f", "/etc/frr/frr.conf"])
        run([*self.within, f"{FRR}/frrinit.sh", "start"])

    def restart(self) -> None:
        """What `systemctl restart frr` does."""
        run([*self.within, f"{FRR}/frrinit.sh", "restart"])

    def show(self, words: str) -> Mapping[str, Any]:
        """A `show ... json` command; empty where the daemon does not answer just now."""
        return vty.show(_runtime(self.router), words)


def _runtime(router: str) -> Path:
    return RUN / f"run-{router}"


def frr(router: str, files: Files) -> Frr:
    """Lay the router's files out, byte for byte, and hold a mount namespace for them."""
    etc, runtime = RUN / f"etc-{router}", _runtime(router)
    for folder in (etc, runtime):
        folder.mkdir()
    for name in _FRR_FILES:
        (etc / name).write_bytes(files.get(name, b""))
        shutil.chown(etc / name, "frr", "frr")
    shutil.chown(runtime, "frr", "frr")
    Path("/run/frr").mkdir(exist_ok=True)
    keeper = spawn([*within(router), "unshare", "--mount", "sleep", "infinity"], RUN / "log" / f"{router}.keeper")
    _wait_for(lambda: Path(f"/proc/{keeper.pid}/exe").resolve().name in ("sleep", "coreutils", "busybox"), router)
    frr = Frr(router, keeper)
    for source, target in ((etc, "/etc/frr"), (runtime, "/run/frr")):
        run(["nsenter", "--target", str(keeper.pid), "--mount", "--", "mount", "--bind", str(source), target])
    return frr


def _wait_for(condition: Any, name: str) -> None:
    end = time.monotonic() + _PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise LabError(f"{name} did not start; its log is {RUN / 'log' / name}.log.")
        time.sleep(0.02)


@dataclass(slots=True)
class GoBgp:
    """kube-vip's speaker on one node."""

    node: str
    configuration: str
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Run it; returns once its API answers."""
        file = RUN / f"{self.node}.toml"
        file.write_text(self.configuration)
        argv = ["gobgpd", "-t", "toml", "-f", str(file), "--api-hosts", "127.0.0.1:50051", "-p"]
        with inside(self.node):
            self.process = spawn(argv, RUN / "log" / f"{self.node}.log")

    def ready(self) -> None:
        """Wait until its API answers."""
        _wait_for(lambda: self._gobgp("global").returncode == 0, self.node)

    def announce(self, prefix: IPNetwork, *, present: bool) -> None:
        """Let a prefix out, or take it back."""
        words = ["global", "rib", "add" if present else "del", "-a", f"ipv{prefix.version}", str(prefix)]
        self._gobgp(*words, *(["origin", "igp"] if present else []))

    def kill(self) -> None:
        """As `kill -9` does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def _gobgp(self, *words: str) -> subprocess.CompletedProcess[str]:
        return attempt([*within(self.node), "gobgp", *words])


@dataclass(slots=True)
class Bird:
    """Calico's speaker on one node."""

    node: str
    process: subprocess.Popen[bytes] | None = None

    @property
    def _file(self) -> Path:
        return RUN / f"{self.node}.bird.conf"

    @property
    def _control(self) -> Path:
        return RUN / f"{self.node}.bird.ctl"

    def start(self, configuration: str) -> None:
        """Run it with a configuration."""
        self._file.write_text(configuration)
        argv = ["bird", "-f", "-c", str(self._file), "-s", str(self._control), "-P", f"{self._control}.pid"]
        with inside(self.node):
            self.process = spawn(argv, RUN / "log" / f"{self.node}.bird.log")

    def configure(self, configuration: str) -> None:
        """Let it read another one, as confd does."""
        self._file.write_text(configuration)
        run(["birdc", "-s", str(self._control), "configure"])

    def established(self) -> tuple[str, ...]:
        """Names of its BGP protocols that stand."""
        said = attempt(["birdc", "-s", str(self._control), "show", "protocols"]).stdout
        rows = [line.split() for line in said.splitlines()]
        return tuple(row[0] for row in rows if len(row) > 5 and row[1] == "BGP" and row[-1] == "Established")

    def kill(self) -> None:
        """As `kill -9` does."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
