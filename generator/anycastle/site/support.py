"""What the site file can already say and the generator cannot yet carry out.

Such a field is refused with a finding, never ignored: an accepted answer that changes nothing is a trap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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


NODE_KEYS: Mapping[str, str] = {
    "links": "A point-to-point link of a node",
}
"""Keys of a node that nothing is rendered for yet; the wizard offers what needs one as soon as it is gone from here."""


def _nodes(site: Site) -> Iterator[Gap]:
    for index, node in enumerate(site.nodes):
        at = f"nodes[{index}]"
        for key, what in NODE_KEYS.items():
            if getattr(node, key):
                yield f"{at}.{key}", what
