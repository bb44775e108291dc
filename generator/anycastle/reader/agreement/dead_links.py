"""What machines and routers with links of two addresses need for the moment in which one of them goes down."""

from __future__ import annotations

import re
from collections import defaultdict

from anycastle.finding import Place
from anycastle.network.bgp import Software
from anycastle.network.questions import wired
from anycastle.reader.agreement.subject import Subject
from anycastle.reader.notes import Notes

_SETTING = re.compile(r"^\s*net\.ipv([46])\.conf\.all\.ignore_routes_with_linkdown\s*=\s*(\S+)", re.MULTILINE)
_KERNEL = re.compile(r"^\s*net\.ipv4\.\S+\s*=", re.MULTILINE)
_GROUPS = re.compile(r"^no zebra nexthop kernel enable\s*$", re.MULTILINE)
_RELEASE = re.compile(r"^frr version (\d{1,4})", re.MULTILINE)
_MENDED = 9


def check(subject: Subject, notes: Notes) -> None:
    """Scripts of machines with several links, and the FRR of routers with static routes over links."""
    ends: dict[str, list[int]] = defaultdict(list)
    for end in wired(subject.network):
        ends[end.host].append(end.address.version)
    if not ends:
        return
    for path, node, script in subject.beside("install.sh", notes):
        for family in sorted({family for family in ends[node.name] if ends[node.name].count(family) > 1}):
            _machine(path, script, family, node.name, notes)
    for router in subject.network.routers:
        if router.software is Software.FRR and router.reaches:
            _router(router.where.path, subject, notes)


def _machine(path: str, script: str, family: int, node: str, notes: Notes) -> None:
    """Where a script sets anything of the kernel; what else a machine has is not known."""
    first = _KERNEL.search(script)
    said = [match for match in _SETTING.finditer(script) if match[1] == str(family)]
    if first is None or (said and said[-1][2] == "1"):
        return
    at = (said[-1] if said else first).start()
    notes.add(
        "NODE016",
        Place(path, script.count("\n", 0, at) + 1),
        f"When one of the links of {node} is down, Linux keeps its share of the default route, and loses what goes "
        "into it.",
        f"Write net.ipv{family}.conf.all.ignore_routes_with_linkdown = 1.",
    )


def _router(path: str, subject: Subject, notes: Notes) -> None:
    config = (subject.tree.text(path, notes) or "") if subject.tree.has_file(path) else ""
    release = _RELEASE.search(config)
    if not config or _GROUPS.search(config) or (release and int(release[1]) >= _MENDED):
        return
    notes.add(
        "FRR014",
        Place(path, 1),
        "After a link was down for a moment, FRR before release 9 sends nothing to its node any more, while the "
        "session stands.",
        "Write `no zebra nexthop kernel enable`, or `frr version 9` or later where that runs.",
    )
