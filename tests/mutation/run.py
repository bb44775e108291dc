"""Change every scalar of generated repositories, one at a time, and see whether `anycastle validate` notices.

    python tests/mutation/run.py [--site NAME] [--file GLOB] [--sample N] [--processes N] [--all]

Prints what was not noticed, by file, and the share that was. `accepted.toml` holds the survivors that are right as
they are, with the reason; `--all` prints these, too. Exit status 1 where less than 95 % was noticed, or where a
survivor is not accepted.
"""

import argparse
import fnmatch
import hashlib
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

if __name__ == "__main__":
    HERE = Path(__file__).resolve()
    sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[2] / "generator")]

from mutation import trees
from mutation.accepted import Accepted, accepted
from mutation.scalars import Mutation, mutated, mutations

LEAST = 0.95
WAVE = re.compile(rb'argocd\.argoproj\.io/sync-wave: "(-?\d+)"')


@dataclass(frozen=True)
class Verdict:
    """A mutation of a site, and the codes that spoke of it; none: it survived."""

    site: str
    mutation: Mutation
    codes: tuple[str, ...]


def of_site(site: str, pattern: str = "*") -> list[Mutation]:
    """Every mutation of a site's files, in the order of files and lines."""
    made = trees.files(site)
    waves = sorted({int(wave) for data in made.values() for wave in WAVE.findall(data)})
    return [
        mutation
        for path, data in made.items()
        if mutated(path) and fnmatch.fnmatch(path, pattern)
        for mutation in mutations(path, data.decode(), waves)
    ]


def sample(items: Sequence[Mutation], count: int) -> list[Mutation]:
    """As many, the same ones each time, spread over all kinds and files."""
    marks = {id(item): hashlib.sha256(str(item).encode()).digest() for item in items}
    chosen = {id(item) for item in sorted(items, key=lambda item: marks[id(item)])[:count]}
    return [item for item in items if id(item) in chosen]


def verdicts(site: str, chosen: Sequence[Mutation]) -> Iterator[Verdict]:
    """Change one file, judge the tree, put the file back."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        before = trees.write(site, root)
        said = trees.judge(root)
        for mutation in chosen:
            file = root / mutation.path
            file.write_text(mutation.text)
            codes = sorted({code for code, _message in trees.judge(root) - said})
            file.write_bytes(before[mutation.path])
            yield Verdict(site, mutation, tuple(codes))


def _work(job: tuple[str, list[Mutation]]) -> list[Verdict]:
    trees.remember()
    return list(verdicts(*job))


def jobs(sites: Iterable[str], pattern: str, count: int, processes: int) -> Iterator[tuple[str, list[Mutation]]]:
    """Work in pieces of equal size, whole files together."""
    for site in sites:
        chosen = of_site(site, pattern)
        chosen = sample(chosen, count) if count else chosen
        size = max(1, -(-len(chosen) // processes))
        for start in range(0, len(chosen), size):
            yield site, chosen[start : start + size]


def kind_of_file(path: str) -> str:
    """`nodes/k8s-node-1/hosts` and its siblings are one line of the report."""
    parts = path.split("/")
    if parts[0] in ("nodes", "routers"):
        return f"{parts[0]}/*/{parts[-1]}"
    return "argocd/apps/*" if path.startswith("argocd/apps/") else path


def report(found: Sequence[Verdict], accepted_ones: Accepted, *, every: bool) -> tuple[float, int]:
    """Print survivors and shares; the share that was noticed, and how many survivors nobody accepted."""
    totals: Counter[tuple[str, str]] = Counter()
    noticed: Counter[tuple[str, str]] = Counter()
    survivors: dict[str, list[str]] = defaultdict(list)
    unexplained = 0
    for verdict in found:
        at = verdict.site, kind_of_file(verdict.mutation.path)
        totals[at] += 1
        noticed[at] += bool(verdict.codes)
        if not verdict.codes:
            reason = accepted_ones.reason(verdict.mutation)
            unexplained += not reason
            if every or not reason:
                survivors[verdict.site].append(f"  {verdict.mutation}" + (f"  [{reason}]" if reason else ""))
    for site in dict.fromkeys(site for site, _file in totals):
        _print_site(site, totals, noticed, survivors[site])
    total, seen = sum(totals.values()), sum(noticed.values())
    print(f"all sites: {seen} of {total} noticed, {_share(seen, total)}; {unexplained} survivors without a reason")
    return seen / total if total else 1.0, unexplained


def _print_site(
    site: str, totals: Counter[tuple[str, str]], noticed: Counter[tuple[str, str]], survivors: list[str]
) -> None:
    print(f"== {site}")
    print(*survivors, sep="\n") if survivors else None
    for at in sorted(at for at in totals if at[0] == site):
        print(f"  {_share(noticed[at], totals[at]):>7}  {noticed[at]:>5} of {totals[at]:>5}  {at[1]}")
    total = sum(count for at, count in totals.items() if at[0] == site)
    seen = sum(count for at, count in noticed.items() if at[0] == site)
    print(f"  {_share(seen, total):>7}  {seen:>5} of {total:>5}  in all")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", action="append", choices=trees.SITES)
    parser.add_argument("--file", default="*", help="only files that match")
    parser.add_argument("--sample", type=int, default=0, help="that many mutations of each site")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--all", action="store_true", help="print accepted survivors, too")
    options = parser.parse_args()
    work = list(jobs(options.site or trees.SITES, options.file, options.sample, options.processes))
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        found = [verdict for part in pool.map(_work, work) for verdict in part]
    share, unexplained = report(found, accepted(), every=options.all)
    return 0 if share >= LEAST and not unexplained else 1


if __name__ == "__main__":
    sys.exit(main())
