"""The command `plan`: its options and exit status. What happens is in `planning`."""

from __future__ import annotations

from pathlib import Path

import click

from anycastle.terminal import cache_folder, echo, terminal_width, warn

SOURCE = click.Path(exists=True, path_type=Path)


@click.command()
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
@click.option(
    "--full", is_flag=True, help="Show each machine of a large site on a line of its own, as JSON always does."
)
@click.option("--width", type=click.IntRange(40, 1000), help="Columns of the text.  [default: the terminal's, or 80]")
@click.option(
    "--diff",
    "before",
    type=SOURCE,
    metavar="BEFORE",
    help="Show what changed since the plan of BEFORE, a site file or a repository: + is new, - is gone.",
)
@click.argument("source", type=SOURCE, default=".", metavar="[SITE.yaml|DIR]")
def plan(source: Path, form: str, full: bool, width: int | None, before: Path | None) -> int:
    """Print who owns which address, who speaks to whom, who announces what and when, and what each router lets in.

    From a site file, or from any repository that `validate` can read: then it is what the files say. Whether it is
    right is the question of `validate`.

    Exit status 0; 1 where something could not be read. With --diff: 0 no difference, 1 differences, 2 where it cannot
    be told, because something of either could not be read.
    """
    from anycastle import planning

    shown = planning.Form(form, width or terminal_width(), full or before is not None)
    return planning.run(source, before, shown, cache_folder(), (echo, warn))
