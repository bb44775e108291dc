"""Damages repositories and reads them, in one process, with a watch over time and memory.

    python tests/damage/run.py --random 20000 --structures 2000

Prints how many files were damaged and what went wrong; the exit status is 1 where anything did. The same numbers give
the same damage on every machine.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import json
import os
import resource
import shutil
import signal
import stat
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import bytes_of_files
import structures

TESTS = Path(__file__).resolve().parents[1]
FOREIGN = TESTS / "reader" / "foreign"
EXAMPLE = TESTS.parent / "output-example"
SECONDS = 10
HARD_STOP = 180
MEMORY = 1024  # MiB
_UNIT = 1 << 20 if sys.platform == "darwin" else 1 << 10
RANDOM_ROUNDS = 5  # rounds of random damage for each round in the example, which is larger


class Overtime(BaseException):
    """A repository was not read in time; no `except Exception` may take it."""


def trees() -> dict[str, Path]:
    """Whole repositories of other hands, by name."""
    return {path.name: path for path in sorted(FOREIGN.iterdir()) if path.is_dir() and path.name != "__pycache__"}


@contextlib.contextmanager
def watched() -> Iterator[None]:
    def late(_signal: int, _frame: object) -> None:
        raise Overtime

    signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)  # of this process: the machine may be busy with something else
    faulthandler.dump_traceback_later(HARD_STOP, exit=True)  # where no Python code runs that could be interrupted
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()


class Run:
    """What was damaged so far, and what went wrong."""

    def __init__(self) -> None:
        self.files = 0
        self.repositories = 0
        self.codes: Counter[str] = Counter()
        self.slowest = (0.0, "")
        self.wrong: list[str] = []
        self.silent: list[str] = []

    def look(self, root: Path, name: str, expected: str = "") -> None:
        """Read a repository; `expected` is a path below which something must be said."""
        self.repositories += 1
        began = time.process_time()
        try:
            with watched():
                places = said(root, self.codes)
        except Overtime:
            self.wrong.append(f"{name}: not read within {SECONDS} s")
            return
        except Exception:
            self.wrong.append(f"{name}: {traceback.format_exc(limit=-6)}")
            return
        self.slowest = max(self.slowest, (time.process_time() - began, name))
        if expected and not any(path == expected or path.startswith(f"{expected}/") for path in places):
            self.silent.append(f"{name}: nothing is said of {expected}")


def said(root: Path, codes: Counter[str]) -> set[str]:
    """The paths that findings name; every form of the report is written as well."""
    from anycastle import compose
    from anycastle.report import from_here
    from anycastle.report.github import as_github
    from anycastle.report.json_form import as_json
    from anycastle.report.sarif import as_sarif
    from anycastle.report.text import report_text

    report = compose.validate_tree(root)
    codes.update({finding.code for finding in report.findings})
    assert all(finding.message and finding.where.line >= 0 for finding in report.findings)
    for text in (
        report_text(report, colour=False),
        as_json(report),
        as_github(from_here(report)),
        as_sarif(from_here(report), compose.explanations()),
    ):
        text.encode("utf-8", "surrogateescape")  # names of files may be any bytes
    return {finding.where.path for finding in report.findings}


def copied(source: Path, folder: str, name: str) -> Path:
    """A repository under a name that no earlier one had: results may be remembered by path."""
    ignore = shutil.ignore_patterns(".git")
    return Path(shutil.copytree(source, Path(folder) / name, ignore=ignore, symlinks=True))


def random_damage(run: Run, wanted: int, folder: str) -> None:
    """Some or all files of a repository are injured at once, and set right again."""
    every = {**trees(), "example": EXAMPLE}
    roots = {name: copied(path, folder, f"random-{name}") for name, path in every.items()}
    whole = {
        name: {path: path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
        for name, root in roots.items()
    }
    everything = [data for files in whole.values() for data in files.values()]
    order = [name for name in every if name != "example"] * RANDOM_ROUNDS + ["example"]
    number = 0
    while run.files < wanted:
        chance = Random(number)
        name = order[number % len(order)]
        files = whole[name]
        share = chance.choice((0.1, 0.3, 0.7, 1.0))
        chosen = [path for path in files if chance.random() < share] or [chance.choice(list(files))]
        for path in chosen:
            path.write_bytes(bytes_of_files.spoiled(files[path], everything, chance))
        run.files += len(chosen)
        run.look(roots[name], f"random {number} in {name}")
        for path in chosen:
            path.write_bytes(files[path])
        number += 1


def structural_damage(run: Run, wanted: int, folder: str) -> None:
    """Every kind in turn, in every repository in turn."""
    sources = list(trees().items())
    kinds = [(f"{group} {name}", kind) for group, named in structures.KINDS.items() for name, kind in named.items()]
    once = [(f"deadly chart {name}", kind) for name, kind in structures.DEADLY_CHARTS.items()]
    for number in range(wanted):
        name, kind = [*kinds, *once][number] if number < len(kinds) + len(once) else kinds[number % len(kinds)]
        where, source = sources[number % len(sources)]
        root = copied(source, folder, "structure")
        expected = kind(root, Random(number))
        run.files += 1
        run.look(root, f"{name} in {where} ({number})", expected)
        removed(root)


def removed(root: Path) -> None:
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink() and stat.S_ISDIR(path.lstat().st_mode):
            path.chmod(0o755)
    shutil.rmtree(root)


def peak() -> float:
    """MiB of this process and of the largest that it started."""
    found = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return max(found) * _UNIT / (1 << 20)


def result(run: Run) -> Mapping[str, object]:
    memory = peak()
    if memory > MEMORY:
        run.wrong.append(f"{memory:.0f} MiB of memory at the peak")
    return {
        "files": run.files,
        "repositories": run.repositories,
        "wrong": run.wrong,
        "silent": run.silent,
        "slowest": run.slowest,
        "mebibytes": round(memory),
        "codes": len(run.codes),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--random", type=int, default=0, metavar="FILES")
    parser.add_argument("--structures", type=int, default=0, metavar="FILES")
    asked = parser.parse_args()
    warnings.simplefilter("error")
    run = Run()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANYCASTLE_CACHE"] = f"{folder}/cache"
        if asked.random:
            random_damage(run, asked.random, folder)
        if asked.structures:
            before, run.files = run.files, 0
            structural_damage(run, asked.structures, folder)
            run.files += before
    print(json.dumps(result(run)))
    return 1 if run.wrong or run.silent else 0


if __name__ == "__main__":
    sys.exit(main())
