"""What the lab must know of a router's own files to lay cables to it: names of interfaces, passwords of sessions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

DEFAULT_INTERFACE = "lan0"
"""Towards the nodes, where no file names an interface."""

_SYSCTL = re.compile(r"^\s*-?\s*(net[./][^\s=]+)\s*=\s*(\S.*?)\s*$", re.MULTILINE)
_IN_SYSCTL = re.compile(r"net\.ipv[46]\.(?:conf|neigh)\.([^.]+)\.")
_IN_RULES = re.compile(r'\b[io]ifname\s+(?:!=\s*)?(?:"?([\w.@-]+)"?|\{([^}]*)\})')
_TURNING = re.compile(r'\biifname\s+"?([\w.@-]+)"?\s+oifname\s+"?\1"?(?![\w.@-])')
_SPLIT = re.compile(r'[\s,"]+')
_PASSWORD = re.compile(r"^\s*neighbor\s+(\S+)\s+password\s+(?:\d\s+)?(\S+)\s*$", re.MULTILINE)
_MEMBER = re.compile(r"^\s*neighbor\s+(\S+)\s+peer-group\s+(\S+)\s*$", re.MULTILINE)

Files = Mapping[str, bytes]
"""File name -> content, of one router's folder."""


def text(files: Files, name: str) -> str:
    """A file as text; empty where it is not there."""
    return files.get(name, b"").decode("utf-8", "replace")


def lan_interface(files: Files) -> str:
    """The interface towards the nodes: where traffic may turn round, or else the one named most often."""
    rules = _without_comments(text(files, "nftables.conf"))
    turning = _TURNING.search(rules)
    if turning:
        return turning[1]
    counted = Counter(_named(files))
    return counted.most_common(1)[0][0] if counted else DEFAULT_INTERFACE


def interfaces(files: Files) -> tuple[str, ...]:
    """Every interface that a router's firewall and kernel settings name, in their order."""
    return tuple(dict.fromkeys(_named(files)))


def _named(files: Files) -> Iterator[str]:
    rules = _IN_RULES.findall(_without_comments(text(files, "nftables.conf")))
    written = [name for one, several in rules for name in (one, *_SPLIT.split(several)) if name]
    settings = _IN_SYSCTL.findall(_without_comments(text(files, "sysctl.conf")))
    yield from (name for name in (*written, *settings) if name not in ("all", "default", "lo"))


def kernel_settings(content: str) -> Iterator[tuple[str, str]]:
    """Keys below `net.` with their values, in the order of the file; nothing else can be set inside a namespace."""
    yield from _SYSCTL.findall(_without_comments(content))


def passwords(files: Files) -> Mapping[str, str]:
    """Neighbour address -> password, those of its peer-group included."""
    content = text(files, "frr.conf")
    given = dict(_PASSWORD.findall(content))
    of_groups = {member: given[group] for member, group in _MEMBER.findall(content) if group in given}
    return {**of_groups, **given}


def _without_comments(content: str) -> str:
    return re.sub(r"^\s*[#;].*$|\s#.*$", "", content, flags=re.MULTILINE)
