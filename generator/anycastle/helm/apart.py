"""Foreign charts, rendered in a process of their own that is started again when a chart ends it."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anycastle.finding import Finding, Place, Severity
from anycastle.helm import limits
from anycastle.helm.model import Release, Rendered, stopped

SECONDS_TO_START = 60
_PATIENCE = 4
"""So many charts that end the process cost their full time; those after them are taken to be of the same kind."""

_START = "import sys; sys.path[:] = sys.argv[1:]; from anycastle.helm.child import main; main()"
"""The child imports from where this process does, and never from the directory that it happens to be in."""


def render(chart: Path, values: Mapping[str, Any], release: Release, label: str) -> Rendered:
    """What `engine.render` says of a chart, or that it was stopped."""
    asked = (release.name, release.namespace, release.kube_version, list(release.api_versions))
    return _ask(chart, label, {"values": values, "release": asked})


def lint(chart: Path, values: Mapping[str, Any], kube_version: str, label: str) -> tuple[Finding, ...]:
    """What `engine.lint` says of a chart, or that it was stopped."""
    return _ask(chart, label, {"values": values, "kube_version": kube_version}).findings


class _Ended(Exception):
    """The child is gone; says why, going on after `The chart`."""


class _Child:
    """The process, its pipes, and how often a chart has ended it."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.deaths = 0

    def ask(self, request: bytes) -> bytes:
        """One line there, one line back. Raises `_Ended`."""
        if self.deaths >= _PATIENCE:
            raise _Ended(f"was not rendered after {_PATIENCE} others had to be stopped")
        try:
            if self.process is None:
                self._start()
            return self._exchange(request, limits.SECONDS)
        except BaseException as error:  # an interrupt, too, leaves an answer in the pipe that nobody asked for
            self.stop()
            self.deaths += isinstance(error, _Ended)
            raise

    def _start(self) -> None:
        try:
            self.process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", "-c", _START, *(path or os.curdir for path in sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise _Ended(f"needs a process of its own, which could not be started ({error.strerror})") from error
        self._exchange(b"", SECONDS_TO_START)

    def _exchange(self, request: bytes, seconds: int) -> bytes:
        process = self.process
        assert process is not None and process.stdin is not None and process.stdout is not None  # noqa: PT018
        clock = threading.Timer(seconds, process.kill)
        clock.start()
        try:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(request)
                process.stdin.flush()
            answer = process.stdout.readline()
        finally:
            late = not clock.is_alive()
            clock.cancel()
        if not answer.endswith(b"\n"):
            raise _Ended(f"is not rendered within {seconds} seconds" if late else _death(process.wait()))
        return answer

    def stop(self) -> None:
        """End the process; the next chart starts another."""
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()


_child = _Child()


def close() -> None:
    """End the process and forget what charts did to it: another run begins."""
    _child.stop()
    _child.deaths = 0


atexit.register(close)


def _death(status: int) -> str:
    memory = f"needs more than {limits.MEMORY >> 20} MiB of memory"
    if status == limits.EXIT_MEMORY:
        return memory
    return f"ends Helm itself: it overflows the stack, as a template does that calls itself, or {memory}"


def _ask(chart: Path, label: str, request: Mapping[str, Any]) -> Rendered:
    line = json.dumps({"chart": os.fsencode(chart).hex(), "label": label, **request}).encode() + b"\n"
    try:
        answer = json.loads(_child.ask(line))
    except _Ended as ended:
        return Rendered(findings=(stopped(label, str(ended), _CURE),))
    if "too_large" in answer:
        return Rendered(findings=(stopped(label, f"renders more than {limits.TEXTS >> 20} MiB of text", _CURE),))
    texts = tuple((name, text) for name, text in answer["texts"])
    return Rendered(texts, tuple(map(_finding, answer["findings"])))


_CURE = "Look in its templates for `include` or `tpl` of itself, for `range` over a huge number, and for `repeat`."


def _finding(row: list[Any]) -> Finding:
    code, severity, (path, line, key), message, fix = row
    return Finding(code, Severity(severity), Place(path, line, key), message, fix)
