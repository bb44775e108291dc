"""EOS, IOS XE and NX-OS, put into FRR's words line by line: all four have one ancestor, and differ in few of them.

What they do where nothing is said differs, too: none of them wants a policy on eBGP, and IOS XE helps with graceful
restart only where it is told to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import ip_network

from anycastle.network.bgp import Software
from anycastle.reader import frr_statements
from anycastle.reader.frr import BY_HARDWARE, Config, Forwarding
from anycastle.reader.notes import Notes

_EOS = re.compile(
    r"^[ \t]*(?:neighbor \S+ peer group\b|service routing protocols model|no ip icmp redirect)", re.MULTILINE
)
_NX_OS = re.compile(r"^[ \t]*(?:feature bgp\b|template peer \S|inherit peer \S)", re.MULTILINE)
_IOS_XE = re.compile(
    r"^(?:ip(?:v6)? cef\b|version 1[5-7]\.)|^[ \t]*neighbor \S+ transport connection-mode", re.MULTILINE
)
_NAMED = re.compile(r"(?<![a-z])(?:eos|nx-os|ios-xe)(?![a-z])")
_MASKED = re.compile(r"\d+\.\d+\.\d+\.\d+\Z")

Words = list[str]


def software_of(text: str, name: str) -> Software | None:
    """Which of the three a file with `router bgp` is for, by what it says, else by its name; None where it is FRR's."""
    for pattern, software in ((_NX_OS, Software.NX_OS), (_EOS, Software.EOS), (_IOS_XE, Software.IOS_XE)):
        if pattern.search(text):
            return software
    named = _NAMED.search(name)
    return Software(named[0]) if named else None


def parse(text: str, path: str, software: Software, notes: Notes) -> Config:
    """Read a file."""
    by_hardware = software is Software.EOS
    forwarding = Forwarding(hashed={4, 6}, lacking=[BY_HARDWARE]) if by_hardware else Forwarding()
    config = Config(path, software=software, policy_required=False, forwarding=forwarding)
    config.graceful_restart = software is not Software.IOS_XE
    config.relaxed = software is Software.EOS  # by default
    translate = {Software.EOS: _Eos, Software.NX_OS: _NxOs, Software.IOS_XE: _IosXe}[software](config, forwarding)
    reader = frr_statements.Reader(config, notes)
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if line and not line.startswith(("!", "#")):
            for words in translate.words(line.split(), len(raw) - len(raw.lstrip())):
                reader.statement(words, number)
    config.unknown.clear()  # a word that FRR does not know may be one of theirs
    return config


class _Dialect:
    """Keeps what a line needs to know of the lines above it."""

    def __init__(self, config: Config, forwarding: Forwarding) -> None:
        self.config = config
        self.forwarding = forwarding
        self.list = ""

    def words(self, words: Words, _indent: int) -> Iterator[Words]:
        """One line in FRR's words; nothing where it says nothing of interest."""
        match words:
            case ["no", "ip", "redirects"] | ["no", "ip", "icmp", "redirect"]:
                self.forwarding.quiet = True
            case [("ip" | "ipv6") as family, "prefix-list", name]:
                self.list = f"{family} prefix-list {name}"
            case ["seq", number, *rest] if self.list:
                yield [*self.list.split(), "seq", number, *rest]
            case ["no", *rest] if rest[:1] in (["ip"], ["ipv6"], ["route-map"]):
                return
            case ["router-id", value]:
                yield ["bgp", "router-id", value]
            case _:
                yield from self.own(words)

    def own(self, words: Words) -> Iterator[Words]:
        """What this one says differently."""
        yield words


class _Eos(_Dialect):
    def own(self, words: Words) -> Iterator[Words]:
        match words:
            case ["no", "graceful-restart-helper"]:
                yield ["bgp", "graceful-restart-disable"]
            case ["no", "bgp", "bestpath", "as-path", "multipath-relax"]:
                self.config.relaxed = False
            case ["neighbor", name, "peer", "group", *group]:
                yield ["neighbor", name, "peer-group", *group]
            case ["neighbor", name, "maximum-routes", *rest]:
                yield ["neighbor", name, "maximum-prefix", *rest]
            case ["address-family", "ipv4" | "ipv6"]:
                yield [*words, "unicast"]
            case _:
                yield words


class _IosXe(_Dialect):
    def own(self, words: Words) -> Iterator[Words]:
        match words:
            case [("ip" | "ipv6") as family, "cef", "load-sharing", "algorithm", "include-ports", *_]:
                self.forwarding.hashed.add(6 if family == "ipv6" else 4)
            case ["bgp", "graceful-restart"]:
                self.config.graceful_restart = True
            case ["neighbor", name, "transport", "connection-mode", "passive"]:
                yield ["neighbor", name, "passive"]
            case ["address-family", _, "vrf", *_]:
                yield ["vrf", "other"]  # what follows is passed over
            case ["ip", "route", address, mask, *rest] if _MASKED.match(mask):
                yield ["ip", "route", _prefix(address, mask), *rest]
            case _:
                yield words


def _prefix(address: str, mask: str) -> str:
    try:
        return str(ip_network(f"{address}/{mask}"))
    except ValueError:
        return f"{address}/{mask}"


class _NxOs(_Dialect):
    """A neighbour is a block here: what stands in it is said of it, and of `template peer` as of a peer group."""

    def __init__(self, config: Config, forwarding: Forwarding) -> None:
        super().__init__(config, forwarding)
        self.name = ""
        self.depth = 0
        self.apart = 0  # indentation of a VRF, whose neighbours are others'

    def words(self, words: Words, indent: int) -> Iterator[Words]:
        if indent <= self.apart:
            self.apart = 0
        if words[0] == "vrf" and indent:
            self.apart = indent
        if self.apart:
            return
        if indent <= self.depth or words[0] in ("template", "neighbor", "router", "vrf"):
            self.name = ""
        if self.name:
            yield from self._of_neighbour(words)
        elif words[0] in ("template", "neighbor") and len(words) > 1:
            yield from self._begin(words, indent)
        else:
            yield from super().words(words, indent)

    def own(self, words: Words) -> Iterator[Words]:
        match words:
            case ["ip", "load-sharing", "address", *rest] if "port" in rest:
                self.forwarding.hashed |= {4, 6}
            case ["no", "graceful-restart"]:
                yield ["bgp", "graceful-restart-disable"]
            case ["bestpath", "as-path", "multipath-relax"]:
                self.config.relaxed = True
            case _:
                yield words

    def _begin(self, words: Words, indent: int) -> Iterator[Words]:
        self.depth = indent
        yield ["exit-address-family"]
        if words[:2] == ["template", "peer"] and len(words) > 2:
            self.name = words[2]
            yield ["neighbor", self.name, "peer-group"]
        elif words[0] == "neighbor":
            self.name = words[1]
            if len(words) > 3 and words[2] == "remote-as":
                yield ["neighbor", self.name, *words[2:4]]

    def _of_neighbour(self, words: Words) -> Iterator[Words]:
        match words:
            case ["inherit", "peer", group, *_]:
                yield ["neighbor", self.name, "peer-group", group]
            case ["transport", "connection-mode", "passive"]:
                yield ["neighbor", self.name, "passive"]
            case ["address-family", *_]:
                return
            case _:
                yield ["neighbor", self.name, *words]
