"""The process that renders foreign charts: one request a line on standard input, one answer a line on standard output.

A chart can end the engine (a template that calls itself overflows Go's stack, and Go aborts), fill the memory, or
never return; then only this process is lost.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import astuple
from pathlib import Path
from typing import Any

from anycastle.helm import engine, limits
from anycastle.helm.model import Release, Rendered

READY = b"ready\n"


def main() -> None:
    """Answer until there is nothing more to read."""
    answers = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    limits.enforce()
    engine.load()
    answers.write(READY)
    answers.flush()
    for line in sys.stdin.buffer:
        answers.write(json.dumps(_answer(json.loads(line))).encode() + b"\n")
        answers.flush()


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    chart, values, label = Path(os.fsdecode(bytes.fromhex(request["chart"]))), request["values"], request["label"]
    if "release" in request:
        made = engine.render(chart, values, Release(*request["release"]), label)
    else:
        made = Rendered(findings=engine.lint(chart, values, request["kube_version"], label))
    if sum(len(text) for _name, text in made.texts) > limits.TEXTS:
        return {"too_large": True}
    return {"texts": made.texts, "findings": [astuple(finding) for finding in made.findings]}
