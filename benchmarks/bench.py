"""Measures what people wait for: whole cold processes, their medians and their peak memory.

    make bench
    python benchmarks/bench.py --quick      # fewer runs, fewer sites and nodes

Exit status 1 where a budget of budgets.toml is exceeded. Other tools are measured only where they are on PATH, on
the same objects, and given as a ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

import mistakes

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "output-example"
BUDGETS = tomllib.loads((ROOT / "benchmarks" / "budgets.toml").read_text())
ANYCASTLE = [str(Path(sys.executable).parent / "anycastle")]
UNIT = 1024 * 1024 if sys.platform == "darwin" else 1024  # of ru_maxrss in MiB


@dataclass(frozen=True)
class Run:
    """One process from start to end."""

    seconds: float
    mebibytes: float
    output: str


def once(command: list[str], accepted: tuple[int, ...] = (0,)) -> Run:
    with tempfile.TemporaryFile("w+") as out:
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        _pid, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        output = out.read()
    if process.returncode not in accepted:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}:\n{output[-2000:]}")
    return Run(seconds, usage.ru_maxrss / UNIT, output)


def median(runs: list[Run]) -> Run:
    return Run(
        statistics.median(run.seconds for run in runs), statistics.median(run.mebibytes for run in runs), runs[0].output
    )


def cold(command: list[str], count: int, accepted: tuple[int, ...] = (0,)) -> Run:
    once(command, accepted)  # the first one fills the page cache
    return median([once(command, accepted) for _ in range(count)])


def new_repository(count: int) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        targets = iter(range(count + 1))
        return median(
            [once([*ANYCASTLE, "new", "--no-input", "-o", f"{folder}/{next(targets)}"]) for _ in range(count + 1)][1:]
        )


class Table:
    """Rows on the terminal, and whether all of them kept their budget."""

    def __init__(self) -> None:
        self.kept = True
        print(f"{'what':<52}{'seconds':>9}{'MiB':>7}  budget")

    def row(self, what: str, seconds: float, mebibytes: float | None, budget: str = "") -> None:
        limits = BUDGETS.get(budget, {})
        said = []
        for value, key, unit in ((seconds, "seconds", "s"), (mebibytes, "mebibytes", "MiB")):
            if key in limits and value is not None:
                over = value > limits[key]
                self.kept &= not over
                said.append(f"{limits[key]} {unit}{' EXCEEDED' if over else ''}")
        memory = f"{mebibytes:7.0f}" if mebibytes is not None else " " * 7
        print(f"{what:<52}{seconds:9.3f}{memory}  {', '.join(said)}", flush=True)

    def ratio(self, what: str, value: float, limit: float | None = None) -> None:
        over = limit is not None and value > limit
        self.kept &= not over
        print(f"{what:<52}{value:8.2f}x{'':7}  {f'{limit}x' if limit else ''}{' EXCEEDED' if over else ''}", flush=True)


def own(table: Table, runs: int) -> Run:
    table.row("python -c pass, for comparison", *_pair(cold([sys.executable, "-c", "pass"], runs)))
    engine = cold([sys.executable, "-c", "import helm_python"], runs)
    table.row("import of the Helm engine alone, for comparison", *_pair(engine))
    table.row("anycastle --version", *_pair(cold([*ANYCASTLE, "--version"], runs)), "version")
    validated = cold([*ANYCASTLE, "validate", "--no-cache", str(EXAMPLE)], runs)
    table.row("anycastle validate output-example, without a cache", *_pair(validated), "validate")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANYCASTLE_CACHE"] = folder
        once([*ANYCASTLE, "validate", str(EXAMPLE)])
        table.row("the same from the cache", *_pair(cold([*ANYCASTLE, "validate", str(EXAMPLE)], runs)), "again")
        table.row("the same, one value of a chart changed", *_pair(edited(runs)), "edited")
        table.row("validate --watch, from a save to its report", saved(runs), None, "saved")
    table.row("anycastle new --no-input", *_pair(new_repository(runs)), "new")
    return validated


def edited(runs: int) -> Run:
    """A person at work: every run finds another value in one file, and everything else in the cache."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(EXAMPLE, Path(folder) / "home"))
        values = copy / "apps/whoami/values.yaml"
        text = values.read_text()
        assert "replicas: 2" in text
        found = []
        for number in range(3, 3 + runs):
            values.write_text(text.replace("replicas: 2", f"replicas: {number}"))
            found.append(once([*ANYCASTLE, "validate", str(copy)]))
    return median(found)


def saved(runs: int) -> float:
    """Seconds from the save of a changed value to the end of the report, in a process that watches; the median."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(EXAMPLE, Path(folder) / "home"))
        values = copy / "apps/whoami/values.yaml"
        text = values.read_text()
        command = [*ANYCASTLE, "validate", "--watch", str(copy)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            reports = (line for line in process.stdout if line.startswith("Watching"))
            next(reports)
            found = []
            for number in range(3, 4 + runs):
                began = time.perf_counter()
                values.write_text(text.replace("replicas: 2", f"replicas: {number}"))
                next(reports)
                found.append(time.perf_counter() - began)
            process.terminate()
    return statistics.median(found[1:])


def _pair(run: Run) -> tuple[float, float]:
    return run.seconds, run.mebibytes


def many(table: Table, sites: int, nodes: int) -> None:
    script = [sys.executable, str(ROOT / "benchmarks" / "many.py")]
    run = once([*script, "sites", str(sites)])
    table.row(
        f"{sites} sites judged and rendered in one process", json.loads(run.output)["render"], run.mebibytes, "sites"
    )
    before: dict[str, float] = {}
    for count in (nodes // 4, nodes // 2, nodes):
        run = once([*script, "nodes", str(count)])
        result = json.loads(run.output)
        total = result["render"] + result["validate"]
        table.row(f"{count} nodes rendered", result["render"], None)
        table.row(f"{count} nodes validated ({result['objects']} objects)", result["validate"], run.mebibytes)
        if before:
            table.ratio(f"{count} nodes against half as many", total / before["total"], BUDGETS["nodes"]["growth"])
        before = {"total": total}
    table.row(f"{nodes} nodes rendered and validated", before["total"], None, "nodes")
    run = once([*script, "racks", "200"])
    result = json.loads(run.output)
    total = result["render"] + result["validate"]
    table.row("200 nodes in ten racks rendered and validated", total, run.mebibytes, "racks")


def others(table: Table, validated: Run, runs: int) -> None:
    """The tools that people chain today, each on what it can see of the same repository."""
    stream = once([*ANYCASTLE, "build", str(EXAMPLE)]).output
    charts = sorted(path.parent for path in (ROOT / "charts").glob("*/Chart.yaml"))
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(stream)
        file.flush()
        each_chart = " && ".join(
            f"helm template {chart.name} {chart} -f {EXAMPLE}/apps/{chart.name}/values.yaml" for chart in charts
        )
        commands = {
            "helm": {
                "helm template, each of our charts": ["sh", "-c", each_chart],
                "helm lint, each of our charts": [
                    "sh",
                    "-c",
                    " && ".join(f"helm lint {chart} -f {EXAMPLE}/apps/{chart.name}/values.yaml" for chart in charts),
                ],
            },
            "kubeconform": {"kubeconform": ["kubeconform", "-ignore-missing-schemas", file.name]},
            "kubernetes-validate": {"kubernetes-validate": ["kubernetes-validate", file.name]},
        }
        for program, variants in commands.items():
            if shutil.which(program) is None:
                print(f"{program + ' is not on PATH, not measured':<52}", flush=True)
                continue
            for what, command in variants.items():
                run = cold(command, runs, accepted=(0, 1))
                table.row(what, *_pair(run))
                table.ratio(f"  validate takes, against {program}", validated.seconds / run.seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer runs, a tenth of the sites and nodes")
    quick = parser.parse_args().quick
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or every process would compile every module
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, medians of whole processes")
    table = Table()
    runs = 3 if quick else 11
    validated = own(table, runs)
    others(table, validated, runs)
    mistakes.table()
    print()
    many(table, *((100, 500) if quick else (1000, 5000)))
    return 0 if table.kept else 1


if __name__ == "__main__":
    sys.exit(main())
