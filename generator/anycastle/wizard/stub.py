"""From the directory that cookiecutter made to the repository: the target is whole, absent, or as cookiecutter left it.

docs/decisions/0002 says why it goes this way round.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from anycastle.finding import Finding, Refused

ANSWERS = "anycastle-answers.json"
NOTE = "NOT-GENERATED.txt"

Echo = Callable[[str], object]
Generate = Callable[[Mapping[str, str], Path, Callable[[str], None]], int]


def replace_stub(target: Path, generate: Generate, echo: Echo, *, plan_shown: bool = False) -> int:
    """Generate the repository at `target`, which holds the template's two files and nothing else. 0 or 1.

    `generate` makes `target` whole or not at all. With `plan_shown` only its last words are passed on. After a
    failure the directory is there and empty: cookiecutter removes it if it made it.
    """
    others = sorted({path.name for path in target.iterdir()} - {ANSWERS, NOTE})
    if others:
        _remove_stub(target)
        echo(f"error: {str(target)!r} holds {others[0]!r}, which is not ours; nothing was written.\n")
        return 1
    answers = json.loads((target / ANSWERS).read_text(encoding="utf-8"))
    _remove_stub(target)
    target.rmdir()
    status = 1
    try:
        status = _generate(target, answers, generate, echo, plan_shown)
    except KeyboardInterrupt:
        status = 0  # cookiecutter is interrupted, too, and would leave an empty directory
        raise
    finally:
        if status:
            target.mkdir(exist_ok=True)
    return status


def _remove_stub(target: Path) -> None:
    for name in (ANSWERS, NOTE):
        (target / name).unlink(missing_ok=True)


def _generate(target: Path, answers: Mapping[str, str], generate: Generate, echo: Echo, plan_shown: bool) -> int:
    said: list[str] = []
    try:
        status = generate(answers, target, said.append)
    except Refused as refused:
        status = 1
        said += [_line(finding) for finding in refused.findings]
    for text in said[-1:] if plan_shown and status == 0 else said:
        echo(text)
    return status


def _line(finding: Finding) -> str:
    return f"error: {finding.code} {finding.where}: {finding.message} {finding.fix}".rstrip() + "\n"
