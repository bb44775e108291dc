"""What the site file can already say and the generator cannot yet carry out.

Such a field is refused with a finding, never ignored: an accepted answer that changes nothing is a trap.
"""

from __future__ import annotations

from collections.abc import Iterator

from anycastle.finding import Finding, Place, Severity
from anycastle.site.model import Site


def unsupported(site: Site) -> Iterator[Finding]:
    """One finding for every answer that nothing is rendered for yet."""
    for key, what in _links(site):
        yield Finding(
            "SITE010",
            Severity.ERROR,
            Place(key=key),
            f"{what} is described by the site file but not supported yet; nothing would be generated for it.",
            f"Choose one of: {', '.join(sorted(LINKED))}.",
        )


LINKED: frozenset[str] = frozenset(("frr",))
"""Software of routers for which links of two addresses are generated: a way to each node, a source of each session."""


def _links(site: Site) -> Iterator[tuple[str, str]]:
    linked = {link.router for node in site.nodes for link in node.links}
    for index, router in enumerate(site.routers):
        if router.name in linked and router.software not in LINKED:
            yield f"routers[{index}].software", f"A link of two addresses to a router that runs {router.software}"
