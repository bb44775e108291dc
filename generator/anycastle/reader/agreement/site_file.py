"""Everything that `site.yaml` says, held against what the files say.

The site file is read as plain YAML, never through the model that generates from it. Where it leaves a key out, the
default of its form holds.
"""

from __future__ import annotations

from anycastle.finding import NOWHERE
from anycastle.reader import declared, documents
from anycastle.reader.agreement import site_cluster, site_egress, site_engine, site_git, site_routing, site_serving
from anycastle.reader.agreement.difference import Site, tell
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.notes import Notes

FORM = 1
"""Version of the site file's form that is read here."""


def check(subject: Subject, notes: Notes) -> None:
    """All differences, where there is a site file."""
    data = subject.tree.data(declared.FILE, notes) if subject.one_hand else None
    loaded = documents.load(data, declared.FILE).documents if data is not None else ()
    if not loaded or not isinstance(loaded[0].value, dict):
        return
    site = Site(loaded[0], subject)
    found = (
        *site.same(("schema",), FORM, NOWHERE),
        *site_cluster.differences(site),
        *site_routing.differences(site),
        *site_engine.differences(site),
        *site_serving.differences(site),
        *site_egress.differences(site),
        *site_git.differences(site),
    )
    tell(site, found, notes)
