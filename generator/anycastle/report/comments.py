"""Comments in a repository that accept a finding: `# anycastle: ignore[CODE] reason`.

On a line of its own it holds for the line below (further comments may stand between), behind something for that
line. `ignore-file[CODE]` holds for the whole file and stands within its first ten lines. FRR's `!` and `;` begin a
comment as well, at the beginning of a line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from anycastle.finding import Finding, Place
from anycastle.records import dataclass
from anycastle.report.codes import BASELINE, EXPLANATIONS, SECRET, SUPPRESSION
from anycastle.report.families import family, unknown

HEAD = 10
"""Lines within which a whole file can be suppressed."""

_KINDS = frozenset(("yaml", "yml", "conf", "sh", "tpl", ""))
_COMMENT = re.compile(r"(?P<before>|.*?\s)#\s*anycastle:\s*(?P<text>.*)|\s*[!;]\s*anycastle:\s*(?P<other>.*)")
_TEXT = re.compile(r"(?P<word>ignore(?:-file)?)\s*\[(?P<codes>[^\]]*)\]\s*:?\s*(?P<reason>.*)")
_WORDS = ("ignore", "ignore-file")
_SEVERITY = {entry.code: entry.severity for entry in EXPLANATIONS}
_HOW = "Write `anycastle: ignore[CODE] reason` behind the comment sign."


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment. `target` is the line that it holds for, 0 for the whole file; `where` is its own place."""

    where: Place
    target: int
    codes: tuple[str, ...]
    reason: str

    def holds_for(self, finding: Finding) -> bool:
        """Whether it accepts that finding."""
        here = finding.where.path == self.where.path and self.target in (0, finding.where.line)
        return here and finding.code in self.codes


def _has_comments(path: str) -> bool:
    """Whether a file is of a kind that has them: YAML, configuration, shell, and files without a suffix."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2] in _KINDS if "." in name else True


def suppressions(files: Mapping[str, bytes], known: Collection[str]) -> Iterator[Suppression | Finding]:
    """What the comments of these files say, and what is wrong with them. `known` are all codes."""
    for path, data in sorted(files.items()):
        if not _has_comments(path):
            continue
        lines = data.decode("utf-8", "replace").splitlines()
        for number, line in enumerate(lines, start=1):
            if "anycastle:" in line and (found := _COMMENT.fullmatch(line)):
                text = found["text"] if found["text"] is not None else found["other"]
                alone = not (found["before"] or "").strip()
                yield from _read(text, Place(path, number), _below(lines, number) if alone else number, known)


def _below(lines: list[str], number: int) -> int:
    """The line that a comment in line `number` stands above."""
    while number < len(lines) and lines[number].lstrip().startswith(("#", "!", ";")):
        number += 1
    return number + 1


def _read(text: str, where: Place, target: int, known: Collection[str]) -> Iterator[Suppression | Finding]:
    found = _TEXT.fullmatch(text.strip())
    if found is None:
        if _meant(text):
            yield _fault(
                "SUP001", where, f"`anycastle: {text.strip()}` is no suppression; it suppresses nothing.", _HOW
            )
        return
    whole = found["word"] == "ignore-file"
    codes = tuple(code.strip().upper() for code in found["codes"].split(",") if code.strip())
    faults = list(_faults(codes, found["reason"], where, whole, known))
    yield from faults
    wrong = {fault.code for fault in faults}
    if wrong & {"SUP001", "SUP002", "SUP005"}:
        return
    usable = tuple(code for code in codes if code in known and not _apart(code) and not (whole and _secret(code)))
    if usable:
        yield Suppression(where, 0 if whole else target, usable, found["reason"])


def _meant(text: str) -> bool:
    """Whether a comment was meant as a suppression; others may begin with the name of this program, too."""
    import difflib  # only needed once something is wrong

    word = re.split(r"[\s\[:(]", text.strip(), maxsplit=1)[0].lower()
    return bool(difflib.get_close_matches(word, _WORDS, n=1, cutoff=0.7))


def _faults(
    codes: tuple[str, ...], reason: str, where: Place, whole: bool, known: Collection[str]
) -> Iterator[Finding]:
    if not codes:
        yield _fault("SUP001", where, "The suppression names no code; it suppresses nothing.", _HOW)
    if not reason:
        named = ", ".join(codes) or "CODE"
        word = "ignore-file" if whole else "ignore"
        fix = f"Say behind it why this is right here: `{word}[{named}] the reason`."
        yield _fault("SUP002", where, "The suppression gives no reason; it suppresses nothing.", fix)
    if whole and where.line > HEAD:
        message = f"ignore-file stands in line {where.line}; it counts within the first {HEAD} lines only."
        yield _fault("SUP005", where, message, "Move it to the top of the file.")
    for code in codes:
        if code not in known:
            yield _fault("SUP003", where, f"It suppresses nothing: {unknown(code, known)}", "Correct the code.")
        elif _apart(code):
            yield _fault("SUP003", where, f"{code} cannot be suppressed.", "Correct what it speaks of.")
        elif whole and _secret(code):
            message = f"{code} cannot be suppressed for a whole file; what it finds is still reported."
            yield _fault("SUP006", where, message, f"Write ignore[{code}] at the line, with the reason.")


def _apart(code: str) -> bool:
    return family(code) in (SUPPRESSION, BASELINE)


def _secret(code: str) -> bool:
    return family(code) == SECRET


def _fault(code: str, where: Place, message: str, fix: str) -> Finding:
    return Finding(code, _SEVERITY[code], where, message, fix)
