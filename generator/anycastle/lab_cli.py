"""`anycastle lab`: the commands, and the way into the lab's own namespaces and out again.

`test` and `up` run twice: the outer command looks whether the machine can do it, starts itself anew inside, waits and
tidies up; the inner one is the lab.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from anycastle.rehearsing import Picture, both_sides, inside, report, say, stay
from anycastle.terminal import CLEAN, DIRECTORY, FINDINGS, NEW_FILE, colour

if TYPE_CHECKING:
    from anycastle.lab.running import Blueprint
    from anycastle.lab.state import Running

_DIRECTORY = click.argument("directory", type=DIRECTORY, metavar="DIR")
_NAME = click.option("--name", default="", help="Name of the lab.  [default: the folder's name]")
_WHICH = click.option("--name", default="", help="Name of the lab; needed only where several run.")
_ENDPOINTS = click.option(
    "--endpoints",
    type=click.IntRange(1, 1000),
    default=2,
    show_default=True,
    help="Nodes that have an endpoint of each Service, as far as there are nodes.",
)


@click.group()
def lab() -> None:
    r"""Run the network of a repository on this machine with real daemons, and break it on purpose.

    \b
    anycastle lab test DIR                     up, checks, a few failures, down
    anycastle lab test DIR --scenario all      every failure, measured
    anycastle lab up DIR                       until Ctrl-C or `lab down`
    anycastle lab exec router -- vtysh         a command on one machine of the lab

    Everything lives in private namespaces of the kernel; it needs Linux, FRR, BIRD and GoBGP, and no root where the
    kernel grants user namespaces.
    """


@lab.command()
@_DIRECTORY
@click.option(
    "--scenario", "names", multiple=True, help="A failure (repeatable), `all` or `none`; see `lab scenarios`."
)
@click.option("--keep", is_flag=True, help="Stay up afterwards, until Ctrl-C or `lab down`.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--svg", type=NEW_FILE, help="Write the timeline as a picture.")
@_NAME
@_ENDPOINTS
def test(directory: Path, names: tuple[str, ...], **options: object) -> int:
    """Check the network as it is built and as it fails; exit status 1 where it is not as planned."""
    scenarios = _scenarios(names)
    name = str(options["name"]) or directory.resolve().name
    svg, form = options["svg"], options["form"]
    if svg and not Path(str(svg)).resolve().parent.is_dir():
        raise click.UsageError(f"There is no folder for {svg}.")

    def work(plan: Blueprint) -> int:
        from anycastle.lab import session

        line = say if form == "text" else _nothing
        running = session.open_lab(plan, name, line)
        result = session.run(running, name, scenarios, line, colour=colour())
        report(result, str(form), picture)
        if options["keep"]:
            stay(name)
        running.close()
        return FINDINGS if result.failed else CLEAN

    picture = Picture(Path(str(svg)) if svg and inside() else None)
    return both_sides(directory, name, int(str(options["endpoints"])), work)


@lab.command()
@_DIRECTORY
@_NAME
@_ENDPOINTS
def up(directory: Path, name: str, endpoints: int) -> int:
    """Bring the network up and keep it until Ctrl-C or `anycastle lab down`."""
    name = name or directory.resolve().name

    def work(plan: Blueprint) -> int:
        from anycastle.lab import session
        from anycastle.lab.settling import settle

        running = session.open_lab(plan, name, say)
        settled = settle(running)
        for fault in (*settled.wrong_sessions, *settled.wrong_routes):
            say(f"not as planned: {fault}")
        if not settled.wrong_sessions and not settled.wrong_routes:
            say(f"every session and route of the plan stands after {settled.routes or 0:.1f} s")
        stay(name)
        running.close()
        return CLEAN

    return both_sides(directory, name, endpoints, work)


@lab.command()
def scenarios() -> int:
    """List the failures that can be rehearsed."""
    from anycastle.lab.scenarios import USUAL, sentences

    for name, sentence in sentences():
        say(f"{name:<18} {sentence}{' (usual)' if name in USUAL else ''}")
    return CLEAN


@lab.command()
def status() -> int:
    """Show the labs that run, and how many sessions stand in them."""
    from anycastle.lab.state import running

    labs = running()
    for one in labs:
        say(f"{one.name}  {one.directory}  {_condition(one)}")
    if not labs:
        say("No lab is running.")
    return CLEAN


@lab.command("exec", context_settings={"ignore_unknown_options": True})
@_WHICH
@click.argument("machine")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def execute(name: str, machine: str, command: tuple[str, ...]) -> int:
    """Run a command on a machine of a lab: a node, a router, `client`. Put -- before the command."""
    from anycastle.lab import isolation, state
    from anycastle.lab.commands import FRR, LabError, environment

    try:
        chosen = state.chosen(name)
        about = _about(chosen)
    except LabError as error:
        raise click.ClickException(str(error)) from error
    if not about:
        raise click.ClickException(f"The lab {chosen.name} is not up yet; try again in a moment.")
    machines = [one for group in about.values() for one in group]
    if machine not in machines:
        raise click.UsageError(f"{machine!r} is no machine of {chosen.name}; there are {', '.join(machines)}.")
    argv = [*isolation.enter(chosen.inner, user=chosen.user), str(isolation.RUN / "enter" / machine), *command]
    variables = dict(environment())
    sys.stdout.flush()
    os.execvpe(argv[0], argv, {**variables, "PATH": f"{variables['PATH']}:{FRR}"})  # noqa: S606 - no shell is wanted


@lab.command()
@_WHICH
@click.option("--all", "every", is_flag=True, help="Every lab of yours.")
def down(name: str, every: bool) -> int:
    """Take a lab down; nothing of it is left."""
    from anycastle.lab import state
    from anycastle.lab.commands import LabError

    try:
        chosen = state.running() if every or not (name or state.running()) else (state.chosen(name),)
    except LabError as error:
        raise click.ClickException(str(error)) from error
    if not chosen:
        say("No lab is running.")
    for one in chosen:
        state.end(one)
        say(f"{one.name} is down")
    return CLEAN


def _scenarios(names: tuple[str, ...]) -> tuple[str, ...]:
    from anycastle.lab.scenarios import SCENARIOS, USUAL

    unknown = [name for name in names if name not in (*SCENARIOS, "all", "none")]
    if unknown:
        raise click.UsageError(f"{unknown[0]!r} is no scenario; there are all, none, {', '.join(SCENARIOS)}.")
    if not names:
        return USUAL
    return tuple(SCENARIOS) if "all" in names else tuple(name for name in SCENARIOS if name in names)


def _about(one: Running) -> dict[str, list[str]]:
    from anycastle.lab import isolation
    from anycastle.lab.commands import attempt

    argv = [*isolation.enter(one.inner, user=one.user), "cat", str(isolation.RUN / "about.json")]
    try:
        found: dict[str, list[str]] = json.loads(attempt(argv).stdout)
    except ValueError:
        return {}
    return found


def _condition(one: Running) -> str:
    """Sessions of each router, as bgpd counts them just now."""
    from anycastle.lab import isolation
    from anycastle.lab.commands import attempt

    about = _about(one)
    if not about:
        return "starting"
    counts = []
    for router in about["routers"]:
        argv = [*isolation.enter(one.inner, user=one.user), str(isolation.RUN / "enter" / router)]
        said = attempt([*argv, "vtysh", "-c", "show bgp summary json"]).stdout
        peers = [row for family in json.loads(said or "{}").values() for row in family.get("peers", {}).values()]
        standing = sum(row.get("state") == "Established" for row in peers)
        counts.append(f"{router}: {standing} of {len(peers)} sessions")
    return ", ".join(counts)


def _nothing(_line: str) -> None:
    """For a report that is one JSON object."""
