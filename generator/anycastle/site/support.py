"""What the site file can already say and the generator cannot yet carry out.

Such a field is refused with a finding, never ignored: an accepted answer that changes nothing is a trap.
"""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Finding, Place, Severity
from anycastle.site.model import Site


def unsupported(site: Site) -> Iterator[Finding]:
    """One finding for every answer that nothing is rendered for yet."""
    for key, what in _nodes(site):
        yield Finding(
            "SITE010",
            Severity.ERROR,
            Place(key=key),
            f"{what} is described by the site file but not supported yet; nothing would be generated for it.",
            "Take the key out, or leave it at its default.",
        )


Gap = tuple[str, str]


LINKED: frozenset[str] = frozenset(("frr",))
"""Software of routers whose configuration carries links of two addresses: a way to each node, a source to each session."""


def _nodes(site: Site) -> Iterator[Gap]:
    software = {router.name: router.software for router in site.routers}
    for index, node in enumerate(site.nodes):
        for number, link in enumerate(node.links):
            found = software.get(link.router, "frr")
            if found not in LINKED:
                yield f"nodes[{index}].links[{number}].router", f"A point-to-point link to a router that runs {found}"
