"""What each program finds of the mistakes that the tests make in the example, one at a time.

A program finds a mistake where it ends otherwise, or complains of something else, than on the example as it is.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "output-example"
ANYCASTLE = [sys.executable, "-m", "anycastle.cli"]
OURS = "anycastle validate"
Complaints = tuple[int, tuple[str, ...]]
"""Exit status, and the lines that complain."""


def run(command: list[str], root: Path) -> Complaints:
    """`root` is taken out of the lines, so that those of two copies can be compared."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, check=False)
    lines = (done.stdout + done.stderr).replace(str(root), "").splitlines()
    return done.returncode, tuple(sorted(line for line in lines if " passed for " not in line))


def anycastle(root: Path) -> Complaints:
    return run([*ANYCASTLE, "validate", "--no-cache", "."], root)


def _each_chart(root: Path, *words: str) -> Complaints:
    """Of a chart only the exit status: what it renders differs with every value."""
    charts = sorted(path.parent for path in (root / "charts").glob("*/Chart.yaml"))
    status = 0
    for chart in charts:
        values = root / "apps" / chart.name / "values.yaml"
        done = subprocess.run([*words, str(chart), "-f", str(values)], capture_output=True, check=False)
        status = max(status, done.returncode)
    return status, ()


def helm_lint(root: Path) -> Complaints:
    return _each_chart(root, "helm", "lint", "--strict")


def helm_template(root: Path) -> Complaints:
    return _each_chart(root, "helm", "template", "release")


def _on_the_stream(root: Path, *words: str) -> Complaints:
    """Every object of the repository in one file, what its charts render included."""
    stream = root / ".stream.yaml"
    built = subprocess.run([*ANYCASTLE, "build", str(root)], capture_output=True, check=False)
    stream.write_bytes(built.stdout)
    try:
        return run([*words, str(stream)], root)
    finally:
        stream.unlink()


def kubeconform(root: Path) -> Complaints:
    return _on_the_stream(root, "kubeconform", "-strict", "-ignore-missing-schemas")


def kubernetes_validate(root: Path) -> Complaints:
    return _on_the_stream(root, "kubernetes-validate", "--strict", "--quiet")


PROGRAMS: Mapping[str, tuple[str, Callable[[Path], Complaints]]] = {
    OURS: (sys.executable, anycastle),
    "helm lint": ("helm", helm_lint),
    "helm template": ("helm", helm_template),
    "kubeconform": ("kubeconform", kubeconform),
    "kubernetes-validate": ("kubernetes-validate", kubernetes_validate),
}


def found(mistakes: Mapping[str, Callable[[Path], None]]) -> dict[str, dict[str, bool | None]]:
    """mistake -> program -> whether it was found; None where the program is not here."""
    here = {name: look for name, (program, look) in PROGRAMS.items() if shutil.which(program)}
    result: dict[str, dict[str, bool | None]] = {}
    with tempfile.TemporaryDirectory() as folder:
        before = {name: look(_copy(Path(folder) / "as-it-is")) for name, look in here.items()}
        for number, (what, change) in enumerate(mistakes.items()):
            root = _copy(Path(folder) / str(number))
            change(root)
            result[what] = {name: here[name](root) != before[name] if name in here else None for name in PROGRAMS}
    return result


def _copy(target: Path) -> Path:
    """Without the record of what was generated, which would notice every change, also one that is no mistake."""
    if not target.exists():
        shutil.copytree(EXAMPLE, target, ignore=shutil.ignore_patterns(".anycastle", ".git"))
    return target


def table() -> None:
    """Print who finds what; a program that is not here is named as such."""
    sys.path.insert(0, str(ROOT / "tests"))
    from test_mistakes import MISTAKES

    rows = found({what: change for what, (change, _path) in MISTAKES.items()})
    signs = {True: "found", False: "-", None: "absent"}
    print(f"\n{'the mistakes, one at a time':<52}" + "".join(f"{name:>21}" for name in PROGRAMS))
    for what, by_program in rows.items():
        print(f"{what[:51]:<52}" + "".join(f"{signs[by_program[name]]:>21}" for name in PROGRAMS), flush=True)
    counts = [[row[name] for row in rows.values()] for name in PROGRAMS]
    shown = ["absent" if None in column else f"{sum(map(bool, column))} of {len(rows)}" for column in counts]
    print(f"{'found':<52}" + "".join(f"{text:>21}" for text in shown))


if __name__ == "__main__":
    table()
