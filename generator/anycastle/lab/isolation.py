"""The lab's own corner of the kernel: one private PID, mount and network namespace that takes everything with it.

The command starts itself anew inside. Its first process is PID 1 there, so the kernel ends whatever it has
started when it goes, by whatever signal; mounts and network namespaces go with the last process. `unshare --fork`
ignores SIGTERM and SIGINT: the outer command therefore dies as its parent, and takes it along (PR_SET_PDEATHSIG).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from anycastle.lab.commands import LabError, environment, run

MARK = "ANYCASTLE_LAB"
"""Set in the environment of the command that runs inside."""

_PATIENCE = 10.0

RUN = Path("/run/lab")
"""Files of the lab, on its private /run."""

_PRIVATE = (("/run", "755"), ("/var/tmp", "1777"), ("/etc/frr", "755"))  # noqa: S108 - mounted over, privately


def inside() -> bool:
    """Whether this process is the one that was started anew."""
    return bool(os.environ.get(MARK))


def start(arguments: Sequence[str], identity: Sequence[str]) -> subprocess.Popen[bytes]:
    """The same command in its own namespaces. It dies with this process, whatever ends it."""
    argv = ["setpriv", "--pdeathsig", "KILL", "unshare", *identity, "--net", "--mount", "--pid", "--fork"]
    argv += ["--kill-child", "--mount-proc", sys.executable, "-P", "-m", "anycastle.cli", *arguments]
    return subprocess.Popen(  # noqa: S603 - this very program, as a list
        argv, env={**environment(), MARK: "inside", "PYTHONDONTWRITEBYTECODE": "1"}
    )


def first_process(pid: int) -> int:
    """The PID, seen from here, of the process inside that `start` began with; 0 while there is none."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    return int(children[0]) if children else 0


def become_init() -> None:
    """Leave PID 1 to a process that only reaps: FRR's own script waits for daemons to vanish from the process table.

    Returns in a child; the parent ends with the child's status.
    """
    child = os.fork()
    if child == 0:
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to the child as well
    signal.signal(signal.SIGTERM, lambda which, _frame: os.kill(child, which))
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == child:
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def prepare() -> None:
    """Private directories where the daemons expect theirs, and an `/etc/passwd` that makes FRR's user root.

    In a user namespace only one user exists; FRR's daemons would fail to become theirs.
    """
    run(["mount", "--make-rprivate", "/"])
    for path, mode in _PRIVATE:
        run(["mount", "-t", "tmpfs", "-o", f"mode={mode}", "tmpfs", path])
    for folder in (Path("/run/netns"), RUN, RUN / "log", RUN / "etc"):
        folder.mkdir(parents=True)
    _mapped("passwd", {"frr": "frr:x:0:0::/:/bin/false"})
    _mapped("group", {"frrvty": "frrvty:x:0:root", "frr": "frr:x:0:root"})


def _mapped(name: str, lines: dict[str, str]) -> None:
    original = Path("/etc") / name
    text = [lines.get(line.partition(":")[0], line) for line in original.read_text().splitlines()]
    copy = RUN / "etc" / name
    copy.write_text("\n".join(text) + "\n")
    run(["mount", "--bind", str(copy), str(original)])


def enter(pid: int, *, user: bool) -> list[str]:
    """The beginning of a command line that runs inside the lab whose first process has this PID."""
    own = ["--user", "--preserve-credentials"] if user else []
    return ["nsenter", "--target", str(pid), *own, "--mount", "--pid", "--net", "--"]


def wait_for_first(process: subprocess.Popen[bytes]) -> int:
    """Wait until there is a first process inside, and return its PID as seen from here. Raises `LabError`."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        if first := first_process(process.pid):
            return first
        time.sleep(0.01)
    raise LabError("The lab did not start in its own namespaces.")


def end(process: subprocess.Popen[bytes]) -> None:
    """Take everything inside away, and return when it is gone."""
    first = first_process(process.pid)
    process.kill()
    process.wait()
    until = time.monotonic() + _PATIENCE
    while first and Path(f"/proc/{first}").exists() and time.monotonic() < until:
        time.sleep(0.01)
