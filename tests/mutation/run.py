"""Change every scalar of generated repositories, one at a time, and see whether `anycastle validate` notices.

    python tests/mutation/run.py [--site NAME] [--file GLOB] [--sample N] [--processes N] [--all]

Prints what was not noticed, and the share that was: by file, of all, and of what is no measure (a count or a time, of
which most neighbours serve as well). `accepted.toml` holds the survivors that are right as they are, with the reason;
`--all` prints these, too. Exit status 1 where less than 95 % of what is no measure was noticed in one of the sites, or
where a survivor is not accepted.
"""

import argparse
import fnmatch
import hashlib
import re
import sys
import tempfile
from collections import defaultdict
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
from mutation.kinds import MEASURES
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
    """Print survivors and shares; the least share of a site in what is no measure, and how many nobody accepted."""
    of_sites: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in found:
        of_sites[verdict.site].append(verdict)
    unexplained = 0
    for site, of_site in of_sites.items():
        print(f"== {site}")
        unexplained += _print_survivors(of_site, accepted_ones, every=every)
        _print_shares(of_site)
    total, seen = len(found), sum(bool(verdict.codes) for verdict in found)
    print(f"all sites: {seen} of {total} noticed, {_share(seen, total)}; {unexplained} survivors without a reason")
    return min((_noticed(_of_meaning(of_site)) for of_site in of_sites.values()), default=1.0), unexplained


def _print_survivors(found: Sequence[Verdict], accepted_ones: Accepted, *, every: bool) -> int:
    unexplained = 0
    for verdict in found:
        if not verdict.codes:
            reason = accepted_ones.reason(verdict.mutation)
            unexplained += not reason
            if every or not reason:
                print(f"  {verdict.mutation}" + (f"  [{reason}]" if reason else ""))
    return unexplained


def _print_shares(found: Sequence[Verdict]) -> None:
    of_files: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in found:
        of_files[kind_of_file(verdict.mutation.path)].append(verdict)
    parts = {**dict(sorted(of_files.items())), "in all": found, "of what is no measure": _of_meaning(found)}
    for title, part in parts.items():
        total, seen = len(part), sum(bool(verdict.codes) for verdict in part)
        print(f"  {_share(seen, total):>7}  {seen:>5} of {total:>5}  {title}")


def _of_meaning(found: Sequence[Verdict]) -> list[Verdict]:
    return [verdict for verdict in found if verdict.mutation.kind not in MEASURES]


def _noticed(found: Sequence[Verdict]) -> float:
    return sum(bool(verdict.codes) for verdict in found) / len(found) if found else 1.0


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
