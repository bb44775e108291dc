"""What stands in two places and must agree: files against files, and the site file against all of them.

Each file may be right by itself. What is compared here is what the components would find out from one another, in a
running network, at the worst time.
"""

from __future__ import annotations

from anycastle.finding import Severity
from anycastle.reader.agreement import (
    applications,
    bootstrap,
    bootstrap_releases,
    calico_parts,
    dataplane,
    dead_links,
    engine_values,
    firewall,
    flux_guards,
    flux_releases,
    foundation,
    hosts,
    ingress,
    machines,
    mirrors,
    passwords,
    placement,
    pod_security,
    projects,
    references,
    routers,
    scripts,
    secret_files,
    site_file,
    sync_options,
    updates,
    vip_pods,
    vip_start,
    workflows,
)
from anycastle.reader.agreement.absence import FROM_ABSENCE
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.notes import Notes

_ALL = (
    machines,
    hosts,
    scripts,
    dataplane,
    dead_links,
    vip_pods,
    vip_start,
    routers,
    firewall,
    applications,
    sync_options,
    projects,
    flux_guards,
    flux_releases,
    foundation,
    bootstrap,
    bootstrap_releases,
    references,
    pod_security,
    placement,
    passwords,
    secret_files,
    mirrors,
    calico_parts,
    ingress,
    engine_values,
    updates,
    workflows,
    site_file,
)


_ECHOES = frozenset(("KVIP006", "KVIP007", "NODE001", "ARGO009", "SITE020"))
"""Codes that only say that two places differ: a mistake that has a name of its own is not told a second time."""


def check(subject: Subject, notes: Notes) -> None:
    """Every comparison."""
    found = Notes()
    for family in _ALL:
        family.check(subject, found)
    known = subject.network.knows
    found.findings = [finding for finding in found.findings if known(*FROM_ABSENCE.get(finding.code, ()))]
    named = [finding for finding in (*notes.findings, *found.findings) if finding.code not in _ECHOES]
    taken = {finding.where.path for finding in named if finding.severity in (Severity.ERROR, Severity.WARNING)}
    notes.findings += [
        finding for finding in found.findings if finding.code not in _ECHOES or finding.where.path not in taken
    ]


__all__ = ["Subject", "check"]
