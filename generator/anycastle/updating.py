"""`update` and `diff`: an edited site.yaml to the files that follow from it, in a repository that is there already.

Composes what `compose` composes for a new repository with the comparison in `repo`. Nothing is written before
everything is known: the site, the plan, and what stands at every path.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from anycastle.compose import Echo, Judged, refused, site_document_findings
from anycastle.finding import Finding, Misuse, Refused, Severity, Unanswered
from anycastle.repo import codes
from anycastle.sitefile import SITE

if TYPE_CHECKING:
    from anycastle.repo.comparing import History, Step, Tree, Wishes


class Compared(NamedTuple):
    """What an update would do, and what it needs for that."""

    tree: Tree
    history: History
    steps: tuple[Step, ...]
    findings: tuple[Finding, ...]


def update(root: Path, overwrite: Iterable[str], keep: Iterable[str], *, dry_run: bool, echo: Echo) -> int:
    """Bring the generated files up to site.yaml: 0, or 1 where something stood against it and nothing was written.

    `overwrite` and `keep` are edited files, relative to the repository: the edit is given up, or the file is left as
    it is. With `dry_run` it is only said what would happen. Raises `Refused`.
    """
    from anycastle.repo.applying import apply
    from anycastle.repo.comparing import Wishes, left_behind, obstacles
    from anycastle.repo.differences import listing, numbers

    compared = _compared(root, Wishes(frozenset(overwrite), frozenset(keep)))
    steps = compared.steps
    echo(_said([*compared.findings, *left_behind(steps)]) + listing(steps))
    against = [*obstacles(steps, root, compared.history), *_lost_for_good(root, steps, overwrite)]
    if against:
        echo(f"\n{_said(against)}{root}: {numbers(steps, done=False)}. Nothing was written.\n")
        return 1
    if not dry_run:
        apply(root, steps, compared.history, compared.tree.executable)
    echo(f"{root}: {numbers(steps, done=not dry_run)}.\n{_next(root, steps, dry_run=dry_run)}")
    return 0


def diff(root: Path, echo: Echo) -> int:
    """Say how the repository differs from what its site.yaml makes: 0 where it does not, 1 where it does.

    Raises `Unanswered` where there is no site.yaml that anything follows from, or no manifest.
    """
    from anycastle.repo.comparing import QUIET, Wishes
    from anycastle.repo.differences import diffs, listing, numbers

    try:
        compared = _compared(root, Wishes())
    except Refused as error:
        raise Unanswered(error.findings) from error
    for piece in diffs(compared.steps):
        echo(piece)
    listed = listing(compared.steps)
    echo(_said(compared.findings) + ("\n" + listed if listed else ""))
    echo(f"{root}: {numbers(compared.steps, done=False)}.\n")
    return int(any(step.action not in QUIET for step in compared.steps))


def _compared(root: Path, wishes: Wishes) -> Compared:
    from anycastle.render import EXECUTABLE, render, yours
    from anycastle.repo import journal
    from anycastle.repo.comparing import History, Tree, compare
    from anycastle.repo.manifest import generated

    judged = site_of(root)
    assert judged.site is not None
    assert judged.network is not None
    history = History(generated(root), journal.read(root))
    tree = Tree(render(judged.site, judged.network, written=True), EXECUTABLE, yours)
    named = wishes.overwrite | wishes.keep
    if strangers := sorted(path for path in named if path not in tree.files or tree.yours(path)):
        raise Misuse([codes.not_generated(path) for path in strangers])
    return Compared(tree, history, compare(root, tree, history, wishes), judged.findings)


def site_of(root: Path) -> Judged:
    """The site of a repository, and its network: both are there. Raises `Refused`."""
    judged = _judged(root)
    if judged.site is None or judged.network is None or refused(judged.findings):
        raise Refused(judged.findings)
    return judged


def _judged(root: Path) -> Judged:
    """The site in the repository; places are its lines. Raises `Refused` where it cannot be read."""
    from anycastle import textfile, yamlio

    try:
        data = textfile.read(root / SITE, yamlio.MAX_BYTES)
    except OSError as error:
        raise Refused([codes.not_updatable(SITE, f"cannot be read ({error.strerror})")]) from error
    loaded = yamlio.load(data, str(root / SITE))
    if any(finding.severity is Severity.ERROR for finding in loaded.findings):
        raise Refused(loaded.findings)
    if len(loaded.documents) != 1:
        raise Refused([codes.not_updatable(SITE, f"holds {len(loaded.documents)} documents instead of one")])
    return site_document_findings(loaded.documents[0])


def _lost_for_good(root: Path, steps: Iterable[Step], overwrite: Iterable[str]) -> Iterable[Finding]:
    """Edits that are to be overwritten and that no commit holds."""
    from anycastle.repo.comparing import Action
    from anycastle.repo.history import uncommitted

    named = frozenset(overwrite)
    lost = [step.path for step in steps if step.path in named and step.action is Action.UPDATE]
    return [codes.uncommitted(path) for path in uncommitted(root, lost)] if lost else []


def _said(findings: Collection[Finding]) -> str:
    from anycastle.report.text import findings_text

    return findings_text(findings) + "\n" if findings else ""


def _next(root: Path, steps: Iterable[Step], *, dry_run: bool) -> str:
    from anycastle.repo.comparing import WRITING, Action

    changing = WRITING | {Action.REMOVE}
    if not any(step.action in changing for step in steps):
        return "Nothing to do.\n"
    if dry_run:
        return f"Nothing was written. `anycastle diff {root}` shows every line.\n"
    return "Next: read `git status` and `git diff`, then commit and push.\n"
