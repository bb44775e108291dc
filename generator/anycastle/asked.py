"""What a person is asked for a new site, together with what only this machine knows: whether its place is free.

Both faces come through here: `anycastle new` with `ask_site`, the cookiecutter template with the other functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from anycastle import compose
from anycastle.finding import Finding, Place, Refused

if TYPE_CHECKING:
    from anycastle.compose import Ask, Echo, Judged


def ask_site(preset: Mapping[str, str], folder: Path, ask: Ask, echo: Echo) -> tuple[Judged, Path]:
    """Ask until a person agrees to the plan: the site, and the path of its repository, below `folder` or elsewhere.

    Raises `Refused` and `click.Abort`.
    """
    from anycastle.wizard.answers import site_data
    from anycastle.wizard.interview import Person, interview

    chosen = [folder]

    def target(answers: Mapping[str, str]) -> Path:
        return chosen[-1] / answers["site_name"]

    def elsewhere(typed: str) -> None:
        chosen.append(Path(typed).expanduser())
        echo(f"The repository will be created in {chosen[-1].resolve()}.\n")

    def judge(answers: dict[str, str]) -> list[Finding]:
        return findings(answers, taken(target(answers)))

    person = Person(ask, lambda text: echo(f"{text}\n"), judge, elsewhere)
    answers = interview(person, preset, lambda held: plan(held, target(held), taken(target(held))))
    return compose.site_findings(site_data(answers)), target(answers)


def taken(target: Path) -> list[Finding]:
    """A place that cannot be used, as a fault of the site's name: that question is asked again, no answer is lost."""
    from anycastle.repo.place import place_faults

    cure = "Write another site name, or -o DIR to create it in another directory."
    return [replace(finding, where=Place(key="name"), fix=cure) for finding in place_faults(target)]


def findings(answers: Mapping[str, str], against: Iterable[Finding]) -> list[Finding]:
    """What speaks against the answers, besides what is known already; places are keys of the site file."""
    from anycastle.wizard.answers import site_data

    try:
        return [*against, *compose.site_findings(site_data(answers)).findings]
    except Refused as refused:
        return [*against, *refused.findings]


def plan(answers: Mapping[str, str], target: Path | None, against: Iterable[Finding]) -> str:
    """The plan and where it would be written. Raises `Refused` where it cannot be."""
    from anycastle.wizard.answers import site_data

    judged = compose.site_findings(site_data(answers))
    if (known := tuple(against)) or compose.refused(judged.findings):
        raise Refused([*known, *judged.findings])
    return f"\n{compose.plan_shown(judged)}" + (f"\n{destination(target)}" if target else "")


def destination(target: Path) -> str:
    """The path of a new repository on a line of its own, and a warning where git would trip over it."""
    from anycastle.repo.place import nesting
    from anycastle.wizard.asking import wrapped

    warning = nesting(target)
    return (wrapped(f"warning: {warning}") + "\n" if warning else "") + f"New repository: {target.resolve()}"
