"""Cases from the field as data: a small repository, one text in it right and wrong, and what must be said of it.

A case stands in one of the `*.yaml` files beside this module:

    case    its number
    what    what happens in a network
    base    the repositories in `bases/` that it starts from, the later over the earlier (`plant+rack`)
    with    edits that both documents have: {file, old, new}
    add     files that both documents have, by their path
    file    the document; `right` in it is replaced by `wrong` (`gone` in its place: a file that is missing)
    code    what is said of the wrong document, with its `severity` (error where none is written)
    line    the line of the finding: the first that contains this text, else that of the first line of `wrong`
    at      the file of the finding, where it is another one
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
BASES = HERE / "bases"
Files = dict[str, str]


@dataclass(frozen=True)
class Case:
    """One wrong document and the right one."""

    number: str
    what: str
    right: Files
    wrong: Files
    code: str
    severity: str
    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.number}-{self.code}-{self.path}:{self.line}"


def cases() -> Iterator[Case]:
    """Every case, in the order of files and inside of them."""
    for path in sorted(HERE.glob("*.yaml")):
        for entry in yaml.safe_load(path.read_text(encoding="utf-8")):
            yield _case(entry)


def _case(entry: dict[str, Any]) -> Case:
    right = {**_base(entry["base"]), **entry.get("add", {})}
    for edit in entry.get("with", ()):
        right[edit["file"]] = _replaced(right, edit["file"], edit["old"], edit["new"])
    if "gone" in entry:
        wrong = {path: text for path, text in right.items() if path != entry["gone"]}
    else:
        wrong = {**right, entry["file"]: _replaced(right, entry["file"], entry["right"], entry["wrong"])}
    at = entry.get("at") or entry["file"]
    shown = entry.get("line") or entry["wrong"].strip().split("\n")[0]
    return Case(
        number=entry["case"],
        what=entry["what"],
        right=right,
        wrong=wrong,
        code=entry["code"],
        severity=entry.get("severity", "error"),
        path=at,
        line=_line(wrong[at], shown),
    )


def _base(name: str) -> Files:
    roots = [BASES / part for part in name.split("+")]
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for root in roots
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def _replaced(files: Files, path: str, old: str, new: str) -> str:
    assert files[path].count(old) == 1, f"{old!r} stands {files[path].count(old)} times in {path}"
    return files[path].replace(old, new)


def _line(text: str, shown: str) -> int:
    found = [number for number, line in enumerate(text.split("\n"), 1) if shown in line]
    assert found, f"no line has {shown!r}"
    return found[0]


def write(root: Path, files: Files) -> Path:
    """The files as a repository on disk."""
    for path, text in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root
