"""The command `import`: its options and exit status. What happens is in `imported`."""

from __future__ import annotations

from pathlib import Path

import click

from anycastle.terminal import echo, warn

SOURCE = click.Path(exists=True, path_type=Path)
KINDS = ("ansible", "csv", "netbox", "kubectl")
"""As in `importing.detect`, which is loaded for a run only."""


@click.command("import")
@click.argument("sources", nargs=-1, required=True, type=SOURCE, metavar="SOURCE...")
@click.option(
    "-o",
    "--output",
    default="site.yaml",
    show_default=True,
    metavar="FILE",
    help="The site file to write, which must not exist; - prints it.",
)
@click.option("--from", "kind", type=click.Choice(KINDS), help="What the sources are.  [default: by their content]")
def import_(sources: tuple[Path, ...], output: str, kind: str | None) -> int:
    """Make a first site file from what other tools know.

    Sources: an Ansible inventory (INI, YAML, or its folder), a CSV of machines, an export of NetBox (JSON of its API,
    or CSV), or the output of `kubectl get nodes,ippools,bgppeers,bgpconfigurations -o yaml`. Several are combined.

    Nothing is asked: what no source states has its default, and is marked in the file and listed.

    Exit status 0; 1 where something is wrong or contradictory.
    """
    from anycastle import imported

    return imported.run(sources, kind or "", output, (echo, warn))
