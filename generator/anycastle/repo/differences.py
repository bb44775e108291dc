"""Steps as people read them: unified diffs as git writes them, the list of what happens, and a line of numbers."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Collection, Iterator

from anycastle.repo.comparing import QUIET, Action, Step, plain
from anycastle.repo.disk import File
from anycastle.repo.manifest import MANIFEST

_NOBODY = "/dev/null"
_COUNTED = {
    Action.CREATE: "created",
    Action.UPDATE: "updated",
    Action.REMOVE: "removed",
    Action.CONFLICT: "in conflict",
    Action.BLOCKED: "blocked",
    Action.EDITED: "edited by hand and left alone",
    Action.STALE: "stale and kept",
    Action.IDENTICAL: "identical",
    Action.YOURS: "yours",
}


def listing(steps: Collection[Step]) -> str:
    """One line for each path that is not as it is generated: what happens, and the path."""
    return "".join(f"{step.action.value:9} {step.path}\n" for step in steps if step.action not in QUIET)


def numbers(steps: Collection[Step], *, done: bool) -> str:
    """`3 updated, 134 identical, 11 yours`; before it is done, `3 to be updated`."""
    counts = Counter(step.action for step in steps)
    pending = "" if done else "to be "
    words = {
        action: f"{pending}{word}" if action in (Action.CREATE, Action.UPDATE, Action.REMOVE) else word
        for action, word in _COUNTED.items()
    }
    return ", ".join(f"{counts[action]} {words[action]}" for action in _COUNTED if counts[action])


def diffs(steps: Collection[Step]) -> Iterator[str]:
    """From what is there to what is generated. The manifest is left out: its hashes say nothing to a person."""
    for step in steps:
        if step.action not in QUIET and step.action is not Action.BLOCKED and step.path != MANIFEST:
            yield from _diff(step)


def _diff(step: Step) -> Iterator[str]:
    before = step.found.data if isinstance(step.found, File) else None
    old = f"a/{step.path}" if before is not None else _NOBODY
    new = f"b/{step.path}" if step.after is not None else _NOBODY
    lines = _lines(before or b""), _lines(step.after or b"")
    if lines[0] is None or lines[1] is None:
        yield f"Binary files {old} and {new} differ\n"
    elif lines[0] == lines[1]:
        yield f"{step.path}: only its permissions or line ends differ\n"
    else:
        yield from map(_whole, difflib.unified_diff(lines[0], lines[1], old, new))


def _lines(data: bytes) -> list[str] | None:
    """With their line ends, which are the generated ones; None where it is no text."""
    try:
        text = plain(data).decode("utf-8")
    except UnicodeDecodeError:
        return None
    *whole, rest = text.split("\n")
    return [f"{line}\n" for line in whole] + ([rest] if rest else [])


def _whole(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
