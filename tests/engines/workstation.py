"""A workstation whose `kubectl`, `helm`, `flux`, `git` and `openssl` act on a model of the cluster, for a real shell.

The programs on PATH hand each call over a socket to the test that started the script. A call that nobody knows ends the
script with status 90, and is remembered.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socketserver
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contents import Files
from kubectl import Kubectl, Reply

CLIENT = """#!{python} -SE
import json, socket, sys
wants = "/dev/stdin" in " ".join(sys.argv) or sys.argv[-2:] == ["-f", "-"]
call = {{"tool": {tool!r}, "args": sys.argv[1:], "stdin": sys.stdin.read() if wants else ""}}
with socket.socket(socket.AF_UNIX) as link:
    link.connect({link!r})
    link.sendall(json.dumps(call).encode() + b"\\n")
    reply = json.loads(link.makefile().readline())
sys.stdout.write(reply["out"])
sys.stdout.flush()
sys.stderr.write(reply["err"])
sys.exit(reply["code"])
"""
TOOLS = ("kubectl", "helm", "flux", "git", "openssl")
UNIX = ("sh", "cat", "dirname", "mktemp", "rm", "tr", "wc", "env", "make", "awk")
PATIENCE = 60


@dataclass
class Run:
    """What a run of the script gave, and the calls that it made."""

    code: int
    out: str
    err: str
    calls: list[str]


@dataclass
class Workstation:
    """`dies_at` = before which call of the next run everything is killed, or after it has had its effect if `late`.

    `unfetched` is a chart that helm cannot fetch.
    """

    files: Files
    kubectl: Kubectl
    calls: list[str] = field(default_factory=list)
    pushed: bool = True
    dies_at: int = -1
    late: int = 0
    unfetched: str = ""

    def __enter__(self) -> Workstation:
        self.folder = Path(tempfile.mkdtemp(prefix="workstation-"))
        self.repository, programs = self.folder / "repository", self.folder / "bin"
        for path, data in self.files.items():
            (self.repository / path).parent.mkdir(parents=True, exist_ok=True)
            (self.repository / path).write_bytes(data)
        programs.mkdir()
        for name in UNIX:
            if (found := shutil.which(name)) is not None:
                (programs / name).symlink_to(found)
        self.server = _server(str(self.folder / "link"), self._answer)
        for tool in TOOLS:
            text = CLIENT.format(python=sys.executable, tool=tool, link=str(self.folder / "link"))
            (programs / tool).write_text(text)
            (programs / tool).chmod(0o755)
        return self

    def __exit__(self, *_error: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        shutil.rmtree(self.folder)

    def without(self, tool: str) -> None:
        (self.folder / "bin" / tool).unlink()

    def step(self, *words: str, by: Iterable[str] = ("sh", "bootstrap.sh"), **more: str) -> Run:
        """Run the script."""
        before = len(self.calls)
        home = self.folder / "home"
        environment = {"PATH": str(self.folder / "bin"), "HOME": str(home), "TMPDIR": str(self.folder), **more}
        self.process = subprocess.Popen(
            [*by, *words],
            cwd=self.repository,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        out, err = self.process.communicate(timeout=120)
        self.dies_at = -1
        return Run(self.process.returncode, out, err, self.calls[before:])

    def labels(self) -> list[str]:
        """Every step in its order, as the list of the script has them."""
        return [line.split()[1].removeprefix("bootstrap-") for line in self.step().out.splitlines()]

    # --- the other side of the programs

    def _answer(self, call: dict[str, Any]) -> Reply:
        line = " ".join([call["tool"], *call["args"]])
        self.calls.append(line)
        dies = self.dies_at == 0
        self.dies_at -= 1
        if dies and not self.late:
            os.killpg(self.process.pid, signal.SIGKILL)
            return Reply(1)
        reply = self._of(call["tool"], call["args"], call["stdin"])
        if dies:
            os.killpg(self.process.pid, signal.SIGKILL)
        return reply

    def _of(self, tool: str, args: list[str], stdin: str) -> Reply:
        if tool == "kubectl":
            return self.kubectl.call(args, stdin, self.repository)
        if tool == "helm" and self.unfetched in args:
            return Reply(1, err=f"Error: failed to fetch {self.unfetched}\n")
        if tool == "helm":
            return self.kubectl.template(args, self.repository)
        if tool == "openssl":
            return Reply(out="ab" * 32 + "\n") if args == ["rand", "-hex", "32"] else Reply(90)
        if tool == "flux":
            return self.kubectl.flux(args)
        return self._git(args)

    def _git(self, args: list[str]) -> Reply:
        if args[0] == "merge-base":
            return Reply(0 if self.pushed else 1)
        known = (["rev-parse", "--verify", "HEAD"], ["status", "--porcelain", "--", "."])
        return Reply() if args in known or args[0] == "pull" else Reply(90, err=f"git {args}")


def _server(link: str, answer: Callable[[dict[str, Any]], Reply]) -> socketserver.UnixStreamServer:
    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            try:
                reply = answer(json.loads(self.rfile.readline()))
            except AssertionError as error:
                reply = Reply(90, err=f"{error}\n")
            with contextlib.suppress(BrokenPipeError):  # whoever asked was killed
                self.wfile.write(json.dumps(reply.__dict__).encode() + b"\n")

    server = socketserver.UnixStreamServer(link, Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    return server
