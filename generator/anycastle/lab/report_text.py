"""The lab's report for people: a line when something is known, so that nobody looks at a silent screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from anycastle.lab.result import Check, Outcome, Result, Verdict

_MARK = {Verdict.PASSED: "ok", Verdict.FAILED: "FAILED", Verdict.SKIPPED: "skipped"}
_COLOUR = {Verdict.PASSED: "32", Verdict.FAILED: "31", Verdict.SKIPPED: "33"}

NOT_REAL = (
    "Not real here: BIRD 2 for Calico's BIRD, a separate GoBGP for kube-vip's, plain HTTP servers for API server and "
    "Services, no kube-proxy and no eBPF."
)
"""What a reader must know before he trusts the rest."""


def mark(verdict: Verdict, *, colour: bool) -> str:
    """The first column."""
    word = f"{_MARK[verdict]:<8}"
    return f"\x1b[{_COLOUR[verdict]}m{word}\x1b[0m" if colour else word


def opening(
    name: str, endpoints: Mapping[str, tuple[str, ...]], files: Mapping[str, str], passwords: Iterable[str] = ()
) -> Iterator[str]:
    """What is about to run, and what was made up."""
    yield f"lab {name}"
    for path, digest in files.items():
        yield f"  loaded as it is: {path}  sha256 {digest[:16]}"
    for reference in passwords:
        yield f"  password made up: {reference}, which is its mark on both ends"
    for service, nodes in endpoints.items():
        yield f"  endpoints made up: {service} on {', '.join(nodes)}"
    yield ""


def check_line(check: Check, *, colour: bool) -> str:
    """One check."""
    return f"{mark(check.verdict, colour=colour)} {check.name:<32} {check.took:5.1f} s  {check.text}"


def outcome_lines(outcome: Outcome, *, colour: bool) -> Iterator[str]:
    """One scenario, with what was lost at each target."""
    if outcome.verdict is Verdict.SKIPPED:
        yield f"{mark(outcome.verdict, colour=colour)} {outcome.name:<18} {outcome.text}"
        return
    took = "never right" if outcome.took is None else f"right after {outcome.took:.2f} s"
    back = "" if outcome.back is None else f", back after {outcome.back:.1f} s"
    promise = f"promised within {outcome.promise:g} s: {outcome.basis}"
    yield f"{mark(outcome.verdict, colour=colour)} {outcome.name:<18} {took} ({promise}){back}"
    yield f"         {outcome.what}: {outcome.text}"
    for stretch in outcome.stretches:
        last = f", the last one at {stretch.lost[-1].at:.1f} s" if stretch.lost else ""
        yield f"         {stretch.target}: {len(stretch.lost)} of {len(stretch.samples)} requests lost{last}"


def closing(result: Result) -> Iterator[str]:
    """Numbers, and what they do not say."""
    counts = ", ".join(f"{result.verdicts.count(verdict)} {verdict.value}" for verdict in Verdict)
    yield ""
    yield from result.notes
    yield f"{result.name}: {counts} in {result.seconds:.1f} s, with {result.mebibytes:.0f} MiB"
    yield NOT_REAL
