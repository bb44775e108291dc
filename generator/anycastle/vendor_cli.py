"""The command `vendor`: its options. What happens is in `bringing`."""

from __future__ import annotations

from pathlib import Path

import click

from anycastle.terminal import DIRECTORY, echo


@click.command()
@click.option(
    "--registry",
    default="registry.example.com",
    show_default=True,
    help="The mirror's name in the list of images; a path may follow it. egress.mirrors in site.yaml comes first.",
)
@click.option(
    "--charts",
    "mirror",
    default="",
    metavar="URL",
    help="One repository that serves all charts instead; by default egress.charts.",
)
@click.argument("directory", type=DIRECTORY, metavar="DIR")
def vendor(directory: Path, registry: str, mirror: str) -> int:
    """Bring the upstream charts into the repository, and list every image.

    Each chart is held against the digest in the index of its repository, unpacked below vendor/, and locked in
    vendor/charts.lock.yaml; what is there and unchanged is not fetched again. Set `gitops.source: vendored` in
    site.yaml and run `anycastle update` to have the engine use them.
    """
    from anycastle import bringing

    return bringing.vendor(directory, registry, mirror, echo)
