"""The machine is as before, whatever ends a lab and whenever: up, `kill -9`, down, again and again."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from lab_command import EXAMPLE, ORDINARY, an_ordinary_user, environment, started, until

ROUNDS = int(os.environ.get("ANYCASTLE_LAB_ROUNDS", "3"))  # 20 before a release
MARK = "ANYCASTLE_LAB_TEST"
FOLDERS = ("/etc/frr", "/run/frr", "/run/netns", "/run/lab", "/var/tmp/frr", "/var/run/bird", "/etc/bird")
BEGUN, STANDS = "endpoints made up", "every session and route of the plan stands"

pytestmark = [pytest.mark.daemons, pytest.mark.usefixtures("daemons")]


def said(*argv: str) -> str:
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout


def below(folder: Path) -> list[str]:
    return sorted(f"{path} {path.lstat().st_size}" for path in folder.rglob("*") if not path.is_dir())


def settings() -> dict[str, str]:
    """Kernel settings that a lab sets in its own namespaces."""
    found = {}
    for path in sorted(Path("/proc/sys/net").rglob("*")):
        if path.is_file() and path.name in ("ip_forward", "forwarding", "send_redirects", "rp_filter", "accept_dad"):
            found[str(path)] = path.read_text()
        elif path.name.startswith(("fib_multipath", "arp_")):
            found[str(path)] = path.read_text() if os.access(path, os.R_OK) else ""
    return found


def machine() -> dict[str, object]:
    """What a lab could leave behind, in parts that nobody else changes meanwhile."""
    return {
        "links": said("ip", "-o", "link"),
        "addresses": said("ip", "-o", "address"),
        "routes": said("ip", "route", "show", "table", "all") + said("ip", "-6", "route", "show", "table", "all"),
        "rules": said("ip", "rule"),
        "mounts": [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()],
        "settings": settings(),
        "files": [file for folder in FOLDERS for file in below(Path(folder))],
        "accounts": Path("/etc/passwd").read_text() + Path("/etc/group").read_text(),
        "repository": below(EXAMPLE),
    }


def descended(mark: str) -> list[int]:
    """Processes that carry a mark in their environment, as everything does that a lab starts."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"{MARK}={mark}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
    return found


def namespaces() -> set[str]:
    """Every namespace that a process of this machine is in."""
    found: set[str] = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            found |= {str(link.readlink()) for link in (entry / "ns").iterdir()}
        except OSError:
            continue
    return found


@contextmanager
def held(pids: Iterable[int], besides: set[str]) -> Iterator[set[str]]:
    """The namespaces of processes, kept so that the kernel gives their numbers to no other lab meanwhile."""
    found: dict[str, int] = {}
    try:
        for pid in pids:
            with suppress(OSError):
                for link in Path(f"/proc/{pid}/ns").iterdir():
                    if str(link.readlink()) not in besides | found.keys():
                        found[str(link.readlink())] = os.open(link, os.O_RDONLY | os.O_CLOEXEC)
        yield set(found)
    finally:
        for descriptor in found.values():
            os.close(descriptor)


def leftovers(mark: str, own: set[str]) -> list[str]:
    """Processes that still run, and namespaces that somebody is still in."""
    return [f"process {pid}" for pid in descended(mark)] + sorted(own & namespaces())


def down(variables: Mapping[str, str], prefix: tuple[str, ...]) -> str:
    argv = [*prefix, "-P", "-m", "anycastle.cli", "lab", "down"]
    done = subprocess.run(argv, env=variables, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def round_of(number: signal.Signals, moment: float | None, runtime: Path, prefix: tuple[str, ...]) -> None:
    """Up, a signal `moment` seconds after the beginning (None: once everything stands), down."""
    before, mine = machine(), namespaces()
    mark = uuid.uuid4().hex
    variables = {**environment(runtime), MARK: mark}
    with ExitStack() as stack:
        process = stack.enter_context(started("brief", variables, prefix))
        try:
            until(STANDS if moment is None else BEGUN, process)
            time.sleep(moment or 0)
            assert [file.name for file in runtime.rglob("*.json")] == ["brief.json"]
            seen = descended(mark)
            own = stack.enter_context(held(seen, mine))
        finally:
            process.send_signal(number)
        assert len(seen) > (2 if moment is not None else 10), "nothing ran that could have been left behind"
        assert len(own) >= 3
        said_down = down(variables, prefix)
        assert "No lab is running" in said_down or "is down" in said_down
        end = time.monotonic() + 5
        while leftovers(mark, own) and time.monotonic() < end:
            time.sleep(0.05)
        assert leftovers(mark, own) == []
    assert machine() == before
    assert list(runtime.iterdir()) == []


def moments(rounds: int) -> list[float | None]:
    """The first round ends a lab that stands, the others one that is being built, each a little later."""
    return [None, *(3.0 * index / max(1, rounds - 2) for index in range(rounds - 1))]


@pytest.fixture
def runtime() -> Iterator[Path]:
    """A folder for notes about running labs that an ordinary user can reach; pytest's own folders are closed."""
    with tempfile.TemporaryDirectory(prefix="lab-test-") as folder:
        yield Path(folder)


@pytest.mark.parametrize("user", ["as caller", "as an ordinary user"])
def test_up_kill_down_leaves_the_machine_as_it_was(user: str, runtime: Path) -> None:
    prefix: tuple[str, ...] = (sys.executable,)
    if user != "as caller":
        words = {"XDG_RUNTIME_DIR=": f"XDG_RUNTIME_DIR={runtime}"}
        prefix = tuple(words.get(word, word) for word in an_ordinary_user())
        if os.geteuid() == 0:
            os.chown(runtime, ORDINARY, ORDINARY)
    for moment in moments(ROUNDS):
        round_of(signal.SIGKILL, moment, runtime, prefix)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_nothing_is_left_when_it_is_asked_to_end(number: signal.Signals, runtime: Path) -> None:
    round_of(number, 1.5, runtime, (sys.executable,))
