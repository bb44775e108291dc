"""The commands `update` and `diff`: their options and exit status. What happens is in `updating`."""

from __future__ import annotations

from pathlib import Path

import click

from anycastle.terminal import DIRECTORY, echo


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would be done to each file, and do nothing.")
@click.option(
    "--overwrite",
    multiple=True,
    metavar="PATH",
    help="Give up the edit of this file, which must be committed, and take what is generated. Repeatable.",
)
@click.option("--keep", multiple=True, metavar="PATH", help="Leave this edited file as it is. Repeatable.")
@click.argument("directory", type=DIRECTORY, metavar="DIR")
def update(directory: Path, dry_run: bool, overwrite: tuple[str, ...], keep: tuple[str, ...]) -> int:
    """Bring a generated repository up to its site.yaml.

    Files that were edited by hand are never replaced: where such a file would have to change, nothing at all is
    written, and each is named with what to do. site.yaml and overrides.yaml are yours and not touched. Nothing is
    committed.
    """
    from anycastle import updating

    if both := sorted({*overwrite} & {*keep}):
        raise click.UsageError(f"{both[0]} cannot both be overwritten and kept.")
    return updating.update(directory, overwrite, keep, dry_run=dry_run, echo=echo)


@click.command()
@click.argument("directory", type=DIRECTORY, metavar="DIR")
def diff(directory: Path) -> int:
    """Show how a repository differs from its site.yaml.

    That is what `update` would change, and what was edited in generated files.

    Exit status 0 without a difference, 1 with one, 2 where it cannot be told: a site.yaml with errors, or a folder
    that anycastle did not generate.
    """
    from anycastle import updating

    return updating.diff(directory, echo)
